//! Chooses between the two ways in which large rules were split, by the sizes that are counted.
//!
//! Two rules that use the same auxiliary predicates are worth more together than each alone, so what is compared is the
//! size of all rules in use, with the one way and with the other: first for all rules together whose other ways share a
//! predicate, then for each alone.

mod candidates;

use std::ops::Range;

use fxhash::{FxHashMap, FxHashSet};

pub(crate) use self::candidates::{Candidate, Candidates, size_of_instance};
use super::auxiliaries::{Auxiliaries, Choice};
use super::decomposition::Large;
use crate::flat::{FlatRule, FormId};
use crate::tuning::{MOST_CHOICES, WORTH_A_CHOICE};

/// Those of the large rules that are worth another way, as they were counted in the first one.
pub(crate) fn worth_another(large: Vec<Large>, candidates: &Candidates<'_>) -> Vec<Large> {
    let size = |it: &Large| candidates.whole_size(Candidate::First(it.index)).unwrap_or(0.0);
    let with_sizes = large.into_iter().map(|it| (size(&it), it));
    let mut largest: Vec<(f64, Large)> = with_sizes.filter(|it| it.0 >= WORTH_A_CHOICE).collect();
    largest.sort_by(|one, other| other.0.total_cmp(&one.0));
    largest.truncate(MOST_CHOICES);
    let with_size = |(size, mut it): (f64, Large)| {
        it.size = it.size.max(size);
        it
    };
    largest.into_iter().map(with_size).collect()
}

/// The rules that were split in two ways, and which way is taken for each.
pub(crate) struct Choices<'run> {
    candidates: Candidates<'run>,
    /// By choice, what is taken.
    taken: Vec<Taken>,
    /// By predicate: how many literals of rules in use have it.
    uses: FxHashMap<FormId, u32>,
    /// The size of all rules in use.
    total: f64,
}

/// What is taken of two ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// The first, for good.
    Fixed,
    /// The first.
    First,
    /// The other.
    Other,
}

impl<'run> Choices<'run> {
    /// The choices between some ways.
    pub(crate) fn between(candidates: Candidates<'run>) -> Self {
        let taken = vec![Taken::First; candidates.choices()];
        let mut choices = Choices { candidates, taken, uses: FxHashMap::default(), total: 0.0 };
        choices.take_all_in();
        choices
    }

    /// The first ways of rules between which there is a choice, and the rules that they use.
    pub(crate) fn first_candidates(&self) -> Vec<Candidate> {
        self.candidates.reached((0..self.taken.len()).map(|it| self.candidates.first(it)).collect())
    }

    /// The size of a rule in its first way, with all rules that it uses; 0 if it was not counted.
    pub(crate) fn first_size(&self, choice: usize) -> f64 {
        self.candidates.whole_size(self.candidates.first(choice)).unwrap_or(0.0)
    }

    /// By choice: the size in their first ways of all that are compared together with it.
    pub(crate) fn first_sizes_together(&self) -> Vec<f64> {
        let mut sizes = vec![0.0; self.taken.len()];
        for group in self.groups() {
            let size: f64 = group.iter().map(|&it| self.first_size(it)).sum();
            group.into_iter().for_each(|it| sizes[it] = size);
        }
        sizes
    }

    /// The rules of auxiliary predicates that the other way of a choice uses, but for those that are counted.
    pub(crate) fn new_definitions(&self, choice: usize) -> Vec<FlatRule> {
        let mut candidates = self.new_candidates(choice);
        candidates.retain(|it| matches!(it, Candidate::Auxiliary(_)));
        candidates.into_iter().map(|it| self.candidates.rule(it).clone()).collect()
    }

    /// The other way of a choice and the rules that it uses, but for those that are counted.
    pub(crate) fn new_candidates(&self, choice: usize) -> Vec<Candidate> {
        let mut candidates = self.candidates.reached(vec![Candidate::Other(choice)]);
        let is_in_use = |candidate: Candidate| {
            matches!(candidate, Candidate::Auxiliary(_))
                && self.is_used(self.candidates.rule(candidate).head.form)
        };
        candidates.retain(|&it| self.candidates.size(it).is_none() && !is_in_use(it));
        candidates
    }

    /// Takes the first way for good.
    pub(crate) fn keep_first(&mut self, choice: usize) {
        self.taken[choice] = Taken::Fixed;
    }

    /// The ways that there are.
    pub(crate) fn candidates(&mut self) -> &mut Candidates<'run> {
        &mut self.candidates
    }

    /// Chooses by what was counted.
    pub(crate) fn choose(mut self) -> Chosen {
        self.take_all_in();
        for group in self.groups() {
            self.turn_if_better(&group);
        }
        for choice in self.open().collect::<Vec<_>>() {
            self.turn_if_better(&[choice]);
        }
        let others = self.taken.iter().map(|it| *it == Taken::Other).collect();
        let unused = self.candidates.predicates().filter(|&it| !self.is_used(it)).collect();
        Chosen { others, unused }
    }

    /// Takes all rules into use, each in its first way.
    fn take_all_in(&mut self) {
        self.uses.clear();
        self.total = 0.0;
        (0..self.candidates.rules()).for_each(|it| self.change(Candidate::First(it), true));
    }

    /// The choices that are not decided.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.taken.len()).filter(|&it| self.taken[it] != Taken::Fixed)
    }

    fn is_used(&self, form: FormId) -> bool {
        self.uses.get(&form).is_some_and(|it| *it > 0)
    }

    /// Takes a rule into use or out of it, with what only it uses.
    fn change(&mut self, candidate: Candidate, into_use: bool) {
        let mut stack = vec![candidate];
        while let Some(candidate) = stack.pop() {
            let size = self.candidates.size(candidate).unwrap_or(0.0);
            self.total += if into_use { size } else { -size };
            for form in self.candidates.mentioned(candidate) {
                let uses = self.uses.entry(form).or_insert(0);
                let others = if into_use { *uses } else { *uses - 1 };
                *uses = if into_use { others + 1 } else { others };
                if others == 0 {
                    stack.extend(self.candidates.defining(form));
                }
            }
        }
    }

    /// Changes from one way to the other.
    fn turn(&mut self, choice: usize) {
        let (first, other) = (self.candidates.first(choice), Candidate::Other(choice));
        let (before, after, taken) = match self.taken[choice] {
            Taken::Other => (other, first, Taken::First),
            Taken::First | Taken::Fixed => (first, other, Taken::Other),
        };
        self.taken[choice] = taken;
        // What both use stays in use.
        self.change(after, true);
        self.change(before, false);
    }

    /// Changes to the other ways of some rules if all together is smaller then.
    fn turn_if_better(&mut self, choices: &[usize]) {
        let before = self.total;
        choices.iter().for_each(|&choice| self.turn(choice));
        if self.total > before {
            choices.iter().rev().for_each(|&choice| self.turn(choice));
            self.total = before;
        }
    }

    /// The choices that are not decided, those together whose other ways share a predicate that is not in use.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(Vec<usize>, FxHashSet<FormId>)> = Vec::new();
        for choice in self.open() {
            let candidates = self.candidates.reached(vec![Candidate::Other(choice)]);
            let forms = candidates.into_iter().skip(1).map(|it| self.candidates.rule(it).head.form);
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
}

/// What was chosen.
pub(crate) struct Chosen {
    /// By choice: whether the other way is taken.
    others: Vec<bool>,
    /// The auxiliary predicates that are not used then, ascending.
    pub(crate) unused: Vec<FormId>,
}

impl Chosen {
    /// Puts the chosen rules in their places, and drops what is not used then.
    pub(crate) fn keep(&self, rules: &mut [FlatRule], auxiliaries: &mut Auxiliaries) {
        let is_unused = |it: FormId| self.unused.binary_search(&it).is_ok();
        let mut dropped: Vec<Range<usize>> = Vec::new();
        for (choice, &is_other) in
            std::mem::take(&mut auxiliaries.choices).into_iter().zip(&self.others)
        {
            let Choice { index, other, steps: [first, second] } = choice;
            if is_other {
                rules[index] = other;
                dropped.push(first);
            } else {
                dropped.push(second);
            }
        }
        let unused = auxiliaries.steps.iter();
        let unused = unused.filter(|it| is_unused(auxiliaries.rules[it.rule].head.form));
        dropped.extend(unused.map(|it| it.steps.clone()));
        let mut keeps = vec![true; auxiliaries.splits.len()];
        dropped.into_iter().for_each(|it| keeps[it].fill(false));
        let mut keeps = keeps.into_iter();
        auxiliaries.splits.retain(|_| keeps.next().unwrap_or(true));
        auxiliaries.rules.retain(|it| !is_unused(it.head.form));
        auxiliaries.dynamic.retain(|it| !is_unused(*it));
    }
}
