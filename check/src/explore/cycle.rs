//! Cycles in the graph of states, depth first.
//!
//! The joint moves of states are computed anew instead of being kept: states are many times fewer than
//! moves. Where a game has a cycle one is mostly found soon.

use groundfrog::game::RoleId;
use groundfrog_reasoner::{GroundReasoner, MoveId, State, Vocabulary};

use super::Watch;
use super::search::Expander;
use super::states::States;
use super::{Witness, joint};

/// The result of a search.
pub(super) enum CycleSearch {
    /// There is no cycle.
    None,
    /// States, each with a joint move to the one after it, and the last with one to the first.
    Cycle(Vec<u32>),
    /// Time was up, or not all states are known.
    Undecided,
}

/// How far the search has come with a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Successors are made distinct when there are so many.
const LEAST_DISTINCT: usize = 1 << 12;
/// Bytes of an open state, its successors aside.
const ENTRY_BYTES: u64 = 32;

fn distinct(states: &mut Vec<u32>) {
    states.sort_unstable();
    states.dedup();
}

/// Looks for a cycle among the states known.
pub(super) fn find(
    expander: &mut Expander<'_>,
    states: &States,
    complete: bool,
    watch: &Watch<'_>,
) -> CycleSearch {
    let mut marks = vec![Mark::New; states.numbers()];
    let mut ticks = 0_u32;
    // Looks at the clock once in a while.
    let mut is_late = move || {
        ticks = ticks.wrapping_add(1);
        ticks.is_multiple_of(256) && watch.is_late()
    };
    // Open states, each with its successors that are still to be looked at.
    let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut pending = 0_u64;
    let mut enter = Some(states.initial());
    loop {
        if let Some(state) = enter.take() {
            marks[state as usize] = Mark::Open;
            expander.load(states.get(state));
            let (mut successors, mut late) = (Vec::new(), false);
            let mut room = LEAST_DISTINCT;
            expander.expand(|_, successor| {
                successors.extend(states.find(successor));
                // Many joint moves may lead to few states.
                if successors.len() >= room {
                    distinct(&mut successors);
                    room = LEAST_DISTINCT.max(successors.len() * 2);
                }
                late |= is_late();
                !late
            });
            distinct(&mut successors);
            successors.retain(|&it| marks[it as usize] != Mark::Done);
            successors.shrink_to_fit();
            pending += successors.capacity() as u64 * 4 + ENTRY_BYTES;
            let bytes = states.bytes() + marks.len() as u64 + pending;
            if late || is_late() || watch.space(0, bytes).is_some() {
                return CycleSearch::Undecided;
            }
            open.push((state, successors));
        }
        let Some((state, successors)) = open.last_mut() else {
            return if complete { CycleSearch::None } else { CycleSearch::Undecided };
        };
        match successors.pop() {
            None => {
                marks[*state as usize] = Mark::Done;
                pending -= successors.capacity() as u64 * 4 + ENTRY_BYTES;
                open.pop();
            }
            Some(next) => match marks[next as usize] {
                Mark::Done => {}
                Mark::New => enter = Some(next),
                Mark::Open => {
                    let begin = open.iter().position(|&(it, _)| it == next);
                    let begin = begin.expect("open states are on the path");
                    return CycleSearch::Cycle(open[begin..].iter().map(|&(it, _)| it).collect());
                }
            },
        }
    }
}

// The moves that lead to a state.

/// Finds ways through the states that were visited.
pub(super) struct Paths<'a> {
    expander: Expander<'a>,
    states: &'a States,
}

impl<'a> Paths<'a> {
    pub(super) fn new(reasoner: &'a mut GroundReasoner, states: &'a States) -> Self {
        Paths { expander: Expander::new(reasoner), states }
    }

    pub(super) fn role(&self, role: RoleId) -> String {
        self.expander.reasoner.role_text(role)
    }

    /// A shortest way from the initial state to another.
    pub(super) fn to(&mut self, state: u32, remark: String) -> Box<Witness> {
        let mut moves = Vec::new();
        let mut at = state;
        while let Some(parent) = self.states.parent(at) {
            moves.push(self.step(parent, at));
            at = parent;
        }
        moves.reverse();
        let mut present = State::default();
        present.copy_from(self.states.get(state));
        let state = self.expander.reasoner.state_text(&present).expect("a state of the game");
        Box::new(Witness { moves, state, cycle: Vec::new(), remark })
    }

    /// The way to a cycle, and the moves around it. The cycle begins where it is nearest.
    pub(super) fn cycle(&mut self, cycle: &[u32]) -> Box<Witness> {
        let nearest =
            cycle.iter().enumerate().min_by_key(|(_, state)| (self.states.depth(**state), **state));
        let (begin, &first) = nearest.expect("a cycle has states");
        let mut witness = self.to(first, String::new());
        let around = cycle[begin..].iter().chain(&cycle[..=begin]);
        let around: Vec<u32> = around.copied().collect();
        witness.cycle = around.windows(2).map(|pair| self.step(pair[0], pair[1])).collect();
        witness
    }

    /// A joint move from one state to another.
    fn step(&mut self, from: u32, to: u32) -> Vec<String> {
        let states = self.states;
        let mut found: Vec<MoveId> = Vec::new();
        self.expander.load(states.get(from));
        self.expander.expand(|moves, successor| {
            let there = states.find(successor) == Some(to);
            if there {
                found.extend_from_slice(moves);
            }
            !there
        });
        joint(self.expander.reasoner, &found)
    }
}
