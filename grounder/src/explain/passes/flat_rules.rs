//! What the passes over rules with variables do, up to the tables.

use groundfrog_engine::{EngineError, Program, Tables};

use super::demand::demand;
use super::splits::split_rules;
use super::task::{Task, left_out, name, names};
use crate::compact::flat_rules::redundant_arguments::Filtered;
use crate::explain::lines::Lines;
use crate::explain::listing::{Listing, count};
use crate::ground::Flattened;
use crate::options::GroundOptions;
use crate::rewrite::sentence_forms::FormId;
use crate::symbols::Symbol;

/// The passes over rules with variables. Returns what the store pass needs.
pub(super) fn rule_passes(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(Program, Tables, Vec<FormId>), EngineError> {
    let lines = Lines::new(&task.description.source);
    let options = task.options;
    condense(flattened, task, listing)?;
    replace_aliases(flattened, task, listing)?;
    unfold_differences(flattened, options, listing);
    filter_arguments(flattened, task, listing)?;
    linearise(flattened, options, listing);
    project_arguments(flattened, task, listing)?;
    specialise(flattened, task, listing)?;
    compile_large(flattened, &lines, task, listing)?;
    let (mut program, mut tables) = demand(flattened, task, listing)?;
    flattened.settle(&tables, task.budget)?;
    let dynamic = split_rules(flattened, &mut program, &mut tables, &lines, task, listing)?;
    Ok((program, tables, dynamic))
}

/// Literals and rules that others imply.
fn condense(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), EngineError> {
    if task.options.passes.subsumption {
        let rules = count(flattened.condense(task.budget)?, "rule");
        listing.heading(format!("subsumption: {rules} with literals that others imply."));
    }
    Ok(())
}

/// Views that only stand for one literal.
fn replace_aliases(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), EngineError> {
    if !task.options.passes.inline {
        return Ok(());
    }
    let replaced = flattened.replace_aliases(task.budget)?;
    let views = count(replaced.len(), "view");
    listing.heading(format!("inline: {views} replaced by the one literal that each stands for."));
    names(flattened, &replaced, listing);
    Ok(())
}

/// Predicates that say that two tuples differ.
fn unfold_differences(flattened: &mut Flattened, options: &GroundOptions, listing: &mut Listing) {
    if !options.passes.differences {
        return left_out(listing, "differences");
    }
    let unfolded = flattened.unfold_differences();
    let predicates = count(unfolded.len(), "predicate");
    let compared = flattened.prepared.rules.compared;
    let compared = if compared > 0 {
        format!(", {} of `distinct` read as comparisons of tuples", count(compared, "`or`"))
    } else {
        String::new()
    };
    listing.heading(format!("differences: {predicates} replaced by `distinct`{compared}."));
    names(flattened, &unfolded, listing);
}

/// Views that lose redundant arguments.
fn filter_arguments(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), EngineError> {
    if !task.options.passes.redundant_arguments {
        left_out(listing, "redundant-arguments");
        return Ok(());
    }
    let filtered = flattened.filter_arguments(task.budget)?;
    let views = count(filtered.len(), "view");
    listing.heading(format!("redundant-arguments: {views} found."));
    shortened_views(flattened, &filtered, listing);
    Ok(())
}

fn shortened_views(flattened: &Flattened, filtered: &[Filtered], listing: &mut Listing) {
    for it in filtered {
        let name = |form| name(flattened, form);
        listing.comment(format!("  {} becomes {}", name(it.view), name(it.rest)));
    }
}

/// Views that lose arguments whose values nobody asks for.
fn project_arguments(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), EngineError> {
    if task.options.passes.redundant_arguments {
        let projected = flattened.project_arguments(task.budget)?;
        let views = count(projected.len(), "view");
        listing.heading(format!("redundant-arguments: {views} without values nobody asks for."));
        shortened_views(flattened, &projected, listing);
    }
    Ok(())
}

/// Transitive closures, their recursion made linear.
fn linearise(flattened: &mut Flattened, options: &GroundOptions, listing: &mut Listing) {
    if !options.passes.linear_recursion {
        return left_out(listing, "linear-recursion");
    }
    flattened.linearise();
    let closures = count(flattened.closures.len(), "transitive closure");
    listing.heading(format!("linear-recursion: {closures} found."));
    for closure in &flattened.closures {
        let name = |form| name(flattened, form);
        listing.comment(format!("  {} of {}", name(closure.closed), name(closure.step)));
    }
}

/// Arguments that are asked for with few constants.
fn specialise(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), EngineError> {
    let Task { options, budget, .. } = *task;
    if !options.is_on_demand() {
        return Ok(());
    }
    let specialised = flattened.specialise(budget)?;
    let arguments = count(specialised.len(), "argument");
    listing.heading(format!("demand: {arguments} asked for with few constants."));
    for it in &specialised {
        let symbols = &flattened.prepared.rules.symbols;
        let name = name(flattened, it.form);
        let constants: Vec<&str> =
            it.constants.iter().map(|&it| symbols.name(Symbol(it))).collect();
        let constants = constants.join(", ");
        listing.comment(format!("  argument {} of {name}: {constants}", it.column + 1));
    }
    Ok(())
}

/// Conditions that are too large for a table, as decision diagrams.
fn compile_large(
    flattened: &mut Flattened,
    lines: &Lines,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), EngineError> {
    let Task { options, budget, .. } = *task;
    if !options.passes.diagrams {
        left_out(listing, "diagrams");
        return Ok(());
    }
    let compiled = flattened.compile_large(options.large_static, budget)?;
    let rules = count(compiled.len(), "rule");
    listing.heading(format!("diagrams: {rules} with conditions that are too large for a table."));
    for it in compiled {
        let origin = lines.origin(flattened.spans[it.origin as usize]);
        let names = it.replaced.iter().map(|&form| name(flattened, form));
        let names = names.collect::<Vec<_>>().join(", ");
        if it.is_shared {
            listing.comment(format!("  {origin}: {names}, as above"));
            continue;
        }
        for chain in &it.chains {
            let (states, steps) = chain.iter().fold((1, 0), |all, it| (all.0 + it.0, all.1 + it.1));
            let variables = count(chain.len(), "variable");
            listing.comment(format!(
                "  {origin}: {names}: {variables}, {states} states, {steps} steps"
            ));
        }
    }
    Ok(())
}
