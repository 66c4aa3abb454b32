//! Refuses games in which an atom depends on its own negation: their rules mean nothing.
//!
//! Predicates may depend on their own negations, as where a goal is 0 if no other goal holds; it is the
//! ground rules that must not.

use fxhash::FxHashMap;
use groundfrog_engine::instantiate::Instantiation;
use groundfrog_engine::{Tables, strata};

use super::tables::Flattened;
use crate::check::dependencies::Dependencies;
use crate::check::once_ground::among_atoms;
use crate::check::stratification::{self, OnceGround};
use crate::compact::atom_rules::has_cycle;
use crate::description::{Description, Predicate};
use crate::error::GroundError;
use crate::game::{GroundGame, Layout};
use crate::rules::{Literal, Rules};

/// Fails if the simplified rules of a game have a negative cycle.
pub(super) fn check(
    description: &Description,
    flattened: &Flattened,
    tables: &Tables,
    layout: &Layout,
    stored: &Instantiation,
) -> Result<(), GroundError> {
    let (forms, prepared) = (&flattened.forms, &flattened.prepared);
    let atoms = layout.first_extra() as usize + stored.extra.len();
    if !has_cycle(&stored.rules, atoms) {
        return Ok(());
    }
    let (tables, layout) = (tables.clone(), layout.clone());
    let game = GroundGame::assemble(forms, prepared, tables, layout, stored.clone());
    let rules = &prepared.rules;
    let once_ground = among_atoms(&game);
    let OnceGround::Remains(atoms) = &once_ground else { return Ok(()) };
    let graph = Dependencies::new(rules);
    let cycles = stratification::negative_cycles(&graph);
    let name = atoms.first().map(|atom| {
        let name = atom.trim_start_matches('(').split([' ', ')']).next();
        name.unwrap_or_default()
    });
    let is_of = |it: &Predicate| Some(rules.symbols.name(it.name)) == name;
    let cycle = cycles.iter().find(|cycle| cycle.predicates.iter().any(is_of));
    let Some(cycle) = cycle.or(cycles.first()) else { return Ok(()) };
    let diagnostic = stratification::diagnostic(cycle, &once_ground, &graph, rules);
    Err(GroundError::description(description, vec![diagnostic]))
}

/// Whether no predicate depends on its own negation, as nearly always.
pub(super) fn by_predicate(rules: &Rules) -> bool {
    let mut numbers: FxHashMap<Predicate, u32> = FxHashMap::default();
    let mut number = |predicate: Predicate| {
        let next = numbers.len() as u32;
        *numbers.entry(predicate).or_insert(next)
    };
    let mut literals: Vec<(u32, u32, bool)> = Vec::new();
    for rule in rules.rules.iter().filter(|rule| !rule.body.is_empty()) {
        let head = number(rule.head.predicate());
        for literal in &rule.body {
            if let Some(atom) = literal.atom() {
                let is_negated = matches!(literal, Literal::Negative(_));
                literals.push((head, number(atom.predicate()), is_negated));
            }
        }
    }
    strata::is_stratified(numbers.len(), &literals)
}
