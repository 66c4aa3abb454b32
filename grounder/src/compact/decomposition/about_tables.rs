//! What complete tables tell about atoms and moves, looked up once.

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Constants, Tables};

use crate::domains::program::predicate;
use crate::rewrite::sentence_forms::{FlatAtom, FormId};

/// Of more rows it is left to the engine, which looks at the limits, to find those that fail a condition.
const MOST_LOOKED_AT: usize = 1_000_000;

/// What was found out.
#[derive(Default)]
pub(super) struct AboutTables {
    movers: FxHashMap<FormId, Vec<u32>>,
    implications: FxHashMap<(FormId, FormId, Vec<Value>), bool>,
}

/// An argument of a condition on an atom: a column of the atom, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Value {
    Column(usize),
    Constant(u32),
}

impl AboutTables {
    /// The first constants of the rows of moves of some kind, ascending.
    pub(super) fn movers(&mut self, tables: &Tables, moves: FormId) -> &[u32] {
        self.movers.entry(moves).or_insert_with(|| {
            let mut movers: Vec<u32> = Vec::new();
            for row in tables[predicate(moves)].rows() {
                if let Err(place) = movers.binary_search(&row[0]) {
                    movers.insert(place, row[0]);
                }
            }
            movers
        })
    }

    /// Whether all that an atom can say fulfils a condition on its variables alone.
    pub(super) fn implies(
        &mut self,
        tables: &Tables,
        atom: &FlatAtom,
        condition: &FlatAtom,
    ) -> bool {
        let column = |it: &Argument| atom.arguments.iter().position(|other| other == it);
        let value = |it: &Argument| match it {
            Argument::Constant(it) => Some(Value::Constant(*it)),
            Argument::Variable(_) => column(it).map(Value::Column),
        };
        let values: Option<Vec<Value>> = condition.arguments.iter().map(value).collect();
        let Some(values) = values else { return false };
        let [said, table] = [atom, condition].map(|it| &tables[predicate(it.form)]);
        let key = (atom.form, condition.form, values);
        if let Some(&known) = self.implications.get(&key) {
            return known;
        }
        let mut tuple: Vec<u32> = Vec::with_capacity(key.2.len());
        let fulfils = |row: Constants<'_>| {
            tuple.clear();
            tuple.extend(key.2.iter().map(|&it| match it {
                Value::Column(it) => row[it],
                Value::Constant(it) => it,
            }));
            table.contains(&tuple)
        };
        let implies = said.len() <= MOST_LOOKED_AT && said.rows().all(fulfils);
        self.implications.insert(key, implies);
        implies
    }
}
