//! Numbers that follow from what atoms say.

use std::hash::Hasher;

use fxhash::{FxHashMap, FxHasher};
use groundfrog_engine::Tables;
use groundfrog_engine::instantiate::AtomSpace;

use super::Layout;
use crate::symbols::{Symbol, Symbols};

/// A number for each atom that is in a table. It does not depend on where the atom is there, nor on what else has a name or
/// a table: these may be in another order where domains are computed in another way. What differs in a part has nothing
/// else in common.
pub(crate) struct Codes {
    of_symbols: Vec<u64>,
    of_spaces: Vec<u64>,
}

impl Codes {
    pub(crate) fn new(layout: &Layout, symbols: &Symbols) -> Codes {
        let of_symbols: Vec<u64> = (0..symbols.len() as u32)
            .map(|symbol| {
                let mut hasher = FxHasher::default();
                hasher.write(symbols.name(Symbol(symbol)).as_bytes());
                hasher.finish()
            })
            .collect();
        // Spaces of one name are in the order of their forms.
        let mut same_name: FxHashMap<Symbol, u32> = FxHashMap::default();
        let of_spaces = layout.kinds_and_names().map(|(_, name)| {
            let number = same_name.entry(name).or_default();
            *number += 1;
            mixed(of_symbols[name.0 as usize], u64::from(*number))
        });
        Codes { of_spaces: of_spaces.collect(), of_symbols }
    }

    /// The number of an atom.
    pub(crate) fn of(&self, atom: u32, layout: &Layout, tables: &Tables) -> u64 {
        let space = layout.space_of(atom);
        let AtomSpace { predicate, start } = layout.atom_spaces()[space];
        let row = tables[predicate].row(atom - start);
        row.iter().fold(self.of_spaces[space], |code, it| mixed(code, self.of_symbols[it as usize]))
    }
}

fn mixed(code: u64, next: u64) -> u64 {
    const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;
    let mixed = (code ^ next).wrapping_mul(MULTIPLIER);
    mixed ^ mixed >> 32
}
