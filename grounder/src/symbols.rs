//! Interned names: every name of a description is stored once and known by a small number.

use std::hash::Hasher;

use fxhash::FxHasher;

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

/// Marks a slot of the hash table that holds no symbol.
const EMPTY: u32 = u32::MAX;

/// A table of interned names.
///
/// All names lie one after the other in a single buffer, and the hash table holds nothing but
/// symbol numbers, so that neither looking a name up nor adding one allocates on its own account.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    text: String,
    /// Where each name ends in `text`; it starts where the one before it ends.
    ends: Vec<u32>,
    /// Open addressing with linear probing; the length is a power of two, at most half full.
    slots: Vec<u32>,
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
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            self.grow();
        }
        let slot = self.slot(name);
        if self.slots[slot] == EMPTY {
            self.slots[slot] = u32::try_from(self.ends.len()).expect("fewer names than bytes");
            self.text.push_str(name);
            let end = u32::try_from(self.text.len()).expect("names of at most 4 GiB together");
            self.ends.push(end);
        }
        Symbol(self.slots[slot])
    }

    /// The symbol of `name` if the table has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Symbol> {
        if self.slots.is_empty() {
            return None;
        }
        let found = self.slots[self.slot(name)];
        (found != EMPTY).then_some(Symbol(found))
    }

    /// The name of a symbol.
    ///
    /// # Panics
    ///
    /// If the symbol comes from another table that holds more names.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.text[self.place(symbol)]
    }

    /// Where a symbol's name is.
    #[inline]
    fn place(&self, symbol: Symbol) -> std::ops::Range<usize> {
        let index = symbol.index();
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[index] as usize
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

    /// The slot that holds `name`, or else the empty one where it belongs.
    fn slot(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(name) & mask;
        loop {
            let number = self.slots[slot];
            if number == EMPTY {
                return slot;
            }
            if self.text.as_bytes()[self.place(Symbol(number))] == *name.as_bytes() {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let length = (2 * self.slots.len()).max(64);
        let mut slots = vec![EMPTY; length];
        for (symbol, name) in self.iter() {
            let mut slot = hash(name) & (length - 1);
            while slots[slot] != EMPTY {
                slot = (slot + 1) & (length - 1);
            }
            slots[slot] = symbol.0;
        }
        self.slots = slots;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
fn hash(name: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish() as usize
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
