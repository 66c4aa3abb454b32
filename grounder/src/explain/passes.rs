//! What each pass does that makes the game compact.

mod demand;
mod flat_rules;
mod ground_rules;
mod splits;
mod task;

use super::listing::{Listing, count};
use crate::description::{Description, Predicate, Printer};
use crate::error::GroundError;
use crate::ground::{
    drop_lists, engine_error, flatten_prepared, restrict_steps, settle_rigid_fluents,
};
use crate::options::GroundOptions;
use crate::prepare::{Prepared, prepare_within};
use crate::rewrite::or_elimination::Differences;
use flat_rules::rule_passes;
use ground_rules::ground_passes;
use task::{Task, left_out};

/// The passes in their order, each with what there is before and after.
pub(super) fn passes(
    description: &Description,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    let mut listing = Listing::default();
    listing.comment("The passes that make the game compact, in their order. It means the same in");
    listing.comment("every state that the game can reach.");
    let budget = options.limits.budget();
    let task = Task { description, options, budget: &budget };
    let mut prepared =
        prepare_within(description, Differences::of(options.passes), options.domains, &budget)?;
    rigid_fluents(&task, &mut prepared, &mut listing);
    reachability(&task, &mut prepared, &mut listing)?;
    visited(&task, &mut prepared, &mut listing)?;
    let (mut flattened, _, _) = flatten_prepared(description, prepared, options, &budget)?;
    let result = rule_passes(&mut flattened, &task, &mut listing);
    let (program, tables, dynamic) =
        result.map_err(|error| engine_error(description, &flattened, error))?;
    ground_passes(flattened, (&program, tables), &dynamic, &task, &mut listing)?;
    Ok(listing.finish())
}

/// Fluents that rules never change.
fn rigid_fluents(task: &Task<'_>, prepared: &mut Prepared, listing: &mut Listing) {
    if !task.options.passes.rigid_fluents {
        return left_out(listing, "rigid-fluents");
    }
    let kinds = settle_rigid_fluents(prepared, task.options);
    listing.heading(format!(
        "rigid-fluents: {} of fluents that rules never change.",
        count(kinds.len(), "kind")
    ));
    let printer = Printer::new(&prepared.rules.symbols);
    for kind in &kinds {
        listing.comment(format!("  {}", printer.term(kind)));
    }
}

/// What holds of every step that a match can make.
fn reachability(
    task: &Task<'_>,
    prepared: &mut Prepared,
    listing: &mut Listing,
) -> Result<(), GroundError> {
    let Task { description, options, budget } = *task;
    if !options.passes.reachability {
        left_out(listing, "reachability");
        return Ok(());
    }
    let restricted = restrict_steps(description, prepared, options, budget)?;
    listing.heading(format!(
        "reachability: {} for fewer steps, {} dropped; {} of what is asked.",
        count(restricted.rules, "rule"),
        count(restricted.dropped, "rule"),
        count(restricted.auxiliary, "rule")
    ));
    for invariant in &restricted.invariants {
        let places = invariant.key.iter().map(|in_key| if *in_key { " *" } else { " _" });
        let (name, places) =
            (prepared.rules.symbols.name(invariant.function), places.collect::<String>());
        let each = if invariant.key.contains(&true) { " for each *" } else { "" };
        listing.comment(format!("  ({name}{places}): at most one{each}"));
    }
    Ok(())
}

/// Searches, without the list of what they have visited.
fn visited(
    task: &Task<'_>,
    prepared: &mut Prepared,
    listing: &mut Listing,
) -> Result<(), GroundError> {
    let Task { description, options, budget } = *task;
    if !options.passes.visited {
        left_out(listing, "visited");
        return Ok(());
    }
    let dropped = drop_lists(description, prepared, options, budget)?;
    if dropped.is_empty() {
        listing.heading("visited: no search with a list of what it has visited.");
    }
    for search in dropped {
        let name = |(predicate, position): &(Predicate, usize)| {
            let name = prepared.rules.predicate_name(*predicate);
            format!("argument {} of {name}", position + 1)
        };
        let names: Vec<String> = search.predicates.iter().map(name).collect();
        listing.heading(format!(
            "visited: {} dropped, with {} that looked at it; at most {} visited.",
            names.join(", "),
            count(search.guards, "literal"),
            count(search.elements, "thing")
        ));
    }
    Ok(())
}
