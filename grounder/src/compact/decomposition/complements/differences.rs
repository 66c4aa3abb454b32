//! Rules that are alike but for a comparison: one of some things differs.
//!
//! Or-elimination has made a rule of each alternative. That the tuples of all of them differ says the same, and
//! what is not so is said best of all of them together.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;

use super::super::Splitter;
use super::super::disjunctions::{Rest, mentioned, rest};
use crate::compact::auxiliaries::map_arguments;
use crate::rewrite::sentence_forms::{FlatRule, FormId, LiteralKind};

/// Rules with more literals stay alone.
const MOST_LITERALS: usize = 64;

impl Splitter<'_> {
    /// Puts rules together that are alike but for a comparison, where parts of what they become have complements that
    /// pay.
    pub(super) fn unite_differences(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let groups = self.alike_but_for_a_difference(&rules);
        if groups.is_empty() {
            return rules;
        }
        let mut rules: Vec<Option<FlatRule>> = rules.into_iter().map(Some).collect();
        let mut united: Vec<Option<FlatRule>> = vec![None; rules.len()];
        for mut group in groups {
            group.retain(|&(rule, _)| rules[rule].is_some());
            let members: Vec<(&FlatRule, usize)> = group
                .iter()
                .filter_map(|&(rule, at)| rules[rule].as_ref().map(|rule| (rule, at)))
                .collect();
            let [_, _, ..] = members[..] else { continue };
            let rule = union(&members);
            if (0..rule.body.len()).any(|at| self.complement_of(&rule, at).is_some()) {
                group.iter().for_each(|&(rule, _)| rules[rule] = None);
                united[group[0].0] = Some(rule);
            }
        }
        rules.into_iter().zip(united).filter_map(|(rule, united)| united.or(rule)).collect()
    }

    /// Groups of rules about moves that are the same but for a comparison, with the positions of rule and literal.
    fn alike_but_for_a_difference(&self, rules: &[FlatRule]) -> Vec<Vec<(usize, usize)>> {
        let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
        let may_be_alike = |rule: &FlatRule| {
            rule.body.len() <= MOST_LITERALS
                && rule.body.iter().any(|it| matches!(it.kind, LiteralKind::Distinct(..)))
                && self.may_have_complement(rule)
        };
        let candidates: Vec<(usize, &FlatRule)> =
            rules.iter().enumerate().filter(|(_, rule)| may_be_alike(rule)).collect();
        let mut of_kind: FxHashMap<(FormId, usize), u32> = FxHashMap::default();
        for (_, rule) in &candidates {
            *of_kind.entry((rule.head.form, rule.body.len())).or_default() += 1;
        }
        let mut by_rest: FxHashMap<Rest, usize> = FxHashMap::default();
        for (index, rule) in candidates {
            if of_kind[&(rule.head.form, rule.body.len())] == 1 {
                continue;
            }
            for (at, literal) in rule.body.iter().enumerate() {
                if matches!(literal.kind, LiteralKind::Distinct(..)) {
                    let group = *by_rest.entry(rest(rule, at)).or_insert_with(|| {
                        groups.push(Vec::new());
                        groups.len() - 1
                    });
                    // A rule may be like itself.
                    if groups[group].last().is_none_or(|&(last, _)| last != index) {
                        groups[group].push((index, at));
                    }
                }
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

/// The first of some rules that are alike but for a comparison, with one of all that the rules compare.
fn union(members: &[(&FlatRule, usize)]) -> FlatRule {
    let [(first, at), others @ ..] = members else { unreachable!("there are rules") };
    let mut rule = (*first).clone();
    let names = mentioned(first, *at);
    for (other, position) in others {
        let own = mentioned(other, *position);
        let renamed = map_arguments(&other.body[*position].kind, &|argument| {
            let place = argument.variable().and_then(|it| own.iter().position(|&own| own == it));
            place.map_or(argument, |it| Argument::Variable(names[it]))
        });
        if let (LiteralKind::Distinct(left, right), LiteralKind::Distinct(others, to)) =
            (&mut rule.body[*at].kind, renamed)
        {
            left.extend(others);
            right.extend(to);
        }
    }
    rule
}
