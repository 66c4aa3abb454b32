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
use crate::compact::comparison::union;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::fits;
use crate::compact::variables::map_arguments;
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};

/// A rule, and the place of a literal in it.
type Member<'rule> = (&'rule FlatRule, usize);

impl Splitter<'_> {
    /// Puts rules together that are the same but for one `distinct` each.
    pub(super) fn put_differences_together(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let may_change = |this: &mut Self, rule: &FlatRule| this.may_change(rule) && fits(rule);
        self.merge_differences(rules, may_change, |this, members, rule| {
            let before = members.iter().map(|(rule, _)| this.size(rule)).sum();
            let origins = members.iter().map(|(rule, _)| rule.origin);
            let sizes = (before, this.size(rule));
            this.note(Change::PutTogether, origins, sizes);
            true
        })
    }

    /// Puts those rules that count together that are the same but for one `distinct` each, if the rule that comes of it is
    /// accepted.
    pub(super) fn merge_differences(
        &mut self,
        mut rules: Vec<FlatRule>,
        counts: impl Fn(&mut Self, &FlatRule) -> bool,
        accepts: impl Fn(&mut Self, &[Member<'_>], &FlatRule) -> bool,
    ) -> Vec<FlatRule> {
        loop {
            let before = rules.len();
            let groups = self.alike_but_for_differences(&rules, &counts);
            rules = alike::unite(rules, groups, |members| {
                let rule = union_of(members)?;
                accepts(self, members, &rule).then_some(rule)
            });
            // Of several pairs of alternatives each takes a turn.
            if rules.len() == before {
                return rules;
            }
        }
    }

    /// Groups of the rules that count which are the same but for a `distinct`, with the positions of rule and literal.
    fn alike_but_for_differences(
        &mut self,
        rules: &[FlatRule],
        counts: impl Fn(&mut Self, &FlatRule) -> bool,
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
}

/// The first of some rules that are alike but for a comparison, with one of all that the rules compare.
fn union_of(members: &[Member<'_>]) -> Option<FlatRule> {
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
