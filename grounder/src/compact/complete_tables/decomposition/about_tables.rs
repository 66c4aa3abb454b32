//! What complete tables have about atoms and moves, looked up once.

use std::rc::Rc;

use fxhash::FxHashMap;
use groundfrog_engine::query::{Most, Queries};
use groundfrog_engine::{Argument, Atom, Constants, Rule, Table, Tables};

use super::counters::{AllGroups, AllRanks};
use super::nested_sets::{Nesting, TableSets};
use super::world::World;
use crate::flat::lowering::{engine_literal, predicate};
use crate::flat::{FlatAtom, FormId, LiteralKind};
use crate::ticker::Ticker;
use crate::tuning::MOST_LOOKED_AT;

/// What was found out.
#[derive(Debug, Default)]
pub(super) struct AboutTables {
    /// The groups of what is counted.
    pub(super) groups: AllGroups,
    /// Their ranks.
    pub(super) ranks: AllRanks,
    movers: FxHashMap<FormId, Vec<u32>>,
    implications: FxHashMap<(FormId, FormId, Vec<Value>), bool>,
    nestings: FxHashMap<TableSets, Option<Rc<Nesting>>>,
    queries: Queries,
}

/// An argument of a condition on an atom: a column of the atom, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Column(usize),
    Constant(u32),
}

/// The values of some variables for which literals hold whose tables have all rows; those that are not negated bind
/// them. None if there are more than `most`.
pub(super) fn answers(
    literals: &[&LiteralKind],
    wanted: impl Iterator<Item = u32>,
    most: usize,
    world: &World<'_>,
) -> Option<Table> {
    let tables = world.tables();
    let is_too_large = |kind: &&LiteralKind| match kind {
        LiteralKind::Positive(atom) => tables[predicate(atom.form)].len() > MOST_LOOKED_AT,
        _ => false,
    };
    if literals.iter().any(is_too_large) {
        return None;
    }
    let head = Atom {
        predicate: predicate(FormId(0)),
        arguments: wanted.map(Argument::Variable).collect(),
    };
    let rule = Rule::new(head, literals.iter().map(|kind| engine_literal(kind)).collect());
    let queries = &mut world.about_tables().queries;
    let query = queries.prepare(&rule, tables);
    let most = Most { answers: most, rows: MOST_LOOKED_AT as u64 };
    world.ticker().run(|budget| queries.answers(&query, tables, most, budget))?
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

    /// The sets of a table, if it is not too large.
    pub(super) fn nesting(
        &mut self,
        tables: &Tables,
        sets: TableSets,
        ticker: &mut Ticker<'_>,
    ) -> Option<Rc<Nesting>> {
        if let Some(known) = self.nestings.get(&sets) {
            return known.clone();
        }
        let table = &tables[predicate(sets.form)];
        let nesting = Nesting::of(table, &sets.roles, ticker).map(Rc::new);
        self.nestings.insert(sets, nesting.clone());
        nesting
    }

    /// Whether all that an atom can say fulfils a condition on its variables alone.
    pub(super) fn implies(
        &mut self,
        tables: &Tables,
        atom: &FlatAtom,
        condition: &FlatAtom,
    ) -> bool {
        let column = |it: &Argument| atom.arguments.iter().position(|other| other == it);
        let value = |argument: &Argument| match argument {
            Argument::Constant(it) => Some(Value::Constant(*it)),
            Argument::Variable(_) => column(argument).map(Value::Column),
        };
        let values: Option<Vec<Value>> = condition.arguments.iter().map(value).collect();
        let Some(values) = values else { return false };
        let [own, table] = [atom, condition].map(|it| &tables[predicate(it.form)]);
        let key = (atom.form, condition.form, values);
        if let Some(&known) = self.implications.get(&key) {
            return known;
        }
        let mut tuple: Vec<u32> = Vec::with_capacity(key.2.len());
        let fulfils = |row: Constants<'_>| {
            tuple.clear();
            tuple.extend(key.2.iter().map(|&value| match value {
                Value::Column(it) => row[it],
                Value::Constant(it) => it,
            }));
            table.contains(&tuple)
        };
        let implies = own.len() <= MOST_LOOKED_AT && own.rows().all(fulfils);
        self.implications.insert(key, implies);
        implies
    }
}
