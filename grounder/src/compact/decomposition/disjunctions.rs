//! Rules that are alike but for one literal, put together: an auxiliary predicate says that one of the literals
//! holds.
//!
//! Or-elimination has made a rule of each alternative. Where the rest of the rule has many instances, one
//! literal for all alternatives is better than all instances for each.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;
use groundfrog_engine::projection::set_of;
use groundfrog_engine::statistics::Measure;

use super::super::auxiliaries::{Alternative, Change, Split, map_arguments, use_of};
use super::super::estimate::{fits, variables};
use super::Splitter;
use crate::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId, LiteralKind};

/// Rules of at least this size may be put together,
const WORTH_A_DISJUNCTION: f64 = 5_000.0;
/// if that makes them smaller than this part of what they are.
const GAIN: f64 = 0.8;

impl Splitter<'_> {
    /// Puts rules together where that makes the ground program smaller.
    pub(super) fn put_together(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let groups = self.alike(&rules);
        let mut rules: Vec<Option<FlatRule>> = rules.into_iter().map(Some).collect();
        // What has been put together is not like the rules that its parts were like.
        let mut together: Vec<Option<FlatRule>> = vec![None; rules.len()];
        for mut group in groups {
            group.retain(|&(rule, _)| rules[rule].is_some());
            let members: Vec<(&FlatRule, usize)> = group
                .iter()
                .filter_map(|&(rule, at)| rules[rule].as_ref().map(|rule| (rule, at)))
                .collect();
            let [(first, _), _, ..] = members[..] else { continue };
            let before = self.on_trial(|trial| {
                members.iter().map(|(rule, _)| trial.size_when_split((*rule).clone())).sum()
            });
            let after = self.on_trial(|trial| {
                let (rule, size) = trial.disjunction(&members);
                size + trial.size_when_split(rule)
            });
            if after < before * GAIN {
                self.auxiliaries.splits.push(Split {
                    change: Change::PutTogether,
                    origin: first.origin,
                    before,
                    after,
                });
                let (rule, _) = self.disjunction(&members);
                group.iter().for_each(|&(rule, _)| rules[rule] = None);
                together[group[0].0] = Some(rule);
            }
        }
        rules.into_iter().zip(together).filter_map(|(rule, together)| together.or(rule)).collect()
    }

    /// Groups of large rules that are the same but for a literal, with the positions of rule and literal.
    fn alike(&mut self, rules: &[FlatRule]) -> Vec<Vec<(usize, usize)>> {
        let mut of_head: FxHashMap<FormId, u32> = FxHashMap::default();
        for rule in rules.iter().filter(|it| it.stored) {
            *of_head.entry(rule.head.form).or_default() += 1;
        }
        let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut by_rest: FxHashMap<Rest, usize> = FxHashMap::default();
        for (index, rule) in rules.iter().enumerate() {
            if !rule.stored || of_head[&rule.head.form] == 1 {
                continue;
            }
            let head = variables(&rule.head.arguments);
            if !fits(rule) || self.cost(rule.body.iter(), head).size < WORTH_A_DISJUNCTION {
                continue;
            }
            for (at, literal) in rule.body.iter().enumerate() {
                // Which moves are made is said best by merging rules.
                let is_dynamic = literal.stored && matches!(literal.kind, LiteralKind::Positive(_));
                if is_dynamic && !self.are_about_moves([literal].into_iter()) {
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

    /// The rule that takes the place of rules that are alike but for a literal, and the expected size of the
    /// instances of the predicate that it uses.
    fn disjunction(&mut self, members: &[(&FlatRule, usize)]) -> (FlatRule, f64) {
        let mut alternatives = Vec::new();
        let mut expected = Measure { rows: 0.0, distinct: Vec::new() };
        for &(rule, at) in members {
            let literal = &rule.body[at];
            let (_, columns) = interface(rule, at);
            let found =
                self.estimates.bindings([literal].into_iter(), set_of(columns.iter().copied()));
            expected.rows += found.count();
            expected.distinct.resize(columns.len(), 0.0);
            for (sum, &column) in expected.distinct.iter_mut().zip(&columns) {
                *sum += found.domain(column);
            }
            alternatives.push(alternative(literal, &columns, rule.origin));
        }
        let size = 3.0 * expected.rows;
        // The alternatives mostly speak of the same constants.
        let count = members.len() as f64;
        expected.distinct.iter_mut().for_each(|it| *it = (*it / count).max(1.0));
        expected.rows = expected.rows.min(expected.distinct.iter().product());
        let (mut rule, at) = (members[0].0.clone(), members[0].1);
        let (_, columns) = interface(&rule, at);
        let (form, new) = self.auxiliaries.union(alternatives, self.forms, self.symbols);
        if new {
            self.estimates.add(expected);
        }
        rule.body[at] = use_of(form, &columns, true, self.forms);
        (rule, size)
    }
}

/// A rule without a literal, its variables numbered as they are first mentioned; and those that the literal
/// shares.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Rest {
    head: (FormId, Vec<Argument>),
    body: Vec<(LiteralKind, bool, bool)>,
    shared: Vec<u32>,
}

pub(super) fn rest(rule: &FlatRule, at: usize) -> Rest {
    let numbers = mentioned(rule, at);
    let rename = |argument: Argument| number(&numbers, argument);
    let head = rule.head.arguments.iter().map(|&it| rename(it)).collect();
    let others = rule.body.iter().enumerate().filter(|&(other, _)| other != at);
    let body = others.map(|(_, it)| (map_arguments(&it.kind, &rename), it.joined, it.stored));
    Rest { head: (rule.head.form, head), body: body.collect(), shared: interface(rule, at).0 }
}

/// The variables of a rule but for those that only one literal has, in the order in which they are mentioned.
pub(super) fn mentioned(rule: &FlatRule, without: usize) -> Vec<u32> {
    let mut found = Vec::new();
    let mut visit = |arguments: &[Argument]| {
        for variable in arguments.iter().filter_map(|it| it.variable()) {
            if !found.contains(&variable) {
                found.push(variable);
            }
        }
    };
    visit(&rule.head.arguments);
    for (_, literal) in rule.body.iter().enumerate().filter(|&(at, _)| at != without) {
        match &literal.kind {
            LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => visit(&atom.arguments),
            LiteralKind::Distinct(left, right) => {
                visit(left);
                visit(right);
            }
        }
    }
    found
}

fn number(numbers: &[u32], argument: Argument) -> Argument {
    let position = argument.variable().and_then(|it| numbers.iter().position(|&other| other == it));
    position.map_or(argument, |it| Argument::Variable(it as u32))
}

/// The variables that a literal shares with the rest of its rule: by number in [`Rest`], ascending, and as the rule
/// has them.
fn interface(rule: &FlatRule, at: usize) -> (Vec<u32>, Vec<u32>) {
    let of_literal = rule.body[at].atom().map(|it| it.arguments.as_slice()).unwrap_or_default();
    let is_shared = |variable: &u32| of_literal.iter().any(|it| it.variable() == Some(*variable));
    (0..).zip(mentioned(rule, at)).filter(|(_, it)| is_shared(it)).unzip()
}

/// A rule of the auxiliary predicate: its columns are the first variables, others are behind them.
fn alternative(literal: &FlatLiteral, columns: &[u32], origin: u32) -> Alternative {
    let mut numbers = columns.to_vec();
    for variable in
        literal.atom().iter().flat_map(|it| &it.arguments).filter_map(|it| it.variable())
    {
        if !numbers.contains(&variable) {
            numbers.push(variable);
        }
    }
    let kind = map_arguments(&literal.kind, &|argument| number(&numbers, argument));
    let arguments = (0..columns.len() as u32).map(Argument::Variable).collect();
    Alternative { arguments, body: vec![FlatLiteral { kind, ..literal.clone() }], origin }
}
