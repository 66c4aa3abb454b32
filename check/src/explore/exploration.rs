//! What an exploration tells.

use crate::knowledge::RoleKnowledge;
use groundfrog_reasoner::{GroundReasoner, MoveId, Vocabulary};

/// A way through the states of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The moves from the initial state, each with one move for each role.
    pub moves: Vec<Vec<String>>,
    /// The fluents of the state that they lead to.
    pub state: Vec<String>,
    /// The moves from that state back to it, where the witness is a cycle.
    pub cycle: Vec<Vec<String>>,
    /// What is special about the state, such as the role that has no move.
    pub remark: String,
}

/// Whether a property holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It does; winnability is shown by a shortest way to win.
    Holds(Option<Box<Witness>>),
    /// It does not; most properties are refuted by a state.
    Fails(Option<Box<Witness>>),
    /// Not found out within the limits.
    #[default]
    Undecided,
}

impl Verdict {
    /// `yes`, `no` or `undecided`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "yes",
            Verdict::Fails(_) => "no",
            Verdict::Undecided => "undecided",
        }
    }
}

/// What was found out about the states of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exploration {
    /// States that can be reached, play ending at terminal ones; a lower bound if not complete.
    pub states: u64,
    /// How many of them were looked at: all, if complete.
    pub visited: u64,
    /// How many of those are terminal.
    pub terminal_states: u64,
    /// States whose joint moves were counted: those that are not terminal of all that were looked at, and where a
    /// limit ended the search some that were begun.
    pub expanded: u64,
    /// Joint moves out of these.
    pub joint_moves: u64,
    /// The most joint moves out of one state.
    pub max_branching: u64,
    /// The most moves that it takes to reach a state by a shortest way; or the longest match met, if
    /// matches were played.
    pub depth: u32,
    /// Matches played at random, if states were not explored.
    pub playouts: Option<u64>,
    /// Why the search ended early; `None` if all states were visited.
    pub limit: Option<String>,
    /// Whether every match ends, at a terminal state or where a role has no move.
    pub termination: Verdict,
    /// Whether each role has a move wherever the match goes on.
    pub playability: Verdict,
    /// Whether each role has one goal value in each terminal state; so it is if there is none.
    pub utility: Verdict,
    /// Whether the goals of two roles that move in turn always add up to 100, where most do; states that are visited do not say.
    pub sum: Verdict,
    /// By role: its name, and whether it can win.
    pub winnable: Vec<(String, Verdict)>,
    /// What each role knows, in a game with percepts, if that was looked at.
    pub knowledge: Vec<RoleKnowledge>,
    /// Bytes used for each state.
    pub bytes_per_state: f64,
}

impl Exploration {
    /// Joint moves out of a state that is not terminal, on average.
    pub fn branching(&self) -> f64 {
        let expanded = self.expanded as f64;
        if expanded == 0.0 { 0.0 } else { self.joint_moves as f64 / expanded }
    }
}

/// How an exploration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplorationProgress {
    /// States expanded.
    pub expanded: u64,
    /// States known.
    pub known: u64,
    /// Joint moves from the initial state to the one at hand.
    pub depth: u32,
}

/// A joint move in words, one move for each role.
pub(super) fn joint(reasoner: &GroundReasoner, moves: &[MoveId]) -> Vec<String> {
    moves.iter().map(|&it| reasoner.move_text(it)).collect()
}
