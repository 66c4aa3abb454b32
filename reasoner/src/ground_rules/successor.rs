//! The next state: rules about `(next f)` and the views that depend on moves.
//!
//! What depends on moves holds for one step only, so nothing is counted: the moves made trigger the rules
//! that mention them. Most rules say which fluents stay when a move is made; they are kept as *patches*,
//! masks over the words of a state. A rule whose literals about moves are all negated holds unless one of
//! them does: it has a bit in a *plane* that those atoms strike out.

mod build;
mod substitution;

pub(super) use build::build;

use super::counters::Activity;
use crate::network::{Code, holds};
use groundfrog_engine::rows::Rows;

/// What a condition adds to one word of the next state: some fluents, and those of some others that hold.
#[derive(Clone, Copy, Debug, Default)]
struct Patch {
    word: u32,
    set: u64,
    keep: u64,
}

/// A rule for a view that depends on moves.
#[derive(Clone, Copy, Debug, Default)]
struct ViewRule {
    /// The view, as a transient.
    head: u32,
    /// Whether it waits until all views below the head's level are known.
    waits: bool,
}

/// Transients are numbered, the moves first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Successor {
    /// Words of a state.
    words: usize,
    /// The node of the first transient; the others follow.
    first: u32,
    /// By transient.
    levels: Vec<u32>,
    depth: usize,
    /// By transient: unconditional patches; then by conditional group.
    patches: Rows<Patch>,
    /// By transient: the conditional groups that it triggers.
    groups: Rows<u32>,
    /// By conditional group.
    conditions: Rows<Code>,
    /// By conditional group: whether it waits until all transients are known.
    late: Vec<bool>,
    /// By transient: words of planes and what is struck out there.
    strikes: Rows<(u32, u64)>,
    /// By transient: the rules of views that it triggers.
    triggered: Rows<u32>,
    view_rules: Vec<ViewRule>,
    /// By rule of a view: what must hold besides the trigger.
    bodies: Rows<Code>,
    /// By level: rules of views that nothing triggers.
    untriggered: Rows<u32>,
    /// Conditional groups that nothing triggers.
    always: Vec<u32>,
    /// By plane and word: the fluents that stay unless they are struck out. Nothing strikes plane 0.
    frames: Vec<u64>,
    /// The planes' first word among the outputs of the network.
    outputs: u32,
}

/// Memory for one step, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The next state.
    pub(crate) next: Vec<u64>,
    /// By plane but the first.
    struck: Vec<u64>,
    /// Transients that hold.
    holding: Vec<u32>,
    /// By level.
    agendas: Vec<Vec<u32>>,
    waiting: Vec<Vec<u32>>,
    late: Vec<u32>,
}

impl Successor {
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch {
            next: vec![0; self.words],
            struck: vec![0; self.frames.len() - self.words],
            agendas: vec![Vec::new(); self.depth],
            waiting: vec![Vec::new(); self.depth],
            ..Scratch::default()
        }
    }

    /// What conditions and bodies read.
    pub(crate) fn codes(&self) -> impl Iterator<Item = Code> {
        self.conditions.items().iter().chain(self.bodies.items()).copied()
    }

    /// The node of a transient.
    #[inline]
    fn node(&self, transient: u32) -> usize {
        (self.first + transient) as usize
    }

    /// Writes the successor of a state to `scratch.next`. `moves` are those that are made.
    #[inline]
    pub(crate) fn advance(
        &self,
        state: &[u64],
        moves: impl Iterator<Item = u32>,
        activity: &mut Activity,
        scratch: &mut Scratch,
    ) {
        self.begin(state, activity, scratch);
        for made in moves {
            activity.values[self.node(made)] = 1;
            scratch.holding.push(made);
        }
        for position in 0..scratch.holding.len() {
            let made = scratch.holding[position];
            self.pass_on(made, state, activity, scratch);
        }
        for level in 1..self.depth {
            self.level(level, state, activity, scratch);
        }
        self.late(state, activity, scratch);
        self.merge(state, activity, scratch);
        for &transient in &scratch.holding {
            activity.values[self.node(transient)] = 0;
        }
        scratch.holding.clear();
    }

    /// Lets a transient have its effects.
    #[inline]
    fn pass_on(
        &self,
        transient: u32,
        state: &[u64],
        activity: &mut Activity,
        scratch: &mut Scratch,
    ) {
        let row = transient as usize;
        self.apply(row, state, &mut scratch.next);
        for &(word, mask) in self.strikes.row(row) {
            scratch.struck[word as usize] |= mask;
        }
        for &group in self.groups.row(row) {
            if self.late[group as usize] {
                scratch.late.push(group);
            } else if self.conditions_hold(group, activity) {
                self.apply(self.levels.len() + group as usize, state, &mut scratch.next);
            }
        }
        for &rule in self.triggered.row(row) {
            let ViewRule { head, waits } = self.view_rules[rule as usize];
            if waits {
                scratch.waiting[self.levels[head as usize] as usize].push(rule);
            } else {
                self.derive(rule, activity, scratch);
            }
        }
    }

    #[inline]
    fn conditions_hold(&self, group: u32, activity: &Activity) -> bool {
        self.conditions.row(group as usize).iter().all(|&code| holds(code, &activity.values))
    }

    #[inline]
    fn apply(&self, row: usize, state: &[u64], next: &mut [u64]) {
        for patch in self.patches.row(row) {
            let word = patch.word as usize;
            next[word] |= patch.set | (state[word] & patch.keep);
        }
    }

    /// Lets the head of a view's rule hold if its body does.
    #[inline]
    fn derive(&self, rule: u32, activity: &mut Activity, scratch: &mut Scratch) {
        let head = self.view_rules[rule as usize].head;
        let node = self.node(head);
        if activity.values[node] == 1 {
            return;
        }
        if self.bodies.row(rule as usize).iter().all(|&code| holds(code, &activity.values)) {
            activity.values[node] = 1;
            scratch.holding.push(head);
            scratch.agendas[self.levels[head as usize] as usize].push(head);
        }
    }

    /// Completes the views of a level.
    fn level(&self, level: usize, state: &[u64], activity: &mut Activity, scratch: &mut Scratch) {
        let mut waiting = std::mem::take(&mut scratch.waiting[level]);
        waiting.iter().for_each(|&rule| self.derive(rule, activity, scratch));
        waiting.clear();
        scratch.waiting[level] = waiting;
        self.untriggered.row(level).iter().for_each(|&rule| self.derive(rule, activity, scratch));
        while let Some(view) = scratch.agendas[level].pop() {
            self.pass_on(view, state, activity, scratch);
        }
    }

    /// The rules that wait for all transients.
    #[inline]
    fn late(&self, state: &[u64], activity: &Activity, scratch: &mut Scratch) {
        let late = std::mem::take(&mut scratch.late);
        for &group in late.iter().chain(&self.always) {
            if self.conditions_hold(group, activity) {
                self.apply(self.levels.len() + group as usize, state, &mut scratch.next);
            }
        }
        scratch.late = late;
        scratch.late.clear();
    }

    /// Begins the next state with what holds whatever is done: plane 0.
    #[inline]
    fn begin(&self, state: &[u64], activity: &Activity, scratch: &mut Scratch) {
        let outputs = &activity.outputs[self.outputs as usize..];
        let words = state.iter().zip(&self.frames).zip(outputs);
        for (next, ((state, frame), outputs)) in scratch.next.iter_mut().zip(words) {
            *next = (state & frame) | outputs;
        }
        if !scratch.struck.is_empty() {
            scratch.struck.fill(0);
        }
    }

    /// Adds what holds unless it was struck out: the other planes.
    #[inline]
    fn merge(&self, state: &[u64], activity: &Activity, scratch: &mut Scratch) {
        if scratch.struck.is_empty() {
            return;
        }
        let outputs = &activity.outputs[self.outputs as usize + self.words..];
        let planes = self.frames[self.words..].chunks_exact(self.words);
        let planes = planes.zip(outputs.chunks(self.words));
        for ((frame, outputs), struck) in planes.zip(scratch.struck.chunks_exact(self.words)) {
            let words = state.iter().zip(frame).zip(outputs).zip(struck);
            for (next, (((state, frame), outputs), struck)) in scratch.next.iter_mut().zip(words) {
                *next |= ((state & frame) | outputs) & !struck;
            }
        }
    }
}
