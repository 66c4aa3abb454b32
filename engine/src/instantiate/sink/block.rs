//! The last steps of a plan for many rows at once.
//!
//! Most of the work of a join is that of its last step. Here [`LiteralBlock`]s of rows go through it, and their rules are
//! written column by column. Where the last step has few rows for each of the one before, blocks begin with that one and
//! become more on the way.

use std::ops::Range;

use smallvec::SmallVec;

use super::writer::RuleWriter;
use super::writer::UNNUMBERED;
use crate::execute::block::{self, AnswerPart, Comparison, Comparisons, Found, bound};
use crate::instantiate::contribute::{Action, AtomLookUp, Fill, Narrowed};
use crate::plan::Step;
use crate::program::Constant;
use crate::rule_store::GroundLiteral;
use crate::table::RowId;

/// Answers with their literals.
pub(super) type LiteralBlock = block::Block<GroundLiteral>;

/// Blocks, each with answers that were made from the one before.
#[derive(Default)]
pub(super) struct Blocks {
    levels: Vec<Level>,
    /// How many of them are in use.
    depth: usize,
}

/// A block that waits at a step which finds several rows.
#[derive(Default)]
struct Level {
    block: LiteralBlock,
    /// The position of the step.
    step: usize,
    found: Found,
}

/// The literals of a slot in all answers of a block.
enum Literals<'block> {
    Each(&'block [GroundLiteral]),
    Same(GroundLiteral),
}

impl Literals<'_> {
    #[inline]
    fn at(&self, answer: usize) -> GroundLiteral {
        match self {
            Literals::Each(literals) => literals[answer],
            Literals::Same(literal) => *literal,
        }
    }
}

/// A few rows, each with what an answer has to have in common with it.
type Few<'run> = SmallVec<[(RowId, Comparisons<'run>); 2]>;

impl<'run> RuleWriter<'run> {
    /// Takes some rows of a step, the first of a block.
    pub(super) fn begin_blocks(
        &mut self,
        blocks: &mut Blocks,
        first: usize,
        found: &[RowId],
        registers: &mut [Constant],
    ) {
        if blocks.levels.is_empty() {
            blocks.levels.push(Level::default());
        }
        let level = &mut blocks.levels[0];
        level.block.begin(found, self.template.plan.steps.len() - first);
        blocks.depth = usize::from(self.run_block(level, (first, 0), registers));
    }

    /// Takes the next rows that a step finds for the answers of a block before it. Returns how many; `None` if there are no
    /// more.
    pub(super) fn next_block(
        &mut self,
        blocks: &mut Blocks,
        first: usize,
        registers: &mut [Constant],
    ) -> Option<usize> {
        while let Some(last) = blocks.depth.checked_sub(1) {
            if blocks.levels.len() == blocks.depth {
                blocks.levels.push(Level::default());
            }
            let (before, behind) = blocks.levels.split_at_mut(blocks.depth);
            let (Level { block, step, found }, next) = (&mut before[last], &mut behind[0]);
            let own = &self.template.plan.steps[first + *step];
            if next.block.multiply(block, found, self.relations, own, *step) {
                let more = next.block.len;
                let waits = self.run_block(next, (first, *step), registers);
                blocks.depth += usize::from(waits);
                return Some(more);
            }
            blocks.depth -= 1;
        }
        None
    }

    /// Lets the answers of a block, with rows of all steps up to a position, go through the steps. Returns whether they wait
    /// at one that finds several rows.
    fn run_block(
        &mut self,
        level: &mut Level,
        (first, position): (usize, usize),
        registers: &mut [Constant],
    ) -> bool {
        let template = self.template;
        let steps = &template.plan.steps[first..];
        let wide = template.plan.wide.as_ref().filter(|it| it.from == first);
        let block = &mut level.block;
        for next in position..steps.len() {
            let known = &steps[..=next];
            if next > position {
                if wide.is_some_and(|it| it.several.contains(&(first + next))) {
                    block.find_several(&mut level.found, self.relations, known, registers);
                    level.step = next;
                    return true;
                }
                block.probe(self.relations, known, registers);
            }
            self.select(block, (first, known), registers);
            for action in &template.contributions.steps[first + next].fill {
                self.fill_found(block, action, (first, known), registers);
            }
            if block.len == 0 {
                return false;
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
        self.store_block(block, (first, steps), registers);
        false
    }

    /// Leaves out the answers that do not fulfil the conditions of the last of some steps.
    fn select(
        &mut self,
        block: &mut LiteralBlock,
        (first, steps): (usize, &[Step]),
        registers: &mut [Constant],
    ) {
        let Some((_, before)) = steps.split_last() else { return };
        block.select(self.relations, steps, registers);
        for condition in &self.template.contributions.steps[first + before.len()].conditions {
            self.find_all(&condition.look_up, block, (first, steps), registers);
            block.retain_found(steps.len(), !condition.negated);
        }
    }

    /// Fills a slot with an atom to be looked up, if that is what it gets. Answers whose atom is in no table are left
    /// out, unless it is negated.
    fn fill_found(
        &mut self,
        block: &mut LiteralBlock,
        action: &Action,
        (first, steps): (usize, &[Step]),
        registers: &mut [Constant],
    ) {
        let Fill::Find(find) = &action.fill else { return };
        self.find_all(&find.look_up, block, (first, steps), registers);
        let column = block.slot(action.slot, UNNUMBERED);
        for (value, found) in block.values[column].iter_mut().zip(&block.found[..block.len]) {
            *value = found
                .checked_sub(1)
                .map_or(UNNUMBERED, |row| GroundLiteral::new(find.start + row, action.negated));
        }
        if !action.negated {
            block.retain_found(steps.len(), true);
        }
    }

    /// Looks an atom up for all answers.
    fn find_all(
        &mut self,
        look_up: &AtomLookUp,
        block: &mut LiteralBlock,
        (first, steps): (usize, &[Step]),
        registers: &mut [Constant],
    ) {
        if let Some((keys, rows)) = self.relations.dense(look_up.predicate) {
            let arguments = look_up.arguments.iter().copied();
            let known = (self.relations, steps, &*registers);
            let row = |code| rows.get(code as usize).copied().unwrap_or(0);
            return block.find_coded(keys, arguments, known, row);
        }
        // What steps of the block find out is not known.
        let own = || self.template.contributions.steps[first..].iter().flat_map(|it| &it.narrow);
        let ways = [&look_up.narrowed, &look_up.before_blocks].into_iter().flatten();
        let narrowed = ways.into_iter().find(|way| own().all(|it| it.slot != way.slot));
        let len = block.len;
        if let Some(few) = narrowed.and_then(|it| self.few(look_up, it, steps)) {
            // Where terms differ is found for one row after the other.
            block.codes[..len].fill(0);
            for (row, terms) in &few {
                block.compare(terms);
                for (code, &differ) in block.codes.iter_mut().zip(&block.found[..len]) {
                    *code = if differ == 0 { u64::from(row + 1) } else { *code };
                }
            }
            for (found, &code) in block.found[..len].iter_mut().zip(&block.codes) {
                *found = code as u32;
            }
            return;
        }
        let variables = look_up.arguments.iter().filter_map(|it| it.variable());
        let bound = bound(self.relations, variables, steps);
        for answer in 0..len {
            block.put_constants(&bound, answer, registers);
            let row = self.find_tuple(look_up, registers);
            block.found[answer] = row.map_or(0, |row| row + 1);
        }
    }

    /// The rows that an earlier step has found, if they are few.
    fn few(&self, look_up: &AtomLookUp, narrowed: &Narrowed, steps: &[Step]) -> Option<Few<'run>> {
        let (table, found) = self.few_rows(look_up, narrowed)?;
        // Each is a variable that steps of the block bind.
        let parts = narrowed.rest.iter().map(|&(column, argument)| {
            let variable = argument.variable()?;
            let &(_, part) = bound(self.relations, [variable].into_iter(), steps).first()?;
            Some((column as usize, part))
        });
        let parts: SmallVec<[(usize, AnswerPart<'_>); 4]> = parts.collect::<Option<_>>()?;
        let terms = |row: RowId| {
            let term = |&(column, part): &(usize, AnswerPart<'run>)| {
                Comparison::with(part, table.value(row, column))
            };
            (row, parts.iter().map(term).collect())
        };
        Some(found.map(terms).collect())
    }

    /// Stores the rules of a block.
    fn store_block(
        &mut self,
        block: &mut LiteralBlock,
        (first, steps): (usize, &[Step]),
        registers: &mut [Constant],
    ) {
        let mut lacking = self.lacking(block);
        if !lacking.is_empty() && !self.request.drop_extra {
            self.number_rest_of(block, (first, steps), registers);
            lacking.clear();
        }
        let doubles = self.doubles(block);
        if lacking.is_empty() && doubles.is_empty() {
            return self.push_answers(block, 0..block.len);
        }
        let is_single = lacking.contains(&None);
        let lacking: SmallVec<[usize; 4]> = lacking.into_iter().flatten().collect();
        let mut stored = 0;
        for answer in 0..block.len {
            let is_short = || lacking.iter().any(|&it| block.values[it][answer] == UNNUMBERED);
            let is_double =
                || doubles.iter().any(|[one, other]| one.at(answer) == other.at(answer));
            if !is_single && !is_short() && !is_double() {
                continue;
            }
            self.push_answers(block, stored..answer);
            for (&slot, literals) in block.slots.iter().zip(&block.values) {
                self.slots[slot] = literals[answer];
            }
            self.emit(registers);
            stored = answer + 1;
        }
        self.push_answers(block, stored..block.len);
    }

    /// The pairs of slots that have the same literal in some answers.
    fn doubles<'block>(&self, block: &'block LiteralBlock) -> SmallVec<[[Literals<'block>; 2]; 2]> {
        let literals = |slot: usize| match block.slots.iter().position(|&it| it == slot) {
            Some(column) => Literals::Each(&block.values[column][..block.len]),
            None => Literals::Same(self.slots[slot]),
        };
        let pairs = self.template.doubles.iter().map(|&(one, other)| [one, other].map(literals));
        let is_any = |[one, other]: &[Literals<'_>; 2]| {
            (0..block.len).any(|answer| one.at(answer) == other.at(answer))
        };
        pairs.filter(is_any).collect()
    }

    /// The negated literals whose atom may have no number: the columns that have them, or nothing for those that are the
    /// same for all answers.
    fn lacking(&self, block: &LiteralBlock) -> SmallVec<[Option<usize>; 4]> {
        let columns =
            self.template.contributions.negated.iter().filter_map(|&(slot, _)| {
                match block.slots.iter().position(|&it| it == slot) {
                    Some(column) => block.values[column][..block.len]
                        .contains(&UNNUMBERED)
                        .then_some(Some(column)),
                    None => (self.slots[slot] == UNNUMBERED).then_some(None),
                }
            });
        columns.collect()
    }

    /// Stores the rules of some answers, which cannot be there already.
    fn push_answers(&mut self, block: &LiteralBlock, answers: Range<usize>) {
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
