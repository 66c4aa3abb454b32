//! The figures, in the order of the report.

mod budgets;
mod domains;
mod rules;
mod sizes;
mod stages;

use super::plot::Plot;
use crate::bench::record::Record;

/// A figure: its name as a file, its title, what one sees, and the plot.
pub(super) struct Figure {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    /// What one sees, computed from the data.
    pub(super) caption: String,
    pub(super) plot: Plot,
}

/// All figures. `records` are sorted.
pub(super) fn figures(records: &[&Record]) -> Vec<Figure> {
    vec![
        budgets::grounding(records),
        budgets::domains(records),
        domains::one_step_against_iterative(records),
        rules::time_of_rules(records),
        rules::compact_against_flat(records),
        sizes::ground_against_description(records),
        sizes::counts(records),
        stages::stages(records),
        rules::memory(records),
    ]
}
