//! Rules whose bodies are no longer than any that people write.

use crate::kif::Diagnostic;
use crate::rules::Rules;

/// Joins are nested as deep as a rule has literals, and a thread's stack has an end.
pub const MOST_LITERALS: usize = 2048;

/// An error for each rule with more literals than that.
pub fn check(rules: &Rules) -> Vec<Diagnostic> {
    let long = rules.rules.iter().filter(|rule| rule.body.len() > MOST_LITERALS);
    let error = |rule: &crate::rules::Rule| {
        let message =
            format!("a rule with {} literals, more than {MOST_LITERALS}", rule.body.len());
        Diagnostic::error("GF0309", message, rule.head.span)
            .with_help("give parts of the body predicates of their own")
    };
    let mut errors: Vec<Diagnostic> = long.map(error).collect();
    // An `or` makes several rules of one.
    errors.dedup_by_key(|it| it.span());
    errors
}
