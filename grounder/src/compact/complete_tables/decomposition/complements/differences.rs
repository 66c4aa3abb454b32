//! Rules that are alike but for a comparison: one of some things differs.
//!
//! Or-elimination has made a rule of each alternative. That the tuples of all of them differ says the same, and
//! what is not so is said best of all of them together.

use super::super::Splitter;
use super::super::alike;
use super::super::differing_tuples::union;
use crate::flat::FlatRule;

impl Splitter<'_> {
    /// Puts rules together that are alike but for a comparison, where parts of what they become have complements that
    /// pay.
    pub(super) fn unite_differences(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let groups = self.alike_but_for_differences(&rules, |this, rule| {
            this.may_have_complement(rule) && this.goes_on(rule)
        });
        alike::unite(rules, groups, |members| {
            let rule = union(members);
            let pays = self.goes_on(&rule)
                && (0..rule.body.len()).any(|at| self.complement_of(&rule, at).is_some());
            pays.then_some(rule)
        })
    }
}
