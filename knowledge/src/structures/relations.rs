//! Relations that do not change, and which of them are successors, rings and orders.

use std::collections::BTreeSet;
use std::time::Duration;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::{Atom, Compound, Description, Formula, Predicate, Statement, Term};
use groundfrog::game::TermShape;
use groundfrog::rewrite::statics::Statics;
use groundfrog::symbols::Symbols;
use groundfrog::{GroundOptions, Limits, Silent, ground};

use super::sorts::{Sorts, argument};
use super::{Relation, RelationKind};

/// Relations with more arguments are not looked at.
const MOST_ARGUMENTS: usize = 7;
/// How long the relations of one number of arguments may take.
const TIME: Duration = Duration::from_millis(50);
/// How many rows they may have.
const MOST_ROWS: u64 = 50_000;
/// An argument with more values does not tell directions.
const MOST_DIRECTIONS: usize = 16;
/// Pairs of a relation that is looked at for being an order.
const MOST_PAIRS: usize = 5_000;

/// The rows of a relation, all of constants.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) predicate: u32,
    pub(crate) arity: usize,
    pub(crate) rows: Vec<Vec<u32>>,
    /// How many bodies of rules read it.
    pub(crate) uses: usize,
}

/// The relations of a description that do not change. Those that are too large are left out.
pub(crate) fn tables(
    description: &Description,
    statics: &Statics,
    names: &mut Symbols,
) -> Vec<Table> {
    let keywords = &description.keywords;
    let fixed: Vec<&Statement> = description
        .statements
        .iter()
        .filter(|it| !statics.is_dynamic(it.head.predicate()))
        .filter(|it| it.head.predicate == keywords.role || !keywords.contains(it.head.predicate))
        .collect();
    let mut tables = Vec::new();
    for arity in 2..=MOST_ARGUMENTS {
        tables.extend(tables_of(description, &fixed, arity, names));
    }
    for table in &mut tables {
        table.uses = uses(description, names, table);
    }
    tables
}

/// The relations with so many arguments: each is made the initial state of a game, which is ground.
fn tables_of(
    description: &Description,
    fixed: &[&Statement],
    arity: usize,
    names: &mut Symbols,
) -> Vec<Table> {
    let mut predicates: Vec<Predicate> = fixed
        .iter()
        .map(|it| it.head.predicate())
        .filter(|it| it.arity as usize == arity && it.name != description.keywords.role)
        .collect();
    predicates.sort_unstable();
    predicates.dedup();
    if predicates.is_empty() {
        return Vec::new();
    }
    let mut game = description.clone();
    game.statements = fixed.iter().map(|&it| it.clone()).collect();
    let span = game.statements[0].span;
    for predicate in predicates {
        let variables = (0..arity).map(|it| Term::Variable(game.symbols.intern(&format!("?{it}"))));
        let arguments: groundfrog::description::Terms = variables.collect();
        let body = Atom { predicate: predicate.name, arguments: arguments.clone(), span };
        let term =
            Term::Compound(std::sync::Arc::new(Compound { functor: predicate.name, arguments }));
        let head =
            Atom { predicate: game.keywords.init, arguments: [term].into_iter().collect(), span };
        game.statements.push(Statement { head, body: vec![Formula::Atom(body)], span });
    }
    let limits = Limits { time: Some(TIME), rules: Some(MOST_ROWS), ..Limits::default() };
    let options = GroundOptions { limits, ..GroundOptions::flat() };
    let Ok(grounding) = ground(&game, &options, &mut Silent) else { return Vec::new() };
    let game = grounding.game;
    let mut tables: Vec<Table> = Vec::new();
    for &atom in game.init() {
        let atom = game.atom(atom);
        let Some(TermShape::Function(functor, arguments)) = atom.shape.arguments.first() else {
            continue;
        };
        if arguments.iter().any(|it| *it != TermShape::Constant) {
            continue;
        }
        let mut name =
            |it: u32| names.intern(game.symbols().name(groundfrog::symbols::Symbol(it))).0;
        let predicate = name(functor.0);
        let row: Vec<u32> = atom.constants.iter().map(name).collect();
        match tables.iter_mut().find(|it| it.predicate == predicate) {
            Some(table) => table.rows.push(row),
            None => tables.push(Table { predicate, arity, rows: vec![row], uses: 0 }),
        }
    }
    tables
}

fn uses(description: &Description, names: &Symbols, table: &Table) -> usize {
    let name = names.name(groundfrog::symbols::Symbol(table.predicate));
    let Some(predicate) = description.symbols.get(name) else { return 0 };
    let mut uses = 0;
    for formula in description.statements.iter().flat_map(|it| &it.body) {
        formula.for_each_atom(&mut |atom| {
            uses += usize::from(atom.predicate == predicate && atom.arguments.len() == table.arity);
        });
    }
    uses
}

/// A relation of two arguments: a table, or the rows of one with some argument given.
#[derive(Clone, Debug)]
pub(crate) struct Binary {
    /// As KIF, with `*` for its two arguments.
    pub(crate) name: String,
    pub(crate) pairs: Vec<(u32, u32)>,
    /// The classes of its arguments.
    pub(crate) sorts: [Option<usize>; 2],
    pub(crate) uses: usize,
    /// Whether an argument is given.
    pub(crate) is_part: bool,
}

/// All relations of two arguments.
pub(crate) fn binaries(tables: &[Table], sorts: &Sorts, names: &Symbols) -> Vec<Binary> {
    let mut found = Vec::new();
    let text = |it: u32| names.name(groundfrog::symbols::Symbol(it));
    for table in tables {
        let sort = |at: usize| sorts.of(&argument(table.predicate, table.arity, at));
        let name = text(table.predicate);
        match table.arity {
            2 => found.push(Binary {
                name: format!("({name} * *)"),
                pairs: table.rows.iter().map(|row| (row[0], row[1])).collect(),
                sorts: [sort(0), sort(1)],
                uses: table.uses,
                is_part: false,
            }),
            3 => {
                for given in 0..3 {
                    let values: BTreeSet<u32> = table.rows.iter().map(|row| row[given]).collect();
                    if values.len() > MOST_DIRECTIONS {
                        continue;
                    }
                    let [from, to] = [[1, 2], [0, 2], [0, 1]][given];
                    for value in values {
                        let rows = table.rows.iter().filter(|row| row[given] == value);
                        let written = |at| if at == given { text(value) } else { "*" };
                        found.push(Binary {
                            name: format!("({name} {} {} {})", written(0), written(1), written(2)),
                            pairs: rows.map(|row| (row[from], row[to])).collect(),
                            sorts: [sort(from), sort(to)],
                            uses: table.uses,
                            is_part: true,
                        });
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Constants one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) values: Vec<u32>,
    pub(crate) is_ring: bool,
}

/// The chains of a relation, if each constant has one successor and one predecessor at most: antisymmetric, functional and
/// injective.
pub(crate) fn chains(pairs: &[(u32, u32)]) -> Option<Vec<Chain>> {
    let (mut next, mut previous) = (FxHashMap::default(), FxHashMap::default());
    for &(from, to) in pairs {
        if from == to || next.insert(from, to).is_some() || previous.insert(to, from).is_some() {
            return None;
        }
    }
    if pairs.iter().any(|(from, to)| next.get(to) == Some(from)) {
        return None;
    }
    let mut starts: Vec<u32> =
        next.keys().copied().filter(|it| !previous.contains_key(it)).collect();
    starts.sort_unstable();
    let mut met: FxHashSet<u32> = FxHashSet::default();
    let mut found = Vec::new();
    let mut all: Vec<u32> = next.keys().copied().collect();
    all.sort_unstable();
    let lines = starts.len();
    for (number, start) in starts.into_iter().chain(all).enumerate() {
        let mut values = Vec::new();
        let mut at = Some(start);
        while let Some(value) = at.filter(|it| met.insert(*it)) {
            values.push(value);
            at = next.get(&value).copied();
        }
        if !values.is_empty() {
            found.push(Chain { values, is_ring: number >= lines });
        }
    }
    Some(found)
}

/// Whether a relation is antisymmetric and transitive, and more than a few separate pairs.
pub(crate) fn is_order(pairs: &[(u32, u32)]) -> bool {
    if pairs.len() > MOST_PAIRS {
        return false;
    }
    let known: FxHashSet<(u32, u32)> = pairs.iter().copied().filter(|it| it.0 != it.1).collect();
    let mut after: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &(from, to) in &known {
        if known.contains(&(to, from)) {
            return false;
        }
        after.entry(from).or_default().push(to);
    }
    let mut is_deep = false;
    for &(from, to) in &known {
        for &further in after.get(&to).into_iter().flatten() {
            is_deep = true;
            if !known.contains(&(from, further)) {
                return false;
            }
        }
    }
    is_deep
}

/// What is told of relations: the successors, rings and orders among them.
pub(crate) fn described(binaries: &[Binary], names: &Symbols) -> Vec<Relation> {
    let mut found = Vec::new();
    let text = |it: &u32| names.name(groundfrog::symbols::Symbol(*it)).to_owned();
    for binary in binaries {
        let written = |chain: &Chain| chain.values.iter().map(text).collect();
        if let Some(chains) = chains(&binary.pairs) {
            let is_ring = chains.iter().all(|it| it.is_ring);
            if chains.iter().any(|it| it.values.len() > 2) {
                found.push(Relation {
                    pattern: binary.name.clone(),
                    kind: if is_ring { RelationKind::Ring } else { RelationKind::Successor },
                    chains: chains.iter().map(written).collect(),
                });
            }
        } else if is_order(&binary.pairs) {
            let kind = RelationKind::Order;
            found.push(Relation { pattern: binary.name.clone(), kind, chains: Vec::new() });
        }
    }
    found
}
