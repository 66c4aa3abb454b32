//! The ways in which a move may be legal.

use std::slice;

use crate::compact::definitions::{Copies, Definitions};
use crate::compact::invariants::state_invariants::single_valued::kinds;
use crate::description::{Atom, Predicate};
use crate::rules::{Literal, Rule, Substitution, argument_of, may_be_same, variables_of};
use crate::tuning::{LONGEST_BODY, MOST_ALTERNATIVES, MOST_DEPTH};

/// The bodies that make a move legal, with what makes each one's head the move. `None` if there are too many, or one uses
/// no fluent of a kind that the rule uses, or the rule for none but what the move says.
pub(super) fn legal_bodies(
    rule: &Rule,
    made: &Atom,
    definitions: &Definitions<'_>,
) -> Option<Vec<(Vec<Literal>, Substitution)>> {
    let true_ = definitions.keywords.true_;
    let needed = kinds(&rule.body, true_);
    let implied = variables_of(&made.arguments);
    let has_more = rule.body.iter().any(|literal| match literal {
        Literal::Positive(atom) => argument_of(atom, true_).is_some_and(|argument| {
            variables_of(slice::from_ref(argument)).iter().any(|it| !implied.contains(it))
        }),
        Literal::Negative(_) | Literal::Distinct(..) => false,
    });
    if needed.is_empty() || !has_more {
        return None;
    }
    let legal = Predicate { name: definitions.keywords.legal, arity: 2 };
    let mut copies = definitions.copies();
    let mut alternatives = Vec::new();
    for rule in definitions.of(legal) {
        let mut arguments = rule.head.arguments.iter().zip(&made.arguments);
        if !arguments.all(|(legal, made)| may_be_same(legal, made)) {
            continue;
        }
        let (rule, mut values) = (copies.of(rule)?, Substitution::default());
        if values.unify_all(&rule.head.arguments, &made.arguments) {
            let before = alternatives.len();
            unfold(rule.body, values, (definitions, &mut copies), MOST_DEPTH, &mut alternatives)?;
            if alternatives[before..]
                .iter()
                .any(|(body, _)| kinds(body, true_).is_disjoint(&needed))
            {
                return None;
            }
        } else if values.is_exhausted() {
            return None;
        }
    }
    Some(alternatives)
}

/// Adds a body, once for each alternative to unfold the first view in it. `None` if there are too many.
fn unfold(
    mut body: Vec<Literal>,
    values: Substitution,
    (definitions, copies): (&Definitions<'_>, &mut Copies),
    depth: u32,
    alternatives: &mut Vec<(Vec<Literal>, Substitution)>,
) -> Option<()> {
    let view = body.iter().position(|literal| match literal {
        Literal::Positive(atom) => {
            definitions.is_view(atom) && definitions.of(atom.predicate()).len() <= MOST_ALTERNATIVES
        }
        Literal::Negative(_) | Literal::Distinct(..) => false,
    });
    let view = view.filter(|_| depth > 0).map(|at| body.swap_remove(at));
    let Some(Literal::Positive(view)) = view else {
        let is_short = body.len() <= LONGEST_BODY;
        alternatives.push((body, values));
        return (is_short && alternatives.len() <= MOST_ALTERNATIVES).then_some(());
    };
    for rule in definitions.of(view.predicate()) {
        let (rule, mut values) = (copies.of(rule)?, values.clone());
        if values.unify_all(&rule.head.arguments, &view.arguments) {
            let body = [body.as_slice(), &rule.body].concat();
            unfold(body, values, (definitions, copies), depth - 1, alternatives)?;
        } else if values.is_exhausted() {
            return None;
        }
    }
    Some(())
}
