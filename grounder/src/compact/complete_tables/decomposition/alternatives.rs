//! Rules that say that two tuples differ, taken apart: one rule for each pair that may differ.
//!
//! A comparison of tuples holds all their variables together, so that none of them can be eliminated while the
//! others are needed. In a rule for one pair the others are free to go.

use super::draft::Draft;
use super::proposal::Proposal;
use crate::compact::comparison::one_pair_each;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::literal_variables;
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};
use crate::tuning::MOST_ALTERNATIVES;

fn is_long(literal: &FlatLiteral) -> bool {
    matches!(&literal.kind, LiteralKind::Distinct(left, _) if left.len() > 1)
}

/// Rules for each pair of two tuples of which a rule says that they differ: each needs the values of one pair only.
pub(crate) fn alternatives(rule: &FlatRule, draft: &Draft<'_, '_>) -> Vec<Proposal> {
    // Which moves are made is expressed best by merging rules.
    let is_about_moves =
        |literal: &&FlatLiteral| literal.stored && draft.are_about_moves([*literal].into_iter());
    let moves = rule.body.iter().filter(is_about_moves);
    let of_moves = moves.map(literal_variables).fold(0, |all, own| all | own);
    let is_difference =
        |literal: &FlatLiteral| is_long(literal) && literal_variables(literal) & of_moves == 0;
    let places: Vec<usize> =
        (0..rule.body.len()).filter(|&at| is_difference(&rule.body[at])).collect();
    // One comparison may hold together what another one is taken apart for.
    let one = places.iter().map(|&at| one_pair_each(rule, at));
    let all = one.chain(all_taken_apart(rule, &places));
    all.map(|rules| Proposal::plain(Change::TakenApart, rules)).collect()
}

/// A rule for each choice of one pair of each comparison, if there are several and few choices.
fn all_taken_apart(rule: &FlatRule, places: &[usize]) -> Option<Vec<FlatRule>> {
    let mut all = vec![rule.clone()];
    for &at in places {
        all = all.iter().flat_map(|it| one_pair_each(it, at)).collect();
        if all.len() > MOST_ALTERNATIVES {
            return None;
        }
    }
    (places.len() > 1).then_some(all)
}
