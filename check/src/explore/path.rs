//! The moves that lead to a state.

use super::expand::Expander;
use super::exploration::{Witness, joint};
use super::states::States;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{GroundReasoner, MoveId, State, Vocabulary};

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
