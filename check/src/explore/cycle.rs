//! Cycles in the graph of states, depth first.
//!
//! The joint moves of states are computed anew instead of being kept: states are many times fewer than
//! moves. Where a game has a cycle one is mostly found soon.

use groundfrog::game::RoleId;
use groundfrog_reasoner::state_space::{Expander, States, longest_way};
use groundfrog_reasoner::{GroundReasoner, MoveId, State, Vocabulary};

use super::Watch;
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

/// Successors are made distinct when there are so many.
const LEAST_DISTINCT: usize = 1 << 12;

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
    let mut ticks = 0_u32;
    // Looks at the clock once in a while.
    let mut is_late = move || {
        ticks = ticks.wrapping_add(1);
        ticks.is_multiple_of(256) && watch.is_late()
    };
    let successors = |state| {
        expander.load(states.get(state));
        let (mut successors, mut late) = (Vec::new(), false);
        let mut room = LEAST_DISTINCT;
        expander.expand(&mut Vec::new(), |_, successor| {
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
        (!late && !is_late()).then_some(successors)
    };
    let has_room = |bytes| watch.space(0, states.bytes() + bytes).is_none();
    match longest_way(states.initial(), states.numbers(), successors, has_room) {
        Some(Ok(_)) if complete => CycleSearch::None,
        Some(Err(mut way)) => {
            let begin = way.iter().position(|&it| Some(it) == way.last().copied());
            way.pop();
            CycleSearch::Cycle(way.split_off(begin.unwrap_or(0)))
        }
        Some(Ok(_)) | None => CycleSearch::Undecided,
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
        let moves = self.moves(&self.states.path(state));
        let present = State::of_words(self.states.get(state));
        let state = self.expander.reasoner.state_text(&present).expect("a state of the game");
        Box::new(Witness { moves, state, cycle: Vec::new(), remark })
    }

    /// The way to a cycle, and the moves around it. The cycle begins where it is nearest.
    pub(super) fn cycle(&mut self, cycle: &[u32]) -> Box<Witness> {
        let distance = |state: u32| (self.states.path(state).len(), state);
        let nearest = cycle.iter().enumerate().min_by_key(|(_, state)| distance(**state));
        let (begin, &first) = nearest.expect("a cycle has states");
        let mut witness = self.to(first, String::new());
        let around = cycle[begin..].iter().chain(&cycle[..=begin]);
        witness.cycle = self.moves(&around.copied().collect::<Vec<u32>>());
        witness
    }

    /// The joint moves from each of these states to the next one.
    fn moves(&mut self, states: &[u32]) -> Vec<Vec<String>> {
        let states = states.iter().map(|&it| self.states.get(it));
        let moves = self.expander.moves_along(states);
        moves.iter().map(|made: &Vec<MoveId>| joint(self.expander.reasoner, made)).collect()
    }
}
