//! The figures, in the order of the report.

mod budgets;
mod domains;
mod figure;
mod rules;
mod sizes;
mod stages;

use crate::record::Record;
pub(super) use figure::Figure;

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
