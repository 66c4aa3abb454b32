//! Predicates that depend on each other.

use crate::description::Predicate;
use crate::rules::{PredicateGraph, Rules};

/// The strongly connected components of the dependency graph whose predicates depend on themselves, in the
/// order of the rules. The state and the moves are given: `true` and `does` depend on nothing.
pub(super) fn components(rules: &Rules) -> Vec<Vec<Predicate>> {
    let predicates = PredicateGraph::new(rules.rules.iter().filter(|it| !it.body.is_empty()));
    let components = predicates.graph().components();
    let recursive = (0..components.len()).filter(|&it| components.is_recursive(it));
    let mut found: Vec<&[u32]> = recursive.map(|it| components.members(it)).collect();
    found.sort_unstable();
    let named = |it: &u32| predicates.predicates()[*it as usize];
    found.into_iter().map(|component| component.iter().map(named).collect()).collect()
}
