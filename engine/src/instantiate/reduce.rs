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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::JoinPlanner;
    use crate::program::{Atom, Program};
    use crate::table::Key;

    /// Both are scanned: no condition joins them before the third literal.
    fn rows_of_second_scan(cost: f64) -> Option<Vec<RowId>> {
        let mut program = Program::default();
        let [piece, coordinate] = ["piece", "coordinate"].map(|it| program.add_predicate(it, 1));
        let cell = program.add_predicate("cell", 2);
        let mut tables = Tables::new(&program);
        for value in 0..16 {
            tables.insert(piece, &[value]);
            tables.insert(coordinate, &[value]);
            tables.insert(cell, &[value, value / 4 * 5]);
        }
        let atom = |predicate, variables: &[u32]| Atom {
            predicate,
            arguments: variables.iter().map(|&it| Argument::Variable(it)).collect(),
        };
        let body = [atom(piece, &[0]), atom(coordinate, &[1]), atom(cell, &[0, 1])];
        let rule = Rule::new(atom(cell, &[0, 1]), body.map(Literal::Positive).to_vec());
        let mut planner = JoinPlanner::default();
        let mut plan = planner.plan(&rule, &[true; 2], &[true; 3], &tables)?;
        plan.steps.sort_by_key(|it| it.literal);
        plan.steps.iter_mut().take(2).for_each(|it| it.access = Access::Scan);
        plan.steps[1].bind = [(0, 1)].into_iter().collect();
        plan.cost = cost;
        reduce(&mut plan, &rule, &tables, &mut planner.indexes);
        let Access::Index(index) = plan.steps[1].access else { return None };
        let index = &planner.indexes.all[index as usize];
        Some(index.rows(index.group(Key { registers: &[], columns: &[] })).to_vec())
    }

    #[test]
    fn rows_whose_constant_does_not_occur_are_left_out_of_inner_scans() {
        assert_eq!(rows_of_second_scan(100.0), None, "it is not worth it");
        assert_eq!(rows_of_second_scan(1e6).unwrap_or_default(), [0, 5, 10, 15]);
    }
}
