//! What a few random matches show.

use std::time::Duration;
use web_time::Instant;

use groundfrog_reasoner::{FluentId, MoveId, Random, Reasoner, State};

/// States that are looked at, at most, and how long one of these matches is.
const STATES: usize = 120;
const TURNS: usize = 40;
/// Time for all of them: only rules with variables may need it.
pub(super) const TIME: Duration = Duration::from_secs(2);

/// States of a few random matches, and the moves between them; the same for the same game, unless the time was short.
#[derive(Debug, Default)]
pub(super) struct Sample {
    /// The fluents that hold in each state.
    pub(super) states: Vec<Vec<usize>>,
    /// Joint moves, each with the position of the state that it was made in; the state after it is the next one.
    pub(super) turns: Vec<(usize, Vec<MoveId>)>,
    /// How many joint moves were made before each state.
    pub(super) steps: Vec<usize>,
    /// How many moves are numbered as far as was seen.
    pub(super) moves: usize,
}

impl Sample {
    pub(super) fn new(reasoner: &mut dyn Reasoner, end: Instant) -> Self {
        let until = end.min(Instant::now() + TIME);
        let mut random = Random::new(1);
        let mut sample = Sample::default();
        let roles: Vec<_> = reasoner.role_ids().collect();
        let mut legal = Vec::new();
        while sample.states.len() < STATES && Instant::now() < until {
            let mut state = reasoner.initial().clone();
            for step in 0..TURNS {
                sample.steps.push(step);
                sample.add(&state);
                if Instant::now() >= until || !matches!(reasoner.is_terminal(&state), Ok(false)) {
                    break;
                }
                let mut moves = Vec::new();
                for &role in &roles {
                    if reasoner.legal_moves(&state, role, &mut legal).is_ok() && !legal.is_empty() {
                        let highest = legal.iter().map(|it| it.index() + 1).max();
                        sample.moves = sample.moves.max(highest.unwrap_or(0));
                        moves.push(legal[random.below(legal.len() as u32) as usize]);
                    }
                }
                let mut next = State::default();
                if reasoner.next_state(&state, &moves, &mut next).is_err() {
                    break;
                }
                state = next;
                sample.turns.push((sample.states.len() - 1, moves));
            }
            sample.forget_last_turn();
        }
        sample
    }

    fn add(&mut self, state: &State) {
        self.states.push(state.fluents().map(FluentId::index).collect());
    }

    /// A turn after which no state was looked at is none.
    fn forget_last_turn(&mut self) {
        let states = self.states.len();
        self.turns.retain(|(state, _)| state + 1 < states);
    }
}
