//! What each pass does that makes the game compact.

mod found;
mod splits;

use fxhash::FxHashSet;
use groundfrog_engine::Tables;
use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::observe::Silent;

use super::lines::Lines;
use super::listing::{Listing, count};
use crate::compact::complete_tables::auxiliaries::Auxiliaries;
use crate::description::Description;
use crate::error::GroundError;
use crate::flat::lowering::predicate;
use crate::flat::{FlatRule, FormId, form_name};
use crate::ground::{Flattened, Found, PASSES, Pass, PassObserver, ProgramKind, ground_observed};
use crate::options::{Engine, GroundOptions, PassId, Passes};
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
    let (passes, rules, forms) = (options.passes, 0, 0);
    let mut writer = Writer { listing, lines, passes, rules, forms, has_ground_rules: false };
    ground_observed(description, &options, &budget, &mut Silent, &mut writer)?;
    Ok(writer.listing.finish())
}

/// Writes down what passes do while they run.
struct Writer {
    listing: Listing,
    lines: Lines,
    passes: Passes,
    /// Rules with variables before the tables were computed, then before they were split.
    rules: usize,
    /// Sentence forms before the tables were computed.
    forms: usize,
    has_ground_rules: bool,
}

impl Writer {
    /// A heading that says what a pass has found.
    fn heading(&mut self, pass: &Pass, found: usize) {
        let (noun, what) = pass.counts;
        self.listing.heading(format!("{}: {} {what}.", pass.name, count(found, noun)));
    }

    /// The names of predicates, a line each.
    fn names(&mut self, flattened: &Flattened, forms: &[FormId]) {
        for &form in forms {
            self.listing.comment(format!("  {}", name(flattened, form)));
        }
    }
}

impl PassObserver for Writer {
    fn left_out(&mut self, pass: &Pass) {
        self.listing.heading(format!("{}: left out.", pass.name));
    }

    fn after_rules(&mut self, pass: &Pass, found: &Found, prepared: &Prepared) {
        self.heading(pass, found.count());
        found::in_rules(found, prepared, &mut self.listing);
    }

    fn after_flat_rules(&mut self, pass: &Pass, found: &Found, flattened: &Flattened) {
        self.heading(pass, found.count());
        found::in_flat_rules(found, flattened, &self.lines, &mut self.listing);
    }

    fn before_tables(&mut self, flattened: &Flattened) {
        (self.rules, self.forms) = (rules_proper(&flattened.flat.rules), flattened.forms.len());
    }

    fn after_tables(&mut self, flattened: &Flattened, tables: &Tables) {
        let is_demand = |form: &FormId| flattened.narrowed.iter().all(|it| it.demanded != *form);
        let new = (self.forms as u32..flattened.forms.len() as u32).map(FormId);
        let on_demand: Vec<FormId> = new.filter(is_demand).collect();
        for pass in PASSES.iter().filter(|it| it.program == ProgramKind::Tables) {
            if !self.passes.contains(pass.id) {
                self.left_out(pass);
                continue;
            }
            match pass.id {
                PassId::Ranges => {
                    self.heading(pass, flattened.narrowed.len());
                    for it in &flattened.narrowed {
                        let (name, column) = (name(flattened, it.form), it.column + 1);
                        let (constants, range) = (it.constants, it.range);
                        let line = format!("  argument {column} of {name}: {constants} of {range}");
                        self.listing.comment(line);
                    }
                }
                PassId::Unfolding => {
                    self.heading(pass, flattened.unfolded.len());
                    self.names(flattened, &flattened.unfolded);
                }
                PassId::Demand => {
                    self.heading(pass, on_demand.len());
                    let after = rules_proper(&flattened.flat.rules);
                    let rules = count(self.rules, "rule");
                    self.listing.comment(format!("{rules} with variables, {after} after it."));
                    for &form in &on_demand {
                        let rows = count(tables[predicate(form)].len(), "row");
                        let name = name(flattened, form);
                        self.listing.comment(format!("  {name}: {rows} demanded"));
                    }
                }
                // How often it was of use is not counted.
                _ => {}
            }
        }
        self.rules = rules_proper(&flattened.flat.rules);
    }

    fn after_split(&mut self, made: &Auxiliaries, flattened: &Flattened, tables: &Tables) {
        let passes = PASSES.iter().filter(|it| it.program == ProgramKind::CompleteTables);
        for pass in passes {
            if !self.passes.contains(pass.id) {
                self.left_out(pass);
                continue;
            }
            let is_own = |split: &&_| splits::pass_of(split) == pass.id;
            let own: Vec<_> = made.splits.iter().filter(is_own).collect();
            self.heading(pass, own.len());
            if pass.id == PassId::Decomposition {
                let (before, after) = (self.rules, rules_proper(&flattened.flat.rules));
                let rules = count(before, "rule");
                self.listing.comment(format!("{rules} with variables, {after} after it."));
            }
            let origin = |rule: u32| self.lines.origin(flattened.spans[rule as usize]);
            splits::list(&own, &origin, &mut self.listing);
        }
        splits::definitions(made, flattened, tables, &mut self.listing);
    }

    fn after_ground_rules(&mut self, step: &str, rules: &RuleStore) {
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

/// How many rules are no facts.
fn rules_proper(rules: &[FlatRule]) -> usize {
    rules.iter().filter(|rule| !rule.body.is_empty()).count()
}

/// The name of a predicate.
fn name(flattened: &Flattened, form: FormId) -> String {
    form_name(form, &flattened.forms, &flattened.prepared.rules.symbols)
}
