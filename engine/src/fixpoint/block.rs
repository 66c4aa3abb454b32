//! The last steps of a rule for many rows at once: most of what they find is known already, which a bit says for each.

use super::growing::Growing;
use super::head::Head;
use crate::execute::block::{Block, bound};
use crate::index::Index;
use crate::plan::{Access, Plan, Step};
use crate::program::{Argument, Constant};
use crate::table::{Key, RowId};

/// Answers with the constants of their heads.
pub(super) type AnswerBlock = Block<Constant>;

/// The step from which on rows can be taken in blocks: the last one that has several rows which matter. Those behind it
/// have at most one, or only check whether there is any.
pub(super) fn first_step(plan: &Plan, indexes: &[Index]) -> Option<usize> {
    let only_checks = |step: &Step| step.once && step.tests.is_empty() && step.checks.is_empty();
    let has_one = |step: &Step| match step.access {
        Access::Row => true,
        Access::Index(index) => indexes[index as usize].is_unique() || only_checks(step),
        Access::Chain(_) => only_checks(step),
        Access::Given | Access::Scan => false,
    };
    let behind = plan.steps.iter().rev().take_while(|it| has_one(it)).count();
    let first = (plan.steps.len() - behind).checked_sub(1)?;
    (first < plan.significant && !plan.steps[first].once).then_some(first)
}

/// Takes some rows of the first of the last steps, and adds the heads that are found for them. Returns how many rows of
/// the others were looked at.
pub(super) fn derive(
    head: &Head<'_>,
    growing: &mut Growing<'_>,
    block: &mut AnswerBlock,
    (first, found): (usize, &[RowId]),
    registers: &mut [Constant],
) -> usize {
    let plan = head.plan;
    let steps = &plan.steps[first..];
    let mut looked_at = 0;
    block.begin(found, steps.len());
    for position in 0..steps.len() {
        let own = &steps[..=position];
        if position > 0 {
            block.probe(growing, own, registers);
            looked_at += block.len;
        }
        block.select(growing, own, registers);
        // Once the head is bound, a head that is known already is not worth a proof.
        if first + position == plan.head_bound
            && let Some(set) = growing.tables[head.predicate].dense_set()
        {
            let arguments = plan.head.iter().map(|&it| Argument::Variable(it));
            let known = (&*growing, own, &*registers);
            block.find_coded(set, arguments, known, |code| set.has_code(code).into());
            block.retain_found(own.len(), false);
        }
        if block.len == 0 {
            break;
        }
    }
    if block.len > 0 {
        block.gather(&bound(growing, plan.head.iter().copied(), steps));
    }
    let table = growing.tables.table_mut(head.predicate);
    for answer in 0..block.len {
        for (&register, constants) in block.slots.iter().zip(&block.values) {
            registers[register] = constants[answer];
        }
        table.add(Key { registers, columns: &plan.head });
    }
    looked_at
}
