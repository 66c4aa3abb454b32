//! A quick look whether there is anything to compile: in most games there is not.

use groundfrog_engine::Argument;

use super::sizes::StaticRules;
use super::unfolding::variables;
use crate::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind};
use crate::tuning::MOST_TURNS;

/// The predicates that can be large enough for a literal to be compiled, ascending.
pub(super) fn find(
    flat: &FlatProgram,
    forms: &Forms,
    constants: usize,
    statics: &StaticRules,
    large: u64,
) -> Vec<FormId> {
    let rules: Vec<&FlatRule> = flat.rules.iter().filter(|rule| statics.contain(rule)).collect();
    if rules.is_empty() {
        return Vec::new();
    }
    // By form: at most so many rows. Nothing is known of what has rules, facts apart.
    let mut rows = vec![0u64; forms.len()];
    flat.facts(forms).for_each(|(form, _)| rows[form.index()] += 1);
    let facts = rows.clone();
    flat.rules.iter().for_each(|rule| rows[rule.head.form.index()] = u64::MAX);
    let mut is_large = vec![false; forms.len()];
    for _ in 0..MOST_TURNS {
        let mut next: Vec<Option<u64>> = vec![None; forms.len()];
        for rule in &rules {
            let index = rule.head.form.index();
            let sum = next[index].get_or_insert(facts[index]);
            *sum = sum.saturating_add(most(rule, &rows, constants as u64));
        }
        for (index, most) in next.into_iter().enumerate() {
            if let Some(most) = most {
                (rows[index], is_large[index]) = (most, most > large);
            }
        }
        if !is_large.contains(&true) {
            return Vec::new();
        }
    }
    let can_be_compiled = |rule: &FlatRule, atom: &FlatAtom| {
        // What compares two things, or has variables that others bind together, is only a filter.
        is_large[atom.form.index()]
            && (large == 0 || variable_count(atom) > 2 && !is_filter(rule, atom))
    };
    let mut found: Vec<FormId> = Vec::new();
    for rule in &flat.rules {
        for literal in rule.body.iter().filter(|it| it.joined && !it.stored) {
            match &literal.kind {
                LiteralKind::Positive(atom) if can_be_compiled(rule, atom) => found.push(atom.form),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// At most so many heads of a rule: a variable has no more values than a predicate rows that it is in.
fn most(rule: &FlatRule, rows: &[u64], constants: u64) -> u64 {
    let values = |variable: u32| {
        let has_it =
            |atom: &FlatAtom| atom.arguments.iter().any(|it| it.variable() == Some(variable));
        let of_literal = |literal: &FlatLiteral| match &literal.kind {
            LiteralKind::Positive(atom) if has_it(atom) => Some(rows[atom.form.index()]),
            _ => None,
        };
        rule.body.iter().filter_map(of_literal).fold(constants, u64::min)
    };
    let head = &rule.head.arguments;
    let is_new = |at: usize| !head[..at].contains(&head[at]);
    let new = head.iter().enumerate().filter(|&(at, _)| is_new(at));
    new.filter_map(|(_, it)| it.variable()).map(values).fold(1, u64::saturating_mul)
}

/// How many variables an atom has.
fn variable_count(atom: &FlatAtom) -> usize {
    let all = atom.arguments.iter();
    let is_first = |(at, it): &(usize, &Argument)| !atom.arguments[..*at].contains(it);
    all.enumerate().filter(is_first).filter(|(_, it)| it.variable().is_some()).count()
}

/// Whether the head or a dynamic literal has two variables of an atom.
fn is_filter(rule: &FlatRule, atom: &FlatAtom) -> bool {
    let two = |others: &mut dyn Iterator<Item = u32>| {
        let is_own = |it: &u32| atom.arguments.iter().any(|own| own.variable() == Some(*it));
        let mut own = others.filter(is_own);
        own.next().is_some_and(|first| own.any(|it| it != first))
    };
    two(&mut rule.head.arguments.iter().filter_map(|it| it.variable()))
        || rule.body.iter().filter(|it| it.stored).any(|it| two(&mut variables(&it.kind)))
}
