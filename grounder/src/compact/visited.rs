//! Searches that remember what they have visited: the list is dropped.
//!
//! TODO
mod clauses;
mod components;
mod proof;
mod resolution;
mod search;
mod terms;

use fxhash::FxHashSet;
use groundfrog_engine::Exceeded;

use crate::description::{Atom, Predicate};
use crate::pulse::Pulse;
use crate::rewrite::base_input_renaming::fresh;
use crate::rewrite::statics::{Statics, analyse};
use crate::rules::{Literal, Rule, Rules, for_each_variable};
use proof::Proof;
use search::{Search, has_terms, searches};

/// A search whose list was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The predicates, each with the position of the list among its arguments, counted from 0.
    pub predicates: Vec<(Predicate, usize)>,
    /// How many things can be visited.
    pub elements: usize,
    /// How many literals looked at the list.
    pub guards: usize,
}

/// The most searches that are looked at, and ways to see one.
const MAX_SEARCHES: usize = 32;

/// Drops the lists of searches that decide nothing. Returns the searches, in the order of the rules.
///
/// # Errors
/// A limit that was exceeded.
pub fn drop_lists(
    rules: &mut Rules,
    statics: &mut Statics,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Dropped>, Exceeded> {
    let mut dropped = Vec::new();
    if !has_terms(rules) {
        return Ok(dropped);
    }
    let mut tried: Vec<Vec<(Predicate, usize)>> = Vec::new();
    while let Some(search) =
        searches(rules, statics).into_iter().find(|it| !tried.contains(&it.positions))
    {
        if tried.len() == MAX_SEARCHES {
            break;
        }
        tried.push(search.positions.clone());
        let elements = Proof::new(rules, statics, &search, pulse).elements();
        pulse.finish()?;
        let Some(elements) = elements else { continue };
        let Some(rewritten) = without_list(rules, &search) else { continue };
        *rules = rewritten;
        *statics = analyse(rules);
        let guards = search.steps.iter().map(|it| it.guards.len()).sum();
        dropped.push(Dropped { predicates: search.positions, elements, guards });
    }
    Ok(dropped)
}

/// The rules without the list of a search and what looks at it. `None` if a variable is bound by that alone.
fn without_list(rules: &Rules, search: &Search) -> Option<Rules> {
    let mut rewritten = rules.clone();
    let mut taken: FxHashSet<Predicate> = FxHashSet::default();
    for rule in &rules.rules {
        taken.insert(rule.head.predicate());
        taken.extend(rule.body.iter().filter_map(Literal::atom).map(Atom::predicate));
    }
    let mut names = Vec::with_capacity(search.positions.len());
    for &(predicate, position) in &search.positions {
        let shorter = Predicate { arity: predicate.arity - 1, ..predicate };
        let name = if taken.contains(&shorter) {
            fresh(&mut rewritten.symbols, rules.symbols.name(predicate.name))
        } else {
            predicate.name
        };
        names.push((predicate, position, name));
    }
    let shorten = |atom: &mut Atom| {
        let predicate = atom.predicate();
        if let Some(&(_, position, name)) = names.iter().find(|it| it.0 == predicate) {
            atom.arguments.remove(position);
            atom.predicate = name;
        }
    };
    for step in &search.steps {
        let mut position = 0;
        rewritten.rules[step.rule].body.retain(|_| {
            position += 1;
            !step.guards.contains(&(position - 1))
        });
    }
    for rule in &mut rewritten.rules {
        shorten(&mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                shorten(atom);
            }
        }
    }
    let changed = search.steps.iter().map(|it| it.rule).chain(search.entries.iter().map(|it| it.0));
    changed.into_iter().all(|it| is_safe(&rewritten.rules[it])).then_some(rewritten)
}

/// Whether each variable occurs in a positive literal.
fn is_safe(rule: &Rule) -> bool {
    let mut bound = FxHashSet::default();
    let positive = rule.body.iter().filter(|it| matches!(it, Literal::Positive(_)));
    positive.for_each(|it| it.for_each_variable(&mut |it| _ = bound.insert(it)));
    let mut is_safe = true;
    let mut check = |it| is_safe &= bound.contains(&it);
    rule.head.arguments.iter().for_each(|it| for_each_variable(it, &mut check));
    rule.body.iter().for_each(|it| it.for_each_variable(&mut check));
    is_safe
}
