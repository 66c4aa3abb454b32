//! What each pass does that makes the game compact.

use fxhash::FxHashSet;
use groundfrog_engine::Tables;
use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::observe::Silent;

use super::text::{FlatText, Line, Lines, Listing, count};
use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Change, Split};
use crate::compact::invariants::state_invariants::RestrictedSteps;
use crate::compact::large_tables::diagrams::Compiled;
use crate::description::{Description, Printer};
use crate::error::GroundError;
use crate::flat::lowering::predicate;
use crate::flat::{FlatRule, FormId, form_name};
use crate::ground::{Flattened, Found, Pass, PassObserver, Seen, ground_observed};
use crate::options::{Engine, GroundOptions};
use crate::prepare::Prepared;

/// The passes in their order, each with what there is before and after.
pub(super) fn passes(
    description: &Description,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    let mut listing = Listing::default();
    listing.comment("The passes that make the game compact, in their order. It means the same in");
    listing.comment("every state that the game can reach.");
    let budget = options.limits.budget();
    let options = GroundOptions { engine: Engine::Datafrog, ..options.clone() };
    let lines = Lines::new(&description.source);
    let mut writer = Writer { listing, lines, rules: None, has_ground_rules: false };
    ground_observed(description, &options, &budget, &mut Silent, &mut writer)?;
    Ok(writer.listing.finish())
}

/// Writes down what passes do while they run.
struct Writer {
    listing: Listing,
    lines: Lines,
    /// Rules with variables after the last step.
    rules: Option<usize>,
    has_ground_rules: bool,
}

impl Writer {
    /// A heading that says what a pass has found.
    fn heading(&mut self, pass: &Pass, found: usize) {
        let (noun, what) = pass.counts;
        self.listing.heading(format!("{}: {} {what}.", pass.name, count(found, noun)));
    }

    /// How many ground rules there are after a step.
    fn ground_rules(&mut self, step: &str, rules: &RuleStore) {
        if !std::mem::replace(&mut self.has_ground_rules, true) {
            let heading = "Ground rules, their literals, and the atoms that they are about:";
            self.listing.heading(heading);
        }
        let literals: usize = (0..rules.len()).map(|it| rules.rule(it).body.len()).sum();
        let heads: FxHashSet<u32> = rules.heads().iter().copied().collect();
        let (rules, heads) = (rules.len(), heads.len());
        self.listing.comment(format!("{rules:10} {literals:10} {heads:10}  after {step}"));
    }
}

impl PassObserver for Writer {
    fn left_out(&mut self, pass: &Pass) {
        self.listing.heading(format!("{}: left out.", pass.name));
    }

    fn after(&mut self, step: &str, pass: Option<&Pass>, found: &Found, seen: Seen<'_>) {
        if let Seen::GroundRules(rules) = seen {
            return self.ground_rules(step, rules);
        }
        if let Some(pass) = pass {
            self.heading(pass, found.count());
        }
        if let Seen::Tables(flattened, _) = seen {
            let after = rules_proper(&flattened.flat.rules);
            let before = self.rules.replace(after).unwrap_or(after);
            if before != after {
                let rules = count(before, "rule");
                self.listing.comment(format!("{rules} with variables, {after} after it."));
            }
        }
        list(found, seen, &self.lines, &mut self.listing);
    }
}

/// How many rules are no facts.
fn rules_proper(rules: &[FlatRule]) -> usize {
    rules.iter().filter(|rule| !rule.body.is_empty()).count()
}

/// The name of a predicate.
fn name(flattened: &Flattened, form: FormId) -> String {
    form_name(form, &flattened.forms, &flattened.prepared.rules.symbols)
}

/// What a pass has found, a line each.
fn list(found: &Found, seen: Seen<'_>, lines: &Lines, listing: &mut Listing) {
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
            split_steps(steps, &origin, listing);
            if let Some(made) = made {
                definitions(made, flattened, tables, listing);
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

/// The steps of a pass, a line each.
fn split_steps(steps: &[Split], origin: &impl Fn(u32) -> String, listing: &mut Listing) {
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
