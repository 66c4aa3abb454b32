//! Refuses games in which an atom depends on its own negation: their rules mean nothing.
//!
//! Predicates may depend on their own negations, as where a goal is 0 if no other goal holds; it is the
//! ground rules that must not.

use fxhash::FxHashMap;
use groundfrog_engine::instantiate::Instantiation;
use groundfrog_engine::{
    Arguments, Atom, EngineError, Literal as EngineLiteral, PredicateId, Program, Rule, Tables,
    strata,
};

use super::tables::Flattened;
use crate::compact::ground_rules::atom_rules::has_cycle;
use crate::description::{Description, Predicate};
use crate::error::GroundError;
use crate::game::{AtomId, GroundGame, Layout};
use crate::restrictions::dependencies::Dependencies;
use crate::restrictions::stratification::{self, OnceGround};
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
    let once_ground = negative_cycle(&game);
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

/// Looks for a negative cycle among the atoms of ground rules: a program without variables, of which each
/// atom that heads a rule is a predicate.
pub(crate) fn negative_cycle(game: &GroundGame) -> OnceGround {
    if !has_cycle(game.rules(), game.atom_count()) {
        return OnceGround::Vanishes;
    }
    let mut program = Program::default();
    let mut predicates: Vec<Option<PredicateId>> = vec![None; game.atom_count()];
    for &head in game.rules().heads() {
        let known = &mut predicates[head as usize];
        if known.is_none() {
            *known = Some(program.add_predicate(head.to_string(), 0));
        }
    }
    let atom = |atom: u32| {
        let predicate = predicates[atom as usize]?;
        Some(Atom { predicate, arguments: Arguments::new() })
    };
    for rule in game.rules().iter() {
        let literal = |atom, negated| match negated {
            true => EngineLiteral::Negative(atom),
            false => EngineLiteral::Positive(atom),
        };
        let body = rule.body.iter();
        let body = body.filter_map(|it| Some(literal(atom(it.atom())?, it.is_negated())));
        let head = atom(rule.head).expect("each head has a predicate");
        program.add_rule(Rule::new(head, body.collect()));
    }
    match strata::components(&program) {
        Ok(_) => OnceGround::Vanishes,
        Err(EngineError::NotStratified { cycle }) => {
            // Back to where it began.
            let numbers = cycle.iter().chain(cycle.first()).filter_map(|name| name.parse().ok());
            OnceGround::Remains(numbers.map(|it| game.display(AtomId(it)).to_string()).collect())
        }
        Err(error) => OnceGround::Undecided(error.to_string()),
    }
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
