//! Base and input in one fixpoint with everything that depends on them (Vittaut & Méhat, section 4.2).
//!
//! The rules `base(F) <- init(F)` and `base(F) <- next(F)` stand beside g(R), and the table of `legal` is that of
//! `input`, so that one evaluation gives the tables of all predicates. With the description's own base and input the
//! rules that connect are others; the evaluation is the same.

use groundfrog_engine::observe::{EvaluationStatistics, Observer};
use groundfrog_engine::{Budget, EngineError, Program, Tables};

use crate::evaluator::Evaluator;

/// Completes all tables.
///
/// # Errors
/// As the evaluator.
pub fn complete(
    program: &Program,
    tables: &mut Tables,
    evaluator: Evaluator,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<EvaluationStatistics, EngineError> {
    evaluator.evaluate(program, tables, budget, observer)
}
