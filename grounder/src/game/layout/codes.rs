//! Numbers that follow from what atoms say.

use std::hash::Hasher;

use fxhash::FxHasher;
use groundfrog_engine::Tables;
use groundfrog_engine::instantiate::AtomSpace;

use super::Layout;
use crate::flat::{Forms, Shape};
use crate::symbols::{Symbol, Symbols};

/// A number for each atom that is in a table. It does not depend on where the atom is there, nor on what else has a name or
/// a table: these may be in another order where domains are computed in another way. What differs in a part has nothing
/// else in common.
pub(crate) struct Codes {
    of_symbols: Vec<u64>,
    of_spaces: Vec<u64>,
}

impl Codes {
    pub(crate) fn new(layout: &Layout, forms: &Forms, symbols: &Symbols) -> Codes {
        let of_symbols: Vec<u64> = (0..symbols.len() as u32)
            .map(|symbol| {
                let mut hasher = FxHasher::default();
                hasher.write(symbols.name(Symbol(symbol)).as_bytes());
                hasher.finish()
            })
            .collect();
        let of_name = |name: Symbol| of_symbols[name.0 as usize];
        // What a shape consists of comes before it.
        let mut of_shapes: Vec<u64> = Vec::new();
        for shape in forms.shapes() {
            of_shapes.push(match shape {
                Shape::Hole => 0,
                Shape::Function(functor, arguments) => {
                    let parts = arguments.iter().map(|it| of_shapes[it.index()]);
                    parts.fold(of_name(*functor), mixed)
                }
            });
        }
        let of_spaces = layout.names_and_forms().map(|(name, form)| {
            let shapes = forms.form(form).shapes.iter();
            shapes.map(|it| of_shapes[it.index()]).fold(of_name(name), mixed)
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
