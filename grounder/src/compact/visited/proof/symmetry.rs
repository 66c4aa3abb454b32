//! What can be visited, and whether all of it is treated alike.

use fxhash::{FxHashMap, FxHashSet};

use crate::compact::visited::resolution::{Answers, Resolution, Wanted};
use crate::compact::visited::search::terms;
use crate::compact::visited::terms::{Functor, TermId, Terms};
use crate::description::Term;
use crate::rules::{Literal, Rule};
use crate::symbols::Symbol;

/// The elements of lists, with the arguments of the atom that each belongs to.
#[derive(Debug, Default)]
pub(super) struct Universe {
    pub(super) elements: Vec<TermId>,
    atoms: FxHashMap<TermId, Box<[TermId]>>,
    positions: FxHashMap<TermId, usize>,
}

/// The names of elements: constants and functors.
pub(super) struct Functors(FxHashSet<Functor>);

impl Universe {
    /// Adds an element. `None` if it belongs to another atom already.
    pub(super) fn add(&mut self, element: TermId, atom: &[TermId]) -> Option<()> {
        match self.atoms.get(&element) {
            Some(known) => (**known == *atom).then_some(()),
            None => {
                self.atoms.insert(element, atom.into());
                self.positions.insert(element, self.elements.len());
                self.elements.push(element);
                Some(())
            }
        }
    }

    /// Whether elements are constants, or functions of constants that are no elements: none is part of another.
    pub(super) fn check(&self, terms: &Terms) -> Option<()> {
        let is_plain =
            |&it: &TermId| terms.functor(it).arity.is_none() && !self.positions.contains_key(&it);
        let mut parts = self.elements.iter().flat_map(|&it| terms.arguments(it));
        parts.all(is_plain).then_some(())
    }

    pub(super) fn functors(&self, terms: &Terms) -> Functors {
        Functors(self.elements.iter().map(|&it| terms.functor(it)).collect())
    }

    /// The one element that a list begins with, if it has any; `None` if that is not clear.
    pub(super) fn beginning(&self, list: &Term, terms: &Terms) -> Option<Option<Term>> {
        let names = self.functors(terms);
        let mut found: Vec<&Term> = Vec::new();
        let mut agenda = vec![list];
        while let Some(term) = agenda.pop() {
            match term {
                Term::Variable(_) => found.push(term),
                _ if names.0.contains(&functor(term)) => found.push(term),
                Term::Compound(it) => agenda.extend(&it.arguments),
                Term::Constant(_) => {}
            }
        }
        found.dedup();
        match found[..] {
            [] => Some(None),
            [single] => Some(Some(single.clone())),
            _ => None,
        }
    }

    /// Whether an element occurs within a term.
    fn occurs_in(&self, term: TermId, terms: &Terms) -> bool {
        let (mut agenda, mut seen) = (vec![term], FxHashSet::default());
        while let Some(term) = agenda.pop() {
            if self.positions.contains_key(&term) {
                return true;
            }
            agenda.extend(terms.arguments(term).iter().filter(|it| seen.insert(**it)));
        }
        false
    }

    /// Whether a table stays the same if elements are permuted. Two permutations generate all.
    pub(super) fn is_symmetric(&self, rows: &Answers, terms: &Terms) -> bool {
        let count = self.elements.len();
        let known: FxHashSet<&[TermId]> = rows.iter().map(|row| &**row).collect();
        let swapped = |at: usize| if at < 2.min(count) { (at + 1) % 2.min(count) } else { at };
        let rotated = |at: usize| (at + 1) % count;
        let moved = |row: &[TermId], to: &dyn Fn(usize) -> usize| -> Option<Vec<TermId>> {
            let value = |term: &TermId| match self.positions.get(term) {
                Some(&at) => Some(self.elements[to(at)]),
                None => (!self.occurs_in(*term, terms)).then_some(*term),
            };
            row.iter().map(value).collect()
        };
        rows.iter().all(|row| {
            [&swapped as &dyn Fn(usize) -> usize, &rotated]
                .into_iter()
                .all(|to| moved(row, to).is_some_and(|it| known.contains(it.as_slice())))
        })
    }
}

impl Functors {
    /// Adds the functions of different variables in a term that have the name of an element. Returns whether
    /// names of elements occur nowhere else.
    fn find<'t>(&self, term: &'t Term, found: &mut Vec<&'t Term>) -> bool {
        let mut agenda = vec![term];
        while let Some(term) = agenda.pop() {
            match term {
                Term::Variable(_) => {}
                Term::Constant(_) if self.0.contains(&functor(term)) => return false,
                Term::Constant(_) => {}
                Term::Compound(it) if self.0.contains(&functor(term)) => {
                    let is_open = |it: &Term| matches!(it, Term::Variable(_));
                    // All elements must have this functor, or permutations lead out of what it is said of.
                    if self.0.len() > 1
                        || !it.arguments.iter().all(is_open)
                        || variables(&[term], &[]).len() < it.arguments.len()
                    {
                        return false;
                    }
                    if !found.contains(&term) {
                        found.push(term);
                    }
                }
                Term::Compound(it) => agenda.extend(&it.arguments),
            }
        }
        true
    }

    /// Whether names of elements occur in a term outside of `element`.
    pub(super) fn occur_in(&self, term: &Term, element: Option<&Term>) -> bool {
        if Some(term) == element {
            return false;
        }
        match term {
            Term::Variable(_) => false,
            Term::Constant(_) => self.0.contains(&functor(term)),
            Term::Compound(it) => {
                self.0.contains(&functor(term))
                    || it.arguments.iter().any(|it| self.occur_in(it, element))
            }
        }
    }
}

/// Whether permutations of the elements take instances of a rule to instances: it does not mention elements, but
/// for terms that stand for any of them. What such terms are made of may be bound by literals about nothing
/// else, as `(index ?i) (index ?j)` for `(at ?i ?j)`, if these allow all elements or none.
pub(super) fn rule_is_symmetric(
    rule: &Rule,
    universe: &Universe,
    names: &Functors,
    resolution: &mut Resolution<'_, '_, '_>,
) -> Option<bool> {
    let of_head: Vec<&Term> = rule.head.arguments.iter().collect();
    let lists: Vec<Vec<&Term>> = [of_head].into_iter().chain(rule.body.iter().map(terms)).collect();
    let mut standing: Vec<&Term> = Vec::new();
    if !lists.iter().flatten().all(|it| names.find(it, &mut standing)) {
        return Some(false);
    }
    for term in &standing {
        let own = variables(&[term], &[]);
        let others: Vec<&Term> = standing.iter().copied().filter(|it| it != term).collect();
        let mentions = |of: &[&Term]| variables(of, &[term]).iter().any(|it| own.contains(it));
        if mentions(&others) || mentions(&lists[0]) {
            return Some(false);
        }
        let about: Vec<&Literal> = rule.body.iter().filter(|it| mentions(&terms(it))).collect();
        let is_separate = |literal: &&Literal| {
            let of = terms(literal);
            variables(&of, &[]).is_subset(&own) && !of.contains(term)
        };
        if !about.iter().all(is_separate) {
            return Some(false);
        }
        if !about.is_empty() {
            let Resolution { clauses, terms, .. } = resolution;
            let head = [(*term).clone()];
            let clause = clauses.clause(&head, &about, &[], None, terms)?;
            let rows = resolution.answers(clause, &[], Wanted::All)?;
            if !universe.is_symmetric(&rows, &resolution.terms) {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// The variables of terms, outside of some of their parts.
fn variables(of: &[&Term], but: &[&Term]) -> FxHashSet<Symbol> {
    let (mut found, mut agenda) = (FxHashSet::default(), of.to_vec());
    while let Some(term) = agenda.pop() {
        match term {
            _ if but.contains(&term) => {}
            Term::Variable(variable) => _ = found.insert(*variable),
            Term::Constant(_) => {}
            Term::Compound(it) => agenda.extend(&it.arguments),
        }
    }
    found
}

/// The functor of a term that is no variable.
fn functor(term: &Term) -> Functor {
    match term {
        Term::Variable(name) | Term::Constant(name) => Functor { name: *name, arity: None },
        Term::Compound(it) => Functor { name: it.functor, arity: Some(it.arguments.len() as u32) },
    }
}
