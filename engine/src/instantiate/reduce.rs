//! Inner scans leave out rows without a partner: a later literal has the same variable in a column where the row's constant does
//! not occur.
//!
//! Such scans are those of domains that are too wide, as of all coordinates of a board where half of them are rows and half are
//! columns (checkers-cylinder-mustjump).

use fxhash::FxHashSet;

use crate::index::Indexes;
use crate::plan::{Access, Plan};
use crate::program::{Argument, Constant, Literal, Rule};
use crate::table::{RowId, Tables};
use crate::tuning::{LEAST_REDUCED, REDUCED_PART};

/// Makes the inner scans of a plan leave out rows without a partner.
pub(super) fn reduce(plan: &mut Plan, rule: &Rule, tables: &Tables, indexes: &mut Indexes) {
    if plan.cost < LEAST_REDUCED {
        return;
    }
    let most = (plan.cost * REDUCED_PART) as usize;
    for position in 1..plan.steps.len() {
        let (before, behind) = plan.steps.split_at_mut(position + 1);
        let step = &mut before[position];
        let table = &tables[step.predicate];
        if step.access != Access::Scan || table.len() > most {
            continue;
        }
        let mut rows: Vec<RowId> = (0..table.len() as RowId).collect();
        for partner in behind.iter().filter(|it| tables[it.predicate].len() <= most) {
            let Literal::Positive(atom) = &rule.body[partner.literal] else { continue };
            for (argument, of_partner) in atom.arguments.iter().zip(0..) {
                let binding = step.bind.iter().find(|it| Argument::Variable(it.1) == *argument);
                if let Some(&(column, _)) = binding {
                    let partners = tables[partner.predicate].rows();
                    let constants: FxHashSet<Constant> =
                        partners.map(|row| row[of_partner]).collect();
                    rows.retain(|&row| constants.contains(&table.value(row, column as usize)));
                }
            }
        }
        if rows.len() < table.len() {
            step.access = Access::Index(indexes.add_rows(rows));
        }
    }
}
