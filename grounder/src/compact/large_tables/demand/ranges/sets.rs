//! RangeSets of constants: of the arguments of all forms, and of the variables of a rule.

use groundfrog_engine::projection::members;

use crate::flat::{FlatAtom, FormId, Forms};

/// A set of constants for each argument of each form.
#[derive(Debug)]
pub(super) struct RangeSets {
    /// By form: where its arguments begin.
    first: Vec<usize>,
    /// How many words a set has, a bit for each constant.
    pub(super) words: usize,
    bits: Vec<u64>,
}

impl RangeSets {
    pub(super) fn new(forms: &Forms, words: usize) -> Self {
        let mut first = Vec::with_capacity(forms.len() + 1);
        let mut columns = 0;
        for (form, _) in forms.iter() {
            first.push(columns);
            columns += forms.columns(form);
        }
        first.push(columns);
        RangeSets { first, words, bits: vec![0; columns * words] }
    }

    fn place(&self, form: FormId, column: usize) -> usize {
        (self.first[form.index()] + column) * self.words
    }

    pub(super) fn of(&self, form: FormId, column: usize) -> &[u64] {
        let place = self.place(form, column);
        &self.bits[place..place + self.words]
    }

    /// The sets of a form.
    pub(super) fn columns(&self, form: FormId) -> impl Iterator<Item = &[u64]> {
        let columns = self.first[form.index()]..self.first[form.index() + 1];
        columns.map(|it| &self.bits[it * self.words..(it + 1) * self.words])
    }

    /// Adds constants. Returns whether one of them is new.
    pub(super) fn add(&mut self, form: FormId, column: usize, constants: &[u64]) -> bool {
        let place = self.place(form, column);
        let own = &mut self.bits[place..place + self.words];
        let mut is_new = false;
        for (own, other) in own.iter_mut().zip(constants) {
            is_new |= other & !*own != 0;
            *own |= other;
        }
        is_new
    }

    /// Adds one constant. Returns whether it is new.
    pub(super) fn add_one(&mut self, form: FormId, column: usize, constant: u32) -> bool {
        let place = self.place(form, column);
        let word = &mut self.bits[place + constant as usize / 64];
        let is_new = *word >> (constant % 64) & 1 == 0;
        *word |= 1 << (constant % 64);
        is_new
    }

    pub(super) fn contain(&self, form: FormId, column: usize, constant: u32) -> bool {
        self.of(form, column)[constant as usize / 64] >> (constant % 64) & 1 == 1
    }
}

/// How many constants are in a set.
pub(super) fn size(set: impl Iterator<Item = u64>) -> usize {
    set.map(|it| it.count_ones() as usize).sum()
}

/// What is in both sets.
pub(super) fn common(left: &[u64], right: &[u64]) -> impl Iterator<Item = u64> {
    left.iter().zip(right).map(|(left, right)| left & right)
}

/// The constants that the variables of a rule can have.
pub(super) struct Variables {
    words: usize,
    bits: Vec<u64>,
    is_bound: Vec<bool>,
}

impl Variables {
    pub(super) fn new(words: usize) -> Self {
        Variables { words, bits: Vec::new(), is_bound: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.is_bound.clear();
    }

    /// A variable has no other constants than these.
    fn bind(&mut self, variable: u32, constants: &[u64]) {
        let variable = variable as usize;
        if self.is_bound.len() <= variable {
            self.is_bound.resize(variable + 1, false);
            self.bits.resize((variable + 1) * self.words, 0);
        }
        let own = &mut self.bits[variable * self.words..][..self.words];
        if std::mem::replace(&mut self.is_bound[variable], true) {
            own.iter_mut().zip(constants).for_each(|(own, other)| *own &= other);
        } else {
            own.copy_from_slice(constants);
        }
    }

    /// What binds the variables of an atom.
    pub(super) fn bind_all(&mut self, atom: &FlatAtom, sets: &RangeSets) {
        for (argument, constants) in atom.arguments.iter().zip(sets.columns(atom.form)) {
            if let Some(variable) = argument.variable() {
                self.bind(variable, constants);
            }
        }
    }

    /// The constants of a variable, if a literal binds it.
    pub(super) fn of(&self, variable: u32) -> Option<&[u64]> {
        let variable = variable as usize;
        let is_bound = self.is_bound.get(variable).is_some_and(|it| *it);
        is_bound.then(|| &self.bits[variable * self.words..][..self.words])
    }

    /// Whether there is a constant for each variable.
    pub(super) fn are_possible(&self) -> bool {
        let mut sets = self.bits.chunks_exact(self.words).zip(&self.is_bound);
        sets.all(|(set, &is_bound)| !is_bound || set.iter().any(|it| *it != 0))
    }
}

/// The constants in a set.
pub(super) fn constants(set: &[u64]) -> impl Iterator<Item = u32> {
    let words = (0..).zip(set);
    words.flat_map(|(at, &word)| members(u128::from(word)).map(move |bit| at * 64 + bit))
}
