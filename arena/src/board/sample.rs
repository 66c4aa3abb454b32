//! What a few random matches show: who brings what.

use std::time::Duration;
use web_time::Instant;

use groundfrog_reasoner::{GroundReasoner, MoveId, Random, Reasoner, State, Vocabulary};

/// Joint moves that are looked at, at most, and how long one of these matches is.
const MOVES: usize = 120;
const TURNS: usize = 40;

/// Joint moves of a few random matches; the same for the same game, unless the time was short.
#[derive(Debug, Default)]
pub(super) struct Sample {
    /// The state before, the moves, and the state after.
    pub(super) turns: Vec<(State, Vec<MoveId>, State)>,
}

impl Sample {
    pub(super) fn new(reasoner: &mut GroundReasoner, time: Duration) -> Self {
        let until = Instant::now() + time;
        let mut random = Random::new(1);
        let mut sample = Sample::default();
        let roles: Vec<_> = reasoner.role_ids().collect();
        let mut legal = Vec::new();
        while sample.turns.len() < MOVES && Instant::now() < until {
            let mut state = reasoner.initial().clone();
            for _ in 0..TURNS {
                if Instant::now() >= until || !matches!(reasoner.is_terminal(&state), Ok(false)) {
                    break;
                }
                let mut moves = Vec::new();
                for &role in &roles {
                    if reasoner.legal_moves(&state, role, &mut legal).is_ok() && !legal.is_empty() {
                        moves.push(legal[random.below(legal.len() as u32) as usize]);
                    }
                }
                let mut next = State::default();
                if reasoner.next_state(&state, &moves, &mut next).is_err() {
                    return sample;
                }
                let before = std::mem::replace(&mut state, next);
                sample.turns.push((before, moves, state.clone()));
            }
            if sample.turns.is_empty() {
                break;
            }
        }
        sample
    }
}
