//! Scans that leave out rows without a partner: a later literal has the same variable in a column where the row's
//! constant does not occur.
//!
//! Such scans are those of domains that are too wide, as of all coordinates of a board where half of them are rows
//! and half are columns.

use fxhash::{FxHashMap, FxHashSet};

use crate::index::Index;
use crate::plan::{Access, Plan, Step};
use crate::program::{Argument, Constant, Literal, PredicateId, Rule};
use crate::table::RowId;
use crate::tables::Tables;

/// A column of a table.
type Place = (PredicateId, usize);

/// The constants of the columns that have been looked at.
#[derive(Default)]
pub(super) struct ColumnConstants {
    constants: FxHashMap<Place, FxHashSet<Constant>>,
}

impl ColumnConstants {
    fn constants(&mut self, place: Place, tables: &Tables) -> &FxHashSet<Constant> {
        let constants = || tables[place.0].rows().map(|row| row[place.1]).collect();
        self.constants.entry(place).or_insert_with(constants)
    }
}

/// Plans that look at fewer rows are left as they are.
const WORTH_REDUCING: f64 = 4096.0;
/// A table may have this part of the rows that the plan looks at, to be looked through before.
const LARGEST_PART: f64 = 1.0 / 32.0;

/// Makes the inner scans of a plan leave out rows without a partner.
pub(super) fn reduce(
    plan: &mut Plan,
    rule: &Rule,
    tables: &Tables,
    columns: &mut ColumnConstants,
    indexes: &mut Vec<Index>,
) {
    if plan.cost < WORTH_REDUCING {
        return;
    }
    let most = (plan.cost * LARGEST_PART) as usize;
    for position in 1..plan.steps.len() {
        let step = &plan.steps[position];
        let table = &tables[step.predicate];
        if step.access != Access::Scan || table.len() > most {
            continue;
        }
        let behind = &plan.steps[position + 1..];
        let places: Vec<(u32, Place)> = step
            .bind
            .iter()
            .flat_map(|&(column, variable)| {
                let partners = behind.iter().flat_map(move |it| places(it, variable, rule));
                partners.map(move |place| (column, place))
            })
            .filter(|(_, place)| tables[place.0].len() <= most)
            .collect();
        let mut rows: Vec<RowId> = (0..table.len() as RowId).collect();
        for (column, place) in places {
            let constants = columns.constants(place, tables);
            rows.retain(|&row| constants.contains(&table.row(row)[column as usize]));
        }
        if rows.len() < table.len() {
            plan.steps[position].access = Access::Index(indexes.len() as u32);
            indexes.push(Index::of_rows(rows.into()));
        }
    }
}

/// The columns of a step's literal that a variable stands in.
fn places(step: &Step, variable: u32, rule: &Rule) -> Vec<Place> {
    let Literal::Positive(atom) = &rule.body[step.literal] else { return Vec::new() };
    let has = |&(_, it): &(usize, &Argument)| *it == Argument::Variable(variable);
    let columns = atom.arguments.iter().enumerate().filter(has);
    columns.map(|(column, _)| (step.predicate, column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::RowQuery;
    use crate::plan::{self, Catalog, Order};
    use crate::program::{Atom, Program};
    use crate::table::Key;

    /// Nothing is looked up by some columns.
    struct NoIndex;

    impl Catalog for NoIndex {
        fn index(&mut self, _: RowQuery<'_>) -> Access {
            unreachable!("rows are scanned or known")
        }
    }

    #[test]
    fn rows_whose_constant_does_not_occur_are_left_out_of_inner_scans() {
        let mut program = Program::default();
        let piece = program.add_predicate("piece", 1);
        let coordinate = program.add_predicate("coordinate", 1);
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
        let request = plan::PlanRequest {
            rule: &rule,
            given: None,
            needed: &[true; 2],
            needed_rows: &[true; 3],
        };
        let reduced = |cost| {
            let order = Order { literals: [0, 1, 2].into_iter().collect(), cost, rows: cost };
            let mut plan = plan::compile(&request, &order, &mut NoIndex);
            let mut indexes = Vec::new();
            reduce(&mut plan, &rule, &tables, &mut ColumnConstants::default(), &mut indexes);
            assert_eq!(plan.steps[0].access, Access::Scan);
            (plan.steps[1].access, indexes)
        };
        assert_eq!(reduced(100.0).0, Access::Scan);
        let (access, indexes) = reduced(1e6);
        assert_eq!(access, Access::Index(0));
        let group = indexes[0].group(Key { registers: &[], columns: &[] });
        let rows: Vec<RowId> = group.map(|position| indexes[0].row(position)).collect();
        assert_eq!(rows, [0, 5, 10, 15]);
    }
}
