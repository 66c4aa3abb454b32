//! Semi-naive plans: a rule with one of its recursive literals as the new fact.

use std::cell::RefCell;
use std::ops::Range;

use super::derive::Derive;
use super::head::Head;
use crate::error::Exceeded;
use crate::execute::Executor;
use crate::plan::{Access, Plan, Step};
use crate::program::{Argument, Constant, PredicateId, Program};
use crate::table::RowId;
use crate::tuning::REPLAN_GROWTH;

/// A rule with one of its recursive literals as the new fact.
pub(super) struct Delta {
    pub(super) rule: usize,
    pub(super) literal: usize,
    planned: Option<Planned>,
}

/// What there is of a delta once it has been planned.
struct Planned {
    plan: Plan,
    /// The sizes of the component's tables that the plan was made for.
    size: usize,
    /// Kept from one run to the next, so that the constants need not be put there each time.
    registers: RefCell<Vec<Constant>>,
    /// What the new fact must have in which column: many facts fail this, and are then no run.
    constants: Box<[(usize, Constant)]>,
    meets_own: bool,
}

impl Delta {
    pub(super) fn new(rule: usize, literal: usize) -> Self {
        Delta { rule, literal, planned: None }
    }

    /// Whether it has no plan, or one for much smaller tables than these.
    pub(super) fn needs_plan(&self, size: usize) -> bool {
        size > self.largest_size()
    }

    /// The largest size of the component's tables that its plan is good for.
    pub(super) fn largest_size(&self) -> usize {
        self.planned.as_ref().map_or(0, |it| it.size * REPLAN_GROWTH)
    }

    pub(super) fn set_plan(&mut self, plan: Plan, size: usize) {
        let tests = plan.steps.first().map_or(&[][..], |step| &step.tests);
        let constant = |&(column, register): &(u32, u32)| match plan.argument(register) {
            Argument::Constant(constant) => Some((column as usize, constant)),
            Argument::Variable(_) => None,
        };
        let constants = tests.iter().filter_map(constant).collect();
        let registers = RefCell::new(plan.registers());
        let own = plan.steps.first().map(|step| step.predicate);
        let is_own = |it: &Step| Some(it.predicate) == own && matches!(it.access, Access::Chain(_));
        let meets_own = plan.steps.iter().any(is_own);
        self.planned = Some(Planned { plan, size, registers, constants, meets_own });
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.planned().plan
    }

    fn planned(&self) -> &Planned {
        self.planned.as_ref().expect("made at the beginning of the round")
    }

    /// Whether new facts may meet each other in a chain of their own predicate. They must then be joined one by one,
    /// each before the chain holds the next, or two of them would meet twice.
    pub(super) fn meets_own(&self) -> bool {
        self.planned().meets_own
    }

    /// Joins new facts, each with those that the chains hold.
    ///
    /// # Errors
    /// A limit that was exceeded, or the end of the run for a split.
    #[inline]
    pub(super) fn run<'run>(
        &'run self,
        predicate: PredicateId,
        rows: Range<RowId>,
        program: &'run Program,
        executor: &mut Executor,
        sink: &mut Derive<'run>,
    ) -> Result<(), Exceeded> {
        let planned = self.planned();
        sink.head = Head::new(self.rule, program, &planned.plan);
        if rows.len() == 1 {
            let tuple = sink.growing.tables[predicate].row(rows.start);
            if planned.constants.iter().any(|&(column, it)| tuple[column] != it) {
                return executor.skip(sink);
            }
        }
        executor.search(&planned.plan, &mut planned.registers.borrow_mut(), Some(rows), sink)
    }
}
