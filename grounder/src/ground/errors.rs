//! What grounding refuses: what the engine could not do, as errors with places in the description, and games in which an atom
//! depends on its own negation, as their rules mean nothing.
//!
//! Predicates may depend on their own negations, as where a goal is 0 if no other goal holds; it is the
//! ground rules that must not.

use groundfrog_engine::instantiate::{Instantiation, RuleStore};
use groundfrog_engine::{Budget, EngineError, Exceeded, Tables};

use super::tables::Flattened;
use crate::description::{Description, Predicate};
use crate::error::GroundError;
use crate::flat::{FlatRule, form_name};
use crate::game::{AtomGraph, AtomId, GroundGame, Layout};
use crate::kif::{Diagnostic, Span};
use crate::restrictions::dependencies::Dependencies;
use crate::restrictions::stratification::{self, OnceGround};
use crate::ticker::Ticker;

/// What the engine could not do, as an error about the rules of a description.
pub(crate) fn engine_error(
    description: &Description,
    flattened: &Flattened,
    error: EngineError,
) -> GroundError {
    match error {
        EngineError::NotStratified { cycle } => {
            let names: Vec<String> = cycle.iter().map(|name| format!("`{name}`")).collect();
            let message = format!(
                "{} depends on its own negation",
                names.first().map_or("a predicate", String::as_str)
            );
            let span = rule_of(flattened, &cycle);
            let diagnostic = Diagnostic::error("GF0306", message, span)
                .with_help(format!("the cycle: {}", names.join(" <- ")));
            GroundError::description(description, vec![diagnostic])
        }
        EngineError::Limit(exceeded) => GroundError::limit(description, &flattened.spans, exceeded),
    }
}

/// The rule that closes a negative cycle: the first of the predicate named last.
fn rule_of(flattened: &Flattened, cycle: &[String]) -> Span {
    let symbols = &flattened.prepared.rules.symbols;
    let named = |rule: &&FlatRule| {
        let name = form_name(rule.head.form, &flattened.forms, symbols);
        cycle.last() == Some(&name)
    };
    let rule = flattened.flat.rules.iter().find(named);
    rule.map(|rule| flattened.spans[rule.origin as usize]).unwrap_or_default()
}

/// Fails if the simplified rules of a game have a negative cycle, or at a limit.
pub(super) fn check_stratified(
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
