//! What follows if instances of two templates exist and some of their variables are equal.
//!
//! Rows of one table that are the same in some columns may have to be the same in others (functional
//! dependencies: the chase of relational theory), and where only one row fits a literal, all its variables are
//! known. A contradiction means that there are no such instances.

use super::conditions::Conditions;
use super::facts::{Columns, Facts, Fitting, constants};
use super::satisfy::may_have_answer;
use super::terms::Terms;
use crate::program::{Argument, PredicateId};

/// Equalities, and what has been looked up with them.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) terms: Terms,
    /// By positive literal: how many of its arguments were known when its rows were looked at.
    looked_up: Vec<u8>,
}

impl Known {
    pub(super) fn of(terms: Terms, conditions: &Conditions) -> Self {
        Known { terms, looked_up: vec![0; conditions.positive.len()] }
    }
}

impl Conditions {
    /// Adds equalities that follow. Returns whether the conditions may hold together; a no is certain.
    pub(super) fn may_hold(&self, known: &mut Known, facts: &mut Facts<'_>) -> bool {
        self.follow(known, facts) && may_have_answer(self, &known.terms, facts)
    }

    /// Adds equalities that follow. Returns whether each condition may hold.
    fn follow(&self, known: &mut Known, facts: &mut Facts<'_>) -> bool {
        let conditions = self.positive.len() + self.negative.len() + self.distinct.len();
        loop {
            let mut changed = false;
            // Where nothing may be done any more, nothing that follows is found. Each condition is about as much work
            // as a few rows.
            if !facts.spend(4 * conditions) {
                return true;
            }
            if !self.chase(&mut known.terms, facts, &mut changed) {
                return false;
            }
            if changed {
                continue;
            }
            if self.contradict(&known.terms, facts) || !self.look_up(known, facts, &mut changed) {
                return false;
            }
            if !changed {
                return true;
            }
        }
    }

    /// Makes equal what functional dependencies demand. Returns whether it can be.
    fn chase(&self, terms: &mut Terms, facts: &mut Facts<'_>, changed: &mut bool) -> bool {
        for (position, (predicate, one)) in self.positive.iter().enumerate() {
            for (_, other) in self.positive[..position].iter().filter(|it| it.0 == *predicate) {
                if one.len() > Columns::BITS as usize || !facts.spend(1) {
                    return true;
                }
                let are_equal = |column: &usize| terms.are_equal(one[*column], other[*column]);
                let equal: Columns =
                    (0..one.len()).filter(are_equal).fold(0, |all, it| all | 1 << it);
                if equal == 0 || equal.count_ones() as usize == one.len() {
                    continue;
                }
                let follows = facts.determined(*predicate, equal) & !equal;
                for column in (0..one.len()).filter(|it| follows >> it & 1 == 1) {
                    *changed = true;
                    if !terms.equate(one[column], other[column]) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether a `distinct` or a negative literal fails.
    fn contradict(&self, terms: &Terms, facts: &Facts<'_>) -> bool {
        let is_same = |&(left, right): &(Argument, Argument)| terms.are_equal(left, right);
        let is_there = |(predicate, arguments): &(PredicateId, Vec<Argument>)| {
            let arguments: Vec<Argument> = arguments.iter().map(|&it| terms.resolve(it)).collect();
            match constants(&arguments) {
                Some(tuple) => facts.tables[*predicate].contains(&tuple),
                None => self.positive.iter().any(|(other, positive)| {
                    let positive = positive.iter().map(|&it| terms.resolve(it));
                    other == predicate && positive.eq(arguments.iter().copied())
                }),
            }
        };
        self.distinct.iter().any(|pairs| pairs.iter().all(is_same))
            || self.negative.iter().any(is_there)
    }

    /// Binds the variables of literals that a single row fits. Returns whether every literal has a row.
    fn look_up(&self, known: &mut Known, facts: &mut Facts<'_>, changed: &mut bool) -> bool {
        for (looked_up, (predicate, arguments)) in known.looked_up.iter_mut().zip(&self.positive) {
            let pattern: Vec<Argument> =
                arguments.iter().map(|&it| known.terms.resolve(it)).collect();
            let is_open = |(column, it): &(usize, &Argument)| {
                it.variable().is_some() && !pattern[..*column].contains(it)
            };
            let open = pattern.iter().enumerate().filter(is_open).count();
            let restricted = (pattern.len() - open).min(u8::MAX as usize) as u8;
            if restricted <= *looked_up {
                continue;
            }
            *looked_up = restricted;
            match facts.fitting(*predicate, &pattern) {
                Fitting::None => return false,
                Fitting::One(row) => {
                    for (&argument, &value) in pattern.iter().zip(&row) {
                        *changed |= argument.variable().is_some();
                        if !known.terms.equate(argument, Argument::Constant(value)) {
                            return false;
                        }
                    }
                }
                Fitting::Some => {}
            }
        }
        true
    }
}
