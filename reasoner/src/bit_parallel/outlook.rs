//! Many states looked at one move ahead at once: whether they are over, their legal moves, and which of these end the match.
//!
//! First a lane is a state, then a state with one of its moves, which is made.

use std::sync::Arc;

use super::lanes::{Block, LANES, transpose};
use super::program::block_of;
use super::{BitParallel, Lanes};
use crate::{MoveId, ReasonerError, State};
use groundfrog::game::RoleId;

/// What is seen of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlook {
    /// In a terminal state: the value that each role has, if it is one.
    pub goals: Option<Vec<Option<i64>>>,
    /// By role: its legal moves, ascending; none in a terminal state.
    pub legal: Vec<Vec<MoveId>>,
    /// The terminal states that were found one move ahead, ascending by move.
    pub ends: Vec<EndAhead>,
}

/// A terminal state one move ahead.
#[derive(Clone, Debug, PartialEq)]
pub struct EndAhead {
    /// The position of the move among the legal ones of the role that has a choice.
    pub position: usize,
    /// The state that it leads to.
    pub state: State,
    /// The value that each role has there, if it is one.
    pub goals: Vec<Option<i64>>,
}

impl BitParallel {
    /// Looks at up to [`LANES`] states, and from each that is not over one move ahead. `chooser` says from the legal moves by role which role's
    /// moves are made, beside the first moves of all others; without one, none is. Once
    /// `stops` says so, no more moves are made. Matches that were begun in lanes are lost.
    ///
    /// ```
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, Reasoner, State, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// let mut nim = GroundReasoner::of_text(rules)?;
    /// let texts = ["(control first)", "(heap a 1)", "(heap b 0)", "(heap c 0)", "(heap d 0)"];
    /// let last = State::of(texts.map(|text| nim.find_fluent(text).expect("a fluent")));
    /// let mut lanes = BitParallel::new(nim.game().clone())?;
    /// let seen = lanes.look_ahead(&[nim.initial().clone(), last], |_| Some(0), || false)?;
    /// assert!(seen[0].ends.is_empty() && seen[0].legal[0].len() == 16);
    /// assert_eq!(seen[1].ends[0].goals, [Some(100), Some(0)], "who takes the last object wins");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReasonerError::TooManyLanes`] for more states, and as [`Vocabulary::check_state`](crate::Vocabulary::check_state).
    pub fn look_ahead(
        &mut self,
        states: &[State],
        chooser: impl Fn(&[Vec<MoveId>]) -> Option<usize>,
        mut stops: impl FnMut() -> bool,
    ) -> Result<Vec<Outlook>, ReasonerError> {
        self.check_states(states)?;
        let mut seen = self.look(states);
        let mut pairs: Vec<(u16, u16, u16)> = Vec::new();
        for (number, outlook) in seen.iter().enumerate() {
            let may_move = outlook.legal.iter().all(|moves| !moves.is_empty());
            if let Some(role) = chooser(&outlook.legal).filter(|_| may_move) {
                let positions = 0..outlook.legal[role].len();
                pairs.extend(positions.map(|it| (number as u16, role as u16, it as u16)));
            }
        }
        for pairs in pairs.chunks(LANES) {
            if stops() {
                break;
            }
            self.make(states, &seen, pairs);
            let over = self.over(pairs.len());
            if !over.any() {
                continue;
            }
            self.compiled.clone().goals.run(&mut self.nodes);
            let goals = self.goals_of(&over);
            for (lane, goals) in over.lanes().zip(goals) {
                let (number, _, position) = pairs[lane];
                let state = Lanes { play: self }.state(lane);
                let end = EndAhead { position: usize::from(position), state, goals };
                seen[usize::from(number)].ends.push(end);
            }
        }
        Ok(seen)
    }

    /// Whether states are over, and else their legal moves.
    fn look(&mut self, states: &[State]) -> Vec<Outlook> {
        let compiled = Arc::clone(&self.compiled);
        self.fill(states.iter());
        let over = self.over(states.len());
        let playing = Block::first(states.len()) & !over;
        let nothing =
            Outlook { legal: vec![Vec::new(); compiled.legal.len()], ..Outlook::default() };
        let mut seen = vec![nothing; states.len()];
        for (role, moves) in compiled.legal.iter().enumerate() {
            for &(number, legal) in moves {
                let legal = block_of(legal, &self.nodes) & playing;
                legal.lanes().for_each(|lane| seen[lane].legal[role].push(MoveId(number)));
            }
        }
        if over.any() {
            compiled.goals.run(&mut self.nodes);
            let goals = self.goals_of(&over);
            over.lanes().zip(goals).for_each(|(lane, goals)| seen[lane].goals = Some(goals));
        }
        seen
    }

    /// Makes one move in each lane: a lane is a state, a role and the position of a legal move of it.
    fn make(&mut self, states: &[State], seen: &[Outlook], pairs: &[(u16, u16, u16)]) {
        let compiled = Arc::clone(&self.compiled);
        self.fill(pairs.iter().map(|it| &states[usize::from(it.0)]));
        let first = self.initial.len();
        self.nodes[first..first + self.game.moves().len()].fill(Block::NONE);
        for (lane, &(state, role, position)) in pairs.iter().enumerate() {
            for (other, legal) in seen[usize::from(state)].legal.iter().enumerate() {
                let position = if other == usize::from(role) { usize::from(position) } else { 0 };
                self.nodes[first + legal[position].index()].insert(lane);
            }
        }
        compiled.status.run(&mut self.nodes);
        self.playing = Block::ALL;
        compiled.next.run(&mut self.nodes);
        for (next, &code) in self.next.iter_mut().zip(&compiled.network.next) {
            *next = block_of(code, &self.nodes);
        }
        self.nodes[..first].copy_from_slice(&self.next);
    }

    /// Finds out which of the first lanes are over.
    fn over(&mut self, lanes: usize) -> Block {
        let compiled = Arc::clone(&self.compiled);
        compiled.status.run(&mut self.nodes);
        block_of(compiled.network.terminal, &self.nodes) & Block::first(lanes)
    }

    /// The only goal value of each role in each of these lanes.
    fn goals_of(&self, lanes: &Block) -> Vec<Vec<Option<i64>>> {
        let roles = (0..self.game.roles().len() as u32).map(RoleId);
        let of_lane = |lane: usize| {
            let value = |role: RoleId| {
                let goals = self.compiled.network.goals_of(role);
                let mut goals = goals.filter(|it| block_of(it.code, &self.nodes).contains(lane));
                let only = goals.next().filter(|_| goals.next().is_none());
                only.and_then(|it| it.value)
            };
            roles.clone().map(value).collect()
        };
        lanes.lanes().map(of_lane).collect()
    }

    /// Sets the fluents of the first lanes from states.
    pub(super) fn fill<'s>(&mut self, states: impl Iterator<Item = &'s State> + Clone) {
        let fluents = self.initial.len();
        for word in 0..fluents.div_ceil(64) {
            let mut rows = [Block::NONE; 64];
            for (lane, state) in states.clone().enumerate() {
                rows[lane % 64][lane / 64] = state.words().get(word).copied().unwrap_or(0);
            }
            transpose(&mut rows);
            let fluents = word * 64..fluents.min(word * 64 + 64);
            let count = fluents.len();
            self.nodes[fluents].copy_from_slice(&rows[..count]);
        }
    }
}
