//! Numbers the atoms of blocks that are in no table.

use smallvec::SmallVec;

use super::block::LiteralBlock;
use super::writer::RuleWriter;
use crate::execute::block::{Bound, bound};
use crate::instantiate::contributions::Find;
use crate::plan::Step;
use crate::program::Constant;
use crate::rule_store::GroundLiteral;

/// Stands in a slot for a negated atom that is in no table: it gets its number only if the join succeeds.
pub(super) const UNNUMBERED: GroundLiteral = GroundLiteral::LAST;

/// How blocks that begin with the same step get numbers for their atoms.
pub(super) struct Numbering<'run> {
    /// The first step of the blocks.
    first: usize,
    /// As [`Contributions::negated`](crate::instantiate::contributions::Contributions::negated).
    atoms: SmallVec<[NumberedAtom<'run>; 4]>,
    /// The steps of blocks that bind variables of any of the atoms.
    steps: SmallVec<[usize; 4]>,
}

/// How an atom gets its number.
struct NumberedAtom<'run> {
    slot: usize,
    find: &'run Find,
    /// The column of blocks that has its literals, unless they are the same for all answers.
    column: Option<usize>,
    bound: Bound<'run>,
}

impl<'run> RuleWriter<'run> {
    /// Numbers the atoms of a block that are in no table, in the order of answers.
    pub(super) fn number_rest_of(
        &mut self,
        block: &mut LiteralBlock,
        (first, steps): (usize, &[Step]),
        registers: &mut [Constant],
    ) {
        let made = self.numberings.iter().position(|it| it.first == first);
        let numbering = match made {
            Some(position) => self.numberings.swap_remove(position),
            None => self.numbering(block, first, steps),
        };
        let is_any_new = numbering.atoms.iter().any(|atom| match atom.column {
            Some(column) => block.values[column][..block.len].contains(&UNNUMBERED),
            None => self.slots[atom.slot] == UNNUMBERED,
        });
        if is_any_new {
            self.number_new(block, &numbering, registers);
        }
        self.numberings.push(numbering);
    }

    fn numbering(&mut self, block: &LiteralBlock, first: usize, steps: &[Step]) -> Numbering<'run> {
        let template = self.template;
        let negated = template.contributions.negated.iter();
        let atoms: SmallVec<[NumberedAtom<'_>; 4]> = negated
            .map(|(slot, find)| {
                let column = block.slots.iter().position(|it| it == slot);
                let arguments = &find.look_up.arguments;
                let variables = arguments.iter().filter_map(|it| it.variable());
                let bound = bound(self.relations, variables, steps);
                NumberedAtom { slot: *slot, find, column, bound }
            })
            .collect();
        let parts = atoms.iter().flat_map(|it| &it.bound);
        let mut steps: SmallVec<[usize; 4]> = parts.map(|(_, part)| part.step).collect();
        steps.sort_unstable();
        steps.dedup();
        Numbering { first, atoms, steps }
    }

    /// Numbers the atoms that have no number yet.
    fn number_new(
        &mut self,
        block: &mut LiteralBlock,
        numbering: &Numbering<'_>,
        registers: &mut [Constant],
    ) {
        let mut start = 0;
        while start < block.len {
            // Answers that have the same of these atoms mostly follow each other: they differ in the rows of other steps.
            let differs = |row: &usize| {
                let mut steps = numbering.steps.iter();
                steps.any(|&step| block.rows[step][*row] != block.rows[step][start])
            };
            let end = (start + 1..block.len).find(differs).unwrap_or(block.len);
            for atom in &numbering.atoms {
                let literal =
                    atom.column.map_or(self.slots[atom.slot], |it| block.values[it][start]);
                if literal != UNNUMBERED {
                    continue;
                }
                block.put_constants(&atom.bound, start, registers);
                let literal = self.number(atom.find, registers);
                match atom.column {
                    Some(column) => block.values[column][start..end].fill(literal),
                    None => self.slots[atom.slot] = literal,
                }
            }
            start = end;
        }
    }
}
