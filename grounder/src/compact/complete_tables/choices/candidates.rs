//! Rules in the ways that they can be split, and how large they are with what they use.

use std::collections::BTreeMap;

use fxhash::{FxHashMap, FxHashSet};

use crate::compact::complete_tables::auxiliaries::Auxiliaries;
use crate::flat::{FlatLiteral, FlatRule, FormId};

/// Where a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Candidate {
    /// Among those that were split, as it is in the first way.
    First(usize),
    /// The other way of a choice.
    Other(usize),
    /// Among those of auxiliary predicates.
    Auxiliary(usize),
}

/// The rules that were split, with their sizes as far as they were counted.
pub(crate) struct Candidates<'run> {
    rules: &'run [FlatRule],
    auxiliaries: &'run Auxiliaries,
    /// By predicate: its rules among those of auxiliary predicates.
    definitions: BTreeMap<FormId, Vec<usize>>,
    sizes: FxHashMap<Candidate, f64>,
}

impl<'run> Candidates<'run> {
    pub(crate) fn of(rules: &'run [FlatRule], auxiliaries: &'run Auxiliaries) -> Self {
        let mut definitions: BTreeMap<FormId, Vec<usize>> = BTreeMap::new();
        for (index, rule) in auxiliaries.rules.iter().enumerate() {
            definitions.entry(rule.head.form).or_default().push(index);
        }
        Candidates { rules, auxiliaries, definitions, sizes: FxHashMap::default() }
    }

    /// How many rules were split.
    pub(super) fn rules(&self) -> usize {
        self.rules.len()
    }

    /// Which rule a choice is about.
    pub(super) fn first(&self, choice: usize) -> Candidate {
        Candidate::First(self.auxiliaries.choices[choice].index)
    }

    /// How many choices there are.
    pub(super) fn choices(&self) -> usize {
        self.auxiliaries.choices.len()
    }

    /// The rule of a way.
    pub(crate) fn rule(&self, candidate: Candidate) -> &'run FlatRule {
        match candidate {
            Candidate::First(index) => &self.rules[index],
            Candidate::Other(choice) => &self.auxiliaries.choices[choice].other,
            Candidate::Auxiliary(index) => &self.auxiliaries.rules[index],
        }
    }

    /// The auxiliary predicates, ascending.
    pub(super) fn predicates(&self) -> impl Iterator<Item = FormId> {
        self.definitions.keys().copied()
    }

    /// The auxiliary predicates that a rule has in its body, but for its own: that of nested sets uses itself.
    pub(super) fn mentioned(&self, candidate: Candidate) -> Vec<FormId> {
        let FlatRule { head, body, .. } = self.rule(candidate);
        let forms = body.iter().filter_map(FlatLiteral::atom).map(|it| it.form);
        forms.filter(|it| *it != head.form && self.definitions.contains_key(it)).collect()
    }

    /// The rules of a predicate.
    pub(super) fn defining(&self, form: FormId) -> impl Iterator<Item = Candidate> {
        self.definitions[&form].iter().map(|&it| Candidate::Auxiliary(it))
    }

    /// Some ways and the rules that they use.
    pub(crate) fn reached(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let mut found: FxHashSet<Candidate> = candidates.iter().copied().collect();
        let mut next = 0;
        while let Some(&candidate) = candidates.get(next) {
            next += 1;
            for form in self.mentioned(candidate) {
                candidates.extend(self.defining(form).filter(|it| found.insert(*it)));
            }
        }
        candidates
    }

    /// Notes how many instances the rule of a way has.
    pub(crate) fn count(&mut self, candidate: Candidate, instances: u64) {
        let size = size(self.rule(candidate), instances);
        self.sizes.insert(candidate, size);
    }

    /// The size of a rule, if its instances were counted.
    pub(super) fn size(&self, candidate: Candidate) -> Option<f64> {
        self.sizes.get(&candidate).copied()
    }

    /// The size of a rule with all rules that it uses; `None` if they were not counted.
    pub(super) fn whole_size(&self, candidate: Candidate) -> Option<f64> {
        self.reached(vec![candidate]).into_iter().map(|it| self.size(it)).sum()
    }
}

/// The size of an instance of a rule: its literals and two more, as sizes are estimated.
pub(crate) fn size_of_instance(rule: &FlatRule) -> f64 {
    2.0 + rule.body.iter().filter(|it| it.stored).count() as f64
}

/// The size of a rule with so many instances.
fn size(rule: &FlatRule, instances: u64) -> f64 {
    if rule.stored { instances as f64 * size_of_instance(rule) } else { 0.0 }
}
