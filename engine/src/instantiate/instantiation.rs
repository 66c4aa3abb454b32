//! What a store pass has stored: rules, the atoms in no table, and the heads of shortened rules.

use super::{AtomSpace, Request};
use crate::error::Exceeded;
use crate::numbers;
use crate::program::Constant;
use crate::rule_store::{GroundLiteral, RuleStore};
use crate::table::{Constants, Table};

/// The ground rules of a store pass.
#[derive(Debug, Clone)]
pub struct Instantiation {
    /// The rules: bodies are sets, and no rule occurs twice but for those of shortened heads.
    pub rules: RuleStore,
    /// The heads of rules that may have become the same as others because literals were left out.
    pub shortened: AtomSet,
    /// The atoms numbered from [`Request::first_extra`].
    pub extra: ExtraAtoms,
    /// How many instances the joins found, with repeated ones that had to be looked for.
    pub answers: u64,
}

impl Instantiation {
    /// Nothing yet.
    pub(crate) fn new(request: &Request<'_>) -> Self {
        Instantiation {
            rules: RuleStore::default(),
            shortened: AtomSet::default(),
            extra: ExtraAtoms::new(request),
            answers: 0,
        }
    }

    /// Adds the rules of a later part; its extra atoms are numbered anew.
    pub(super) fn append(
        &mut self,
        part: Instantiation,
        request: &Request<'_>,
    ) -> Result<(), Exceeded> {
        let first_extra = request.first_extra;
        let renumbered: Vec<u32> = (0..part.extra.len())
            .map(|number| {
                let (space, tuple) = part.extra.get(number).expect("number is below the length");
                self.extra.intern(space, &tuple.to_vec())
            })
            .collect();
        self.check_numbers(request)?;
        self.rules.append(&part.rules, |literal| match literal.atom().checked_sub(first_extra) {
            Some(number) => {
                GroundLiteral::new(first_extra + renumbered[number as usize], literal.is_negated())
            }
            None => literal,
        });
        self.shortened.extend(&part.shortened);
        self.answers += part.answers;
        Ok(())
    }

    /// Whether all that is stored can be numbered.
    pub(super) fn check_numbers(&self, request: &Request<'_>) -> Result<(), Exceeded> {
        numbers::check_atoms(u64::from(request.first_extra) + self.extra.len() as u64)?;
        numbers::check_literals((self.rules.len() + self.rules.literal_count()) as u64)
    }
}

/// A set of atoms, by number.
#[derive(Debug, Clone, Default)]
pub struct AtomSet {
    words: Vec<u64>,
}

impl AtomSet {
    /// Whether there is no atom.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether an atom is there.
    #[inline]
    pub fn contains(&self, atom: u32) -> bool {
        self.words.get(atom as usize / 64).is_some_and(|word| word >> (atom % 64) & 1 == 1)
    }

    /// Adds an atom.
    #[inline]
    pub fn insert(&mut self, atom: u32) {
        let word = atom as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (atom % 64);
    }

    /// Adds the atoms of another set.
    pub fn extend(&mut self, other: &AtomSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.words.len() * 8) as u64
    }
}

/// Atoms that occur negated and are in no table, in order of their numbers.
#[derive(Debug, Clone, Default)]
pub struct ExtraAtoms {
    tables: Vec<Table>,
    numbers: Vec<Vec<u32>>,
    atoms: Vec<(u32, u32)>,
}

impl ExtraAtoms {
    pub(crate) fn new(request: &Request<'_>) -> Self {
        let arity = |space: &AtomSpace| request.program[space.predicate].arity;
        Self::with_arities(request.spaces.iter().map(arity))
    }

    /// No atoms, of spaces with these arities.
    pub fn with_arities(arities: impl IntoIterator<Item = usize>) -> Self {
        let tables: Vec<Table> = arities.into_iter().map(Table::new).collect();
        ExtraAtoms { numbers: vec![Vec::new(); tables.len()], tables, atoms: Vec::new() }
    }

    /// The number of an atom, counted from 0; a new one gets the next.
    ///
    /// # Panics
    /// If there is no such space.
    pub fn intern(&mut self, space: u32, tuple: &[Constant]) -> u32 {
        let (row, new) = self.tables[space as usize].insert(tuple);
        if new {
            self.numbers[space as usize].push(self.atoms.len() as u32);
            self.atoms.push((space, row));
        }
        self.numbers[space as usize][row as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let atoms = size_of_val(&self.atoms[..]) + self.atoms.len() * size_of::<u32>();
        self.tables.iter().map(Table::bytes).sum::<u64>() + atoms as u64
    }

    /// The space and the tuple of an atom.
    pub fn get(&self, number: usize) -> Option<(u32, Constants<'_>)> {
        let &(space, row) = self.atoms.get(number)?;
        Some((space, self.tables[space as usize].row(row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_there_once_added() {
        let (mut one, mut other) = (AtomSet::default(), AtomSet::default());
        assert!(one.is_empty());
        one.insert(3);
        other.insert(64);
        one.extend(&other);
        let there: Vec<u32> = (0..200).filter(|&atom| one.contains(atom)).collect();
        assert_eq!(there, [3, 64]);
        assert_eq!((one.bytes(), one.is_empty()), (16, false));
    }
}
