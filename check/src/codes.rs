//! All codes, with their explanations.
//!
//! The explanations are the sections of `docs/checks.md`, whose examples are tested.

use groundfrog::kif::Severity;

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its fixed name, such as `GF0302`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it is about, in a few words.
    pub title: &'static str,
}

/// Codes, severities and titles, in the order of the codes.
macro_rules! codes {
    ($($code:literal $severity:ident $title:literal;)*) => {
        static CODES: &[Code] = &[
            $(Code { code: $code, severity: Severity::$severity, title: $title },)*
        ];
    };
}

codes! {
    "GF0001" Error "the text is too long";
    "GF0002" Error "a byte that is not UTF-8";
    "GF0003" Error "an invisible character";
    "GF0004" Error "lists are nested too deep";
    "GF0005" Error "a parenthesis is never closed";
    "GF0006" Error "a parenthesis closes nothing";
    "GF0101" Error "no statements";
    "GF0102" Error "an empty list";
    "GF0103" Error "a list where a name should be";
    "GF0104" Error "a variable as a predicate";
    "GF0105" Error "a variable as a function";
    "GF0106" Error "a rule without a head";
    "GF0107" Error "a connective as a head";
    "GF0108" Error "a rule inside another statement";
    "GF0109" Error "a keyword with a wrong number of arguments";
    "GF0110" Error "a connective without branches";
    "GF0111" Error "infix notation";
    "GF0112" Error "knows of GDL-III";
    "GF0201" Warning "a predicate is never defined";
    "GF0202" Warning "names differ only in case";
    "GF0203" Warning "a stray word";
    "GF0204" Warning "`<=` inside a term";
    "GF0205" Warning "a rule with another arrow";
    "GF0206" Warning "base or input with a wrong number of arguments";
    "GF0207" Warning "a name that is hardly meant";
    "GF0208" Error "another number of arguments";
    "GF0301" Error "too many alternatives";
    "GF0302" Error "an unsafe variable";
    "GF0303" Warning "an unsafe variable in a rule that is not needed";
    "GF0304" Warning "base or input are not given";
    "GF0305" Error "terms grow without bound";
    "GF0306" Error "a predicate depends on its own negation";
    "GF0307" Error "a limit was exceeded";
    "GF0308" Warning "the given base or input lacks something";
    "GF0309" Error "a rule that is too long";
    "GF0310" Error "too many shapes of terms";
    "GF0401" Error "no role";
    "GF0402" Warning "no rule about a keyword";
    "GF0403" Note "no init";
    "GF0404" Warning "roles by a rule";
    "GF0405" Error "something fixed depends on the state";
    "GF0406" Error "true or does as a head";
    "GF0407" Warning "next, init or sees in a body";
    "GF0408" Error "legal, goal or terminal depend on does";
    "GF0409" Error "a goal value out of range";
    "GF0410" Warning "a goal value may be out of range";
    "GF0411" Warning "a name that is no role";
    "GF0501" Warning "a predicate depends on its own negation, but no atom does";
    "GF0502" Warning "the recursion restriction";
    "GF0503" Warning "the general recursion restriction";
    "GF0601" Warning "a predicate is never used";
    "GF0602" Warning "a rule can never fire";
    "GF0603" Note "an argument is always the same";
    "GF0604" Warning "base or input miss something";
    "GF0605" Note "base or input overshoot";
    "GF0606" Warning "a literal stands before what binds its variables";
    "GF0607" Warning "a negation of what never holds";
    "GF0608" Warning "chance that nobody sees";
    "GF0701" Warning "a match can go on for ever";
    "GF0702" Error "a role without a legal move";
    "GF0703" Error "not exactly one goal value";
    "GF0704" Warning "a role that cannot win";
    "GF0705" Warning "a role does not know its moves";
    "GF0706" Warning "a role does not know the end";
    "GF0707" Warning "a role does not know its goal";
    "GF0708" Note "goals that do not add up";
    "GF0709" Error "no match can end";
    "GF0801" Error "a mixture of languages";
    "GF0802" Error "a lifetime that is none";
    "GF0803" Warning "a fluent with two lifetimes";
    "GF0804" Error "no trader";
    "GF0805" Error "a number that is too long";
    "GF0806" Error "a property of a market does not hold";
    "GF0807" Note "mail that depends on others' messages";
    "GF0808" Error "message in a body";
}

static EXPLANATIONS: &str = include_str!("../checks.md");

/// All codes, in order.
pub fn codes() -> &'static [Code] {
    CODES
}

/// The code of that name, in any case.
pub fn code(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|it| it.code.eq_ignore_ascii_case(name))
}

/// What a code means, why it matters and what to do, as Markdown; `None` if there is no such code.
pub fn explanation(name: &str) -> Option<&'static str> {
    let heading = format!("\n### {}: ", code(name)?.code);
    let start = EXPLANATIONS.find(&heading)? + 1;
    let section = &EXPLANATIONS[start..];
    let end = ["\n### ", "\n## "].iter().filter_map(|next| section.find(next)).min();
    Some(section[..end.unwrap_or(section.len())].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_under_its_title() {
        assert!(CODES.is_sorted_by(|one, other| one.code < other.code));
        for code in CODES {
            let text = explanation(code.code).unwrap_or_else(|| panic!("{}", code.code));
            assert!(text.starts_with(&format!("### {}: {}\n", code.code, code.title)), "{text}");
            let severity = format!("\n*{:?}.* ", code.severity);
            assert!(text.contains(&severity), "{}: {severity}", code.code);
        }
        assert_eq!(EXPLANATIONS.matches("\n### GF").count(), CODES.len());
        assert_eq!(code("gf0302").map(|it| it.code), Some("GF0302"));
        assert_eq!(explanation("GF9999"), None);
    }
}
