//! What each pass does that makes the game compact.

mod splits;
mod task;

use fxhash::FxHashSet;
use groundfrog_engine::EngineError;
use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Program, Tables};

use super::lines::Lines;
use super::listing::{Listing, count};
use crate::compact::flat_rules::redundant_arguments::Filtered;
use crate::description::{Description, Predicate, Printer};
use crate::domains::program::predicate;
use crate::error::GroundError;
use crate::evaluator::Evaluator;
use crate::game::Layout;
use crate::ground::{
    Flattened, Report, check_residual, compact, drop_lists, engine_error, flatten_prepared,
    request, settle_rigid_fluents, simplify, templates,
};
use crate::options::GroundOptions;
use crate::prepare::{Prepared, prepare_within};
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::FormId;
use crate::rewrite::sentence_forms::form_name;
use crate::symbols::Symbol;
use splits::split_rules;
use task::{Task, left_out, proper};

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
    let mut prepared = prepare_within(description, &budget)?;
    rigid_fluents(&task, &mut prepared, &mut listing);
    visited(&task, &mut prepared, &mut listing)?;
    let (mut flattened, _, _) = flatten_prepared(description, prepared, options, &budget)?;
    let result = rule_passes(&mut flattened, &task, &mut listing);
    let (program, tables, dynamic) =
        result.map_err(|error| engine_error(description, &flattened, error))?;
    ground_passes(flattened, (&program, tables), &dynamic, &task, &mut listing)?;
    Ok(listing.finish())
}

/// The passes over rules with variables. Returns what the store pass needs.
fn rule_passes(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(Program, Tables, Vec<FormId>), EngineError> {
    let lines = Lines::new(&task.description.source);
    let options = task.options;
    condense(flattened, options, listing);
    replace_aliases(flattened, options, listing);
    unfold_differences(flattened, options, listing);
    filter_arguments(flattened, options, listing);
    linearise(flattened, options, listing);
    project_arguments(flattened, task, listing)?;
    specialise(flattened, task, listing)?;
    compile_large(flattened, &lines, task, listing)?;
    let (mut program, mut tables) = demand(flattened, task, listing)?;
    flattened.settle(&tables, task.budget)?;
    let dynamic = split_rules(flattened, &mut program, &mut tables, &lines, task, listing)?;
    Ok((program, tables, dynamic))
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

/// Literals and rules that others imply.
fn condense(flattened: &mut Flattened, options: &GroundOptions, listing: &mut Listing) {
    if options.passes.subsumption {
        let rules = count(flattened.condense(), "rule");
        listing.heading(format!("subsumption: {rules} with literals that others imply."));
    }
}

/// Views that only stand for one literal.
fn replace_aliases(flattened: &mut Flattened, options: &GroundOptions, listing: &mut Listing) {
    if !options.passes.inline {
        return;
    }
    let replaced = flattened.replace_aliases();
    let views = count(replaced.len(), "view");
    listing.heading(format!("inline: {views} replaced by the one literal that each stands for."));
    for form in replaced {
        let name = form_name(form, &flattened.forms, &flattened.prepared.rules.symbols);
        listing.comment(format!("  {name}"));
    }
}

/// Predicates that say that two tuples differ.
fn unfold_differences(flattened: &mut Flattened, options: &GroundOptions, listing: &mut Listing) {
    if !options.passes.differences {
        return left_out(listing, "differences");
    }
    let unfolded = flattened.unfold_differences();
    let predicates = count(unfolded.len(), "predicate");
    listing.heading(format!("differences: {predicates} replaced by `distinct`."));
    for form in unfolded {
        let name = form_name(form, &flattened.forms, &flattened.prepared.rules.symbols);
        listing.comment(format!("  {name}"));
    }
}

/// Views that lose redundant arguments.
fn filter_arguments(flattened: &mut Flattened, options: &GroundOptions, listing: &mut Listing) {
    if !options.passes.redundant_arguments {
        return left_out(listing, "redundant-arguments");
    }
    let filtered = flattened.filter_arguments();
    let views = count(filtered.len(), "view");
    listing.heading(format!("redundant-arguments: {views} found."));
    shortened_views(flattened, &filtered, listing);
}

fn shortened_views(flattened: &Flattened, filtered: &[Filtered], listing: &mut Listing) {
    for it in filtered {
        let symbols = &flattened.prepared.rules.symbols;
        let name = |form| form_name(form, &flattened.forms, symbols);
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
        let symbols = &flattened.prepared.rules.symbols;
        let name = |form| form_name(form, &flattened.forms, symbols);
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
        let name = form_name(it.form, &flattened.forms, symbols);
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
        let symbols = &flattened.prepared.rules.symbols;
        let names = it.replaced.iter().map(|&form| form_name(form, &flattened.forms, symbols));
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

/// Predicates with large tables, restricted to the arguments that are asked for.
fn demand(
    flattened: &mut Flattened,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(Program, Tables), EngineError> {
    let Task { options, budget, .. } = *task;
    let (evaluator, mut report) = (Evaluator::Datafrog, Report::default());
    if !options.is_on_demand() {
        left_out(listing, "demand");
        return flattened.complete_unfolding(
            options.domains,
            evaluator,
            budget,
            &mut Silent,
            &mut report,
        );
    }
    let (forms, rules) = (flattened.forms.len(), proper(&flattened.flat.rules));
    let unfolds = options.passes.unfolding;
    let completed =
        flattened.complete_on_demand(unfolds, evaluator, budget, &mut Silent, &mut report)?;
    if unfolds {
        let views = count(flattened.unfolded.len(), "view");
        listing.heading(format!("unfolding: {views} replaced by their rules."));
        for &form in &flattened.unfolded {
            let name = form_name(form, &flattened.forms, &flattened.prepared.rules.symbols);
            listing.comment(format!("  {name}"));
        }
    } else {
        left_out(listing, "unfolding");
    }
    narrowed(flattened, listing);
    let after = proper(&flattened.flat.rules);
    let is_demand = |form: &FormId| flattened.narrowed.iter().all(|it| it.asked != *form);
    let on_demand: Vec<FormId> =
        (forms as u32..flattened.forms.len() as u32).map(FormId).filter(is_demand).collect();
    listing.heading(format!(
        "demand: {} with variables, {after} after it; {} on demand.",
        count(rules, "rule"),
        count(on_demand.len(), "predicate")
    ));
    for id in on_demand {
        let name = form_name(id, &flattened.forms, &flattened.prepared.rules.symbols);
        let rows = count(completed.1[predicate(id)].len(), "row");
        listing.comment(format!("  {name}: asked for {rows}"));
    }
    Ok(completed)
}

/// Arguments that are asked for with a part of their range.
fn narrowed(flattened: &Flattened, listing: &mut Listing) {
    let arguments = count(flattened.narrowed.len(), "argument");
    listing.heading(format!("demand: {arguments} asked for with a part of their range."));
    for it in &flattened.narrowed {
        let name = form_name(it.form, &flattened.forms, &flattened.prepared.rules.symbols);
        let column = it.column + 1;
        let (constants, range) = (it.constants, it.range);
        listing.comment(format!("  argument {column} of {name}: {constants} of {range}"));
    }
}

/// The store pass and what makes ground rules fewer.
fn ground_passes(
    mut flattened: Flattened,
    (program, mut tables): (&Program, Tables),
    dynamic: &[FormId],
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<(), GroundError> {
    let Task { description, options, budget } = *task;
    let fail = |flattened: &Flattened, error| engine_error(description, flattened, error);
    let mut layout = Layout::new(&flattened.forms, &flattened.prepared, &tables, dynamic)
        .map_err(|exceeded| fail(&flattened, exceeded.into()))?;
    let templates = templates(flattened.flat.rules.clone(), &layout);
    let request = request(program, &tables, &layout, &templates, options.threads);
    let stored = Evaluator::Datafrog.instantiate(&request, budget, &mut Silent);
    let mut stored = stored.map_err(|error| fail(&flattened, error))?;
    let mut pulse = Pulse::new(budget, tables.bytes() + stored.rules.bytes());
    listing.heading("Ground rules, their literals, and the atoms that they are about:");
    tell("store", &stored.rules, listing);
    simplify(&mut stored, &layout, &mut pulse)
        .map_err(|exceeded| fail(&flattened, exceeded.into()))?;
    tell("simplification to the residual", &stored.rules, listing);
    let passes = options.passes;
    let atoms = (&tables, &layout);
    check_residual(description, &flattened, atoms, &mut stored, passes, &mut pulse)?;
    let (rules, atoms) = ((&mut flattened, templates.as_slice()), (&mut layout, &mut tables));
    compact(&mut stored, rules, atoms, passes, &mut pulse, |pass, rules| {
        tell(pass, rules, listing);
    })
    .map_err(|exceeded| fail(&flattened, exceeded.into()))?;
    let on_rules = [
        (passes.reach, "reach"),
        (passes.moves, "moves"),
        (passes.inline, "inline"),
        (passes.equal_views, "equal-views"),
        (passes.subsumption, "subsumption"),
    ];
    for (_, name) in on_rules.into_iter().filter(|&(runs, _)| !runs) {
        listing.comment(format!("{name}: left out"));
    }
    Ok(())
}

fn tell(pass: &str, rules: &RuleStore, listing: &mut Listing) {
    let literals: usize = (0..rules.len()).map(|it| rules.rule(it).body.len()).sum();
    let heads: FxHashSet<u32> = rules.heads().iter().copied().collect();
    let (rules, heads) = (rules.len(), heads.len());
    listing.comment(format!("{rules:10} {literals:10} {heads:10}  after {pass}"));
}
