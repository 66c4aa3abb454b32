//! Rules that are alike but for what differs in them, put together: one of several things differs if the tuples of them do.
//!
//! ```text
//! (<= (pinned ?i ?j) (true (tile ?i ?j)) (true (tile ?a ?b)) (or (distinct ?i ?a) (distinct ?j ?b)) ...)
//! ```
//!
//! Or-elimination has made a rule of each `distinct`. Nothing of it is stored, so that most instances of these rules are the
//! same: each rule looks as if it were worth splitting, and what is split off is stored for each of them. One rule that
//! compares tuples has each instance once; [`alternatives`](super::alternatives) takes it apart again where that pays.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;

use super::alike;
use super::draft::Draft;
use super::proposal::{Proposal, RuleGroup, RuleMember};
use crate::compact::comparison::union;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::fits;
use crate::compact::variables::map_arguments;
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};

/// ElementGroups of rules which are the same but for one `distinct` each.
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
