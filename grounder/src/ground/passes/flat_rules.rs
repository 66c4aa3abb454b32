//! Passes over flat rules, before anything is evaluated.

use groundfrog_engine::{Budget, EngineError};

use super::{Found, PASSES, PassObserver, Run};
use crate::compact::flat_rules;
use crate::compact::flat_rules::existential_arguments::Definitions;
use crate::description::Predicate;
use crate::flat::FormId;
use crate::ground::tables::Flattened;
use crate::options::{Domains, GroundOptions};
use crate::prepare::Prepared;
use crate::ticker::Ticker;

/// Runs those passes over flat rules that are wanted.
///
/// # Errors
/// A limit that was exceeded.
pub(in crate::ground) fn run_on_flat_rules(
    flattened: &mut Flattened,
    options: &GroundOptions,
    budget: &Budget,
    observer: &mut dyn PassObserver,
) -> Result<(), EngineError> {
    for pass in &PASSES {
        let Run::FlatRules(run) = pass.run else { continue };
        if options.passes.contains(pass.id) {
            let found = run(flattened, options, budget)?;
            observer.after_flat_rules(pass, &found, flattened);
        } else {
            observer.left_out(pass);
        }
    }
    Ok(())
}

/// Leaves out literals and rules that others imply.
pub(super) fn condensation(
    flattened: &mut Flattened,
    _: &GroundOptions,
    budget: &Budget,
) -> Result<Found, EngineError> {
    let rules = &mut flattened.flat.rules;
    Ok(Found::Rules(flat_rules::condensation::condense(rules, &mut Ticker::new(budget, 0))?))
}

/// Puts what views stand for in their place.
pub(super) fn aliases(
    flattened: &mut Flattened,
    _: &GroundOptions,
    budget: &Budget,
) -> Result<Found, EngineError> {
    let roots = flattened.roots();
    let Flattened { flat, forms, .. } = flattened;
    let is_root = |it: FormId| roots.contain(forms.form(it).predicate);
    let mut ticker = Ticker::new(budget, 0);
    Ok(Found::Replaced(flat_rules::aliases::replace_aliases(flat, forms, is_root, &mut ticker)?))
}

/// Replaces predicates that say that two tuples differ.
pub(super) fn differences(
    flattened: &mut Flattened,
    _: &GroundOptions,
    _: &Budget,
) -> Result<Found, EngineError> {
    Ok(Found::Replaced(flattened.unfold_differences()))
}

/// Removes redundant arguments.
pub(super) fn redundant_arguments(
    flattened: &mut Flattened,
    _: &GroundOptions,
    budget: &Budget,
) -> Result<Found, EngineError> {
    Ok(Found::Filtered(flattened.filter_arguments(budget)?))
}

/// Makes the recursion of transitive closures linear.
pub(super) fn linear_recursion(
    flattened: &mut Flattened,
    _: &GroundOptions,
    _: &Budget,
) -> Result<Found, EngineError> {
    flattened.linearise();
    Ok(Found::Closures(flattened.closures.len()))
}

/// Removes arguments whose values nothing needs.
pub(super) fn existential_arguments(
    flattened: &mut Flattened,
    _: &GroundOptions,
    budget: &Budget,
) -> Result<Found, EngineError> {
    let roots = flattened.roots();
    let Prepared { rules, statics, .. } = &mut flattened.prepared;
    let mut definitions = Definitions {
        flat: &mut flattened.flat,
        forms: &mut flattened.forms,
        symbols: &mut rules.symbols,
        statics,
        true_: rules.keywords.true_,
        does: rules.keywords.does,
        met: Vec::new(),
    };
    let is_fixed = |it: Predicate| roots.contain(it);
    let (closures, mut ticker) = (&mut flattened.closures, Ticker::new(budget, 0));
    let project = flat_rules::existential_arguments::project;
    let found = project(&mut definitions, closures, is_fixed, &mut ticker)?;
    flattened.extra_roots.append(&mut definitions.met);
    Ok(Found::Filtered(found))
}

/// Gives arguments the few constants that they are needed for; round by round, a fake match needs all.
pub(super) fn specialisation(
    flattened: &mut Flattened,
    options: &GroundOptions,
    budget: &Budget,
) -> Result<Found, EngineError> {
    if options.domains == Domains::Iterative {
        return Ok(Found::Specialised(Vec::new()));
    }
    Ok(Found::Specialised(flattened.specialise(budget)?))
}

/// Compiles conditions that are too large for a table.
pub(super) fn diagrams(
    flattened: &mut Flattened,
    options: &GroundOptions,
    budget: &Budget,
) -> Result<Found, EngineError> {
    Ok(Found::Compiled(flattened.compile_large(options.large_static, budget)?))
}
