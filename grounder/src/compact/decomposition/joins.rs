//! Projection inside the fixpoint: a rule that looks at far more rows than it derives tuples is split while
//! the tables are computed (Schiffel's projection, applied to the domain computation).
//!
//! The fixpoint tells of such a rule as soon as it shows; what its tables hold by then says whether a split
//! pays. If one does, the fixpoint begins anew with the rule split. The auxiliary predicates live only as
//! long as the computation: the store pass splits rules by its own measure.

use groundfrog_engine::observe::{Observer, Statistics};
use groundfrog_engine::{Budget, EngineError, Limit, Program, Tables, fixpoint};

use super::{Part, Splitter, candidates, members};
use crate::compact::auxiliaries::{Auxiliaries, Definition};
use crate::compact::estimate::{Estimates, VariableSet, fits};
use crate::domains::program;
use crate::rewrite::sentence_forms::{FlatProgram, FlatRule, Forms};
use crate::symbols::Symbols;

/// A split must make the rows looked at fewer than this part of what they were.
const GAIN: f64 = 0.5;
/// All variables of a rule.
const ALL: VariableSet = VariableSet::MAX;

/// Completes the tables of a program of flat rules as [`fixpoint::evaluate`] does, splitting rules on the
/// way. Returns the tables of the predicates of the program.
///
/// # Errors
/// As [`fixpoint::evaluate`].
pub(crate) fn complete(
    flat: &FlatProgram,
    forms: &Forms,
    symbols: &Symbols,
    all: &Program,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<(Tables, Statistics), EngineError> {
    let mut watcher = Watcher { flat, forms, symbols, observer, split: None };
    loop {
        let split = watcher.split.as_ref().map(Split::program);
        let program = split.as_ref().unwrap_or(all);
        let mut tables = program::fact_tables(flat, forms, program);
        match fixpoint::evaluate(program, &mut tables, budget, &mut watcher) {
            Err(EngineError::Limit(exceeded)) if exceeded.limit == Limit::RuleMatches => {}
            Err(error) => return Err(error),
            Ok(statistics) => {
                tables.truncate(all.predicates().len());
                return Ok((tables, statistics));
            }
        }
    }
}

/// Splits the rules that the fixpoint finds costly.
struct Watcher<'run> {
    flat: &'run FlatProgram,
    forms: &'run Forms,
    symbols: &'run Symbols,
    observer: &'run mut dyn Observer,
    split: Option<Split>,
}

/// The rules after some were split.
struct Split {
    /// By position in the program, those of the auxiliary predicates last.
    rules: Vec<FlatRule>,
    forms: Forms,
    symbols: Symbols,
    auxiliaries: Auxiliaries,
}

impl Observer for Watcher<'_> {
    fn round(&mut self, new_tuples: usize) {
        self.observer.round(new_tuples);
    }

    fn instantiated(&mut self, done: usize, total: usize, rules: usize) {
        self.observer.instantiated(done, total, rules);
    }

    fn costly(&mut self, rule: usize, tables: &Tables) -> bool {
        let split = self.split.get_or_insert_with(|| Split {
            rules: joined_rules(self.flat),
            forms: self.forms.clone(),
            symbols: self.symbols.clone(),
            auxiliaries: Auxiliaries::default(),
        });
        split.split(rule, tables)
    }
}

/// The rules of a program as they are joined, without those that derive nothing.
fn joined_rules(flat: &FlatProgram) -> Vec<FlatRule> {
    let derives = |rule: &&FlatRule| !program::derives_itself(&program::joined_rule(rule));
    let mut rules: Vec<FlatRule> = flat.rules.iter().filter(derives).cloned().collect();
    for rule in &mut rules {
        rule.body.retain(|literal| literal.joined);
        rule.body.iter_mut().for_each(|literal| literal.stored = false);
    }
    rules
}

impl Split {
    fn program(&self) -> Program {
        // The rules must keep their positions; none of them derives itself.
        let rules = FlatProgram::of_rules(self.rules.clone());
        program::program(&rules, &self.forms, &self.symbols, |_| true)
    }

    /// Splits a rule if that pays. Returns whether it does.
    fn split(&mut self, rule: usize, tables: &Tables) -> bool {
        if !fits(&self.rules[rule]) {
            return false;
        }
        let auxiliaries = std::mem::take(&mut self.auxiliaries);
        let mut next = auxiliaries.rules.len();
        let mut splitter = Splitter {
            estimates: Estimates::new(tables, self.forms.len()),
            forms: &mut self.forms,
            symbols: &mut self.symbols,
            auxiliaries,
        };
        let is_split = splitter.split_join(&mut self.rules[rule]);
        while next < splitter.auxiliaries.rules.len() {
            let mut definition = splitter.auxiliaries.rules[next].clone();
            splitter.split_join(&mut definition);
            self.rules.push(definition);
            next += 1;
        }
        self.auxiliaries = splitter.auxiliaries;
        is_split
    }
}

impl Splitter<'_> {
    /// Splits a rule as long as fewer rows are looked at. Returns whether it did.
    fn split_join(&mut self, rule: &mut FlatRule) -> bool {
        let mut is_split = false;
        loop {
            let before = self.estimates.bindings(rule.body.iter(), ALL).rows;
            let parts = candidates(rule).into_iter().map(|it| (self.rows_of_split(rule, &it), it));
            let best = parts.min_by(|left, right| left.0.total_cmp(&right.0));
            let Some((_, part)) = best.filter(|&(rows, _)| rows < before * GAIN) else {
                return is_split;
            };
            self.apply(rule, &part);
            is_split = true;
        }
    }

    /// The rows that a rule and its new auxiliary predicate look at, those of the predicate's table twice:
    /// they are stored as well.
    fn rows_of_split(&mut self, rule: &FlatRule, part: &Part) -> f64 {
        let (inner, _) = part.divide(rule);
        let all = self.estimates.bindings(rule.body.iter(), ALL).rows;
        let own = self.estimates.bindings(inner.iter(), part.interface);
        let definition =
            Definition::new(&inner.iter().collect::<Vec<_>>(), &members(part.interface));
        let known = self.auxiliaries.contains(&definition);
        let table = if known { 0.0 } else { own.rows + 2.0 * own.count() };
        table + all * (own.count() / own.rows)
    }
}
