//! Rules with variables, parts of them replaced by complements, and split.

use groundfrog_engine::observe::Silent;
use groundfrog_engine::{EngineError, Program, Tables};

use super::task::{Task, left_out, proper};
use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Change, Split};
use crate::domains::program::predicate;
use crate::evaluator::Evaluator;
use crate::explain::flat::FlatText;
use crate::explain::lines::Lines;
use crate::explain::listing::{Line, Listing, count};
use crate::ground::Flattened;
use crate::options::Passes;
use crate::rewrite::sentence_forms::FormId;
use crate::rewrite::sentence_forms::form_name;

/// Splits rules and tells of it. Returns the auxiliary predicates that are dynamic.
pub(super) fn split_rules(
    flattened: &mut Flattened,
    program: &mut Program,
    tables: &mut Tables,
    lines: &Lines,
    task: &Task<'_>,
    listing: &mut Listing,
) -> Result<Vec<FormId>, EngineError> {
    let passes = task.options.passes;
    if !passes.splits_rules() {
        left_out(listing, "complements");
        left_out(listing, "decomposition");
        return Ok(Vec::new());
    }
    let before = proper(&flattened.flat.rules);
    let all = (program, &mut *tables);
    let with = (task.options.domains, Evaluator::Datafrog);
    let auxiliaries = flattened.decompose(all, passes, with, task.budget, &mut Silent)?;
    let rules = [before, proper(&flattened.flat.rules)];
    let origin = |rule: u32| lines.origin(flattened.spans[rule as usize]);
    steps(&auxiliaries.splits, rules, passes, &origin, listing);
    definitions(&auxiliaries, flattened, tables, listing);
    Ok(auxiliaries.dynamic)
}

/// The steps of each pass; `rules` says how many rules there were before and after them.
fn steps(
    splits: &[Split],
    rules: [usize; 2],
    passes: Passes,
    origin: &impl Fn(u32) -> String,
    listing: &mut Listing,
) {
    let mut tell =
        |runs: bool, pass: &str, changes: &[Change], heading: &dyn Fn(usize) -> String| {
            if !runs {
                return left_out(listing, pass);
            }
            let steps: Vec<&Split> =
                splits.iter().filter(|it| changes.contains(&it.change)).collect();
            listing.heading(heading(steps.len()));
            list(&steps, origin, listing);
        };
    tell(passes.complements, "complements", &[Change::Complemented], &|steps| {
        format!("complements: {} for parts of rules about moves.", count(steps, "predicate"))
    });
    let changes = [
        Change::Split,
        Change::ForAnyRole,
        Change::Compared,
        Change::TakenApart,
        Change::PutTogether,
        Change::Unfolded,
        Change::Chained,
        Change::Counted,
        Change::Ordered,
        Change::Joined,
        Change::Shared,
    ];
    tell(passes.decomposition, "decomposition", &changes, &|steps| {
        let [before, after] = rules;
        let (before, steps) = (count(before, "rule"), count(steps, "step"));
        format!("decomposition: {before} with variables, {after} after it; {steps}.")
    });
    tell(passes.nested_sets, "nested-sets", &[Change::Nested], &|steps| {
        let parts = count(steps, "part");
        format!("nested-sets: {parts} split off that compare by an order or the like.")
    });
    tell(passes.move_parts, "move-parts", &[Change::MovesTakenApart], &|steps| {
        format!("move-parts: {} that ask for parts of a move.", count(steps, "rule"))
    });
}

fn list(steps: &[&Split], origin: &impl Fn(u32) -> String, listing: &mut Listing) {
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
        Change::ForAnyRole => "for any role that moves, in the place of rules for each",
        Change::Compared => "with a comparison in the place of what says that tuples differ",
        Change::TakenApart => "taken apart by the pairs that may differ",
        Change::Unfolded => "with the rules of its large conditions in their place",
        Change::Chained => "with chains of the values that are taken",
        Change::Counted => "with a counter of things that all differ, when all is split",
        Change::Ordered => "with an order of things that can change places, when all is split",
        Change::MovesTakenApart => "with the parts of a move, when all is split",
        Change::Joined => "with one condition in the place of several, when all is split",
        Change::Shared => "with a projection that they share",
        Change::Nested => "with sets that pass on what they are asked",
        Change::PutTogether => "put together with rules like it",
        Change::Complemented => "by the moves that it is not for",
    };
    format!("size {before}, {after} {change}")
}

/// The auxiliary predicates.
fn definitions(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_named_once() {
        let told = |lines: &[u32]| places(lines.iter().map(|line| format!("line {line}")));
        assert_eq!(told(&[132]), "line 132");
        assert_eq!(told(&[132, 128, 128]), "line 132 with line 128 (2 rules)");
        assert_eq!(told(&[7, 7, 9, 8]), "line 7 (2 rules) with line 9, line 8");
        assert_eq!(told(&[7, 7]), "line 7 (2 rules)");
    }
}
