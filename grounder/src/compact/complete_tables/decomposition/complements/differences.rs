//! Rules that are alike but for a comparison: one of some things differs.
//!
//! Or-elimination has made a rule of each alternative. That the tuples of all of them differ says the same, and
//! what is not so is said best of all of them together.

use fxhash::FxHashMap;

use super::super::Splitter;
use super::super::alike;
use super::super::differing_tuples::union;
use crate::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId, LiteralKind};

impl Splitter<'_> {
    /// Puts rules together that are alike but for a comparison, where parts of what they become have complements that
    /// pay.
    pub(super) fn unite_differences(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let groups = self.alike_but_for_a_difference(&rules);
        alike::unite(rules, groups, |members| {
            let rule = union(members);
            let pays = self.goes_on(&rule)
                && (0..rule.body.len()).any(|at| self.complement_of(&rule, at).is_some());
            pays.then_some(rule)
        })
    }

    /// Groups of rules about moves that are the same but for a comparison, with the positions of rule and literal.
    fn alike_but_for_a_difference(&mut self, rules: &[FlatRule]) -> Vec<Vec<(usize, usize)>> {
        let is_difference =
            |literal: &FlatLiteral| matches!(literal.kind, LiteralKind::Distinct(..));
        let may_be_alike =
            |rule: &FlatRule| rule.body.iter().any(is_difference) && self.may_have_complement(rule);
        let candidates: Vec<(usize, &FlatRule)> =
            rules.iter().enumerate().filter(|(_, rule)| may_be_alike(rule)).collect();
        let candidates = candidates.into_iter().take_while(|(_, rule)| self.goes_on(rule));
        let candidates: Vec<(usize, &FlatRule)> = candidates.collect();
        let kind = |rule: &FlatRule| (rule.head.form, rule.body.len());
        let mut of_kind: FxHashMap<(FormId, usize), u32> = FxHashMap::default();
        candidates.iter().for_each(|(_, rule)| *of_kind.entry(kind(rule)).or_default() += 1);
        let candidates = candidates.into_iter().filter(|(_, rule)| of_kind[&kind(rule)] > 1);
        let candidates: Vec<_> = candidates
            .map(|(index, rule)| (index, rule, alike::positions(rule, is_difference)))
            .collect();
        alike::groups(&candidates, &mut self.pulse)
    }
}
