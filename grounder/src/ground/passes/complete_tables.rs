//! Passes over rules whose tables are complete.

use groundfrog_engine::Exceeded;

use super::{PASSES, Run};
use crate::compact::complete_tables::decomposition::{Context, Decomposed, Splitter};
use crate::flat::FlatRule;

/// Runs those passes that the context wants.
///
/// # Errors
/// A limit of the budget.
pub(crate) fn run_on_complete_tables(
    mut rules: Vec<FlatRule>,
    context: Context<'_>,
) -> Result<Decomposed, Exceeded> {
    let passes = context.passes;
    let mut splitter = Splitter::begin(context);
    for pass in PASSES.iter().filter(|it| passes.contains(it.id)) {
        if let Run::CompleteTables(run) = pass.run {
            rules = run(&mut splitter, rules);
        }
    }
    splitter.finish(rules)
}
