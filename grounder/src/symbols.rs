//! Interned names: every name of a description is stored once and known by a small number.

use std::hash::Hasher;

use fxhash::FxHasher;
use hashbrown::HashTable;

/// The number of an interned name; meaningful together with the [`Symbols`] that gave it.
///
/// Symbols of one table are numbered from 0 in the order in which they were first seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(#[doc(hidden)] pub u32);

impl Symbol {
    /// The symbol's number, to index a table that has one entry for each symbol.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A table of interned names.
///
/// All names lie one after the other in a single buffer, and the hash table holds nothing but
/// symbol numbers, so that neither looking a name up nor adding one allocates on its own account.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    text: String,
    /// Where each name ends in `text`; it starts where the one before it ends.
    ends: Vec<u32>,
    /// The symbols, by the hashes of their names.
    by_name: HashTable<Symbol>,
}

impl Symbols {
    /// A table without any names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of `name`, which is added if it is new.
    ///
    /// # Panics
    ///
    /// If the names together exceed 4 GiB, which no description that [`crate::kif`] reads can.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(known) = self.get(name) {
            return known;
        }
        let new = Symbol(u32::try_from(self.ends.len()).expect("fewer names than bytes"));
        self.text.push_str(name);
        let end = u32::try_from(self.text.len()).expect("names of at most 4 GiB together");
        self.ends.push(end);
        let Symbols { text, ends, by_name } = self;
        by_name.insert_unique(hash(name), new, |&other| hash(&text[place(ends, other)]));
        new
    }

    /// The symbol of `name` if the table has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.by_name.find(hash(name), |&symbol| self.name(symbol) == name).copied()
    }

    /// The name of a symbol.
    ///
    /// # Panics
    ///
    /// If the symbol comes from another table that holds more names.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.text[place(&self.ends, symbol)]
    }

    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All symbols with their names, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        let mut start = 0;
        self.ends.iter().zip(0..).map(move |(&end, number)| {
            let name = &self.text[start..end as usize];
            start = end as usize;
            (Symbol(number), name)
        })
    }
}

/// Where a symbol's name is.
#[inline]
fn place(ends: &[u32], symbol: Symbol) -> std::ops::Range<usize> {
    let index = symbol.index();
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    start as usize..ends[index] as usize
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// After so many of them, a name ends with a number.
const MOST_UNDERLINES: usize = 8;

/// A name that the description does not use.
#[doc(hidden)]
pub fn fresh(symbols: &mut Symbols, wanted: &str) -> Symbol {
    let mut name = wanted.to_owned();
    // Each name makes the next number larger.
    let mut number = symbols.len();
    while symbols.get(&name).is_some() {
        if name.len() < wanted.len() + MOST_UNDERLINES {
            name.push('_');
        } else {
            name = format!("{wanted}_{number}");
            number += 1;
        }
    }
    symbols.intern(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_the_same_symbol() {
        let mut symbols = Symbols::new();
        let a = symbols.intern("a");
        let b = symbols.intern("b");
        assert_ne!(a, b);
        assert_eq!(symbols.intern("a"), a);
        assert_eq!(symbols.name(a), "a");
        assert_eq!(symbols.name(b), "b");
        assert_eq!(symbols.len(), 2);
        assert_eq!(symbols.get("b"), Some(b));
        assert_eq!(symbols.get("c"), None);
        assert_eq!(Symbols::new().get("a"), None);
    }

    #[test]
    fn names_survive_growth_and_keep_their_order() {
        let mut symbols = Symbols::new();
        let names: Vec<String> = (0..10_000).map(|i| format!("name{i}")).collect();
        let numbers: Vec<Symbol> = names.iter().map(|name| symbols.intern(name)).collect();
        assert!(symbols.iter().map(|(_, name)| name).eq(names.iter()));
        assert!(symbols.iter().map(|(symbol, _)| symbol).eq(numbers));
        for name in &names {
            assert_eq!(symbols.get(name).map(|s| symbols.name(s)), Some(&**name));
        }
    }

    #[test]
    fn the_empty_name_is_a_name() {
        let mut symbols = Symbols::new();
        let empty = symbols.intern("");
        assert_eq!(symbols.intern(""), empty);
        assert_eq!(symbols.name(empty), "");
    }
}
