//! Rules that say that two tuples differ, taken apart: one rule for each pair that may differ.
//!
//! A comparison of tuples holds all their variables together, so that none of them can be eliminated while the
//! others are needed. In a rule for one pair the others are free to go.

use super::super::auxiliaries::Change;
use super::Splitter;
use crate::compact::comparison::one_pair_each;
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};
use crate::tuning::complete_tables::alternatives::{MOST_TOGETHER, WORTH_ALTERNATIVES};

fn is_long(literal: &FlatLiteral) -> bool {
    matches!(&literal.kind, LiteralKind::Distinct(left, _) if left.len() > 1)
}

impl Splitter<'_> {
    /// A rule for each pair of two tuples of which the rule says that they differ, if these can be split better:
    /// each needs the values of one pair only.
    pub(super) fn alternatives(&mut self, rule: FlatRule) -> Vec<FlatRule> {
        if !self.may_change(&rule) || !rule.body.iter().any(is_long) || !fits(&rule) {
            return vec![rule];
        }
        self.taken_apart(rule)
    }

    /// The alternatives of a rule that compares tuples.
    fn taken_apart(&mut self, rule: FlatRule) -> Vec<FlatRule> {
        // Which moves are made is expressed best by merging rules.
        let moves =
            rule.body.iter().filter(|it| it.stored && self.are_about_moves([*it].into_iter()));
        let of_moves = moves.map(literal_variables).fold(0, |all, it| all | it);
        let is_difference = |it: &FlatLiteral| is_long(it) && literal_variables(it) & of_moves == 0;
        let head = variables(&rule.head.arguments);
        if !rule.body.iter().any(is_difference)
            || self.cost(rule.body.iter(), head).size < WORTH_ALTERNATIVES
        {
            return vec![rule];
        }
        let places: Vec<usize> =
            (0..rule.body.len()).filter(|&at| is_difference(&rule.body[at])).collect();
        let before = self.size_of_each_on_trial([&rule].into_iter());
        // One comparison may hold together what another one is taken apart for.
        let one = places.iter().map(|&at| one_pair_each(&rule, at));
        let candidates = one.chain(all_taken_apart(&rule, &places));
        let sized: Vec<(f64, Vec<FlatRule>)> =
            candidates.map(|it| (self.size_of_each_on_trial(it.iter()), it)).collect();
        match self.accept_smallest(Change::TakenApart, rule.origin, before, sized) {
            Some(alternatives) => {
                alternatives.into_iter().flat_map(|it| self.alternatives(it)).collect()
            }
            None => vec![rule],
        }
    }
}

/// A rule for each choice of one pair of each comparison, if there are several and few choices.
fn all_taken_apart(rule: &FlatRule, places: &[usize]) -> Option<Vec<FlatRule>> {
    let mut all = vec![rule.clone()];
    for &at in places {
        all = all.iter().flat_map(|it| one_pair_each(it, at)).collect();
        if all.len() > MOST_TOGETHER {
            return None;
        }
    }
    (places.len() > 1).then_some(all)
}
