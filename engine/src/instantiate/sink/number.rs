//! Numbers the atoms of blocks that are in no table.
//!
//! Most of them have their number already: rules that differ in other atoms have the same. They are then found by the rows
//! that their variables come from, without hashing them.

use smallvec::SmallVec;

use super::block::LiteralBlock;
use super::grids::{GridAtom, Layout, Numbering, Places, UNNUMBERED};
use super::writer::RuleWriter;
use crate::execute::MOST_IN_BLOCK;
use crate::execute::block::{Bound, bound};
use crate::instantiate::contributions::Find;
use crate::plan::Step;
use crate::program::{Argument, Constant};

/// A group of a grid may have so many places for each answer of the block that it is made for.
const MOST_PLACES: usize = if cfg!(debug_assertions) { 1024 } else { 8 };
/// All grids together may have so many places for each atom that has a number, and as many as these.
const MOST_PER_ATOM: usize = 8;
const FREE_PLACES: usize = 1 << 16;

impl<'run> RuleWriter<'run> {
    /// Numbers the atoms of a block that are in no table, in the order of answers.
    pub(super) fn number_rest_of(
        &mut self,
        block: &mut LiteralBlock,
        (first, steps): (usize, &[Step]),
        registers: &mut [Constant],
    ) {
        let made = self.numberings.iter().position(|it| it.first == first);
        let mut numbering = match made {
            Some(position) => self.numberings.swap_remove(position),
            None => self.numbering(block, first, steps),
        };
        let mut is_any_new = false;
        for atom in &mut numbering.atoms {
            is_any_new |= self.find_numbers(block, atom, registers);
        }
        if is_any_new {
            self.number_new(block, &numbering, registers);
        }
        self.numberings.push(numbering);
    }

    fn numbering(&mut self, block: &LiteralBlock, first: usize, steps: &[Step]) -> Numbering<'run> {
        let template = self.template;
        let negated = template.contributions.negated.iter();
        let atoms: SmallVec<[GridAtom<'_>; 4]> = negated
            .map(|(slot, find)| {
                let column = block.slots.iter().position(|it| it == slot);
                let arguments = &find.look_up.arguments;
                let variables = arguments.iter().filter_map(|it| it.variable());
                let bound = bound(self.relations, variables, steps);
                let places = column.and_then(|_| self.places(find, &bound, steps));
                GridAtom { slot: *slot, find, column, bound, places }
            })
            .collect();
        let parts = atoms.iter().flat_map(|it| &it.bound);
        let mut steps: SmallVec<[usize; 4]> = parts.map(|(_, part)| part.step).collect();
        steps.sort_unstable();
        steps.dedup();
        Numbering { first, atoms, steps }
    }

    /// Where the numbers of an atom are, unless that would be too large for any block.
    fn places(&mut self, find: &Find, bound: &Bound<'_>, steps: &[Step]) -> Option<Places> {
        let mut strides: SmallVec<[(usize, usize); 4]> = SmallVec::new();
        let mut size = 1usize;
        for (_, part) in bound {
            if strides.iter().all(|it| it.0 != part.step) {
                strides.push((part.step, size));
                size = size.checked_mul(part.table.len())?;
            }
        }
        if size > MOST_PLACES * MOST_IN_BLOCK as usize {
            return None;
        }
        let origin = |argument: &Argument| {
            let variable = argument.variable()?;
            let (_, part) = bound.iter().find(|it| it.0 == variable)?;
            let table = strides.iter().position(|it| it.0 == part.step)?;
            Some((table, part.column))
        };
        let layout = Layout {
            space: find.space,
            tables: strides.iter().map(|it| steps[it.0].predicate).collect(),
            origins: find.look_up.arguments.iter().map(origin).collect(),
        };
        let arguments = layout.origins.iter().zip(&find.look_up.arguments);
        let known = arguments.filter(|it| it.0.is_none()).map(|it| *it.1).collect();
        Some(Places { grid: self.grids.number(layout, size), strides, known, group: None })
    }

    /// Fills in the numbers of an atom for all answers that have it numbered already. Returns whether there are others.
    fn find_numbers(
        &mut self,
        block: &mut LiteralBlock,
        atom: &mut GridAtom<'_>,
        registers: &[Constant],
    ) -> bool {
        let Some(column) = atom.column else { return self.slots[atom.slot] == UNNUMBERED };
        if !block.values[column][..block.len].contains(&UNNUMBERED) {
            return false;
        }
        let Some(Places { grid, strides, known, group }) = &mut atom.places else { return true };
        self.tuple.clear();
        self.tuple.extend(known.iter().map(|it| it.value(registers)));
        let is_worth = self.grids.size(*grid) <= MOST_PLACES * block.len;
        let most = self.done.extra.len() * MOST_PER_ATOM + FREE_PLACES;
        *group = self.grids.group(*grid, &self.tuple, if is_worth { most } else { 0 });
        let Some(group) = *group else { return true };
        let codes = &mut block.codes[..block.len];
        codes.fill(group as u64);
        for &mut (step, stride) in strides {
            for (code, &row) in codes.iter_mut().zip(&block.rows[step]) {
                *code += u64::from(row) * stride as u64;
            }
        }
        let literals = self.grids.literals(*grid);
        let mut is_any_new = false;
        for (literal, &code) in block.values[column].iter_mut().zip(codes.iter()) {
            if *literal == UNNUMBERED {
                *literal = literals[code as usize];
                is_any_new |= *literal == UNNUMBERED;
            }
        }
        is_any_new
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
            let differs = |it: &usize| {
                let mut steps = numbering.steps.iter();
                steps.any(|&step| block.rows[step][*it] != block.rows[step][start])
            };
            let end = (start + 1..block.len).find(differs).unwrap_or(block.len);
            for atom in &numbering.atoms {
                let literal =
                    atom.column.map_or(self.slots[atom.slot], |it| block.values[it][start]);
                if literal != UNNUMBERED {
                    continue;
                }
                let place =
                    atom.places.as_ref().and_then(|it| Some((it.grid, it.of(block, start)?)));
                let mut literal = place.map_or(UNNUMBERED, |it| *self.grids.literal(it));
                if literal == UNNUMBERED {
                    block.put_constants(&atom.bound, start, registers);
                    literal = self.number(atom.find, registers);
                    if let Some(place) = place {
                        *self.grids.literal(place) = literal;
                    }
                }
                match atom.column {
                    Some(column) => block.values[column][start..end].fill(literal),
                    None => self.slots[atom.slot] = literal,
                }
            }
            start = end;
        }
    }
}
