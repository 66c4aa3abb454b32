//! The last steps of a plan for many rows at once.
//!
//! Most of the work of a join is that of its last step. Here [`Block`]s of rows go through it, and their rules are
//! written column by column.

use std::ops::Range;

use smallvec::SmallVec;

use super::writer::{RuleWriter, UNNUMBERED, is_in_order};
use crate::execute::block::{self, Bound, Comparisons, bound, comparisons};
use crate::instantiate::contributions::{Action, AtomLookUp, Condition, Fill};
use crate::plan::Step;
use crate::program::Constant;
use crate::rule_store::GroundLiteral;
use crate::table::RowId;

/// Answers with their literals.
pub(super) type Block = block::Block<GroundLiteral>;

/// How an atom is found in a table for each answer of a block.
enum Finder<'run> {
    /// No answer has it.
    Nowhere,
    /// By its code: row + 1.
    Code(&'run [u32]),
    /// With what an earlier step has found.
    Narrowed(Bound<'run>),
    /// By its constants.
    Tuple(Bound<'run>),
}

impl<'run> RuleWriter<'run> {
    /// Takes some rows of the first of the last steps.
    pub(super) fn run_block(
        &mut self,
        block: &mut Block,
        found: &[RowId],
        registers: &mut [Constant],
        rows: &mut [RowId],
    ) {
        let template = self.template;
        let first = self.first();
        let steps = &template.plan.steps[first..];
        block.begin(found, steps.len());
        for position in 0..steps.len() {
            let known = &steps[..=position];
            if position > 0 {
                block.probe(self.relations, known, registers);
            }
            self.select(block, known, registers, rows);
            for action in &template.contributions.steps[first + position].fill {
                self.fill_found(block, action, known, registers);
            }
            if block.len == 0 {
                return;
            }
        }
        for (position, actions) in template.contributions.steps[first..].iter().enumerate() {
            for Action { slot, negated, fill } in &actions.fill {
                if let Fill::Row { start, .. } = fill {
                    let column = block.slot(*slot, UNNUMBERED);
                    let literals = block.values[column].iter_mut();
                    for (literal, row) in literals.zip(&block.rows[position][..block.len]) {
                        *literal = GroundLiteral::new(start + row, *negated);
                    }
                }
            }
        }
        self.store_block(block, steps, registers);
    }

    /// The first of the steps that are run in blocks.
    fn first(&self) -> usize {
        self.template.plan.block_from.unwrap_or_default()
    }

    /// Leaves out the answers that do not fulfil the conditions of the last of some steps.
    fn select(
        &mut self,
        block: &mut Block,
        steps: &[Step],
        registers: &mut [Constant],
        rows: &mut [RowId],
    ) {
        let Some((_, before)) = steps.split_last() else { return };
        block.select(self.relations, steps, registers);
        for condition in &self.template.contributions.steps[self.first() + before.len()].conditions
        {
            match condition {
                Condition::Row { negated, look_up } => {
                    let finder = self.finder(look_up, block, steps, registers);
                    block.retain(steps.len(), |block, answer| {
                        let row = self.find_one(&finder, look_up, block, answer, registers);
                        row.is_some() != *negated
                    });
                }
                Condition::Order(pairs) => block.retain(steps.len(), |block, answer| {
                    for (step, own) in steps.iter().zip(&block.rows) {
                        rows[step.literal] = own[answer];
                    }
                    is_in_order(pairs, rows)
                }),
                Condition::Later(earlier) => {
                    let equal = earlier.equalities().pairs();
                    let Some(equal) = comparisons(self.relations, equal, steps, registers) else {
                        continue;
                    };
                    block.retain(steps.len(), |block, answer| {
                        !equal.iter().all(|it| it.are_equal(block, answer)) || {
                            block.bind(self.relations, steps, answer, registers);
                            !earlier.has(registers, self.relations, &mut self.tuple)
                        }
                    });
                }
            }
        }
    }

    /// Fills a slot with an atom to be looked up, if that is what it gets. Answers whose atom is in no table are left
    /// out, unless it is negated.
    fn fill_found(
        &mut self,
        block: &mut Block,
        action: &Action,
        steps: &[Step],
        registers: &mut [Constant],
    ) {
        let Fill::Find(find) = &action.fill else { return };
        let finder = self.finder(&find.look_up, block, steps, registers);
        let column = block.slot(action.slot, UNNUMBERED);
        block.retain(steps.len(), |block, answer| {
            let row = self.find_one(&finder, &find.look_up, block, answer, registers);
            let atom = row.map(|row| GroundLiteral::new(find.start + row, action.negated));
            block.values[column][answer] = atom.unwrap_or(UNNUMBERED);
            atom.is_some() || action.negated
        });
    }

    /// How to look an atom up for all answers.
    fn finder(
        &self,
        look_up: &AtomLookUp,
        block: &mut Block,
        steps: &[Step],
        registers: &[Constant],
    ) -> Finder<'run> {
        if let Some((keys, rows)) = self.relations.dense(look_up.predicate) {
            let arguments = look_up.arguments.iter().copied();
            let has_codes = block.find_codes(keys, arguments, self.relations, steps, registers);
            return if has_codes { Finder::Code(rows) } else { Finder::Nowhere };
        }
        let mut parts =
            self.template.contributions.steps[self.first()..].iter().flat_map(|it| &it.narrow);
        let variables = look_up.arguments.iter().filter_map(|it| it.variable());
        let bound = bound(self.relations, variables, steps);
        match &look_up.narrowed {
            Some(narrowed) if parts.all(|it| it.slot != narrowed.slot) => Finder::Narrowed(bound),
            _ => Finder::Tuple(bound),
        }
    }

    /// The row of an atom of an answer.
    #[inline]
    fn find_one(
        &mut self,
        finder: &Finder<'_>,
        look_up: &AtomLookUp,
        block: &Block,
        answer: usize,
        registers: &mut [Constant],
    ) -> Option<RowId> {
        match finder {
            Finder::Nowhere => None,
            Finder::Code(rows) => rows.get(block.codes[answer] as usize)?.checked_sub(1),
            Finder::Narrowed(bound) => {
                block.put_constants(bound, answer, registers);
                self.find(look_up, registers)
            }
            Finder::Tuple(bound) => {
                block.put_constants(bound, answer, registers);
                self.find_tuple(look_up, registers)
            }
        }
    }

    /// Stores the rules of a block.
    fn store_block(&mut self, block: &Block, steps: &[Step], registers: &mut [Constant]) {
        let template = self.template;
        let is_whole =
            template.contributions.negated.is_empty() || self.has_numbers(block, registers);
        if is_whole && self.is_plain {
            return self.push_answers(block, 0..block.len);
        }
        let when = [&template.doubles, &template.repeats];
        let is_single = !is_whole || when.iter().any(|it| it.is_always());
        let conditions: SmallVec<[Comparisons<'_>; 4]> = when
            .iter()
            .flat_map(|it| it.conditions())
            .filter_map(|it| comparisons(self.relations, it.pairs(), steps, registers))
            .collect();
        let mut stored = 0;
        let answers = if is_single || !conditions.is_empty() { 0..block.len } else { 0..0 };
        for answer in answers {
            let all_equal = |it: &Comparisons<'_>| it.iter().all(|it| it.are_equal(block, answer));
            if !is_single && !conditions.iter().any(all_equal) {
                continue;
            }
            self.push_answers(block, stored..answer);
            block.bind(self.relations, steps, answer, registers);
            for (&slot, literals) in block.slots.iter().zip(&block.values) {
                self.slots[slot] = literals[answer];
            }
            self.emit(registers);
            stored = answer + 1;
        }
        self.push_answers(block, stored..block.len);
    }

    /// Whether all negated atoms have numbers. Those that are the same for all answers get theirs, if they are to have
    /// one and all others have.
    fn has_numbers(&mut self, block: &Block, registers: &[Constant]) -> bool {
        let negated = self.template.contributions.negated.iter().map(|it| it.0);
        let column = |slot| block.slots.iter().position(|&it| it == slot);
        let (own, known): (SmallVec<[usize; 4]>, SmallVec<[usize; 4]>) =
            negated.partition(|&slot| column(slot).is_some());
        let mut columns = own.iter().filter_map(|&it| column(it));
        if columns.any(|it| block.values[it][..block.len].contains(&UNNUMBERED)) {
            return false;
        }
        if known.iter().all(|&slot| self.slots[slot] != UNNUMBERED) {
            return true;
        }
        if self.request.drop_extra {
            return false;
        }
        // What is left there of other answers need not have numbers.
        own.iter().for_each(|&slot| self.slots[slot] = GroundLiteral::new(0, true));
        self.number_rest(registers);
        true
    }

    /// Stores the rules of some answers, which cannot be there already.
    fn push_answers(&mut self, block: &Block, answers: Range<usize>) {
        if answers.is_empty() {
            return;
        }
        self.done.answers += answers.len() as u64;
        let literals = block.values.iter().map(|it| &it[answers.clone()]);
        let columns: SmallVec<[_; 8]> = block.slots.iter().copied().zip(literals).collect();
        let rule = &self.slots[..self.template.contributions.slots];
        self.done.rules.push_block(answers.len(), rule, &columns);
    }
}
