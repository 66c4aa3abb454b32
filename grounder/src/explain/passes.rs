//! What each pass does that makes the game compact.

mod found;
mod splits;

use fxhash::FxHashSet;
use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::observe::Silent;

use super::lines::Lines;
use super::listing::{Listing, count};
use crate::description::Description;
use crate::error::GroundError;
use crate::flat::{FlatRule, FormId, form_name};
use crate::ground::{Flattened, Found, Pass, PassObserver, Seen, ground_observed};
use crate::options::{Engine, GroundOptions};

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
        found::list(found, seen, &self.lines, &mut self.listing);
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
