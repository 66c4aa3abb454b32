//! Refuses games in which an atom depends on its own negation: their rules mean nothing.
//!
//! Predicates may depend on their own negations, as where a goal is 0 if no other goal holds; it is the
//! ground rules that must not.

use groundfrog_engine::instantiate::{Instantiation, RuleStore};
use groundfrog_engine::{Budget, Exceeded, Tables};

use super::errors::engine_error;
use super::tables::Flattened;
use crate::description::{Description, Predicate};
use crate::error::GroundError;
use crate::game::{AtomGraph, AtomId, GroundGame, Layout};
use crate::restrictions::dependencies::Dependencies;
use crate::restrictions::stratification::{self, OnceGround};
use crate::rules::{PredicateGraph, Rules};
use crate::ticker::Ticker;

/// Fails if the simplified rules of a game have a negative cycle, or at a limit.
pub(super) fn check(
    description: &Description,
    flattened: &Flattened,
    (tables, layout): (&Tables, &Layout),
    stored: &Instantiation,
    ticker: &mut Ticker<'_>,
) -> Result<(), GroundError> {
    let (forms, prepared) = (&flattened.forms, &flattened.prepared);
    let atoms = layout.first_extra() as usize + stored.extra.len();
    let cycle = negative_cycle(&stored.rules, atoms, ticker)
        .map_err(|exceeded| engine_error(description, flattened, exceeded.into()))?;
    let Some(cycle) = cycle else { return Ok(()) };
    let (tables, layout) = (tables.clone(), layout.clone());
    let game = GroundGame::assemble(forms, prepared, tables, layout, stored.clone());
    let once_ground = remains(&cycle, &game);
    let rules = &prepared.rules;
    let graph = Dependencies::new(rules);
    let cycles = stratification::negative_cycles(&graph);
    let first = cycle.first().map(|&atom| game.display(AtomId(atom)).to_string());
    let name = first.as_deref().and_then(|it| it.trim_start_matches('(').split([' ', ')']).next());
    let is_of = |it: &Predicate| Some(rules.symbols.name(it.name)) == name;
    let cycle = cycles.iter().find(|cycle| cycle.predicates.iter().any(is_of));
    let Some(cycle) = cycle.or(cycles.first()) else { return Ok(()) };
    let diagnostic = stratification::diagnostic(cycle, &once_ground, &graph, rules);
    Err(GroundError::description(description, vec![diagnostic]))
}

/// A cycle through a negation among the atoms of ground rules, which are numbered below `atoms`: it begins with the one
/// that is negated.
fn negative_cycle(
    rules: &RuleStore,
    atoms: usize,
    ticker: &mut Ticker<'_>,
) -> Result<Option<Vec<u32>>, Exceeded> {
    let by_head = rules.by_head(atoms, |_| true);
    let graph = AtomGraph::new(rules, &by_head);
    Ok(graph.negative_cycle(&graph.components_within(|| ticker.tick())?))
}

/// What is reported of such a cycle.
fn remains(cycle: &[u32], game: &GroundGame) -> OnceGround {
    // Back to where it began.
    let atoms = cycle.iter().chain(cycle.first());
    OnceGround::Remains(atoms.map(|&it| game.display(AtomId(it)).to_string()).collect())
}

/// Looks for a negative cycle among the atoms of a game.
///
/// # Errors
/// A limit.
pub fn once_ground(game: &GroundGame, budget: &Budget) -> Result<OnceGround, Exceeded> {
    let mut ticker = Ticker::new(budget, game.rules().bytes());
    let cycle = negative_cycle(game.rules(), game.atom_count(), &mut ticker)?;
    Ok(cycle.map_or(OnceGround::Vanishes, |it| remains(&it, game)))
}

/// Whether no predicate depends on its own negation, as nearly always.
pub(super) fn by_predicate(rules: &Rules) -> bool {
    PredicateGraph::new(rules.rules.iter()).is_stratified()
}
