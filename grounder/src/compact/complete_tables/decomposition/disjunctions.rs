//! Rules that are alike but for one literal, put together: an auxiliary predicate says that one of the literals
//! holds.
//!
//! Or-elimination has made a rule of each alternative. Where the rest of the rule has many instances, one
//! literal for all alternatives is better than all instances for each.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;
use groundfrog_engine::projection::set_of;
use groundfrog_engine::statistics::Measure;

use super::alike;
use super::draft::Draft;
use super::proposal::{Proposal, RuleGroup, RuleMember, is_gain, size_when_split};
use crate::compact::complete_tables::auxiliaries::{Alternative, Change};
use crate::compact::estimate::fits;
use crate::flat::{FlatLiteral, FlatRule, FormId};

/// Groups of large rules that are the same but for a literal.
pub(crate) fn alike_but_for_a_literal(rules: &[FlatRule], draft: &Draft<'_, '_>) -> Vec<RuleGroup> {
    let world = draft.world;
    let mut of_head: FxHashMap<FormId, u32> = FxHashMap::default();
    for rule in rules.iter().filter(|rule| rule.stored) {
        *of_head.entry(rule.head.form).or_default() += 1;
    }
    let is_large = |rule: &FlatRule| rule.stored && of_head[&rule.head.form] > 1 && fits(rule);
    let large: Vec<(usize, &FlatRule)> =
        rules.iter().enumerate().filter(|(_, rule)| is_large(rule)).collect();
    if large.len() < 2 {
        return Vec::new();
    }
    // Which moves are made is expressed best by merging rules.
    let is_wanted = |literal: &FlatLiteral| {
        literal.stored && literal.is_positive() && !draft.are_about_moves([literal].into_iter())
    };
    let with_literals = |(index, rule)| (index, rule, alike::positions(rule, is_wanted));
    let large: Vec<(usize, &FlatRule, Vec<usize>)> = large.into_iter().map(with_literals).collect();
    alike::groups(&large, &mut world.ticker())
}

/// The rule that takes the place of rules that are alike but for a literal.
pub(crate) fn disjunction(members: &[RuleMember<'_>], draft: &Draft<'_, '_>) -> Option<Proposal> {
    let [(first, at), _, ..] = members else { return None };
    let mut alternatives = Vec::new();
    let mut expected = Measure { rows: 0.0, distinct: Vec::new() };
    for &(rule, at) in members {
        let literal = &rule.body[at];
        let columns = interface(rule, at);
        let found = draft.bindings([literal].into_iter(), set_of(columns.iter().copied()));
        expected.rows += found.count();
        expected.distinct.resize(columns.len(), 0.0);
        for (sum, &column) in expected.distinct.iter_mut().zip(&columns) {
            *sum += found.domain(column);
        }
        let arguments = columns.iter().map(|&column| Argument::Variable(column)).collect();
        let (body, origin) = (vec![literal.clone()], rule.origin);
        alternatives.push(Alternative { arguments, body, origin }.renumbered());
    }
    let own = 3.0 * expected.rows;
    // The alternatives mostly speak of the same constants.
    let count = members.len() as f64;
    expected.distinct.iter_mut().for_each(|distinct| *distinct = (*distinct / count).max(1.0));
    expected.rows = expected.rows.min(expected.distinct.iter().product());
    let mut above = draft.above();
    let form = above.union(alternatives, expected);
    let mut rule = (*first).clone();
    rule.body[*at] = above.use_of(form, &interface(&rule, *at), true);
    let before = members.iter().map(|it| size_when_split(it.0, draft)).sum();
    let after = size_when_split(&rule, &above) + own;
    let replaced = (0..members.len()).collect();
    let made = (above.into_made(), own);
    is_gain(before, after).then(|| {
        let proposal = Proposal::new(Change::PutTogether, vec![rule], made);
        Proposal { replaced, sizes: Some((before, after)), ..proposal }
    })
}

/// The variables that a literal shares with the rest of its rule, as the rule has them, by number in [`alike::Rest`].
fn interface(rule: &FlatRule, at: usize) -> Vec<u32> {
    let names = alike::names_without(rule, at);
    alike::shared(&rule.body[at], &names).into_iter().map(|it| names[it as usize]).collect()
}
