//! Rules that are alike but for one literal, put together: an auxiliary predicate says that one of the literals
//! holds.
//!
//! Or-elimination has made a rule of each alternative. Where the rest of the rule has many instances, one
//! literal for all alternatives is better than all instances for each.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;
use groundfrog_engine::projection::set_of;
use groundfrog_engine::statistics::Measure;

use super::super::auxiliaries::{Alternative, Change, use_of};
use super::Splitter;
use super::alike::{self, interface};
use crate::compact::estimate::{fits, variables};
use crate::flat::{FlatLiteral, FlatRule, FormId};
use crate::tuning::complete_tables::disjunctions::WORTH_A_DISJUNCTION;

impl Splitter<'_> {
    /// Puts rules together where that makes the ground program smaller.
    pub(super) fn put_together(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let groups = self.alike(&rules);
        if groups.is_empty() { rules } else { self.unite(rules, groups) }
    }

    /// Puts the members of groups together, if that pays.
    fn unite(&mut self, rules: Vec<FlatRule>, groups: Vec<Vec<(usize, usize)>>) -> Vec<FlatRule> {
        alike::unite(rules, groups, |members| {
            if !self.goes_on(members[0].0) {
                return None;
            }
            let before = self.size_of_each_on_trial(members.iter().map(|it| it.0));
            let after = self.on_trial(|trial| {
                let (rule, size) = trial.disjunction(members);
                size + trial.size_when_split(rule)
            });
            let origins = members.iter().map(|(rule, _)| rule.origin);
            let is_accepted = self.accepts(Change::PutTogether, origins, (before, after));
            is_accepted.then(|| self.disjunction(members).0)
        })
    }

    /// Groups of large rules that are the same but for a literal, with the positions of rule and literal.
    fn alike<'rule>(&mut self, rules: &'rule [FlatRule]) -> Vec<Vec<(usize, usize)>> {
        let mut of_head: FxHashMap<FormId, u32> = FxHashMap::default();
        for rule in rules.iter().filter(|it| self.may_change(it)) {
            *of_head.entry(rule.head.form).or_default() += 1;
        }
        let mut is_large = |rule: &FlatRule| {
            let head = variables(&rule.head.arguments);
            self.may_change(rule)
                && of_head[&rule.head.form] > 1
                && fits(rule)
                && self.cost(rule.body.iter(), head).size >= WORTH_A_DISJUNCTION
        };
        let large: Vec<(usize, &FlatRule)> =
            rules.iter().enumerate().filter(|(_, rule)| is_large(rule)).collect();
        if large.len() < 2 {
            return Vec::new();
        }
        // Which moves are made is expressed best by merging rules.
        let is_wanted = |literal: &FlatLiteral| {
            literal.stored && literal.is_positive() && !self.are_about_moves([literal].into_iter())
        };
        let with_literals = |(index, rule): (usize, &'rule FlatRule)| {
            (index, rule, alike::positions(rule, is_wanted))
        };
        let large: Vec<_> = large.into_iter().map(with_literals).collect();
        alike::groups(&large, &mut self.ticker)
    }

    /// The rule that takes the place of rules that are alike but for a literal, and the expected size of the
    /// instances of the predicate that it uses.
    fn disjunction(&mut self, members: &[(&FlatRule, usize)]) -> (FlatRule, f64) {
        let mut alternatives = Vec::new();
        let mut expected = Measure { rows: 0.0, distinct: Vec::new() };
        for &(rule, at) in members {
            let literal = &rule.body[at];
            let columns = interface(rule, at);
            let found =
                self.estimates.bindings([literal].into_iter(), set_of(columns.iter().copied()));
            expected.rows += found.count();
            expected.distinct.resize(columns.len(), 0.0);
            for (sum, &column) in expected.distinct.iter_mut().zip(&columns) {
                *sum += found.domain(column);
            }
            let arguments = columns.iter().map(|&it| Argument::Variable(it)).collect();
            let (body, origin) = (vec![literal.clone()], rule.origin);
            alternatives.push(Alternative { arguments, body, origin }.renumbered());
        }
        let size = 3.0 * expected.rows;
        // The alternatives mostly speak of the same constants.
        let count = members.len() as f64;
        expected.distinct.iter_mut().for_each(|it| *it = (*it / count).max(1.0));
        expected.rows = expected.rows.min(expected.distinct.iter().product());
        let (mut rule, at) = (members[0].0.clone(), members[0].1);
        let columns = interface(&rule, at);
        let (form, new) = self.made.auxiliaries.union(alternatives, self.forms, self.symbols);
        if new {
            self.estimates.add(expected);
        }
        rule.body[at] = use_of(form, &columns, true, self.forms);
        (rule, size)
    }
}
