//! All codes, with their explanations.
//!
//! The explanations are the sections of `docs/checks.md`, whose examples are tested.

use std::sync::LazyLock;

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

static EXPLANATIONS: &str = include_str!("../checks.md");

/// The codes of all sections.
static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| {
    let sections = EXPLANATIONS.split("\n### ").skip(1);
    sections
        .map(|it| code_of(it).expect("each section has a code, a title and a severity"))
        .collect()
});

/// What the beginning of a section says: `GF0302: title` and, in the next paragraph, `*Error.*`.
fn code_of(section: &'static str) -> Option<Code> {
    let (heading, text) = section.split_once("\n\n")?;
    let (code, title) = heading.split_once(": ")?;
    let (severity, _) = text.strip_prefix('*')?.split_once(".*")?;
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let severity = severities.into_iter().find(|it| it.name().eq_ignore_ascii_case(severity))?;
    Some(Code { code, severity, title })
}

/// All codes, in order.
pub fn codes() -> &'static [Code] {
    &CODES
}

/// The code of that name, in any case.
pub fn code(name: &str) -> Option<&'static Code> {
    codes().iter().find(|it| it.code.eq_ignore_ascii_case(name))
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
    fn every_section_has_a_code() {
        assert!(codes().is_sorted_by(|one, other| one.code < other.code));
        assert!(codes().iter().all(|it| it.code.len() == 6 && it.code.starts_with("GF")));
        let unsafe_variable = code("gf0302").expect("it is one");
        assert_eq!(unsafe_variable.title, "an unsafe variable");
        assert_eq!(unsafe_variable.severity, Severity::Error);
        let text = explanation("GF0302").expect("it is one");
        assert!(text.starts_with("### GF0302: an unsafe variable\n\n*Error.* "), "{text}");
        assert_eq!(explanation("GF9999"), None);
    }
}
