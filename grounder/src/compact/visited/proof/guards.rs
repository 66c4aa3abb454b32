//! Whether the guards of a search hold for every list that it may have.

use fxhash::{FxHashMap, FxHashSet};

use super::symmetry::{Functors, Universe, rule_is_symmetric};
use super::{Beginning, Proof};
use crate::compact::visited::resolution::{Resolution, Wanted};
use crate::compact::visited::search::terms;
use crate::compact::visited::terms::TermId;
use crate::description::{Predicate, Term};
use crate::rules::Literal;
use crate::tuning::visited::guards::MAX_LISTS;

impl Proof<'_, '_, '_, '_> {
    /// Whether permutations of the elements change nothing for the guards.
    pub(super) fn guards_are_symmetric(
        &mut self,
        universe: &Universe,
        beginnings: &[Beginning],
    ) -> Option<()> {
        let names = universe.functors(&self.resolution.terms);
        let is_free = |term: &Term, element: Option<&Term>| !names.occur_in(term, element);
        let mut predicates: Vec<Predicate> = Vec::new();
        for step in &self.search.steps {
            let rule = self.rule(step);
            let passed = step.call.and_then(|call| self.search.passed(rule, call));
            let guards = step.guards.iter().map(|&it| &rule.body[it]);
            for term in guards.clone().flat_map(terms).chain(passed.map(|it| it.1)) {
                is_free(term, step.element.as_ref()).then_some(())?;
            }
            predicates.extend(guards.filter_map(|it| it.atom()).map(|it| it.predicate()));
        }
        for beginning in beginnings {
            is_free(&beginning.list, beginning.element.as_ref()).then_some(())?;
        }
        self.predicates_are_symmetric(universe, &names, predicates)
    }

    /// Whether permutations of the elements change nothing for some predicates: their rules do not mention
    /// elements, and ask only for predicates of which the same holds; or their tables show it.
    fn predicates_are_symmetric(
        &mut self,
        universe: &Universe,
        names: &Functors,
        asked: Vec<Predicate>,
    ) -> Option<()> {
        let mut callers: FxHashMap<Predicate, Vec<Predicate>> = FxHashMap::default();
        let (mut doubtful, mut agenda) = (Vec::new(), asked.clone());
        while let Some(predicate) = agenda.pop() {
            self.resolution.step()?;
            let of_predicate = self.resolution.clauses.rules_of(predicate).to_vec();
            let rules = || of_predicate.iter().map(|&it| &self.rules.rules[it]);
            let is_free = rules()
                .map(|rule| rule_is_symmetric(rule, universe, names, &mut self.resolution))
                .collect::<Option<Vec<bool>>>()?;
            if is_free.into_iter().all(|it| it) {
                for below in rules().flat_map(|it| &it.body).filter_map(Literal::atom) {
                    let callers = callers.entry(below.predicate()).or_insert_with(|| {
                        agenda.push(below.predicate());
                        Vec::new()
                    });
                    callers.push(predicate);
                }
            } else {
                doubtful.push(predicate);
            }
        }
        let mut tested: FxHashSet<Predicate> = FxHashSet::default();
        while let Some(predicate) = doubtful.pop() {
            if !tested.insert(predicate) {
                continue;
            }
            let rows = self.resolution.table(predicate)?;
            if !universe.is_symmetric(&rows, &self.resolution.terms) {
                // What uses it may be symmetric all the same.
                (!asked.contains(&predicate)).then_some(())?;
                doubtful.extend(callers.get(&predicate).into_iter().flatten());
            }
        }
        Some(())
    }

    /// Whether the guards hold for a list of each length, and so for all: lists of different elements
    /// are permutations of each other.
    pub(super) fn guards_hold(
        &mut self,
        universe: &Universe,
        beginnings: &[Beginning],
    ) -> Option<()> {
        let (mut plain, mut visiting) = (Vec::new(), Vec::new());
        for step in &self.search.steps {
            let rule = self.rule(step);
            let passed = step.call.and_then(|call| self.search.passed(rule, call));
            let guards: Vec<&Literal> = step.guards.iter().map(|&it| &rule.body[it]).collect();
            let Resolution { clauses, terms, .. } = &mut self.resolution;
            if let Some(element) = &step.element {
                let head: Vec<Term> = passed.map(|it| it.1.clone()).into_iter().collect();
                let opaque = Some(element);
                visiting.push(clauses.clause(&head, &guards, &[step.list], opaque, terms)?);
            } else if !guards.is_empty() {
                plain.push(clauses.clause(&[], &guards, &[step.list], None, terms)?);
            }
        }
        let mut lists: Vec<TermId> = Vec::new();
        for visited in 0..=universe.elements.len() {
            for beginning in beginnings {
                let Resolution { clauses, terms, .. } = &mut self.resolution;
                let (list, element) = ([beginning.list.clone()], beginning.element.as_ref());
                let first = match (visited, element) {
                    (0, None) => &[],
                    (1, Some(_)) => &universe.elements[..1],
                    _ => continue,
                };
                let clause = clauses.clause(&list, &[], &[], element, terms)?;
                let answers = self.resolution.answers(clause, first, Wanted::First)?;
                lists.push(answers.first()?[0]);
            }
            lists.sort_unstable();
            lists.dedup();
            let mut longer = Vec::new();
            for &list in &lists {
                for &clause in &plain {
                    self.resolution.answers(clause, &[list], Wanted::First)?.first()?;
                }
                let Some(&element) = universe.elements.get(visited) else { continue };
                for &clause in &visiting {
                    let answers =
                        self.resolution.answers(clause, &[list, element], Wanted::First)?;
                    longer.extend(answers.first()?.iter());
                }
            }
            lists = longer;
            if lists.len() > MAX_LISTS {
                return None;
            }
        }
        Some(())
    }
}
