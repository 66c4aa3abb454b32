//! s(R): the rule without its static literals, which is stored for every answer of g(R).

use super::statics::Statics;
use crate::rules::{Literal, Rule};

/// Whether a literal is part of s(R).
pub fn is_stored(literal: &Literal, statics: &Statics) -> bool {
    literal.atom().is_some_and(|atom| statics.is_dynamic(atom.predicate()))
}

/// s(R).
pub fn stored_rule(rule: &Rule, statics: &Statics) -> Rule {
    let body = rule.body.iter().filter(|literal| is_stored(literal, statics));
    Rule { head: rule.head.clone(), body: body.cloned().collect(), span: rule.span }
}
