//! Passes over tables that become too large.

use groundfrog_engine::EngineError;

use super::{PASSES, Run};
use crate::ground::on_demand::LargeTable;
use crate::options::Passes;

/// Runs those passes that are wanted, up to the first that changes something: then the evaluation begins anew.
///
/// # Errors
/// A limit of the budget.
pub(in crate::ground) fn run_on_large_table(
    table: &mut LargeTable<'_>,
    passes: Passes,
) -> Result<(), EngineError> {
    for pass in PASSES.iter().filter(|it| passes.contains(it.id)) {
        if let Run::LargeTable(run) = pass.run
            && run(table)?
        {
            return Ok(());
        }
    }
    Ok(())
}
