//! `true` and `does` stand in bodies only: what they mean is given by the course of a match.

use crate::kif::Diagnostic;
use crate::rules::Rules;

/// An error for each rule about `true` or `does`.
pub fn check(rules: &Rules) -> Vec<Diagnostic> {
    let keywords = &rules.keywords;
    let error = |rule: &crate::rules::Rule| {
        let (word, instead) = match rule.head.predicate {
            name if name == keywords.true_ => (
                "true",
                "what holds in the first state is derived with `init`, in the next with `next`",
            ),
            name if name == keywords.does => {
                ("does", "which moves a player may make is derived with `legal`")
            }
            _ => return None,
        };
        let message = format!("`{word}` is the head of a rule or a fact");
        let diagnostic = Diagnostic::error("GF0406", message, rule.head.span);
        Some(diagnostic.with_help(instead))
    };
    let mut errors: Vec<Diagnostic> = rules.rules.iter().filter_map(error).collect();
    // An `or` makes several rules of one.
    errors.dedup_by_key(|it| it.span());
    errors
}
