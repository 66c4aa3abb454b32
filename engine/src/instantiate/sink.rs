//! Stores what the plans of a task find, and drops rules that the task has stored already.
//!
//! Looking for each rule in a hash table would be a cache miss for each. Rules are stored as they come. Hashes of those that may be
//! the same, as others fall on the same bit, are sorted: those of the same hash come together.

mod block;
mod writer;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::instantiation::Instantiation;
use super::relations::Relations;
use super::{Request, Task};
use crate::budget::{Budget, CHECK_INTERVAL, Stop as _};
use crate::error::{EngineError, Exceeded};
use crate::execute::{Executor, LEAST_IN_BLOCK, Sink};
use crate::program::Constant;
use crate::rule_store::{Edits, GroundLiteral, GroundRule, RuleStore};
use crate::table::RowId;
use block::Blocks;
use writer::RuleWriter;

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

/// What a thread uses again for each task whose rules it adds to the same ones.
#[derive(Default)]
pub(super) struct Workspace {
    executor: Executor,
    blocks: Option<Box<Blocks>>,
    /// How many ground rules the template has that has the most so far, with its label and the space of its head.
    most: (u64, u32, u32),
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
    let mut duplicates = task.may_repeat.then(|| Duplicates::new(&done.rules));
    let Workspace { executor, blocks, most } = workspace;
    let last = task.templates.len() - 1;
    for (number, template) in task.templates.iter().enumerate() {
        let before = done.rules.len() as u64;
        let writer = RuleWriter::new(template, relations, shared.request, done);
        // What the templates before this one stored is counted already.
        let reported = writer.in_use();
        let head = head_name(template.head_space, shared.request);
        let (duplicates, blocks) = (duplicates.as_mut(), &mut *blocks);
        let mut sink = StoringSink { writer, shared, reported, before, head, blocks, duplicates };
        let mut outcome = Ok(());
        if sink.writer.begin() {
            outcome = executor.run(&template.plan, range.clone(), &mut sink);
        }
        if outcome.is_ok() && number == last {
            sink.drop_duplicates();
        }
        outcome = outcome.and_then(|()| sink.check_limits());
        let own = (sink.stored(), template.label, template.head_space);
        drop(sink);
        if let Err(mut exceeded) = outcome {
            exceeded.is_past = exceeded.is_on_all() && most.0 > own.0;
            let (count, label, space) = if exceeded.is_past { *most } else { own };
            exceeded.rule = Some(label);
            exceeded.predicate = Some(head_name(space, shared.request).to_owned());
            exceeded.count = count;
            return Err(exceeded.into());
        }
        if own.0 > most.0 {
            *most = own;
        }
    }
    Ok(())
}

fn head_name<'run>(space: u32, request: &Request<'run>) -> &'run str {
    let space = request.spaces[space as usize];
    &request.program[space.predicate].name
}

/// Takes the answers of one template.
struct StoringSink<'run> {
    writer: RuleWriter<'run>,
    shared: &'run Shared<'run>,
    /// Rules and bytes that the shared counts include.
    reported: (u64, u64),
    /// How many rules there were before the template's.
    before: u64,
    /// The predicate that the template derives, by name.
    head: &'run str,
    blocks: &'run mut Option<Box<Blocks>>,
    /// Where rules of the task may be the same.
    duplicates: Option<&'run mut Duplicates>,
}

impl StoringSink<'_> {
    /// How many rules the template has stored.
    fn stored(&self) -> u64 {
        (self.writer.done.rules.len() as u64).saturating_sub(self.before)
    }

    /// Drops rules that the task has stored before. Returns whether there were any.
    fn drop_duplicates(&mut self) -> bool {
        let rules = &mut self.writer.done.rules;
        self.duplicates.as_mut().is_some_and(|it| it.drop_from(rules))
    }

    /// Checks the limits; duplicates are dropped before anything is said to be exceeded.
    fn check_limits(&mut self) -> Result<(), Exceeded> {
        self.check_stored().or_else(|exceeded| {
            if self.drop_duplicates() { self.check_stored() } else { Err(exceeded) }
        })
    }

    fn check_stored(&mut self) -> Result<(), Exceeded> {
        let now = self.writer.in_use();
        let add = |total: &AtomicU64, now: u64, before: u64| {
            total
                .fetch_add(now.wrapping_sub(before), Ordering::Relaxed)
                .wrapping_add(now.wrapping_sub(before))
        };
        let rules = add(&self.shared.rules, now.0, self.reported.0);
        let bytes = add(&self.shared.bytes, now.1, self.reported.1);
        self.reported = now;
        self.shared.budget.check(self.shared.fixed_bytes + bytes, rules)?;
        self.writer.done.check_numbers(self.shared.request)
    }
}

impl<'run> Sink for StoringSink<'run> {
    type Source = Relations<'run>;
    const LEAST_IN_BLOCK: u32 = LEAST_IN_BLOCK;

    #[inline]
    fn source(&self) -> &Relations<'run> {
        self.writer.relations
    }

    #[inline]
    fn enter(&mut self, step: usize, registers: &[Constant], rows: &[RowId]) -> bool {
        self.writer.enter(step, registers, rows)
    }

    #[inline]
    fn emit(&mut self, registers: &[Constant], _rows: &[RowId]) {
        self.writer.emit(registers);
    }

    #[inline]
    fn take_block(
        &mut self,
        first: usize,
        found: &[RowId],
        registers: &mut [Constant],
    ) -> Result<usize, Exceeded> {
        let mut blocks = self.blocks.take().unwrap_or_default();
        self.writer.begin_blocks(&mut blocks, first, found, registers);
        let (mut looked_at, mut until_check) = (0, CHECK_INTERVAL as usize);
        let mut outcome = Ok(());
        while outcome.is_ok()
            && let Some(more) = self.writer.next_block(&mut blocks, first, registers)
        {
            looked_at += more;
            if looked_at >= until_check {
                until_check = looked_at + CHECK_INTERVAL as usize;
                outcome = self.check();
            }
        }
        *self.blocks = Some(blocks);
        outcome.map(|()| looked_at)
    }

    /// Only here is the predicate passed on: a template that is done before may run beside another that takes long.
    fn check(&mut self) -> Result<(), Exceeded> {
        if self.duplicates.as_ref().is_some_and(|it| it.is_due(&self.writer.done.rules)) {
            self.drop_duplicates();
        }
        self.shared.budget.derives(Some((self.head, self.stored())));
        self.writer.done.rules.grow_early();
        self.check_limits()
    }
}

/// Places for hashes, for each rule.
const PLACES_PER_RULE: usize = 8;
/// With fewer rules since the last time it is not worth looking.
const LEAST: usize = 1 << 18;

/// The rules of a task: at first those that are known to differ.
struct Duplicates {
    /// The first rule of the task.
    first: usize,
    /// Behind the last rule that is known to differ from those before it.
    end: usize,
}

impl Duplicates {
    /// Of a task that begins with these rules.
    fn new(rules: &RuleStore) -> Self {
        Duplicates { first: rules.len(), end: rules.len() }
    }

    /// Whether there are as many new rules as different ones: then all looks together take no longer than about two at the end.
    fn is_due(&self, rules: &RuleStore) -> bool {
        rules.len() - self.end >= LEAST.max(self.end - self.first)
    }

    /// Drops all rules of the task but the first of those that are the same. Returns whether there were any.
    fn drop_from(&mut self, rules: &mut RuleStore) -> bool {
        let before = rules.len();
        if self.end < before {
            let edits = self.edits(rules);
            if !edits.is_empty() {
                rules.edit(&edits);
            }
            self.end = rules.len();
        }
        rules.len() < before
    }

    fn edits(&self, rules: &RuleStore) -> Edits {
        let (mut different, mut repeated) = (Vec::new(), Vec::new());
        let suspects = self.suspects(rules);
        for alike in suspects.chunk_by(|one, other| one.0 == other.0).filter(|it| it.len() > 1) {
            different.clear();
            for &(_, number) in alike {
                let rule = rules.rule(number as usize);
                if different.iter().any(|&other| are_same(rules.rule(other as usize), rule)) {
                    repeated.push(number);
                } else {
                    different.push(number);
                }
            }
        }
        repeated.sort_unstable();
        let mut edits = Edits::default();
        repeated.into_iter().for_each(|number| edits.drop(number as usize));
        edits
    }

    /// The hashes and numbers of rules that may be the same as others, sorted. Most of those that differ are not among them: their
    /// places, of which there are many more than rules, are not those of others.
    fn suspects(&self, rules: &RuleStore) -> Vec<(u32, u32)> {
        let numbers = self.first..rules.len();
        let bits =
            (numbers.len() * PLACES_PER_RULE).next_power_of_two().trailing_zeros().clamp(5, 32);
        let place = |hash: u32| {
            let place = hash >> (32 - bits);
            (place as usize / 32, place % 32 * 2)
        };
        // Two bits for each place: it is that of a rule, and of more than one.
        let mut places = vec![0u64; 1 << (bits - 5)];
        let mut hashes = Vec::with_capacity(numbers.len());
        for number in numbers.clone() {
            let GroundRule { head, body } = rules.rule(number);
            let hash = hash(head, body);
            let (word, shift) = place(hash);
            let is_taken = places[word] >> shift & 1;
            places[word] |= (1 | is_taken << 1) << shift;
            hashes.push(hash);
        }
        let is_suspect = |hash: u32| {
            let (word, shift) = place(hash);
            places[word] >> shift & 2 != 0
        };
        let numbered = hashes.into_iter().zip(numbers.start as u32..);
        let mut suspects: Vec<(u32, u32)> = numbered.filter(|it| is_suspect(it.0)).collect();
        suspects.sort_unstable();
        suspects
    }
}

/// Whether the heads and the sets of literals are the same.
#[inline]
fn are_same(one: GroundRule<'_>, other: GroundRule<'_>) -> bool {
    one == other
        || one.head == other.head
            && one.body.len() == other.body.len()
            && one.body.iter().all(|literal| other.body.contains(literal))
}

/// A hash of which the high bits are good. The order of the literals does not matter.
#[inline]
fn hash(head: u32, body: &[GroundLiteral]) -> u32 {
    const MULTIPLIERS: [u64; 2] = [0xf135_7aea_2e62_a9c5, 0x9e6c_63d0_876a_9a47];
    let mut sum = u64::from(head).wrapping_mul(MULTIPLIERS[1]);
    for literal in body {
        let product = (u64::from(literal.code()) + 1).wrapping_mul(MULTIPLIERS[0]);
        sum = sum.wrapping_add((product ^ product >> 32).wrapping_mul(MULTIPLIERS[1]));
    }
    ((sum ^ sum >> 32).wrapping_mul(MULTIPLIERS[0]) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_rules_that_are_the_same_the_first_of_the_task_stays() {
        let body = |rule: u32| [GroundLiteral::from_code(rule % 7), GroundLiteral::from_code(rule)];
        let mut rules = RuleStore::default();
        rules.push(0, &body(0));
        let mut duplicates = Duplicates::new(&rules);
        for part in [0..1000, 500..1500, 0..10] {
            part.for_each(|rule| rules.push(rule / 3, &body(rule)));
            duplicates.drop_from(&mut rules);
        }
        assert!(!duplicates.drop_from(&mut rules));
        let stored: Vec<_> = rules.iter().map(|rule| (rule.head, rule.body.to_vec())).collect();
        let expected: Vec<_> =
            [0].into_iter().chain(0..1500).map(|rule| (rule / 3, body(rule).to_vec())).collect();
        assert_eq!(stored, expected);
    }

    #[test]
    fn the_order_of_literals_makes_no_difference_and_heads_do() {
        let mut rules = RuleStore::default();
        let mut duplicates = Duplicates::new(&rules);
        for (head, codes) in [(7, [1, 2, 3]), (7, [3, 1, 2]), (7, [1, 2, 4]), (8, [3, 2, 1])] {
            rules.push(head, &codes.map(GroundLiteral::from_code));
        }
        assert!(duplicates.drop_from(&mut rules));
        let stored: Vec<_> = rules.iter().map(|rule| (rule.head, rule.body.len())).collect();
        assert_eq!(stored, [(7, 3), (7, 3), (8, 3)]);
        assert_eq!(rules.rule(1).body[2].code(), 4);
    }

    #[test]
    fn a_look_is_due_where_there_are_many_new_rules() {
        let mut rules = RuleStore::default();
        let duplicates = Duplicates::new(&rules);
        (1..LEAST as u32).for_each(|head| rules.push(head, &[]));
        assert!(!duplicates.is_due(&rules));
        rules.push(0, &[]);
        assert!(duplicates.is_due(&rules));
    }
}
