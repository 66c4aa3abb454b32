//! What can be visited, and whether all of it is treated alike.

use fxhash::{FxHashMap, FxHashSet};

use crate::compact::visited::resolution::Answers;
use crate::compact::visited::terms::{Functor, TermId, Terms};
use crate::description::Term;

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
        let is_plain = |&it: &TermId| {
            terms.functor(it).arity.is_none() && !self.positions.contains_key(&it)
        };
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

/// The functor of a term that is no variable.
fn functor(term: &Term) -> Functor {
    match term {
        Term::Variable(name) | Term::Constant(name) => Functor { name: *name, arity: None },
        Term::Compound(it) => {
            Functor { name: it.functor, arity: Some(it.arguments.len() as u32) }
        }
    }
}
