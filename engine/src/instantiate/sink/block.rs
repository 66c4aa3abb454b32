//! The last steps of a plan for many rows at once.
//!
//! Most of the work of a join is that of its last step. Here each part of it is one loop over a block of rows, instead
//! of every row going through all parts: what is the same for all rows is done once, and their rules are written
//! column by column. As in Boncz, Zukowski and Nes, "MonetDB/X100: Hyper-Pipelining Query Execution" (2005).

use std::ops::Range;

use smallvec::SmallVec;

use super::{Store, UNNUMBERED};
use crate::dense::DenseKeys;
use crate::execute::{MOST_IN_BLOCK, Sink, Source, holds, next, open};
use crate::index::Index;
use crate::instantiate::contribute::{Action, Condition, Fill, LookUp};
use crate::instantiate::equalities::value;
use crate::instantiate::store::GroundLiteral;
use crate::plan::{Access, Check, Plan, Step};
use crate::program::{Argument, Constant};
use crate::table::{RowId, Table};

/// The step from which on rows can be taken in blocks: the last one that has several rows. Those behind it have at
/// most one.
pub(in crate::instantiate) fn first_step(plan: &Plan, indexes: &[Index]) -> Option<usize> {
    // Behind the significant steps, one answer is enough.
    if plan.significant < plan.steps.len() {
        return None;
    }
    let is_one_row = |step: &Step| match step.access {
        Access::Row => true,
        Access::Index(index) => indexes[index as usize].is_unique(),
        _ => false,
    };
    let behind = plan.steps.iter().rev().take_while(|it| !it.once && is_one_row(it)).count();
    let first = (plan.steps.len() - behind).checked_sub(1)?;
    let step = &plan.steps[first];
    let is_group = matches!(step.access, Access::Scan | Access::Index(_));
    (is_group && !step.once).then_some(first)
}

/// What is known of the answers that are worked on.
#[derive(Default)]
pub(in crate::instantiate) struct Block {
    len: usize,
    /// By step: the row of each answer.
    rows: Vec<Vec<RowId>>,
    /// The slots that are filled.
    slots: SmallVec<[usize; 8]>,
    /// What they are filled with, by answer.
    literals: Vec<Vec<GroundLiteral>>,
}

impl Block {
    fn begin(&mut self, steps: usize) {
        if self.rows.len() < steps {
            self.rows.resize_with(steps, || vec![0; MOST_IN_BLOCK as usize]);
        }
        self.slots.clear();
    }

    /// Another slot to be filled. Returns where its literals go.
    fn slot(&mut self, slot: usize) -> usize {
        let column = self.slots.len();
        self.slots.push(slot);
        if self.literals.len() == column {
            self.literals.push(vec![UNNUMBERED; MOST_IN_BLOCK as usize]);
        }
        column
    }

    /// Makes an answer the one at an earlier position.
    #[inline]
    fn put(&mut self, answer: usize, position: usize, steps: usize) {
        if answer != position {
            for rows in &mut self.rows[..steps] {
                rows[position] = rows[answer];
            }
            for literals in &mut self.literals[..self.slots.len()] {
                literals[position] = literals[answer];
            }
        }
    }

    /// Keeps the answers that something says yes to. `steps` have found a row.
    #[inline]
    fn retain(&mut self, steps: usize, mut is_possible: impl FnMut(&mut Self, usize) -> bool) {
        let mut kept = 0;
        for answer in 0..self.len {
            if is_possible(self, answer) {
                self.put(answer, kept, steps);
                kept += 1;
            }
        }
        self.len = kept;
    }
}

/// How an atom is found in a table for each answer of a block.
enum Finder<'run> {
    /// No answer has it.
    Nowhere,
    /// By code: what is known for all, and the columns that are not. Row + 1 by code.
    Code { keys: &'run DenseKeys, rows: &'run [u32], begin: usize, rest: SmallVec<[Part<'run>; 4]> },
    /// With what an earlier step has found.
    Narrowed,
    /// By the constants of each.
    Tuple,
}

/// A column of an atom, and the column of the row that it is the same as.
struct Part<'run> {
    column: usize,
    step: usize,
    table: &'run Table,
    other: usize,
}

impl Part<'_> {
    #[inline]
    fn value(&self, block: &Block, answer: usize) -> Constant {
        self.table.row(block.rows[self.step][answer])[self.other]
    }
}

impl<'run> Store<'run> {
    /// Takes some rows of the first of the last steps: positions in its index, or rows.
    pub(super) fn run_block(
        &mut self,
        block: &mut Block,
        positions: Range<u32>,
        registers: &mut [Constant],
        rows: &mut [RowId],
    ) {
        let template = self.template;
        let first = template.block_from.unwrap_or_default();
        let steps = &template.plan.steps[first..];
        block.begin(steps.len());
        block.len = positions.len();
        let own = block.rows[0][..positions.len()].iter_mut();
        match steps[0].access {
            Access::Index(index) => {
                let found = self.relations.index(index).rows(positions);
                own.zip(found).for_each(|(it, row)| *it = *row);
            }
            _ => own.zip(positions).for_each(|(it, row)| *it = row),
        }
        for position in 0..steps.len() {
            let known = &steps[..=position];
            if position > 0 {
                self.probe(block, known, registers);
            }
            self.select(block, known, registers, rows);
            for action in &template.contributions.steps[first + position].fill {
                if let Fill::Find(_) = action.fill {
                    self.find_all(block, action, known, registers);
                }
            }
            if block.len == 0 {
                return;
            }
        }
        for (position, actions) in template.contributions.steps[first..].iter().enumerate() {
            for Action { slot, negated, fill } in &actions.fill {
                if let Fill::Row { start, .. } = fill {
                    let column = block.slot(*slot);
                    let literals = block.literals[column].iter_mut();
                    for (literal, row) in literals.zip(&block.rows[position][..block.len]) {
                        *literal = GroundLiteral::new(start + row, *negated);
                    }
                }
            }
        }
        self.store_block(block, steps, registers, rows);
    }

    /// The rows of the last of some steps, each of which has at most one.
    fn probe(&mut self, block: &mut Block, steps: &[Step], registers: &mut [Constant]) {
        let last = steps.len() - 1;
        block.retain(steps.len(), |block, answer| {
            self.bind(block, &steps[..last], answer, registers);
            let mut cursor = open(&steps[last], registers, self.relations);
            let row = next(&mut cursor, &steps[last], self.relations);
            block.rows[last][answer] = row.unwrap_or_default();
            row.is_some()
        });
    }

    /// Leaves out the answers that do not fulfil the conditions of the last of some steps.
    fn select(
        &mut self,
        block: &mut Block,
        steps: &[Step],
        registers: &mut [Constant],
        rows: &mut [RowId],
    ) {
        let last = steps.len() - 1;
        let step = &steps[last];
        let first = self.template.block_from.unwrap_or_default();
        let conditions = &self.template.contributions.steps[first + last].conditions;
        let mut checks: SmallVec<[&Check; 4]> = SmallVec::new();
        for check in &step.checks {
            if !self.differ(check, block, steps, registers) {
                checks.push(check);
            }
        }
        let mut others: SmallVec<[&Condition; 4]> = SmallVec::new();
        for condition in conditions {
            let Condition::Row { negated, look_up } = condition else {
                others.push(condition);
                continue;
            };
            let finder = self.finder(look_up, steps, registers);
            block.retain(steps.len(), |block, answer| {
                let row = self.find_one(&finder, look_up, block, steps, answer, registers);
                row.is_some() != *negated
            });
        }
        if step.tests.is_empty() && checks.is_empty() && others.is_empty() {
            return;
        }
        block.retain(steps.len(), |block, answer| {
            self.bind(block, steps, answer, registers);
            for (step, own) in steps.iter().zip(&block.rows) {
                rows[step.literal] = own[answer];
            }
            let tuple = self.relations.table(step.predicate).row(rows[step.literal]);
            let is_same = |&(column, register): &(u32, u32)| {
                tuple[column as usize] == registers[register as usize]
            };
            step.tests.iter().all(is_same)
                && checks.iter().all(|check| holds(check, registers, self.relations))
                && others.iter().all(|condition| self.fulfils(condition, registers, rows))
        });
    }

    /// Evaluates a condition that two terms differ, if one of them is the same in all answers. Returns whether it
    /// is evaluated.
    fn differ(
        &self,
        check: &Check,
        block: &mut Block,
        steps: &[Step],
        registers: &[Constant],
    ) -> bool {
        let Check::Distinct(pairs) = check else { return false };
        let [(left, right)] = **pairs else { return false };
        let part = |register| self.part(0, Argument::Variable(register), steps);
        let (part, known) = match (part(left), part(right)) {
            (Some(part), None) => (part, registers[right as usize]),
            (None, Some(part)) => (part, registers[left as usize]),
            _ => return false,
        };
        block.retain(steps.len(), |block, answer| part.value(block, answer) != known);
        true
    }

    /// The column of a row of these steps that an argument is the same as, if there is one.
    fn part(&self, column: usize, argument: Argument, steps: &[Step]) -> Option<Part<'run>> {
        let variable = argument.variable()?;
        steps.iter().enumerate().find_map(|(position, step)| {
            let &(other, _) = step.bind.iter().find(|it| it.1 == variable)?;
            let table = self.relations.table(step.predicate);
            Some(Part { column, step: position, table, other: other as usize })
        })
    }

    /// Fills a slot. Answers whose atom is in no table are left out, unless it is negated.
    fn find_all(
        &mut self,
        block: &mut Block,
        action: &Action,
        steps: &[Step],
        registers: &mut [Constant],
    ) {
        let Fill::Find(find) = &action.fill else { return };
        let finder = self.finder(&find.look_up, steps, registers);
        let mut kept = 0;
        let column = block.slots.len();
        block.slot(action.slot);
        for answer in 0..block.len {
            let row = self.find_one(&finder, &find.look_up, block, steps, answer, registers);
            block.literals[column][answer] = match row {
                Some(row) => GroundLiteral::new(find.start + row, action.negated),
                None if action.negated => UNNUMBERED,
                None => continue,
            };
            block.put(answer, kept, steps.len());
            kept += 1;
        }
        block.len = kept;
    }

    /// The row of an atom of an answer.
    #[inline]
    fn find_one(
        &mut self,
        finder: &Finder<'_>,
        look_up: &LookUp,
        block: &Block,
        steps: &[Step],
        answer: usize,
        registers: &mut [Constant],
    ) -> Option<RowId> {
        match finder {
            Finder::Nowhere => None,
            Finder::Code { keys, rows, begin, rest } => {
                let code = rest.iter().try_fold(*begin, |code, part| {
                    Some(code + keys.part(part.column, part.value(block, answer))?)
                });
                rows[code?].checked_sub(1)
            }
            Finder::Narrowed => {
                self.bind(block, steps, answer, registers);
                self.find(look_up, registers)
            }
            Finder::Tuple => {
                self.bind(block, steps, answer, registers);
                self.find_tuple(look_up, registers)
            }
        }
    }

    /// How to look an atom up for all answers.
    fn finder(&self, look_up: &LookUp, steps: &[Step], registers: &[Constant]) -> Finder<'run> {
        let Some((keys, rows)) = self.relations.dense(look_up.predicate) else {
            let first = self.template.block_from.unwrap_or_default();
            let mut own = self.template.contributions.steps[first..].iter();
            return match &look_up.narrowed {
                Some(it) if !own.any(|own| own.narrow.iter().any(|own| own.slot == it.slot)) => {
                    Finder::Narrowed
                }
                _ => Finder::Tuple,
            };
        };
        let (mut begin, mut rest) = (0, SmallVec::new());
        for (column, &argument) in look_up.arguments.iter().enumerate() {
            match self.part(column, argument, steps) {
                Some(part) => rest.push(part),
                None => match keys.part(column, value(registers, argument)) {
                    Some(part) => begin += part,
                    None => return Finder::Nowhere,
                },
            }
        }
        Finder::Code { keys, rows, begin, rest }
    }

    /// Puts the constants of an answer that these steps bind into their registers.
    #[inline]
    fn bind(&self, block: &Block, steps: &[Step], answer: usize, registers: &mut [Constant]) {
        for (step, rows) in steps.iter().zip(&block.rows) {
            let tuple = self.relations.table(step.predicate).row(rows[answer]);
            for &(column, register) in &step.bind {
                registers[register as usize] = tuple[column as usize];
            }
        }
    }

    /// Stores the rules of a block.
    fn store_block(
        &mut self,
        block: &Block,
        steps: &[Step],
        registers: &mut [Constant],
        rows: &[RowId],
    ) {
        let template = self.template;
        let is_unnumbered = |slot| match block.slots.iter().position(|&it| it == slot) {
            Some(column) => block.literals[column][..block.len].contains(&UNNUMBERED),
            None => self.slots[slot] == UNNUMBERED,
        };
        let is_whole = !template.contributions.negated.iter().any(|it| is_unnumbered(it.0));
        let mut stored = 0;
        if !(is_whole && self.is_plain) {
            for answer in 0..block.len {
                self.bind(block, steps, answer, registers);
                if is_whole
                    && !template.doubles.holds(registers)
                    && !template.repeats.holds(registers)
                {
                    continue;
                }
                self.push_answers(block, stored..answer);
                for (&slot, literals) in block.slots.iter().zip(&block.literals) {
                    self.slots[slot] = literals[answer];
                }
                self.emit(registers, rows);
                stored = answer + 1;
            }
        }
        self.push_answers(block, stored..block.len);
    }

    /// Stores the rules of some answers, which cannot be there already.
    fn push_answers(&mut self, block: &Block, answers: Range<usize>) {
        if answers.is_empty() {
            return;
        }
        self.done.answers += answers.len() as u64;
        let literals = block.literals.iter().map(|it| &it[answers.clone()]);
        let columns: SmallVec<[_; 8]> = block.slots.iter().copied().zip(literals).collect();
        let rule = &self.slots[..self.template.contributions.slots];
        self.done.rules.push_block(answers.len(), rule, &columns);
    }
}
