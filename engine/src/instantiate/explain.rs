//! The join plans of a store pass, as plain data to look at.

use super::relations::Planner;
use super::{Request, Template};
use crate::plan::{Access, Check, Plan, Step};
use crate::program::Literal;

/// How a template is joined.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanDescription {
    /// The label of the template's rule.
    pub label: u32,
    /// Conditions without variables, evaluated first.
    pub prelude: Vec<Literal>,
    /// The positive literals, in the order of the join.
    pub steps: Vec<StepDescription>,
    /// The estimated number of rows looked at.
    pub cost: f64,
}

/// How one positive literal is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepDescription {
    /// The literal's position in the body of the template's rule.
    pub literal: usize,
    /// How its rows are found.
    pub look_up: LookUp,
    /// The rows of its table.
    pub rows: usize,
    /// One row is as good as all: nothing that it binds is used later.
    pub once: bool,
    /// Negative literals and `distinct`s that are evaluated here.
    pub checks: Vec<Literal>,
}

/// How the rows of a literal are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookUp {
    /// All rows are looked at.
    Scan,
    /// All columns are known: there is at most one row.
    Row,
    /// An index gives the rows that have known constants in these columns, counted from 0.
    Index(Vec<usize>),
}

/// The plan of each template of a request; `None` where a table that it joins is empty.
pub fn explain(request: &Request<'_>) -> Vec<Option<PlanDescription>> {
    let mut planner = Planner::new(request);
    let describe = |template: &Template| {
        let plan = planner.plan(template, &template.needed_variables())?;
        Some(PlanDescription {
            label: template.rule.label,
            prelude: plan.prelude.iter().map(|it| literal(it, &plan)).collect(),
            steps: plan.steps.iter().map(|it| step(it, &plan, request)).collect(),
            cost: plan.cost,
        })
    };
    request.templates.iter().map(describe).collect()
}

fn step(step: &Step, plan: &Plan, request: &Request<'_>) -> StepDescription {
    let table = &request.tables[step.predicate];
    let look_up = match step.access {
        Access::Scan | Access::Given => LookUp::Scan,
        Access::Row => LookUp::Row,
        Access::Index(_) | Access::Chain(_) => {
            let open = |column: u32| {
                step.bind.iter().any(|it| it.0 == column)
                    || step.tests.iter().any(|it| it.0 == column)
            };
            LookUp::Index((0..table.arity()).filter(|&it| !open(it as u32)).collect())
        }
    };
    let checks = step.checks.iter().map(|it| literal(it, plan)).collect();
    StepDescription { literal: step.literal, look_up, rows: table.len(), once: step.once, checks }
}

fn literal(check: &Check, plan: &Plan) -> Literal {
    match check {
        Check::Absent(predicate, columns) => Literal::Negative(crate::program::Atom {
            predicate: *predicate,
            arguments: columns.iter().map(|&it| plan.argument(it)).collect(),
        }),
        Check::Distinct(pairs) => {
            let pairs = pairs.iter().map(|&(it, at)| (plan.argument(it), plan.argument(at)));
            let (left, right) = pairs.unzip();
            Literal::Distinct(left, right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instantiate::{AtomSpace, StoredAtom, Template};
    use crate::program::{Argument, Atom, PredicateId, Program, Rule};
    use crate::table::Tables;

    #[test]
    fn plans_tell_order_columns_and_checks() {
        let mut program = Program::default();
        let node = program.add_predicate("node", 1);
        let edge = program.add_predicate("edge", 2);
        let none = program.add_predicate("none", 1);
        let mut tables = Tables::new(&program);
        tables.insert(node, &[1]);
        for (x, y) in [(1, 2), (1, 3), (4, 5)] {
            tables.insert(edge, &[x, y]);
        }
        let (x, y) = (Argument::Variable(0), Argument::Variable(1));
        let atom = |predicate: PredicateId, arguments: &[Argument]| Atom {
            predicate,
            arguments: arguments.to_vec().into(),
        };
        let template = |body: Vec<Literal>| Template {
            rule: Rule::new(atom(node, &[x]), body),
            head: StoredAtom { space: 0, arguments: vec![x].into() },
            body: Vec::new(),
        };
        let [edge, node] =
            [Literal::Positive(atom(edge, &[x, y])), Literal::Positive(atom(node, &[x]))];
        let different = Literal::Distinct(vec![x].into(), vec![y].into());
        let templates = [
            template(vec![different.clone(), edge, node.clone()]),
            template(vec![node, Literal::Positive(atom(none, &[x]))]),
        ];
        let spaces = [AtomSpace { predicate: PredicateId(0), start: 0 }];
        let request = Request {
            program: &program,
            tables: &tables,
            spaces: &spaces,
            first_extra: 1,
            templates: &templates,
            drop_extra: false,
            threads: 1,
        };
        let plans = explain(&request);
        let [Some(plan), None] = plans.as_slice() else { panic!("{plans:?}") };
        let steps: Vec<_> =
            plan.steps.iter().map(|it| (it.literal, it.look_up.clone(), it.rows)).collect();
        assert_eq!(steps, [(2, LookUp::Scan, 1), (1, LookUp::Index(vec![0]), 3)]);
        assert_eq!(plan.steps[1].checks, [different]);
        assert!(plan.steps[1].once && !plan.steps[0].once);
    }
}
