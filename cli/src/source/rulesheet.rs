//! The rules in JSON, as game servers and their archives keep them: `{"rulesheet": "(role robot) ..."}`.

use serde_json::Value;

/// The rules in a text, if it looks like JSON: `None` if it does not.
///
/// # Errors
/// Why there are none in it.
pub(super) fn of_json(bytes: &[u8]) -> Option<Result<String, String>> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    // A word of KIF may begin so, but no statement does.
    let is_object =
        text.strip_prefix(b"{").is_some_and(|it| it.trim_ascii_start().starts_with(b"\""));
    is_object.then(|| rules(text))
}

fn rules(text: &[u8]) -> Result<String, String> {
    let json: Value = serde_json::from_slice(text)
        .map_err(|error| format!("it begins like JSON, but is none ({error})"))?;
    let Some(rules) = json.get("rulesheet") else {
        return Err("it is JSON, but has no `rulesheet`".to_owned());
    };
    let Some(rules) = rules.as_str() else {
        return Err("it is JSON whose `rulesheet` is no text".to_owned());
    };
    match rules.contains('(') {
        true => Ok(rules.to_owned()),
        false => Err(format!("it is JSON whose rules are elsewhere, in `{rules}`: give that file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_left_alone() {
        for text in ["(role r)", "; {\"rulesheet\": 1}\n(role r)", "{odd} (role r)", ""] {
            assert_eq!(of_json(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn json_without_rules_says_what_is_missing() {
        for (text, expected) in [
            ("{\"rulesheet\": ", "but is none"),
            ("{\"rules\": \"(role r)\"}", "no `rulesheet`"),
            ("{\"rulesheet\": 3}", "no text"),
            (" {\"rulesheet\": \"nim.kif\"}", "in `nim.kif`: give that file"),
        ] {
            let error = of_json(text.as_bytes()).expect("it is JSON").expect_err("without rules");
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
