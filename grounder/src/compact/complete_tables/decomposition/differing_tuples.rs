//! Rules that are alike but for what differs in them, put together: one of several things differs if the tuples of them do.
//!
//! ```text
//! (<= (pinned ?i ?j) (true (tile ?i ?j)) (true (tile ?a ?b)) (or (distinct ?i ?a) (distinct ?j ?b)) ...)
//! ```
//!
//! Or-elimination has made a rule of each `distinct`. Nothing of it is stored, so that most instances of these rules are the
//! same: each rule looks as if it were worth splitting, and what is split off is stored for each of them. One rule that
//! compares tuples has each instance once.
//!
//! But a comparison of tuples holds all their variables together, so that none of them can be eliminated while the others are
//! needed. Where that pays, [`alternatives`] takes it apart again: in a rule for one pair the others are free to go.
//!
//! Descriptions say in other ways, too, that tuples differ: by an `or` of `distinct`, which becomes a comparison where rules
//! are read (`rewrite/or_elimination`), or by a static predicate with a rule for each pair (`large_tables/differences`).

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Arguments};

use super::alike;
use super::draft::Draft;
use super::proposal::{Proposal, RuleGroup, RuleMember};
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::{all_variables, fits, literal_variables};
use crate::compact::unfolding::map_arguments;
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::tuning::MOST_ALTERNATIVES;

/// Groups of rules which are the same but for one `distinct` each.
pub(crate) fn alike_but_for_differences(
    rules: &[FlatRule],
    draft: &Draft<'_, '_>,
) -> Vec<RuleGroup> {
    let world = draft.world;
    let is_difference = |literal: &FlatLiteral| matches!(literal.kind, LiteralKind::Distinct(..));
    let may_be_alike =
        |rule: &FlatRule| rule.body.iter().any(is_difference) && rule.stored && fits(rule);
    let wanted: Vec<(usize, &FlatRule)> =
        rules.iter().enumerate().filter(|(_, rule)| may_be_alike(rule)).collect();
    let kind = |rule: &FlatRule| (rule.head.form, rule.body.len());
    let mut of_kind: FxHashMap<(FormId, usize), u32> = FxHashMap::default();
    wanted.iter().for_each(|(_, rule)| *of_kind.entry(kind(rule)).or_default() += 1);
    let wanted = wanted.into_iter().filter(|(_, rule)| of_kind[&kind(rule)] > 1);
    let wanted: Vec<(usize, &FlatRule, Vec<usize>)> =
        wanted.map(|(at, rule)| (at, rule, alike::positions(rule, is_difference))).collect();
    if wanted.is_empty() { Vec::new() } else { alike::groups(&wanted, &mut world.ticker()) }
}

/// One rule in the place of some that are the same but for one `distinct` each.
pub(crate) fn put_together(members: &[RuleMember<'_>], _: &Draft<'_, '_>) -> Option<Proposal> {
    if members.len() < 2 {
        return None;
    }
    let replaced = (0..members.len()).collect();
    let proposal = Proposal::plain(Change::PutTogether, vec![union_of(members)?]);
    Some(Proposal { replaced, ..proposal })
}

/// The first of some rules that are alike but for a comparison, with one of all that the rules compare.
fn union_of(members: &[RuleMember<'_>]) -> Option<FlatRule> {
    let [(first, at), others @ ..] = members else { return None };
    let mut rule = (*first).clone();
    let names = alike::names_without(first, *at);
    for (other, position) in others {
        let own = alike::names_without(other, *position);
        let renamed = map_arguments(&other.body[*position].kind, &|argument| {
            let place = argument.variable().and_then(|it| own.iter().position(|&own| own == it));
            place.map_or(argument, |it| Argument::Variable(names[it]))
        });
        rule.body[*at].kind = union(&rule.body[*at].kind, &renamed)?;
    }
    Some(rule)
}

fn is_long(literal: &FlatLiteral) -> bool {
    matches!(&literal.kind, LiteralKind::Distinct(left, _) if left.len() > 1)
}

/// Rules for each pair of two tuples of which a rule says that they differ: each needs the values of one pair only.
pub(crate) fn alternatives(rule: &FlatRule, draft: &Draft<'_, '_>) -> Vec<Proposal> {
    // Which moves are made is expressed best by merging rules.
    let is_about_moves =
        |literal: &&FlatLiteral| literal.stored && draft.are_about_moves([*literal].into_iter());
    let moves = rule.body.iter().filter(is_about_moves);
    let of_moves = all_variables(moves);
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

/// The comparison of all pairs of two others.
fn union(one: &LiteralKind, other: &LiteralKind) -> Option<LiteralKind> {
    let (LiteralKind::Distinct(left, right), LiteralKind::Distinct(others, to)) = (one, other)
    else {
        return None;
    };
    let (mut left, mut right) = (left.clone(), right.clone());
    for (&one, &other) in others.iter().zip(to) {
        // The same pair may be compared twice.
        if !left.iter().zip(&right).any(|it| it == (&one, &other)) {
            left.push(one);
            right.push(other);
        }
    }
    Some(LiteralKind::Distinct(left, right))
}

/// The rule with one pair of a comparison instead of all, by pair.
fn one_pair_each(rule: &FlatRule, at: usize) -> Vec<FlatRule> {
    let LiteralKind::Distinct(left, right) = &rule.body[at].kind else { return Vec::new() };
    let pairs = left.iter().zip(right).filter(|(left, right)| left != right);
    let only = |it: Argument| Arguments::from_slice(&[it]);
    let alternative = |(&left, &right): (&Argument, &Argument)| {
        let mut rule = rule.clone();
        rule.body[at].kind = LiteralKind::Distinct(only(left), only(right));
        rule
    };
    pairs.map(alternative).collect()
}
