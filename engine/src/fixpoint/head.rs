//! What the plan that runs derives.

use crate::plan::Plan;
use crate::program::{PredicateId, Program, Rule};

/// Where the tuples of a plan go.
#[derive(Clone, Copy)]
pub(super) struct Head<'run> {
    /// Of the rule, in the program.
    pub(super) position: usize,
    pub(super) rule: &'run Rule,
    pub(super) predicate: PredicateId,
    /// Of the predicate.
    pub(super) name: &'run str,
    pub(super) plan: &'run Plan,
    /// The step after which heads are looked up before the proof goes on, if it is not the last.
    pub(super) early: Option<usize>,
}

impl<'run> Head<'run> {
    pub(super) fn new(position: usize, program: &'run Program, plan: &'run Plan) -> Self {
        let rule = &program.rules()[position];
        Head {
            position,
            rule,
            predicate: rule.head.predicate,
            name: &program[rule.head.predicate].name,
            plan,
            early: Some(plan.head_bound).filter(|&step| step + 1 < plan.steps.len()),
        }
    }
}
