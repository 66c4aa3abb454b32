//! Sets of atoms, a bit for each.

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
