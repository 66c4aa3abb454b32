//! One of the two evaluators.

use groundfrog_engine::instantiate::{self, Instantiation};
use groundfrog_engine::observe::{EvaluationStatistics, Observer};
use groundfrog_engine::{Budget, EngineError, Program, Tables, fixpoint, naive};

use crate::options::Engine;

/// Evaluates programs and instantiates rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluator {
    /// Semi-naive rounds on datafrog, planned joins.
    Datafrog,
    /// The textbook evaluator.
    Naive,
}

impl Evaluator {
    /// The evaluator of an engine; of both that are compared, the one whose result is kept.
    pub fn of(engine: Engine) -> Self {
        match engine {
            Engine::Naive => Evaluator::Naive,
            Engine::Datafrog | Engine::Compare => Evaluator::Datafrog,
        }
    }

    /// Completes the tables of a program.
    ///
    /// # Errors
    /// As [`fixpoint::evaluate`].
    pub fn evaluate(
        self,
        program: &Program,
        tables: &mut Tables,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<EvaluationStatistics, EngineError> {
        match self {
            Evaluator::Datafrog => fixpoint::evaluate(program, tables, budget, observer),
            Evaluator::Naive => naive::evaluate(program, tables, budget, observer),
        }
    }

    /// Stores every instance of every template.
    ///
    /// # Errors
    /// As [`instantiate::instantiate`].
    pub fn instantiate(
        self,
        request: &instantiate::Request<'_>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Instantiation, EngineError> {
        match self {
            Evaluator::Datafrog => instantiate::instantiate(request, budget, observer),
            Evaluator::Naive => naive::instantiate(request, budget, observer),
        }
    }
}
