//! What can be visited, and whether all of it is treated alike.

use fxhash::{FxBuildHasher, FxHashSet};
use indexmap::IndexMap;

use crate::compact::visited::resolution::{Answers, Resolution, Wanted};
use crate::compact::visited::search::terms;
use crate::description::{Term, Terms};
use crate::rules::{Literal, Rule};
use crate::symbols::Symbol;

/// The elements of lists, with the arguments of the atom that each belongs to.
#[derive(Debug, Default)]
pub(super) struct Universe {
    pub(super) elements: IndexMap<Term, Terms, FxBuildHasher>,
}

/// A name with the number of arguments, if it is a function: `(f)` is another term than `f`.
type Functor = (Symbol, Option<usize>);

/// The names of elements: constants and functors.
pub(super) struct Functors(FxHashSet<Functor>);

impl Universe {
    /// Adds an element. `None` if it belongs to another atom already.
    pub(super) fn add(&mut self, element: &Term, atom: &[Term]) -> Option<()> {
        let known = self.elements.entry(element.clone()).or_insert_with(|| atom.into());
        (known[..] == *atom).then_some(())
    }

    /// Whether elements are constants, or functions of constants that are no elements: none is part of another.
    pub(super) fn check(&self) -> Option<()> {
        let is_plain =
            |it: &Term| matches!(it, Term::Constant(_)) && !self.elements.contains_key(it);
        let is_flat = |it: &Term| match it {
            Term::Compound(it) => it.arguments.iter().all(is_plain),
            Term::Constant(_) | Term::Variable(_) => true,
        };
        self.elements.keys().all(is_flat).then_some(())
    }

    pub(super) fn functors(&self) -> Functors {
        Functors(self.elements.keys().map(functor).collect())
    }

    /// The one element that a list begins with, if it has any; `None` if that is not clear.
    pub(super) fn beginning(&self, list: &Term) -> Option<Option<Term>> {
        let names = self.functors();
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
    fn occurs_in(&self, term: &Term) -> bool {
        let mut agenda = vec![term];
        while let Some(term) = agenda.pop() {
            if self.elements.contains_key(term) {
                return true;
            }
            if let Term::Compound(it) = term {
                agenda.extend(&it.arguments);
            }
        }
        false
    }

    /// Whether a table stays the same if elements are permuted. Two permutations generate all.
    pub(super) fn is_symmetric(&self, rows: &Answers) -> bool {
        let elements: Vec<&Term> = self.elements.keys().collect();
        let count = elements.len();
        let swapped = |at: usize| if at < 2.min(count) { (at + 1) % 2.min(count) } else { at };
        let rotated = |at: usize| (at + 1) % count;
        let moved = |row: &Terms, to: &dyn Fn(usize) -> usize| -> Option<Terms> {
            let value = |term: &Term| match self.elements.get_index_of(term) {
                Some(at) => Some(elements[to(at)].clone()),
                None => (!self.occurs_in(term)).then(|| term.clone()),
            };
            row.iter().map(value).collect()
        };
        rows.iter().all(|row| {
            [&swapped as &dyn Fn(usize) -> usize, &rotated]
                .into_iter()
                .all(|to| moved(row, to).is_some_and(|it| rows.contains(&it)))
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
    resolution: &mut Resolution<'_, '_, '_, '_>,
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
            let (head, body) = (Terms::from_iter([(*term).clone()]), about.into_iter().cloned());
            let rows = resolution.answers(head, body.collect(), Wanted::All)?;
            if !universe.is_symmetric(&rows) {
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
        Term::Variable(name) | Term::Constant(name) => (*name, None),
        Term::Compound(it) => (it.functor, Some(it.arguments.len())),
    }
}
