//! Chooses between the two ways in which large rules were split, by the sizes that are counted.
//!
//! Two rules that use the same auxiliary predicates are worth more together than each alone, so what is compared is the
//! size of all rules in use, with the one way and with the other: first for all rules together whose other ways share a
//! predicate, then for each alone.

use std::collections::BTreeMap;
use std::ops::Range;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::projection::VariableSet;

use super::auxiliaries::{Auxiliaries, Choice};
use super::estimate::{fits, literal_variables, variables};
use super::repetitions::{Moved, repetitions};
use crate::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId};

/// The other way has to save this part of what is left of a rule in the first one,
const GAIN: f64 = 0.05;
/// and at least so much.
const LEAST_GAIN: f64 = 64.0;
/// A rule that is smaller, with all that it uses, stays as it is,
const SMALL: f64 = 2_000.0;
/// and one that is a smaller part of all that is counted.
const SMALL_PART: f64 = 0.01;
/// Of rules with more instances it is looked up which of them are the same.
const WORTH_COMPARING: u64 = 5_000;

/// Where a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// Among those that were split, as it is in the first way.
    First(usize),
    /// The other way of a choice.
    Other(usize),
    /// Among those of auxiliary predicates.
    Auxiliary(usize),
}

/// The rules that were split in two ways, and which way is taken for each.
pub(crate) struct Choices<'run> {
    rules: &'run mut [FlatRule],
    auxiliaries: &'run mut Auxiliaries,
    /// By predicate: its rules among those of auxiliary predicates.
    definitions: BTreeMap<FormId, Vec<usize>>,
    /// By choice, what is taken.
    taken: Vec<Taken>,
    /// By predicate: how many literals of rules in use have it.
    uses: FxHashMap<FormId, u32>,
    sizes: FxHashMap<Way, f64>,
    /// The size of all rules in use.
    total: f64,
}

/// What is taken of two ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// The first, for good.
    Settled,
    /// The first.
    First,
    /// The other.
    Other,
}

impl<'run> Choices<'run> {
    /// The choices that there are for some rules; `None` if there are none.
    pub(crate) fn of(
        rules: &'run mut [FlatRule],
        auxiliaries: &'run mut Auxiliaries,
    ) -> Option<Self> {
        if auxiliaries.choices.is_empty() {
            return None;
        }
        let mut definitions: BTreeMap<FormId, Vec<usize>> = BTreeMap::new();
        for (index, rule) in auxiliaries.rules.iter().enumerate() {
            definitions.entry(rule.head.form).or_default().push(index);
        }
        let mut choices = Choices {
            definitions,
            taken: vec![Taken::First; auxiliaries.choices.len()],
            uses: FxHashMap::default(),
            sizes: FxHashMap::default(),
            total: 0.0,
            rules,
            auxiliaries,
        };
        choices.take_all_in();
        Some(choices)
    }

    /// The rules of auxiliary predicates that are in use.
    pub(crate) fn definitions_in_use(&self) -> Vec<FlatRule> {
        let rules = self.auxiliaries.rules.iter();
        rules.filter(|it| self.is_used(it.head.form)).cloned().collect()
    }

    /// The first ways of rules between which there is a choice, and the rules that they use.
    pub(crate) fn first_ways(&self) -> Vec<Way> {
        self.reached((0..self.taken.len()).map(|it| self.first(it)).collect())
    }

    /// The size of a rule in its first way, with all rules that it uses; 0 if it was not counted.
    pub(crate) fn first_size(&self, choice: usize) -> f64 {
        let ways = self.reached(vec![self.first(choice)]);
        ways.iter().map(|it| self.sizes.get(it)).sum::<Option<f64>>().unwrap_or(0.0)
    }

    /// The choices for the largest rules, the largest first; the others are settled.
    pub(crate) fn largest(&mut self, most: usize) -> Vec<usize> {
        let sizes: Vec<f64> = (0..self.taken.len()).map(|it| self.first_size(it)).collect();
        let least = SMALL.max(self.sizes.values().sum::<f64>() * SMALL_PART);
        let mut largest: Vec<usize> = (0..sizes.len()).filter(|&it| sizes[it] >= least).collect();
        largest.sort_by(|&one, &other| sizes[other].total_cmp(&sizes[one]));
        largest.truncate(most);
        self.taken.fill(Taken::Settled);
        largest.iter().for_each(|&it| self.taken[it] = Taken::First);
        largest
    }

    /// The rules of auxiliary predicates that the other way of a choice uses, but for those that are counted.
    pub(crate) fn new_definitions(&self, choice: usize) -> Vec<FlatRule> {
        let mut ways = self.new_ways(choice);
        ways.retain(|it| matches!(it, Way::Auxiliary(_)));
        ways.into_iter().map(|it| self.rule(it).clone()).collect()
    }

    /// The other way of a choice and the rules that it uses, but for those that are counted.
    pub(crate) fn new_ways(&self, choice: usize) -> Vec<Way> {
        let mut ways = self.reached(vec![Way::Other(choice)]);
        let is_in_use = |way: &Way| match way {
            Way::Auxiliary(index) => self.is_used(self.auxiliaries.rules[*index].head.form),
            Way::First(_) | Way::Other(_) => false,
        };
        ways.retain(|it| !self.sizes.contains_key(it) && !is_in_use(it));
        ways
    }

    /// Takes the first way for good.
    pub(crate) fn settle(&mut self, choice: usize) {
        self.taken[choice] = Taken::Settled;
    }

    /// The rule of a way.
    pub(crate) fn rule(&self, way: Way) -> &FlatRule {
        match way {
            Way::First(index) => &self.rules[index],
            Way::Other(choice) => &self.auxiliaries.choices[choice].other,
            Way::Auxiliary(index) => &self.auxiliaries.rules[index],
        }
    }

    /// Notes how many instances the rule of a way has.
    pub(crate) fn count(&mut self, way: Way, instances: u64) {
        let size = size(self.rule(way), instances);
        self.sizes.insert(way, size);
    }

    /// Chooses by what was counted, puts the chosen rules in their places, and drops what is not used then. Returns the
    /// predicates that are not.
    pub(crate) fn choose(mut self) -> Vec<FormId> {
        self.take_all_in();
        for group in self.groups() {
            self.turn_if_better(&group);
        }
        for choice in self.open().collect::<Vec<_>>() {
            self.turn_if_better(&[choice]);
        }
        self.keep_chosen()
    }

    /// Takes all rules into use, each in its first way.
    fn take_all_in(&mut self) {
        self.uses.clear();
        self.total = 0.0;
        (0..self.rules.len()).for_each(|it| self.change(Way::First(it), true));
    }

    /// The choices that are not settled.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.taken.len()).filter(|&it| self.taken[it] != Taken::Settled)
    }

    /// The first way of a choice.
    fn first(&self, choice: usize) -> Way {
        Way::First(self.auxiliaries.choices[choice].index)
    }

    fn is_used(&self, form: FormId) -> bool {
        self.uses.get(&form).is_some_and(|it| *it > 0)
    }

    /// The auxiliary predicates that a rule has in its body, but for its own: that of nested sets asks for itself.
    fn mentioned(&self, way: Way) -> Vec<FormId> {
        let FlatRule { head, body, .. } = self.rule(way);
        let forms = body.iter().filter_map(FlatLiteral::atom).map(|it| it.form);
        forms.filter(|it| *it != head.form && self.definitions.contains_key(it)).collect()
    }

    /// The rules of a predicate.
    fn defining(&self, form: FormId) -> impl Iterator<Item = Way> {
        self.definitions[&form].iter().map(|&it| Way::Auxiliary(it))
    }

    /// Some ways and the rules that they use.
    fn reached(&self, mut ways: Vec<Way>) -> Vec<Way> {
        let mut found: FxHashSet<Way> = ways.iter().copied().collect();
        let mut next = 0;
        while let Some(&way) = ways.get(next) {
            next += 1;
            for form in self.mentioned(way) {
                ways.extend(self.defining(form).filter(|it| found.insert(*it)));
            }
        }
        ways
    }

    /// Takes a rule into use or out of it, with what only it uses.
    fn change(&mut self, way: Way, into_use: bool) {
        let mut stack = vec![way];
        while let Some(way) = stack.pop() {
            let size = self.sizes.get(&way).copied().unwrap_or(0.0);
            self.total += if into_use { size } else { -size };
            for form in self.mentioned(way) {
                let uses = self.uses.entry(form).or_insert(0);
                let others = if into_use { *uses } else { *uses - 1 };
                *uses = if into_use { others + 1 } else { others };
                if others == 0 {
                    stack.extend(self.defining(form));
                }
            }
        }
    }

    /// Changes from one way to the other. Returns the size of what is not in use any more.
    fn turn(&mut self, choice: usize) -> f64 {
        let (first, other) = (self.first(choice), Way::Other(choice));
        let (before, after, taken) = match self.taken[choice] {
            Taken::Other => (other, first, Taken::First),
            Taken::First | Taken::Settled => (first, other, Taken::Other),
        };
        self.taken[choice] = taken;
        // What both use stays in use.
        self.change(after, true);
        let with_both = self.total;
        self.change(before, false);
        with_both - self.total
    }

    /// Changes to the other ways of some rules if all together is smaller then.
    fn turn_if_better(&mut self, choices: &[usize]) {
        let before = self.total;
        let released: f64 = choices.iter().map(|&it| self.turn(it)).sum();
        if self.total > before - LEAST_GAIN.max(GAIN * released) {
            choices.iter().rev().for_each(|&it| {
                self.turn(it);
            });
            self.total = before;
        }
    }

    /// The choices that are not settled, those together whose other ways share a predicate that is not in use.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(Vec<usize>, FxHashSet<FormId>)> = Vec::new();
        for choice in self.open() {
            let ways = self.reached(vec![Way::Other(choice)]);
            let forms = ways.into_iter().skip(1).map(|it| self.rule(it).head.form);
            let mut forms: FxHashSet<FormId> = forms.filter(|it| !self.is_used(*it)).collect();
            let shares = |it: &(Vec<usize>, FxHashSet<FormId>)| !it.1.is_disjoint(&forms);
            let (sharing, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
            groups = others;
            let mut group = Vec::new();
            for (members, theirs) in sharing {
                group.extend(members);
                forms.extend(theirs);
            }
            group.push(choice);
            groups.push((group, forms));
        }
        groups.into_iter().map(|it| it.0).collect()
    }

    fn keep_chosen(self) -> Vec<FormId> {
        let Choices { rules, auxiliaries, definitions, taken, uses, .. } = self;
        let is_used = |it: FormId| uses.get(&it).is_some_and(|it| *it > 0);
        let mut dropped: Vec<Range<usize>> = Vec::new();
        for (choice, taken) in std::mem::take(&mut auxiliaries.choices).into_iter().zip(taken) {
            let Choice { index, other, steps: [first, second] } = choice;
            if taken == Taken::Other {
                rules[index] = other;
                dropped.push(first);
            } else {
                dropped.push(second);
            }
        }
        let unused = auxiliaries.steps.iter();
        let unused = unused.filter(|(index, _)| !is_used(auxiliaries.rules[*index].head.form));
        dropped.extend(unused.map(|it| it.1.clone()));
        let mut keeps = vec![true; auxiliaries.splits.len()];
        dropped.into_iter().for_each(|it| keeps[it].fill(false));
        let mut keeps = keeps.into_iter();
        auxiliaries.splits.retain(|_| keeps.next().unwrap_or(true));
        auxiliaries.rules.retain(|it| is_used(it.head.form));
        auxiliaries.dynamic.retain(|it| is_used(*it));
        definitions.into_keys().filter(|&it| !is_used(it)).collect()
    }
}

/// The size of a rule with so many instances: for each its literals and two more, as they are estimated. Those that are
/// the same as others, as variables change places, do not count.
fn size(rule: &FlatRule, instances: u64) -> f64 {
    if !rule.stored {
        return 0.0;
    }
    let stored = rule.body.iter().filter(|it| it.stored);
    let each = 2.0 + stored.clone().count() as f64;
    if instances < WORTH_COMPARING || !fits(rule) {
        return instances as f64 * each;
    }
    let inner = stored.map(literal_variables).fold(0, |all: VariableSet, it| all | it)
        & !variables(&rule.head.arguments);
    let body: Vec<&FlatLiteral> = rule.body.iter().collect();
    instances as f64 * each / repetitions(&body, inner, Moved::Together)
}
