//! g(R): the rule without its negated dynamic literals, over `base` and `input`.
//!
//! Whatever holds in some state is derived by g(R): a negated dynamic literal can hold in one state and
//! not in another, so nothing is concluded from it. Negated static literals and `distinct` stay.

use super::base_input_renaming::rename;
use super::statics::Statics;
use crate::description::Keywords;
use crate::rules::{Literal, Rule};

/// Whether a literal is part of g(R).
pub fn is_joined(literal: &Literal, statics: &Statics) -> bool {
    match literal {
        Literal::Negative(atom) => !statics.is_dynamic(atom.predicate()),
        Literal::Positive(_) | Literal::Distinct(..) => true,
    }
}

/// g(R).
pub fn joined_rule(rule: &Rule, statics: &Statics, keywords: &Keywords) -> Rule {
    let body = rule.body.iter().filter(|literal| is_joined(literal, statics));
    let body = body.map(|literal| match literal {
        Literal::Positive(atom) => Literal::Positive(rename(atom, keywords)),
        other => other.clone(),
    });
    Rule { head: rule.head.clone(), body: body.collect(), span: rule.span }
}
