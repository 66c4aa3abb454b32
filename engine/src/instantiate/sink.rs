//! Stores what the plans of a task find.

mod block;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::compile::{Compiled, Task};
use super::contribute::{Action, AtomLookUp, By, Condition, Fill, Narrow};
use super::relations::Relations;
use super::seen::Seen;
use super::{Instantiation, Request};
use crate::budget::Budget;
use crate::error::{EngineError, Exceeded};
use crate::execute::{Executor, Sink, least_in_block};
use crate::program::{Argument, Constant};
use crate::rule_store::{GroundLiteral, SHORT};
use crate::table::RowId;
use block::Block;

pub(super) use block::first_step;

/// What the tasks of a store pass share.
pub(super) struct Shared<'run> {
    request: &'run Request<'run>,
    budget: &'run Budget,
    fixed_bytes: u64,
    bytes: AtomicU64,
    rules: AtomicU64,
}

impl<'run> Shared<'run> {
    pub(super) fn new(
        request: &'run Request<'run>,
        budget: &'run Budget,
        index_bytes: u64,
    ) -> Self {
        Shared {
            request,
            budget,
            fixed_bytes: request.tables.bytes() + index_bytes,
            bytes: AtomicU64::new(0),
            rules: AtomicU64::new(0),
        }
    }
}

/// What a thread uses again for each task.
#[derive(Default)]
pub(super) struct Workspace {
    executor: Executor,
    block: Option<Box<Block>>,
}

/// Runs the templates of a task. `range` is the part of the first step's rows to look at, where a task of
/// one template is split.
pub(super) fn run(
    task: &Task,
    range: Option<Range<u32>>,
    done: &mut Instantiation,
    workspace: &mut Workspace,
    relations: &Relations<'_>,
    shared: &Shared<'_>,
) -> Result<(), EngineError> {
    let mut seen = Seen::default();
    let Workspace { executor, block } = workspace;
    for template in &task.templates {
        let before = done.rules.len();
        let mut sink = StoringSink {
            template,
            relations,
            shared,
            slots: vec![GroundLiteral::new(0, false); template.contributions.slots.max(SHORT + 1)],
            found: vec![0..0; template.contributions.divided],
            kept: Vec::new(),
            is_plain: template.repeats.is_never() && template.doubles.is_never(),
            room: Vec::new(),
            seen: (!template.repeats.is_never()).then_some(&mut seen),
            reported: (0, 0),
            done,
            tuple: Vec::new(),
            block: &mut *block,
        };
        // What the templates before this one stored is counted already.
        sink.reported = sink.in_use();
        let possible =
            template.contributions.prelude.iter().all(|action| sink.fill(action, &[], &[]));
        if !possible {
            continue;
        }
        let outcome =
            executor.run(&template.plan, range.clone(), &mut sink).and_then(|()| sink.finish());
        if let Err(mut exceeded) = outcome {
            exceeded.rule = Some(template.label);
            exceeded.predicate = Some(head_name(template, shared.request));
            exceeded.count = (done.rules.len() - before) as u64;
            return Err(exceeded.into());
        }
    }
    shared.bytes.fetch_sub(seen.bytes(), Ordering::Relaxed);
    Ok(())
}

fn head_name(template: &Compiled, request: &Request<'_>) -> String {
    let space = request.spaces[template.head_space as usize];
    request.program[space.predicate].name.clone()
}

/// Takes the answers of one template.
struct StoringSink<'run> {
    template: &'run Compiled,
    relations: &'run Relations<'run>,
    shared: &'run Shared<'run>,
    /// Head and body of the rule in the making, and more if they are short.
    slots: Vec<GroundLiteral>,
    /// What the earlier parts of look-ups have found: the positions of rows in an index, or a range that begins
    /// with the part of the code that is known and is empty if there is no such code.
    found: Vec<Range<u32>>,
    /// The body without literals that are left out.
    kept: Vec<GroundLiteral>,
    /// Nothing repeats, neither rules nor literals.
    is_plain: bool,
    /// Room for a body in order, or without repeated literals.
    room: Vec<GroundLiteral>,
    seen: Option<&'run mut Seen>,
    done: &'run mut Instantiation,
    /// Rules and bytes of `done` that the shared counts include.
    reported: (u64, u64),
    tuple: Vec<Constant>,
    block: &'run mut Option<Box<Block>>,
}

/// Stands in a slot for a negated atom that is in no table: it gets its number only if the join succeeds.
const UNNUMBERED: GroundLiteral = GroundLiteral::LAST;

impl StoringSink<'_> {
    /// Rules and bytes.
    fn in_use(&self) -> (u64, u64) {
        let extra = self.done.extra.bytes();
        let seen = self.seen.as_ref().map_or(0, |seen| seen.bytes());
        let bytes = self.done.rules.bytes() + self.done.shortened.bytes() + extra + seen;
        (self.done.rules.len() as u64, bytes)
    }

    /// Decides about the last rules.
    fn finish(&mut self) -> Result<(), Exceeded> {
        if let Some(seen) = &mut self.seen {
            seen.settle(&mut self.done.rules);
        }
        self.check()
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
    fn fulfils(&mut self, condition: &Condition, registers: &[Constant], rows: &[RowId]) -> bool {
        match condition {
            Condition::Order(pairs) => is_in_order(pairs, rows),
            Condition::Later(it) => !it.has(registers, self.relations, &mut self.tuple),
            Condition::Row { negated, look_up } => {
                self.find(look_up, registers).is_some() != *negated
            }
        }
    }

    #[inline]
    fn find(&mut self, look_up: &AtomLookUp, registers: &[Constant]) -> Option<RowId> {
        if let Some(narrowed) = &look_up.narrowed {
            let found = self.found[narrowed.slot].clone();
            if found.is_empty() {
                return None;
            }
            let mut rest = narrowed.rest.iter();
            match narrowed.by {
                By::Code => {
                    let (keys, rows) = self.relations.dense(look_up.predicate)?;
                    let begin = (found.start + narrowed.fixed) as usize;
                    let code = rest.try_fold(begin, |code, &(column, it)| {
                        Some(code + keys.part(column as usize, it.value(registers))?)
                    });
                    return rows[code?].checked_sub(1);
                }
                By::Index(index) if found.len() <= MOST_COMPARED => {
                    let table = &self.relations.tables[look_up.predicate];
                    let index = &self.relations.indexes[index as usize];
                    return found.map(|position| index.row(position)).find(|&row| {
                        let tuple = table.row(row);
                        let fits = |&(column, it): &(u32, Argument)| {
                            tuple[column as usize] == it.value(registers)
                        };
                        narrowed.rest.iter().all(fits)
                    });
                }
                By::Index(_) => {}
            }
        }
        self.find_tuple(look_up, registers)
    }

    /// Looks an atom up without what earlier steps have found.
    #[inline]
    fn find_tuple(&mut self, look_up: &AtomLookUp, registers: &[Constant]) -> Option<RowId> {
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
                substitute(find.look_up.arguments.iter(), registers, &mut self.tuple);
                let number = self.done.extra.intern(find.space, &self.tuple);
                let atom = self.shared.request.first_extra + number;
                self.slots[*slot] = GroundLiteral::new(atom, true);
            }
        }
    }
}

/// Larger groups of rows are not searched.
const MOST_COMPARED: usize = 8;

/// Whether the first pair of literals whose rows differ has the lesser row on the left.
#[inline]
fn is_in_order(pairs: &[(usize, usize)], rows: &[RowId]) -> bool {
    let differ = pairs.iter().find(|&&(left, right)| rows[left] != rows[right]);
    differ.is_none_or(|&(left, right)| rows[left] < rows[right])
}

/// Longer bodies are sorted to see whether they repeat a literal.
const MOST_PAIRWISE: usize = 16;

/// Whether a literal occurs twice. `sorted` is room for a copy.
#[inline]
fn has_repeated(body: &[GroundLiteral], sorted: &mut Vec<GroundLiteral>) -> bool {
    if body.len() <= MOST_PAIRWISE {
        return body.iter().enumerate().any(|(position, it)| body[..position].contains(it));
    }
    sorted.clear();
    sorted.extend_from_slice(body);
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
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

impl<'run> Sink for StoringSink<'run> {
    type Source = Relations<'run>;
    const LEAST_IN_BLOCK: u32 = least_in_block(12);

    #[inline]
    fn source(&self) -> &Relations<'run> {
        self.relations
    }

    #[inline]
    fn enter(&mut self, step: usize, registers: &[Constant], rows: &[RowId]) -> bool {
        let actions = &self.template.contributions.steps[step];
        let possible =
            actions.conditions.iter().all(|condition| self.fulfils(condition, registers, rows))
                && actions.fill.iter().all(|action| self.fill(action, registers, rows));
        if possible {
            actions.narrow.iter().for_each(|it| self.narrow(it, registers));
        }
        possible
    }

    #[inline]
    fn emit(&mut self, registers: &[Constant], _rows: &[RowId]) {
        self.done.answers += 1;
        let head = self.slots[0].atom();
        let negated = &self.template.contributions.negated;
        let mut body = &self.slots[1..self.template.contributions.slots];
        let mut is_whole = true;
        if negated.iter().any(|&(slot, _)| self.slots[slot] == UNNUMBERED) {
            if self.shared.request.drop_extra {
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
        if self.is_plain {
            return match self.slots[1..].first_chunk() {
                Some(slots) if is_whole && body.len() <= SHORT => {
                    self.done.rules.push_short(head, slots, body.len());
                }
                _ => self.done.rules.push(head, body),
            };
        }
        if self.template.doubles.holds(registers) && has_repeated(body, &mut self.room) {
            self.room.clear();
            for literal in body {
                if !self.room.contains(literal) {
                    self.room.push(*literal);
                }
            }
            body = &self.room;
        }
        match &mut self.seen {
            Some(seen) if self.template.repeats.holds(registers) => {
                seen.push(&mut self.done.rules, head, body)
            }
            _ => self.done.rules.push(head, body),
        }
    }

    #[inline]
    fn take_block(
        &mut self,
        found: &[RowId],
        registers: &mut [Constant],
        rows: &mut [RowId],
    ) -> usize {
        let mut block = self.block.take().unwrap_or_default();
        self.run_block(&mut block, found, registers, rows);
        *self.block = Some(block);
        0
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        let now = self.in_use();
        let add = |total: &AtomicU64, now: u64, before: u64| {
            total
                .fetch_add(now.wrapping_sub(before), Ordering::Relaxed)
                .wrapping_add(now.wrapping_sub(before))
        };
        let rules = add(&self.shared.rules, now.0, self.reported.0);
        let bytes = add(&self.shared.bytes, now.1, self.reported.1);
        self.reported = now;
        self.shared.budget.check(self.shared.fixed_bytes + bytes, rules)?;
        self.done.check_numbers(self.shared.request)
    }
}
