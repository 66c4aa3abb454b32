//! How many instances rules have, without storing them.

use super::planner::Planner;
use super::relations::Relations;
use super::request::{Request, Template};
use crate::budget::{Budget, CHECK_INTERVAL};
use crate::error::{EngineError, Exceeded, Limit};
use crate::execute::{Executor, Sink};
use crate::plan::{Access, Plan};
use crate::program::Constant;
use crate::table::{RowId, Table};

/// The rows that a join begins with are divided into so many parts, if there are enough of them.
const PARTS: u32 = 64;
/// A part may take so many times the work that is enough for all.
const LONGEST_PART: u64 = 8;

/// How many instances a rule has, or seems to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub instances: u64,
    /// Whether there may be far more.
    pub at_least: bool,
}

/// How many bindings of the variables that are stored each template of a request has.
///
/// If `enough` rows of tables were looked at, the rest is estimated; where that is so long before a first part of the join
/// is done, what was found until then is all that is known. The spaces of the request do not matter.
///
/// # Errors
/// [`EngineError::Limit`] when the budget is exceeded.
pub fn count(
    request: &Request<'_>,
    enough: u64,
    budget: &Budget,
) -> Result<Vec<Count>, EngineError> {
    let mut planner = Planner::new(request);
    let plan = |template: &Template| {
        let needed = template.needed_variables();
        let mut plan = planner.plan(template, &needed)?;
        plan.block_from = None;
        Some((plan, needed))
    };
    let plans: Vec<Option<(Plan, Vec<bool>)>> = request.templates.iter().map(plan).collect();
    let indexes = planner.indexes();
    let relations = Relations { tables: request.tables, indexes, locators: &[] };
    let bytes = request.tables.bytes() + indexes.iter().map(|it| it.bytes()).sum::<u64>();
    let count = |(plan, needed): (Plan, Vec<bool>)| {
        let different = different(&plan, &needed);
        let tuple = Vec::new();
        let relations = &relations;
        let mut counting =
            Counting { relations, budget, bytes, answers: 0, work: 0, enough, different, tuple };
        counting.run(&plan)
    };
    let counts = plans.into_iter().map(|plan| plan.map_or(Ok(Count::about(0)), count));
    counts.collect::<Result<_, Exceeded>>().map_err(EngineError::from)
}

/// The variables that are stored, and a table for their values, where an answer may be found twice.
fn different(plan: &Plan, needed: &[bool]) -> Option<(Vec<u32>, Table)> {
    let is_needed = |variable: u32| needed.get(variable as usize).is_some_and(|it| *it);
    let steps = plan.steps[..plan.significant].iter();
    let mut several = steps.filter(|it| !it.once && it.access != Access::Row);
    several.any(|step| !step.bind.iter().all(|it| is_needed(it.1))).then(|| {
        let kept: Vec<u32> = (0..needed.len() as u32).filter(|&it| is_needed(it)).collect();
        let table = Table::new(kept.len());
        (kept, table)
    })
}

/// Counts the answers of a plan.
struct Counting<'run> {
    relations: &'run Relations<'run>,
    budget: &'run Budget,
    bytes: u64,
    answers: u64,
    /// How often the executor has asked whether to go on.
    work: u64,
    enough: u64,
    different: Option<(Vec<u32>, Table)>,
    tuple: Vec<Constant>,
}

impl Counting<'_> {
    fn run(&mut self, plan: &Plan) -> Result<Count, Exceeded> {
        let mut executor = Executor::default();
        let rows = executor.first_range(plan, self.relations);
        let parts = PARTS.min(rows.len().next_power_of_two() as u32);
        let bound =
            |it: u32| rows.start + (u64::from(it) * rows.len() as u64 / u64::from(parts)) as u32;
        for part in 0..parts {
            let before = self.found();
            // Parts that are far from each other come first, so that the first ones are a fair sample.
            let place = ((u64::from(part.reverse_bits()) * u64::from(parts)) >> u32::BITS) as u32;
            match executor.run(plan, Some(bound(place)..bound(place + 1)), self) {
                Err(_) if self.is_too_long() && part == 0 => {
                    return Ok(Count { instances: self.found(), at_least: true });
                }
                Err(_) if self.is_too_long() => return Ok(Count::of_part(before, part, parts)),
                result => result?,
            }
            if executor.matches >= self.enough {
                return Ok(Count::of_part(self.found(), part + 1, parts));
            }
        }
        Ok(Count::about(self.found()))
    }

    fn found(&self) -> u64 {
        self.different.as_ref().map_or(self.answers, |it| it.1.len() as u64)
    }

    fn is_too_long(&self) -> bool {
        self.work * u64::from(CHECK_INTERVAL) > self.enough * LONGEST_PART
    }
}

impl Count {
    fn about(instances: u64) -> Self {
        Count { instances, at_least: false }
    }

    /// As many as there are if so many are found in some of the parts.
    fn of_part(found: u64, done: u32, parts: u32) -> Self {
        Count::about(found * u64::from(parts) / u64::from(done))
    }
}

impl<'run> Sink for Counting<'run> {
    type Source = Relations<'run>;
    const LEAST_IN_BLOCK: u32 = u32::MAX;

    #[inline]
    fn source(&self) -> &Relations<'run> {
        self.relations
    }

    #[inline]
    fn enter(&mut self, _: usize, _: &[Constant], _: &[RowId]) -> bool {
        true
    }

    #[inline]
    fn emit(&mut self, registers: &[Constant], _: &[RowId]) {
        self.answers += 1;
        if let Some((kept, table)) = &mut self.different {
            self.tuple.clear();
            self.tuple.extend(kept.iter().map(|&it| registers[it as usize]));
            table.insert(&self.tuple);
        }
    }

    fn take_block(&mut self, _: &[RowId], _: &mut [Constant], _: &mut [RowId]) -> usize {
        unreachable!("plans that count have no blocks")
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        self.work += 1;
        if self.is_too_long() {
            return Err(Exceeded::new(Limit::Rules, self.enough, self.answers));
        }
        let bytes = self.different.as_ref().map_or(0, |it| it.1.bytes());
        self.budget.check(self.bytes + bytes, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instantiate::StoredAtom;
    use crate::program::{Argument, Atom, Literal, PredicateId, Program, Rule};
    use crate::tables::Tables;

    /// How many instances the rule `both(x, z) :- edge(x, y), edge(y, z)` seems to have, where x has edges to the 30
    /// nodes that follow on a ring of so many.
    fn counted(nodes: u32, enough: u64) -> Count {
        let mut program = Program::default();
        let edge = program.add_predicate("edge", 2);
        let mut tables = Tables::new(&program);
        for (from, step) in (0..nodes).flat_map(|from| (1..=30).map(move |step| (from, step))) {
            tables.insert(edge, &[from, (from + step) % nodes]);
        }
        let [x, y, z] = [0, 1, 2].map(Argument::Variable);
        let atom = |predicate: PredicateId, one, other| Atom {
            predicate,
            arguments: vec![one, other].into(),
        };
        let body = [atom(edge, x, y), atom(edge, y, z)].map(Literal::Positive).to_vec();
        let rule = Rule::new(atom(edge, x, z), body);
        let head = StoredAtom { space: 0, arguments: vec![x, z].into() };
        let request = Request {
            program: &program,
            tables: &tables,
            spaces: &[],
            first_extra: 0,
            templates: &[Template { rule, head, body: Vec::new() }],
            drop_extra: false,
            threads: 1,
        };
        let counts = count(&request, enough, &Budget::unlimited());
        counts.expect("there is no limit")[0]
    }

    #[test]
    fn an_answer_that_is_found_often_is_counted_once() {
        assert_eq!(counted(100, u64::MAX / 64), Count { instances: 5900, at_least: false });
    }

    #[test]
    fn what_is_not_looked_at_is_estimated() {
        let Count { instances, at_least } = counted(2000, 1 << 16);
        assert!(!at_least);
        // 59 for each node; those of two parts that are far from each other differ.
        assert!(instances.abs_diff(59 * 2000) < 59 * 200, "{instances} instances");
    }

    #[test]
    fn what_takes_too_long_is_told() {
        let Count { instances, at_least } = counted(20_000, 100);
        assert!(at_least && instances < 59 * 20_000, "{instances} instances");
    }
}
