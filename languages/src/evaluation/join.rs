//! The instances of a body.

use groundfrog::description::Term;
use groundfrog_engine::Exceeded;

use super::Context;
use super::compile::{Comparison, Pattern, Step};
use super::facts::{KeyPath, Relation, hash};
use crate::number;

/// How many steps pass between two looks at the limits.
const INTERVAL: u32 = 1 << 12;

/// Looks for the instances of a body.
pub(super) struct Join<'r> {
    context: &'r Context<'r>,
    relation: &'r dyn Fn(u32) -> &'r Relation,
    bindings: Vec<Option<Term>>,
    /// The variables in the order in which they were bound.
    trail: Vec<u32>,
    steps: u32,
}

/// Called with each instance; returns whether to look for more.
type Visit<'v> = &'v mut dyn FnMut(&[Option<Term>]) -> bool;

impl<'r> Join<'r> {
    pub(super) fn new(
        context: &'r Context<'r>,
        relation: &'r dyn Fn(u32) -> &'r Relation,
        variables: usize,
    ) -> Self {
        let bindings = vec![None; variables];
        Join { context, relation, bindings, trail: Vec::new(), steps: 0 }
    }

    /// Gives the variables of patterns their values, if terms match them.
    pub(super) fn bind(&mut self, patterns: &[Pattern], terms: &[Term]) -> bool {
        patterns.len() == terms.len()
            && patterns.iter().zip(terms).all(|(pattern, term)| self.matches(pattern, term))
    }

    /// Visits all instances; of the first step only rows from one place to another, if they are given. Returns whether all were
    /// visited.
    pub(super) fn run(
        &mut self,
        plan: &[Step],
        delta: Option<(usize, usize)>,
        visit: Visit<'_>,
    ) -> Result<bool, Exceeded> {
        self.steps += 1;
        if self.steps.is_multiple_of(INTERVAL) {
            self.context.budget.check(0, 0)?;
        }
        let Some((step, rest)) = plan.split_first() else { return Ok(visit(&self.bindings)) };
        let passes = match step {
            Step::Join { predicate, arguments, keys } => {
                let relation = (self.relation)(*predicate);
                if let Some((start, end)) = delta {
                    for row in &relation.rows()[start..end] {
                        if !self.row(arguments, row, rest, visit)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
                let mut fewest: Option<&[u32]> = None;
                for (index, path) in keys {
                    let places = relation.places(*index, self.key(*path, arguments));
                    if fewest.is_none_or(|it| places.len() < it.len()) {
                        fewest = Some(places);
                    }
                }
                let Some(places) = fewest else {
                    for row in relation.rows() {
                        if !self.row(arguments, row, rest, visit)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                };
                for &place in places {
                    let row = &relation.rows()[place as usize];
                    if !self.row(arguments, row, rest, visit)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            Step::Absent { predicate, arguments } => {
                let row: Vec<Term> = arguments.iter().map(|it| it.value(&self.bindings)).collect();
                !(self.relation)(*predicate).contains(&row)
            }
            Step::Differ(left, right) => left.value(&self.bindings) != right.value(&self.bindings),
            Step::Compare(comparison, left, right) => self.compares(*comparison, left, right),
        };
        if passes { self.run(rest, None, visit) } else { Ok(true) }
    }

    fn row(
        &mut self,
        arguments: &[Pattern],
        row: &[Term],
        rest: &[Step],
        visit: Visit<'_>,
    ) -> Result<bool, Exceeded> {
        let bound = self.trail.len();
        let goes_on = match self.bind(arguments, row) {
            true => self.run(rest, None, visit)?,
            false => true,
        };
        for variable in self.trail.drain(bound..) {
            self.bindings[variable as usize] = None;
        }
        Ok(goes_on)
    }

    fn matches(&mut self, pattern: &Pattern, term: &Term) -> bool {
        match (pattern, term) {
            (Pattern::Variable(it), _) => match &self.bindings[*it as usize] {
                Some(value) => value == term,
                None => {
                    self.bindings[*it as usize] = Some(term.clone());
                    self.trail.push(*it);
                    true
                }
            },
            (Pattern::Constant(one), Term::Constant(other)) => one == other,
            (Pattern::Compound(functor, parts), Term::Compound(it)) => {
                *functor == it.functor && self.bind(parts, &it.arguments)
            }
            _ => false,
        }
    }

    /// The hash of the part of a pattern that a path leads to, all of which is bound.
    fn key(&self, path: KeyPath, arguments: &[Pattern]) -> u64 {
        let of = |pattern: &Pattern| match pattern {
            Pattern::Variable(it) => self.bindings[*it as usize].as_ref().map_or(0, hash),
            _ => hash(&pattern.value(&self.bindings)),
        };
        match path {
            KeyPath::Whole(argument) => of(&arguments[argument]),
            KeyPath::Functor { .. } => 0,
            KeyPath::Part { argument, part, .. } => match &arguments[argument] {
                Pattern::Compound(_, parts) => of(&parts[part]),
                _ => 0,
            },
        }
    }

    /// Whether two numbers compare so; what is no number does not compare with anything.
    fn compares(&self, comparison: Comparison, left: &Pattern, right: &Pattern) -> bool {
        let value = |pattern: &Pattern| match pattern.value(&self.bindings) {
            Term::Constant(it) => number::of_symbol(it, self.context.symbols),
            _ => None,
        };
        let (Some(left), Some(right)) = (value(left), value(right)) else { return false };
        match comparison {
            Comparison::Less => left < right,
            Comparison::Greater => left > right,
            Comparison::AtMost => left <= right,
            Comparison::AtLeast => left >= right,
        }
    }
}
