//! Random playouts.

use std::convert::Infallible;

use super::GroundReasoner;
use crate::random::Ranked;
use crate::vocabulary::illegal_move;
use crate::{MoveId, Random, ReasonerError, State, Vocabulary};
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
    /// It was stopped from outside, as when time is up.
    Stopped,
}

/// Chooses moves in playouts: [`Uniform`], or a closure from the words of a state ([`State::words`]), a role, and its legal
/// moves, ascending and at least one, to one of these.
pub trait Policy {
    /// A move of a role among those that are legal.
    fn choose(&mut self, state: &[u64], role: RoleId, legal: &[MoveId]) -> MoveId;

    /// The random numbers of a policy by which all legal moves are alike likely; its moves are then not listed.
    fn uniform(&mut self) -> Option<&mut Random> {
        None
    }
}

impl<F: FnMut(&[u64], RoleId, &[MoveId]) -> MoveId> Policy for F {
    fn choose(&mut self, state: &[u64], role: RoleId, legal: &[MoveId]) -> MoveId {
        self(state, role, legal)
    }
}

/// All legal moves are alike likely.
#[derive(Debug)]
pub struct Uniform<'run>(pub &'run mut Random);

impl Policy for Uniform<'_> {
    fn choose(&mut self, _state: &[u64], _role: RoleId, legal: &[MoveId]) -> MoveId {
        legal[self.0.below(legal.len() as u32) as usize]
    }

    fn uniform(&mut self) -> Option<&mut Random> {
        Some(self.0)
    }
}

impl GroundReasoner {
    /// Plays from the initial state, each role choosing evenly among its legal moves, until a terminal state
    /// or `max_length` joint moves. The goals of the state reached are given by [`GroundReasoner::final_goals`].
    ///
    /// ```
    /// # use groundfrog::RoleId;
    /// # use groundfrog_reasoner::{GroundReasoner, PlayoutEnd, Random, Reasoner};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let playout = nim.playout(&mut Random::new(1), 1000);
    /// assert_eq!(playout.end, PlayoutEnd::Terminal);
    /// assert_eq!(nim.final_goals(RoleId(0))[0] + nim.final_goals(RoleId(1))[0], 100);
    /// let end = nim.final_state();
    /// assert!(nim.is_terminal(&end)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn playout(&mut self, random: &mut Random, max_length: u32) -> Playout {
        self.playout_observed(random, max_length, |_, _| {})
    }

    /// As [`GroundReasoner::playout`], and shows the words of each state that is left with the moves made
    /// in it.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Random, Reasoner, State};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let mut states = Vec::new();
    /// let playout = nim.playout_observed(&mut Random::new(1), 1000, |words, _| states.push(State::of_words(words)));
    /// assert_eq!((states.len() as u32, &states[0]), (playout.length, nim.initial()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn playout_observed(
        &mut self,
        random: &mut Random,
        max_length: u32,
        mut observe: impl FnMut(&[u64], &[MoveId]),
    ) -> Playout {
        let start = std::mem::take(&mut self.initial);
        self.visit(&start);
        self.initial = start;
        let played = self.play_on(
            max_length,
            || false,
            |it, moves| {
                let stuck = it.choose(moves, random);
                if stuck.is_none() {
                    observe(&it.state, moves);
                }
                Ok::<_, Infallible>(stuck)
            },
        );
        let Ok(playout) = played;
        playout
    }

    /// Plays from a state until a terminal state, `max_length` joint moves, or `stop` says so, which is asked before each joint move. The goals of the state reached are given by
    /// [`GroundReasoner::final_goals`], [`GroundReasoner::final_values`] and [`GroundReasoner::final_state`].
    ///
    /// ```
    /// use groundfrog_reasoner::{GroundReasoner, MoveId, PlayoutEnd, Random, Reasoner, Uniform, Vocabulary};
    /// use groundfrog::{Description, GroundOptions, ParseOptions, RoleId, Silent, ground};
    /// let rules = "(role ann) (init (heap 2)) (less 2 1) (less 1 0) (legal ann take) (legal ann wait)
    ///     (<= (next (heap ?m)) (does ann take) (true (heap ?n)) (less ?n ?m))
    ///     (<= (next (heap ?n)) (does ann wait) (true (heap ?n)))
    ///     (<= terminal (true (heap 0))) (goal ann 100)";
    /// let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
    /// let game = ground(&description, &GroundOptions::compact(), &mut Silent)?.game;
    /// let mut reasoner = GroundReasoner::new(game)?;
    /// let start = reasoner.initial().clone();
    /// reasoner.playout_until(&start, &mut Uniform(&mut Random::new(1)), 1000, || false)?;
    ///
    /// let wait = reasoner.find_move(RoleId(0), "wait").expect("it is a move");
    /// let mut waits = |_: &[u64], _: RoleId, _: &[MoveId]| wait;
    /// let playout = reasoner.playout_until(&start, &mut waits, 7, || false)?;
    /// let mut values = Vec::new();
    /// reasoner.final_values(playout, 50, &mut values);
    /// assert_eq!((playout.length, values), (7, vec![50]), "it was capped");
    /// let playout = reasoner.playout_until(&start, &mut waits, 7, || true)?;
    /// assert_eq!((playout.length, playout.end), (0, PlayoutEnd::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReasonerError::ForeignState`]; [`ReasonerError::IllegalMove`] if the policy chooses something else than one of the
    /// legal moves.
    pub fn playout_until(
        &mut self,
        start: &State,
        policy: &mut impl Policy,
        max_length: u32,
        stop: impl FnMut() -> bool,
    ) -> Result<Playout, ReasonerError> {
        self.enter_checked(start)?;
        let mut legal = Vec::new();
        self.play_on(max_length, stop, |it, moves| match policy.uniform() {
            Some(random) => Ok(it.choose(moves, random)),
            None => it.choose_by(moves, policy, &mut legal),
        })
    }

    /// Plays on from the state that was entered. `choose` chooses the moves, or says which role has none.
    #[inline]
    fn play_on<E>(
        &mut self,
        max_length: u32,
        mut stop: impl FnMut() -> bool,
        mut choose: impl FnMut(&mut Self, &mut [MoveId]) -> Result<Option<RoleId>, E>,
    ) -> Result<Playout, E> {
        let mut moves = std::mem::take(&mut self.made);
        moves.resize(self.game.roles().len(), MoveId(0));
        let mut length = 0;
        let end = loop {
            if self.is_over() {
                break Ok(PlayoutEnd::Terminal);
            }
            if length == max_length {
                break Ok(PlayoutEnd::Capped);
            }
            if stop() {
                break Ok(PlayoutEnd::Stopped);
            }
            match choose(self, &mut moves) {
                Ok(None) => {}
                Ok(Some(role)) => break Ok(PlayoutEnd::Stuck(role)),
                Err(error) => break Err(error),
            }
            self.compute_next(&moves);
            self.step();
            length += 1;
        };
        self.made = moves;
        Ok(Playout { length, end: end? })
    }

    /// Chooses by a policy. Returns a role that has no move, if there is one.
    fn choose_by(
        &mut self,
        moves: &mut [MoveId],
        policy: &mut impl Policy,
        legal: &mut Vec<MoveId>,
    ) -> Result<Option<RoleId>, ReasonerError> {
        for (role, chosen) in moves.iter_mut().enumerate() {
            self.moves_here(role, legal);
            let role = RoleId(role as u32);
            if legal.is_empty() {
                return Ok(Some(role));
            }
            legal.sort_unstable();
            *chosen = policy.choose(&self.state, role, legal);
            if legal.binary_search(chosen).is_err() {
                return Err(match self.game.moves().get(chosen.index()) {
                    Some(_) => illegal_move(self, role, *chosen),
                    None => crate::vocabulary::unknown_move(self, role, *chosen),
                });
            }
        }
        Ok(None)
    }

    /// What the last playout was worth, by role: the goal value where it ended in a terminal state that has just one for the
    /// role, else `otherwise`. `values` is replaced.
    pub fn final_values(&mut self, playout: Playout, otherwise: i64, values: &mut Vec<i64>) {
        values.clear();
        for role in self.role_ids() {
            let goals = self.final_goals(role);
            values.push(match *goals {
                [value] if playout.end == PlayoutEnd::Terminal => value,
                _ => otherwise,
            });
        }
    }

    /// The goal values of a role in the state that the last playout reached, ascending.
    pub fn final_goals(&mut self, role: RoleId) -> &[i64] {
        let mut values = std::mem::take(&mut self.goals);
        self.goals_here(role, &mut values);
        self.goals = values;
        &self.goals
    }

    /// The state that the last playout reached.
    pub fn final_state(&self) -> State {
        let mut state = State::of_words(&self.state);
        self.numbering.sign(&mut state);
        state
    }

    /// Chooses a move for each role. Returns a role that has none, if there is one.
    #[inline]
    pub(super) fn choose(&mut self, moves: &mut [MoveId], random: &mut Random) -> Option<RoleId> {
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
