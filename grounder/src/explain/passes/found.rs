//! What passes over rules with variables have found, a line each.

use groundfrog_engine::Tables;

use super::{name, splits};
use crate::compact::invariants::state_invariants::RestrictedSteps;
use crate::compact::large_tables::diagrams::Compiled;
use crate::description::Printer;
use crate::explain::lines::Lines;
use crate::explain::listing::{Listing, count};
use crate::flat::lowering::predicate;
use crate::ground::{Flattened, Found, Seen};
use crate::prepare::Prepared;

/// What a pass has found, a line each.
pub(super) fn list(found: &Found, seen: Seen<'_>, lines: &Lines, listing: &mut Listing) {
    match seen {
        Seen::Rules(prepared) => in_rules(found, prepared, listing),
        Seen::Tables(flattened, tables) => in_tables(found, flattened, tables, lines, listing),
        Seen::GroundRules(_) => {}
    }
}

/// What a pass over rules has found.
fn in_rules(found: &Found, prepared: &Prepared, listing: &mut Listing) {
    match found {
        Found::Fluents(kinds) => {
            let printer = Printer::new(&prepared.rules.symbols);
            for kind in kinds {
                listing.comment(format!("  {}", printer.term(kind)));
            }
        }
        Found::Restricted(restricted) => invariants(restricted, prepared, listing),
        _ => {}
    }
}

/// What holds of every step that a match can make.
fn invariants(restricted: &RestrictedSteps, prepared: &Prepared, listing: &mut Listing) {
    let (dropped, auxiliary) =
        (count(restricted.dropped, "rule"), count(restricted.auxiliary, "auxiliary rule"));
    listing.comment(format!("  {dropped} dropped, {auxiliary}"));
    for invariant in &restricted.invariants {
        let places = invariant.key.iter().map(|in_key| if *in_key { " *" } else { " _" });
        let (name, places) =
            (prepared.rules.symbols.name(invariant.function), places.collect::<String>());
        let each = if invariant.key.contains(&true) { " for each *" } else { "" };
        listing.comment(format!("  ({name}{places}): at most one{each}"));
    }
}

/// What was done about tables, and what complete ones are good for.
fn in_tables(
    found: &Found,
    flattened: &Flattened,
    tables: &Tables,
    lines: &Lines,
    listing: &mut Listing,
) {
    let name = |form| name(flattened, form);
    match found {
        Found::Compiled(compiled) => {
            compiled.iter().for_each(|it| diagram(it, flattened, lines, listing));
        }
        Found::Demanded(forms) => {
            for &form in forms {
                let rows = count(tables[predicate(form)].len(), "row");
                listing.comment(format!("  {}: {rows} demanded", name(form)));
            }
        }
        Found::Steps(steps, made) => {
            let origin = |rule: u32| lines.origin(flattened.spans[rule as usize]);
            splits::list(steps, &origin, listing);
            if let Some(made) = made {
                splits::definitions(made, flattened, tables, listing);
            }
        }
        _ => {}
    }
}

/// A condition that is too large for a table, as a decision diagram.
fn diagram(compiled: &Compiled, flattened: &Flattened, lines: &Lines, listing: &mut Listing) {
    let origin = lines.origin(flattened.spans[compiled.origin as usize]);
    let names = compiled.replaced.iter().map(|&form| name(flattened, form));
    let names = names.collect::<Vec<_>>().join(", ");
    if compiled.is_shared {
        return listing.comment(format!("  {origin}: {names}, as above"));
    }
    let chain = &compiled.chain;
    let (states, steps) = chain.iter().fold((1, 0), |all, it| (all.0 + it.0, all.1 + it.1));
    let variables = count(chain.len(), "variable");
    listing.comment(format!("  {origin}: {names}: {variables}, {states} states, {steps} steps"));
}
