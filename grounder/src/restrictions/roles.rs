//! A game has players.

use crate::kif::{Diagnostic, Span};
use crate::rules::Rules;

/// Fails if no statement says who plays.
///
/// # Errors
/// What is wrong, without a place: nothing in the text is to blame.
pub fn check(rules: &Rules) -> Result<(), Box<Diagnostic>> {
    let mut heads = rules.rules.iter().map(|rule| rule.head.predicate());
    if heads.any(|head| head.name == rules.keywords.role) {
        return Ok(());
    }
    let message = "the description has no roles: nobody plays this game";
    let fault = Diagnostic::error("GF0401", message, Span::default());
    Err(Box::new(fault.with_help("name each player by a fact such as `(role player)`")))
}
