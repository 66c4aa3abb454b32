//! Unification: what has to be equal if two atoms are.

use crate::instantiate::equalities::Equalities;
use crate::instantiate::request::{StoredAtom, Template};
use crate::program::Argument;

/// A template whose variables are numbered from `offset`.
#[derive(Clone, Copy)]
pub(super) struct Side<'run> {
    pub(super) template: &'run Template,
    pub(super) offset: usize,
}

impl<'run> Side<'run> {
    /// Two templates, or two instances of one, with variables of their own.
    pub(super) fn both(left: &'run Template, right: &'run Template) -> [Self; 2] {
        let offset = left.rule.variable_count();
        [Side { template: left, offset: 0 }, Side { template: right, offset }]
    }

    pub(super) fn term(&self, argument: Argument) -> Argument {
        match argument {
            Argument::Variable(variable) => Argument::Variable(variable + self.offset as u32),
            constant => constant,
        }
    }

    /// One more than its last variable.
    pub(super) fn end(&self) -> usize {
        self.offset + self.template.rule.variable_count()
    }
}

/// Makes two atoms equal. Returns whether they can be; if not, some arguments may be equal already.
pub(super) fn unify(
    left: &Side<'_>,
    left_atom: &StoredAtom,
    right: &Side<'_>,
    right_atom: &StoredAtom,
    terms: &mut Terms,
) -> bool {
    left_atom.space == right_atom.space
        && left_atom
            .arguments
            .iter()
            .zip(&right_atom.arguments)
            .all(|(&one, &other)| terms.equate(left.term(one), right.term(other)))
}

/// Which variables are equal to which others or to a constant.
#[derive(Clone)]
pub(super) struct Terms {
    /// By variable: what it is equal to, itself if nothing is known.
    parents: Vec<Argument>,
    /// How many variables are equal to something.
    merged: usize,
}

impl Terms {
    pub(super) fn new(variables: usize) -> Self {
        Terms { parents: (0..variables as u32).map(Argument::Variable).collect(), merged: 0 }
    }

    /// How many variables there are.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// How many variables are equal to something; this grows with what is equal.
    pub(super) fn merged(&self) -> usize {
        self.merged
    }

    pub(super) fn resolve(&self, mut term: Argument) -> Argument {
        while let Argument::Variable(variable) = term {
            let parent = self.parents[variable as usize];
            if parent == term {
                return term;
            }
            term = parent;
        }
        term
    }

    pub(super) fn are_equal(&self, left: Argument, right: Argument) -> bool {
        self.resolve(left) == self.resolve(right)
    }

    /// What is equal of the needed variables of a side: the only ones of which an instance has certain constants.
    pub(super) fn equalities(&self, side: &Side<'_>, needed: &[bool]) -> Equalities {
        let mut equalities = Vec::new();
        let mut firsts: Vec<(Argument, u32)> = Vec::new();
        for variable in (0..needed.len() as u32).filter(|&it| needed[it as usize]) {
            let resolved = self.resolve(side.term(Argument::Variable(variable)));
            let first = firsts.iter().find(|it| it.0 == resolved);
            match (resolved, first) {
                (Argument::Constant(_), _) => equalities.push((variable, resolved)),
                (_, Some(&(_, first))) => equalities.push((variable, Argument::Variable(first))),
                (_, None) => firsts.push((resolved, variable)),
            }
        }
        Equalities::new(equalities)
    }

    /// Makes two terms equal. Returns whether they can be.
    pub(super) fn equate(&mut self, left: Argument, right: Argument) -> bool {
        match (self.resolve(left), self.resolve(right)) {
            (left, right) if left == right => true,
            (Argument::Variable(variable), other) | (other, Argument::Variable(variable)) => {
                self.parents[variable as usize] = other;
                self.merged += 1;
                true
            }
            _ => false,
        }
    }
}
