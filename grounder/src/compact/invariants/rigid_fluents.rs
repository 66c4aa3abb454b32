//! Rigid fluents: what holds at first and is never changed, as the walls of a maze. ("Rigid relations" in planning:
//! Ghallab, Nau and Traverso, Automated Planning, 2004, section 2.) They hold in every reachable state or in none, so
//! that nothing else has to look them up in the state.
//!
//! Where the rules alone show it, bodies use `init` instead of `true` before anything is evaluated ([`look_up_at_first`]):
//!
//! ```kif
//! (<= (next (wall ?x ?y)) (true (wall ?x ?y)))
//! (<= (free ?x ?y) (cell ?x ?y) (not (true (wall ?x ?y))))   ; becomes (not (init (wall ?x ?y)))
//! ```
//!
//! Views that depend on nothing else become static: they are computed once and are in no ground rule. Fluents of
//! which some are changed and others are not, as cells that are empty or filled, are found among ground rules
//! ([`super::rigid_atoms`]).

use crate::description::{Keywords, Term};
use crate::prepare::Prepared;
use crate::rewrite::statics;
use crate::rules::{Literal, Rule, Rules, argument_of, for_each_variable, may_be_same};
use crate::tuning::MOST_KINDS;

/// Finds kinds of fluents that the rules never change, that other rules need: terms whose instances hold in
/// all reachable states or in none.
pub(crate) fn find(rules: &Rules) -> Vec<Term> {
    let keywords = &rules.keywords;
    let mut kinds: Vec<Term> = rules
        .rules
        .iter()
        .filter_map(|rule| kept(rule, keywords).filter(|_| rule.body.len() == 1))
        .filter(|kind| has_different_variables(kind))
        .take(MOST_KINDS + 1)
        .cloned()
        .collect();
    if kinds.len() > MOST_KINDS {
        return Vec::new();
    }
    kinds.retain(|kind| {
        rules.rules.iter().all(|rule| adds_none(rule, kind, keywords))
            && rules
                .rules
                .iter()
                .any(|rule| rule.body.iter().any(|literal| is_about(literal, kind, rule, keywords)))
    });
    kinds
}

/// Has rules use what holds at first where they use fluents of these kinds.
pub(crate) fn look_up_at_first(prepared: &mut Prepared, kinds: &[Term]) {
    let Rules { rules, keywords, .. } = &mut prepared.rules;
    for rule in rules {
        let is_rigid: Vec<bool> = rule
            .body
            .iter()
            .map(|literal| kinds.iter().any(|kind| is_about(literal, kind, rule, keywords)))
            .collect();
        for (literal, _) in rule.body.iter_mut().zip(is_rigid).filter(|(_, is_rigid)| *is_rigid) {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                atom.predicate = keywords.init;
            }
        }
    }
    prepared.statics = statics::analyse(&prepared.rules);
}

/// The fluent that a rule keeps as it is: what is true next is true now.
fn kept<'r>(rule: &'r Rule, keywords: &Keywords) -> Option<&'r Term> {
    let fluent = argument_of(&rule.head, keywords.next)?;
    let is_same = |it: &Literal| matches!(it, Literal::Positive(atom) if argument_of(atom, keywords.true_) == Some(fluent));
    rule.body.iter().any(is_same).then_some(fluent)
}

/// Whether a term has variables, none of them twice.
fn has_different_variables(term: &Term) -> bool {
    let mut variables = Vec::new();
    for_each_variable(term, &mut |it| variables.push(it));
    let count = variables.len();
    variables.sort_unstable();
    variables.dedup();
    count > 0 && variables.len() == count
}

/// Whether a rule makes no fluent of a kind true that was not.
fn adds_none(rule: &Rule, kind: &Term, keywords: &Keywords) -> bool {
    let fluent = argument_of(&rule.head, keywords.next);
    fluent.is_none_or(|it| !may_be_same(it, kind) || kept(rule, keywords).is_some())
}

/// Whether a literal of a rule, other than the one that keeps the fluent in its head, uses fluents of a kind only.
fn is_about(literal: &Literal, kind: &Term, rule: &Rule, keywords: &Keywords) -> bool {
    let fluent = literal.atom().and_then(|atom| argument_of(atom, keywords.true_));
    fluent.is_some_and(|it| is_instance(it, kind) && kept(rule, keywords) != Some(it))
}

/// Whether a term is an instance of another, in which no variable occurs twice.
fn is_instance(term: &Term, of: &Term) -> bool {
    match (term, of) {
        (_, Term::Variable(_)) => true,
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one), Term::Compound(other)) => {
            one.pairs(other).is_some_and(|mut pairs| pairs.all(|(it, of)| is_instance(it, of)))
        }
        _ => false,
    }
}
