//! Random playouts.

use super::GroundReasoner;
use crate::random::Ranked;
use crate::{MoveId, Random, State};
use groundfrog::game::RoleId;

/// How a random playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Joint moves made: states expanded.
    pub length: u32,
    /// Why it ended.
    pub end: PlayoutEnd,
}

/// Why a random playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutEnd {
    /// The state is terminal.
    Terminal,
    /// It has made as many joint moves as it may.
    Capped,
    /// This role has no legal move, and the state is not terminal.
    Stuck(RoleId),
}

impl GroundReasoner {
    /// Plays from the initial state, each role choosing evenly among its legal moves, until a terminal state
    /// or `max_length` joint moves. The state reached can be asked about by [`GroundReasoner::final_goals`].
    pub fn playout(&mut self, random: &mut Random, max_length: u32) -> Playout {
        self.playout_observed(random, max_length, |_, _| {})
    }

    /// As [`GroundReasoner::playout`], and shows the words of each state that is left with the moves made
    /// in it.
    pub fn playout_observed(
        &mut self,
        random: &mut Random,
        max_length: u32,
        mut observe: impl FnMut(&[u64], &[MoveId]),
    ) -> Playout {
        let start = std::mem::take(&mut self.initial);
        self.enter(&start);
        self.initial = start;
        let mut moves = std::mem::take(&mut self.made);
        moves.resize(self.game.roles().len(), MoveId(0));
        let mut length = 0;
        let end = loop {
            if self.compiled.holds(self.compiled.terminal, &self.activity) {
                break PlayoutEnd::Terminal;
            }
            if length == max_length {
                break PlayoutEnd::Capped;
            }
            if let Some(stuck) = self.choose(&mut moves, random) {
                break PlayoutEnd::Stuck(stuck);
            }
            observe(&self.state, &moves);
            self.advance(&moves);
            self.step();
            length += 1;
        };
        self.made = moves;
        Playout { length, end }
    }

    /// The goal values of a role in the state that the last playout reached, ascending.
    pub fn final_goals(&mut self, role: RoleId) -> &[i64] {
        let mut values = std::mem::take(&mut self.goals);
        self.values_of(role, &mut values);
        self.goals = values;
        &self.goals
    }

    /// The state that the last playout reached.
    pub fn final_state(&self) -> State {
        State::of_words(&self.state)
    }

    /// Chooses a move for each role. Returns a role that has none, if there is one.
    #[inline]
    fn choose(&mut self, moves: &mut [MoveId], random: &mut Random) -> Option<RoleId> {
        for (role, chosen) in moves.iter_mut().enumerate() {
            match self.random_move(role, random) {
                Some(it) => *chosen = it,
                None => return Some(RoleId(role as u32)),
            }
        }
        None
    }

    #[inline]
    fn random_move(&mut self, role: usize, random: &mut Random) -> Option<MoveId> {
        let legal = &self.compiled.legal;
        let (words, first) = match legal.single_block(role, &self.activity) {
            Some(block) => block,
            None => {
                legal.collect(role, &self.activity, &mut self.legal);
                (&self.legal[..legal.words(role)], 0)
            }
        };
        random_bit(words, random).map(|bit| legal.move_at(role, first + bit))
    }
}

/// The position of one of the bits that are set, all alike likely.
#[inline]
fn random_bit(words: &[u64], random: &mut Random) -> Option<u32> {
    if let [word] = *words {
        if word & word.wrapping_sub(1) == 0 {
            return (word != 0).then(|| word.trailing_zeros());
        }
        let bits = Ranked::new(word);
        return Some(bits.select(random.below(bits.count())));
    }
    let mut rank = match words.iter().map(|&word| Ranked::new(word).count()).sum() {
        0 => return None,
        1 => 0,
        count => random.below(count),
    };
    for (index, &word) in words.iter().enumerate() {
        let bits = Ranked::new(word);
        if rank < bits.count() {
            return Some(index as u32 * 64 + bits.select(rank));
        }
        rank -= bits.count();
    }
    unreachable!("the rank is below the number of bits")
}
