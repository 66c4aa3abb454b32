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

use super::Splitter;
use super::alike;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::fits;
use crate::compact::variables::map_arguments;
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};

impl Splitter<'_> {
    /// Puts rules together that are the same but for one `distinct` each.
    pub(super) fn put_differences_together(&mut self, mut rules: Vec<FlatRule>) -> Vec<FlatRule> {
        loop {
            let before = rules.len();
            let groups = self.alike_but_for_differences(&rules, |this, rule| {
                this.may_change(rule) && fits(rule)
            });
            if !groups.is_empty() {
                rules = self.put_alike_together(rules, groups);
            }
            // Of several pairs of alternatives each takes a turn.
            if rules.len() == before {
                return rules;
            }
        }
    }

    /// Groups of the rules that count which are the same but for a `distinct`, with the positions of rule and literal.
    pub(super) fn alike_but_for_differences(
        &mut self,
        rules: &[FlatRule],
        mut counts: impl FnMut(&mut Self, &FlatRule) -> bool,
    ) -> Vec<Vec<(usize, usize)>> {
        let is_difference = |it: &FlatLiteral| matches!(it.kind, LiteralKind::Distinct(..));
        let mut may_be_alike =
            |rule: &FlatRule| rule.body.iter().any(is_difference) && counts(self, rule);
        let wanted: Vec<(usize, &FlatRule)> =
            rules.iter().enumerate().filter(|(_, rule)| may_be_alike(rule)).collect();
        let kind = |rule: &FlatRule| (rule.head.form, rule.body.len());
        let mut of_kind: FxHashMap<(FormId, usize), u32> = FxHashMap::default();
        wanted.iter().for_each(|(_, rule)| *of_kind.entry(kind(rule)).or_default() += 1);
        let wanted = wanted.into_iter().filter(|(_, rule)| of_kind[&kind(rule)] > 1);
        let wanted: Vec<(usize, &FlatRule, Vec<usize>)> =
            wanted.map(|(at, rule)| (at, rule, alike::positions(rule, is_difference))).collect();
        if wanted.is_empty() { Vec::new() } else { alike::groups(&wanted, &mut self.ticker) }
    }

    /// Puts a rule that compares tuples in the place of each group.
    fn put_alike_together(
        &mut self,
        rules: Vec<FlatRule>,
        groups: Vec<Vec<(usize, usize)>>,
    ) -> Vec<FlatRule> {
        alike::unite(rules, groups, |members| {
            let rule = union(members);
            let before = members.iter().map(|(rule, _)| self.size(rule)).sum();
            let sizes = (before, self.size(&rule));
            let origins = members.iter().map(|(rule, _)| rule.origin);
            self.note(Change::PutTogether, origins, sizes);
            Some(rule)
        })
    }
}

/// The first of some rules that are alike but for a comparison, with one of all that the rules compare.
pub(super) fn union(members: &[(&FlatRule, usize)]) -> FlatRule {
    let [(first, at), others @ ..] = members else { unreachable!("there are rules") };
    let mut rule = (*first).clone();
    let names = alike::names_without(first, *at);
    for (other, position) in others {
        let own = alike::names_without(other, *position);
        let renamed = map_arguments(&other.body[*position].kind, &|argument| {
            let place = argument.variable().and_then(|it| own.iter().position(|&own| own == it));
            place.map_or(argument, |it| Argument::Variable(names[it]))
        });
        if let (LiteralKind::Distinct(left, right), LiteralKind::Distinct(others, to)) =
            (&mut rule.body[*at].kind, renamed)
        {
            // The same rule may be stated twice.
            let is_new = |(one, other): &(Argument, Argument)| {
                !left.iter().zip(right.iter()).any(|(left, right)| left == one && right == other)
            };
            let new: Vec<(Argument, Argument)> =
                others.into_iter().zip(to).filter(is_new).collect();
            for (one, other) in new {
                left.push(one);
                right.push(other);
            }
        }
    }
    rule
}
