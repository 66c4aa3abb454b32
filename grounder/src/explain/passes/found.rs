//! What passes over rules with variables have found, a line each.

use super::name;
use crate::compact::invariants::state_invariants::Restricted;
use crate::compact::large_tables::diagrams::Compiled;
use crate::compact::visited::Dropped;
use crate::description::{Predicate, Printer};
use crate::explain::lines::Lines;
use crate::explain::listing::{Listing, count};
use crate::ground::{Flattened, Found};
use crate::prepare::Prepared;
use crate::symbols::Symbol;

/// What a pass over rules has found.
pub(super) fn in_rules(found: &Found, prepared: &Prepared, listing: &mut Listing) {
    match found {
        Found::Fluents(kinds) => {
            let printer = Printer::new(&prepared.rules.symbols);
            for kind in kinds {
                listing.comment(format!("  {}", printer.term(kind)));
            }
        }
        Found::Restricted(restricted) => invariants(restricted, prepared, listing),
        Found::Searches(searches) => {
            searches.iter().for_each(|it| search(it, prepared, listing));
        }
        _ => {}
    }
}

/// What holds of every step that a match can make.
fn invariants(restricted: &Restricted, prepared: &Prepared, listing: &mut Listing) {
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

/// A search, without the list of what it has visited.
fn search(search: &Dropped, prepared: &Prepared, listing: &mut Listing) {
    let name = |(predicate, position): &(Predicate, usize)| {
        let name = prepared.rules.predicate_name(*predicate);
        format!("argument {} of {name}", position + 1)
    };
    let names: Vec<String> = search.predicates.iter().map(name).collect();
    listing.comment(format!(
        "  {}, with {} that looked at it; at most {} visited",
        names.join(", "),
        count(search.guards, "literal"),
        count(search.elements, "thing")
    ));
}

/// What a pass over flat rules has found.
pub(super) fn in_flat_rules(
    found: &Found,
    flattened: &Flattened,
    lines: &Lines,
    listing: &mut Listing,
) {
    let name = |form| name(flattened, form);
    match found {
        Found::Replaced(forms) => {
            forms.iter().for_each(|&it| listing.comment(format!("  {}", name(it))));
        }
        Found::Filtered(filtered) => {
            for it in filtered {
                listing.comment(format!("  {} becomes {}", name(it.view), name(it.rest)));
            }
        }
        Found::Closures(_) => {
            for closure in &flattened.closures {
                listing.comment(format!("  {} of {}", name(closure.closed), name(closure.step)));
            }
        }
        Found::Specialised(arguments) => {
            let symbols = &flattened.prepared.rules.symbols;
            for it in arguments {
                let constants = it.constants.iter().map(|&it| symbols.name(Symbol(it)));
                let (name, constants) = (name(it.form), constants.collect::<Vec<_>>().join(", "));
                listing.comment(format!("  argument {} of {name}: {constants}", it.column + 1));
            }
        }
        Found::Compiled(compiled) => {
            compiled.iter().for_each(|it| diagram(it, flattened, lines, listing));
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
    for chain in &compiled.chains {
        let (states, steps) = chain.iter().fold((1, 0), |all, it| (all.0 + it.0, all.1 + it.1));
        let variables = count(chain.len(), "variable");
        listing
            .comment(format!("  {origin}: {names}: {variables}, {states} states, {steps} steps"));
    }
}
