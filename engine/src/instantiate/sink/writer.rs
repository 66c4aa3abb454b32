//! Writes the ground rules of a template's answers, and numbers the atoms of blocks that are in no table.

use std::ops::Range;

use smallvec::SmallVec;

use super::block::LiteralBlock;
use crate::execute::block::{Bound, bound};
use crate::instantiate::contribute::{Action, AtomLookUp, By, Fill, Find, Narrow, Narrowed};
use crate::instantiate::instantiation::Instantiation;
use crate::instantiate::relations::Relations;
use crate::instantiate::{Compiled, Request};
use crate::plan::Step;
use crate::program::{Argument, Constant};
use crate::rule_store::{GroundLiteral, SHORT};
use crate::table::{RowId, Table};
use crate::tuning::MOST_COMPARED;

/// Makes a rule of each answer of a template, and stores it.
pub(super) struct RuleWriter<'run> {
    pub(super) template: &'run Compiled,
    pub(super) relations: &'run Relations<'run>,
    pub(super) request: &'run Request<'run>,
    /// Head and body of the rule in the making, and more if they are short.
    pub(super) slots: Vec<GroundLiteral>,
    /// What the earlier parts of look-ups have found: the positions of rows in an index, or a range that begins
    /// with the part of the code that is known and is empty if there is no such code.
    found: Vec<Range<u32>>,
    /// The body without literals that are left out.
    kept: Vec<GroundLiteral>,
    /// Room for a body without repeated literals.
    room: Vec<GroundLiteral>,
    /// How blocks get numbers, by the step that they begin with.
    numberings: Vec<Numbering<'run>>,
    pub(super) done: &'run mut Instantiation,
    pub(super) tuple: Vec<Constant>,
}

impl<'run> RuleWriter<'run> {
    pub(super) fn new(
        template: &'run Compiled,
        relations: &'run Relations<'run>,
        request: &'run Request<'run>,
        done: &'run mut Instantiation,
    ) -> Self {
        RuleWriter {
            template,
            relations,
            request,
            slots: vec![GroundLiteral::new(0, false); template.contributions.slots.max(SHORT + 1)],
            found: vec![0..0; template.contributions.divided],
            kept: Vec::new(),
            room: Vec::new(),
            numberings: Vec::new(),
            done,
            tuple: Vec::new(),
        }
    }

    /// Fills the slots that need no step. Returns whether there can be an answer.
    pub(super) fn begin(&mut self) -> bool {
        self.template.contributions.prelude.iter().all(|action| self.fill(action, &[], &[]))
    }

    /// A step has found a row. Returns whether there can be an answer.
    #[inline]
    pub(super) fn enter(&mut self, step: usize, registers: &[Constant], rows: &[RowId]) -> bool {
        let actions = &self.template.contributions.steps[step];
        let possible = actions
            .conditions
            .iter()
            .all(|it| self.find(&it.look_up, registers).is_some() != it.negated)
            && actions.fill.iter().all(|action| self.fill(action, registers, rows));
        if possible {
            actions.narrow.iter().for_each(|it| self.narrow(it, registers));
        }
        possible
    }

    /// All steps have found a row.
    #[inline]
    pub(super) fn emit(&mut self, registers: &[Constant]) {
        self.done.answers += 1;
        let head = self.slots[0].atom();
        let negated = &self.template.contributions.negated;
        let mut body = &self.slots[1..self.template.contributions.slots];
        let mut is_whole = true;
        if negated.iter().any(|&(slot, _)| self.slots[slot] == UNNUMBERED) {
            if self.request.drop_extra {
                if !self.template.keeps_apart {
                    self.done.shortened.insert(head);
                }
                self.kept.clear();
                self.kept.extend(body.iter().filter(|&&literal| literal != UNNUMBERED));
                body = &self.kept;
                is_whole = false;
            } else {
                self.number_rest(registers);
                body = &self.slots[1..self.template.contributions.slots];
            }
        }
        let mut doubles = self.template.doubles.iter();
        if doubles.any(|&(one, other)| self.slots[one] == self.slots[other]) {
            self.room.clear();
            for literal in body {
                if !self.room.contains(literal) {
                    self.room.push(*literal);
                }
            }
            return self.done.rules.push(head, &self.room);
        }
        match self.slots[1..].first_chunk() {
            Some(slots) if is_whole && body.len() <= SHORT => {
                self.done.rules.push_short(head, slots, body.len());
            }
            _ => self.done.rules.push(head, body),
        }
    }

    /// Rules and bytes.
    pub(super) fn in_use(&self) -> (u64, u64) {
        let extra = self.done.extra.bytes();
        let bytes = self.done.rules.bytes() + self.done.shortened.bytes() + extra;
        (self.done.rules.len() as u64, bytes)
    }

    /// Fills a slot. Returns whether there can be an answer: a head that is in no table has none.
    #[inline]
    fn fill(&mut self, action: &Action, registers: &[Constant], rows: &[RowId]) -> bool {
        let atom = match &action.fill {
            Fill::Row { literal, start } => start + rows[*literal],
            Fill::Find(find) => match self.find(&find.look_up, registers) {
                Some(row) => find.start + row,
                None => {
                    self.slots[action.slot] = UNNUMBERED;
                    return action.negated;
                }
            },
        };
        self.slots[action.slot] = GroundLiteral::new(atom, action.negated);
        true
    }

    #[inline]
    fn find(&mut self, look_up: &AtomLookUp, registers: &[Constant]) -> Option<RowId> {
        if let Some(narrowed) = &look_up.narrowed {
            let mut rest = narrowed.rest.iter();
            if narrowed.by == By::Code {
                let found = &self.found[narrowed.slot];
                if found.is_empty() {
                    return None;
                }
                let (keys, rows) = self.relations.dense(look_up.predicate)?;
                let begin = (found.start + narrowed.fixed) as usize;
                let code = rest.try_fold(begin, |code, &(column, it)| {
                    Some(code + keys.part(column as usize, it.value(registers))?)
                });
                return rows[code?].checked_sub(1);
            }
            if let Some((table, mut rows)) = self.few_rows(look_up, narrowed) {
                return rows.find(|&row| {
                    let tuple = table.row(row);
                    let fits = |&(column, it): &(u32, Argument)| {
                        tuple[column as usize] == it.value(registers)
                    };
                    narrowed.rest.iter().all(fits)
                });
            }
        }
        self.find_tuple(look_up, registers)
    }

    /// The rows of a table that an earlier step has found by an index, if they are few.
    #[inline]
    pub(super) fn few_rows(
        &self,
        look_up: &AtomLookUp,
        narrowed: &Narrowed,
    ) -> Option<(&'run Table, impl Iterator<Item = RowId> + 'run)> {
        let By::Index(index) = narrowed.by else { return None };
        let found = self.found[narrowed.slot].clone();
        let relations = self.relations;
        let index = &relations.indexes[index as usize];
        (found.len() <= MOST_COMPARED).then(|| {
            (&relations.tables[look_up.predicate], found.map(|position| index.row(position)))
        })
    }

    /// Looks an atom up without what earlier steps have found.
    #[inline]
    pub(super) fn find_tuple(
        &mut self,
        look_up: &AtomLookUp,
        registers: &[Constant],
    ) -> Option<RowId> {
        substitute(look_up.arguments.iter(), registers, &mut self.tuple);
        self.relations.find(look_up.predicate, &self.tuple)
    }

    /// An earlier part of a look-up.
    #[inline]
    fn narrow(&mut self, narrow: &Narrow, registers: &[Constant]) {
        self.found[narrow.slot] = match narrow.by {
            By::Code => {
                let begin = match narrow.before {
                    Some(slot) if self.found[slot].is_empty() => None,
                    Some(slot) => Some(self.found[slot].start as usize),
                    None => Some(0),
                };
                let code = self.relations.dense(narrow.predicate).and_then(|(keys, _)| {
                    narrow.known.iter().try_fold(begin?, |code, &(column, it)| {
                        Some(code + keys.part(column as usize, it.value(registers))?)
                    })
                });
                code.map_or(0..0, |code| code as u32..code as u32 + 1)
            }
            By::Index(index) => {
                substitute(narrow.known.iter().map(|(_, it)| it), registers, &mut self.tuple);
                self.relations.indexes[index as usize].group_of(&self.tuple)
            }
        };
    }

    /// Numbers the atoms of an answer that are in no table.
    fn number_rest(&mut self, registers: &[Constant]) {
        for (slot, find) in &self.template.contributions.negated {
            if self.slots[*slot] == UNNUMBERED {
                self.slots[*slot] = self.number(find, registers);
            }
        }
    }

    /// A negated literal with an atom that is in no table.
    #[inline]
    pub(super) fn number(&mut self, find: &Find, registers: &[Constant]) -> GroundLiteral {
        substitute(find.look_up.arguments.iter(), registers, &mut self.tuple);
        let number = self.done.extra.intern(find.space, &self.tuple);
        GroundLiteral::new(self.request.first_extra + number, true)
    }

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

#[inline]
fn substitute<'run>(
    arguments: impl Iterator<Item = &'run Argument>,
    registers: &[Constant],
    tuple: &mut Vec<Constant>,
) {
    tuple.clear();
    tuple.extend(arguments.map(|&argument| argument.value(registers)));
}

/// Stands in a slot for a negated atom that is in no table: it gets its number only if the join succeeds.
pub(super) const UNNUMBERED: GroundLiteral = GroundLiteral::LAST;

/// How blocks that begin with the same step get numbers for their atoms.
struct Numbering<'run> {
    /// The first step of the blocks.
    first: usize,
    /// As [`Contributions::negated`](crate::instantiate::contribute::Contributions::negated).
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
