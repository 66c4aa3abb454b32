//! Whether the guards of a search hold for every list that it may have.

use fxhash::{FxHashMap, FxHashSet};

use super::symmetry::{Functors, Universe, rule_is_symmetric};
use super::{Beginning, Proof};
use crate::compact::visited::resolution::{Wanted, is_ground};
use crate::compact::visited::search::terms;
use crate::description::{Atom, Predicate, Term, Terms};
use crate::rules::{Literal, Rule, compound};
use crate::tuning::visited::guards::MAX_LISTS;

impl Proof<'_, '_, '_, '_, '_> {
    /// Whether permutations of the elements change nothing for the guards.
    pub(super) fn guards_are_symmetric(
        &mut self,
        universe: &Universe,
        beginnings: &[Beginning],
    ) -> Option<()> {
        let names = universe.functors();
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
            let rules: Vec<&Rule> = self.resolution.definitions.of(predicate).collect();
            let is_free = rules
                .iter()
                .map(|rule| rule_is_symmetric(rule, universe, names, &mut self.resolution))
                .collect::<Option<Vec<bool>>>()?;
            if is_free.into_iter().all(|it| it) {
                for below in rules.iter().flat_map(|it| &it.body).filter_map(Literal::atom) {
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
            if !universe.is_symmetric(&rows) {
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
        let mut lists: Vec<Term> = Vec::new();
        for visited in 0..=universe.elements.len() {
            for Beginning { list, element } in beginnings {
                let first = universe.elements.keys().next();
                let list = match (visited, element, first) {
                    (0, None, _) => list.clone(),
                    (1, Some(element), Some(first)) => with(list, &[(element, first)]),
                    _ => continue,
                };
                is_ground(std::slice::from_ref(&list)).then_some(())?;
                lists.push(list);
            }
            let mut longer: Vec<Term> = Vec::new();
            let next = universe.elements.get_index(visited).map(|it| it.0);
            for list in &lists {
                for step in &self.search.steps {
                    let rule = self.rule(step);
                    let of_head = Term::Variable(step.list);
                    let mut values = vec![(&of_head, list)];
                    let passed = match (&step.element, next) {
                        (Some(_), None) => continue,
                        (Some(element), Some(next)) => {
                            values.insert(0, (element, next));
                            step.call.and_then(|call| self.search.passed(rule, call))
                        }
                        (None, _) => None,
                    };
                    let head = passed.iter().map(|it| with(it.1, &values)).collect();
                    let guards = step.guards.iter();
                    let body = guards.map(|&it| literal_with(&rule.body[it], &values)).collect();
                    let answers = self.resolution.answers(head, body, Wanted::First)?;
                    let longest = answers.into_iter().next()?;
                    longer.extend(
                        longest.into_iter().filter(|it| !longer.contains(it)).collect::<Vec<_>>(),
                    );
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

/// A term with others in the places of some of its parts.
fn with(term: &Term, values: &[(&Term, &Term)]) -> Term {
    match (values.iter().find(|it| it.0 == term), term) {
        (Some(&(_, value)), _) => value.clone(),
        (None, Term::Compound(it)) => {
            compound(it.functor, it.arguments.iter().map(|it| with(it, values)).collect())
        }
        (None, _) => term.clone(),
    }
}

fn literal_with(literal: &Literal, values: &[(&Term, &Term)]) -> Literal {
    let atom = |it: &Atom| {
        let arguments: Terms = it.arguments.iter().map(|it| with(it, values)).collect();
        Atom { arguments, ..*it }
    };
    match literal {
        Literal::Positive(it) => Literal::Positive(atom(it)),
        Literal::Negative(it) => Literal::Negative(atom(it)),
        Literal::Distinct(left, right) => {
            Literal::Distinct(with(left, values), with(right, values))
        }
    }
}
