//! Base and input alone, without the store pass: what the two ways of computing them are compared by.

use std::collections::BTreeSet;

use groundfrog_engine::Tables;
use groundfrog_engine::observe::Observer;

use super::errors::engine_error;
use super::flatten::flatten_prepared;
use super::given::Computed;
use super::report::{Report, Stage};
use super::tables::Flattened;
use crate::description::{Description, Predicate};
use crate::error::GroundError;
use crate::options::{GroundOptions, PassId};
use crate::prepare::prepare_within;

/// Base and input of a description, with all other tables of the fixpoint.
#[derive(Debug)]
pub struct BaseInput {
    /// What was done; its stages are the rewriting and the domains.
    pub report: Report,
    flattened: Flattened,
    tables: Tables,
}

/// Computes base and input as `options.domains` says, without demand; of two engines that are to be compared
/// with datafrog's alone. What concerns ground rules is not looked at.
///
/// # Errors
/// As [`super::ground`].
pub fn base_input(
    description: &Description,
    options: &GroundOptions,
    observer: &mut dyn Observer,
) -> Result<BaseInput, GroundError> {
    let budget = options.limits.budget();
    let mut report = Report::default();
    let (mut flattened, _, _) = report.time(Stage::Rewrite, |_| {
        let prepared = prepare_within(description, options.domains, &budget)?;
        flatten_prepared(description, prepared, options, &budget)
    })?;
    let (_, tables) = report
        .time(Stage::Domains, |report| {
            // Of what nothing else needs, all is there.
            let passes = options.passes.without(PassId::Demand);
            let options = GroundOptions { passes, ..options.clone() };
            flattened.complete_with_remedies(&options, &budget, observer, report)
        })
        .map_err(|error| engine_error(description, &flattened, error))?;
    Ok(BaseInput { report, flattened, tables })
}

impl BaseInput {
    /// How many fluents there are.
    pub fn base_count(&self) -> usize {
        self.computed().count(&self.base_predicates())
    }

    /// How many moves there are, of all roles together.
    pub fn input_count(&self) -> usize {
        self.computed().count(&self.input_predicates())
    }

    /// The fluents as `(base f)`, sorted.
    pub fn base(&self) -> BTreeSet<String> {
        let name = self.flattened.prepared.rules.keywords.base;
        self.computed().sentences(&self.base_predicates(), name)
    }

    /// The moves as `(input r m)`, sorted.
    pub fn input(&self) -> BTreeSet<String> {
        let name = self.flattened.prepared.rules.keywords.input;
        self.computed().sentences(&self.input_predicates(), name)
    }

    fn base_predicates(&self) -> [Predicate; 1] {
        [Predicate { name: self.flattened.prepared.rules.keywords.base, arity: 1 }]
    }

    /// In one step, what `legal` derives is input.
    fn input_predicates(&self) -> [Predicate; 2] {
        let keywords = &self.flattened.prepared.rules.keywords;
        [keywords.input, keywords.legal].map(|name| Predicate { name, arity: 2 })
    }

    fn computed(&self) -> Computed<'_> {
        Computed {
            forms: &self.flattened.forms,
            tables: &self.tables,
            symbols: &self.flattened.prepared.rules.symbols,
        }
    }
}

#[cfg(test)]
mod tests {
    use groundfrog_engine::observe::Silent;

    use super::*;
    use crate::description::ParseOptions;
    use crate::options::Domains;

    const LAMP: &str = "(role ann) (init (lamp on)) (base (lamp broken))
        (legal ann push) (<= (legal ann (wait ?s)) (true (lamp ?s)))
        (<= (next (lamp off)) (does ann push)) (<= (next (lamp ?s)) (does ann (wait ?s)))
        (<= terminal (true (lamp off))) (goal ann 100)";

    #[test]
    fn both_ways_find_the_same() {
        let description =
            Description::parse(LAMP.as_bytes(), &ParseOptions::default()).expect("it is correct");
        let found = |domains| {
            let options = GroundOptions { domains, ..GroundOptions::flat() };
            base_input(&description, &options, &mut Silent).expect("it is bounded")
        };
        let (one_step, iterative) = (found(Domains::OneStep), found(Domains::Iterative));
        let texts = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>();
        assert_eq!(texts(one_step.base()), ["(base (lamp off))", "(base (lamp on))"]);
        assert_eq!(
            texts(one_step.input()),
            ["(input ann (wait off))", "(input ann (wait on))", "(input ann push)"]
        );
        assert_eq!((one_step.base_count(), one_step.input_count()), (2, 3));
        assert_eq!(one_step.base(), iterative.base());
        assert_eq!(one_step.input(), iterative.input());
        assert_eq!((iterative.base_count(), iterative.input_count()), (2, 3));
        assert!(iterative.report.iterations.is_some() && one_step.report.iterations.is_none());
        let stages: Vec<Stage> = one_step.report.stages.iter().map(|it| it.stage).collect();
        assert_eq!(stages, [Stage::Rewrite, Stage::Domains]);
    }
}
