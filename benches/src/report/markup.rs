//! Text within HTML and SVG.

use groundfrog::visible::is_visible;

/// A text that means itself within elements and attributes, in HTML as in XML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            // XML has no way to write some, and others would turn the text around them, not only the name.
            _ if !is_visible(character) => escaped.extend(character.escape_unicode()),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Text whose lines do not break between a number and its unit.
pub fn glue(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut glued = String::with_capacity(text.len());
    for (place, word) in words.iter().enumerate() {
        if let Some(before) = place.checked_sub(1).and_then(|it| words.get(it)) {
            let is_unit = before.ends_with(|it: char| it.is_ascii_digit())
                && word.trim_end_matches(['.', ',', ';', ':', ')']).chars().count() <= 2;
            glued.push(if is_unit { '\u{a0}' } else { ' ' });
        }
        glued.push_str(word);
    }
    glued
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_with_their_units() {
        let text = "2 take less than 10 ms, 89 % within 1 s; <3";
        assert_eq!(glue(text), "2 take less than 10\u{a0}ms, 89\u{a0}% within 1\u{a0}s; <3");
    }

    #[test]
    fn nothing_gets_out_of_a_text() {
        assert_eq!(escape("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
        assert_eq!(escape("a\nb\u{0}\u{202e}c"), r"a b\u{0}\u{202e}c");
        assert_eq!(escape("schach-Spiel für 2"), "schach-Spiel für 2");
    }
}
