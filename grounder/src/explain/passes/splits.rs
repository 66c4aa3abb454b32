//! Rules with variables, parts of them replaced by complements, and split.

use groundfrog_engine::Tables;

use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Change, Split};
use crate::explain::flat::FlatText;
use crate::explain::listing::{Line, Listing, count};
use crate::flat::form_name;
use crate::flat::lowering::predicate;
use crate::ground::Flattened;

/// The steps of a pass, a line each.
pub(super) fn list(steps: &[Split], origin: &impl Fn(u32) -> String, listing: &mut Listing) {
    if !steps.is_empty() {
        listing.comment("Sizes are estimates: ground rules, each with its literals and two more.");
    }
    for step in steps {
        let origins = [step.origin].into_iter().chain(step.others.iter().copied());
        listing.comment(format!("  {}: {}", places(origins.map(origin)), change(step)));
    }
}

/// Where the rules of a step come from, each place once: the rule that was split, and those that went with it.
fn places(origins: impl Iterator<Item = String>) -> String {
    let mut places: Vec<(String, usize)> = Vec::new();
    for origin in origins {
        match places.iter_mut().find(|(place, _)| *place == origin) {
            Some((_, rules)) => *rules += 1,
            None => places.push((origin, 1)),
        }
    }
    let shown = places.iter().map(|(place, rules)| match rules {
        1 => place.clone(),
        _ => format!("{place} ({rules} rules)"),
    });
    let shown: Vec<String> = shown.collect();
    match shown.split_first() {
        Some((first, others)) if !others.is_empty() => {
            format!("{first} with {}", others.join(", "))
        }
        _ => shown.concat(),
    }
}

/// Larger sizes are written with an exponent.
const LARGEST_WHOLE: f64 = 1e15;

/// What a step has changed.
fn change(split: &Split) -> String {
    let [before, after] = [split.before, split.after].map(|size| match size.round() {
        whole if whole < LARGEST_WHOLE => whole.to_string(),
        long => format!("{long:.1e}"),
    });
    let change = match split.change {
        Change::Split => "after the split",
        Change::TakenApart => "taken apart by the pairs that may differ",
        Change::Counted => "with a counter of things that all differ, when all is split",
        Change::MovesTakenApart => "with the parts of a move, when all is split",
        Change::Nested => "with sets that pass on what they get",
        Change::PutTogether => "put together with rules like it",
        Change::Complemented => "by the moves that it is not for",
    };
    format!("size {before}, {after} {change}")
}

/// The auxiliary predicates.
pub(super) fn definitions(
    auxiliaries: &Auxiliaries,
    flattened: &Flattened,
    tables: &Tables,
    listing: &mut Listing,
) {
    let (forms, symbols) = (&flattened.forms, &flattened.prepared.rules.symbols);
    listing.heading(format!("{}.", count(auxiliaries.predicates(), "auxiliary predicate")));
    for (form, given) in &auxiliaries.tables {
        let name = form_name(*form, forms, symbols);
        listing.comment(format!("  {name}: {} given", count(given.len(), "row")));
    }
    let text = FlatText::new(forms, symbols);
    for rule in &auxiliaries.rules {
        let rows = count(tables[predicate(rule.head.form)].len(), "row");
        let body = rule.body.iter().map(|it| Line::plain(text.literal(it))).collect();
        listing.rule(Line::new(text.atom(&rule.head), rows), body);
    }
}
