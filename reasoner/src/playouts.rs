//! The place for random playouts by any rules ([`play_on`]): following them while they are played, and what they were like.
//!
//! Those by ground rules alone are faster: [`GroundReasoner::playout_until`](crate::GroundReasoner::playout_until) for one, and
//! [`BitParallel`](crate::BitParallel) for many at once.

use groundfrog_engine::observe::Silent;

use crate::{MoveId, Playout, PlayoutEnd, Random, Reasoner, ReasonerError, State};

/// Plays a match at random from a state on, which becomes the one that is reached: until it is terminal, or for `max_length` joint moves, or
/// until `stop` says so of a state. Each joint move is shown to `change` before it is made, and may be changed.
///
/// # Errors
/// As the reasoner.
pub fn play_on<R: Reasoner + ?Sized>(
    reasoner: &mut R,
    state: &mut State,
    random: &mut Random,
    max_length: u32,
    mut stop: impl FnMut(&State) -> bool,
    mut change: impl FnMut(&mut R, &mut Random, &State, &mut [MoveId]) -> Result<(), ReasonerError>,
) -> Result<Playout, ReasonerError> {
    let (mut next, mut moves, mut length) = (State::default(), Vec::new(), 0);
    let end = loop {
        if reasoner.is_terminal(state)? {
            break PlayoutEnd::Terminal;
        }
        if length >= max_length {
            break PlayoutEnd::Capped;
        }
        if stop(state) {
            break PlayoutEnd::Stopped;
        }
        if let Some(role) = reasoner.random_joint_move(state, random, &mut moves)? {
            break PlayoutEnd::Stuck(role);
        }
        change(reasoner, random, state, &mut moves)?;
        reasoner.next_state(state, &moves, &mut next)?;
        std::mem::swap(state, &mut next);
        length += 1;
    };
    Ok(Playout { length, end })
}

/// Follows random playouts, as those of [`simulate`](crate::simulate::simulate). Every method does nothing by default.
pub trait PlayoutObserver {
    /// So many playouts have ended, of `total` where that is known.
    fn played(&mut self, _playouts: u64, _total: Option<u64>) {}

    /// The warm-up is over: what is played from now on is measured.
    fn measured_from_now(&mut self) {}

    /// Whether [`simulate`](crate::simulate::simulate) or a comparison before the next match is to stop now;
    /// what was played counts.
    fn is_stopped(&mut self) -> bool {
        false
    }
}

impl PlayoutObserver for Silent {}

/// The goals of a role over playouts that reached a terminal state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalStatistics {
    /// Sum of the values, over playouts with exactly one value.
    pub sum: i128,
    /// Playouts with exactly one value, an integer.
    pub count: u64,
    /// Playouts that ended without a value.
    pub missing: u64,
    /// Playouts that ended with more than one value.
    pub ambiguous: u64,
}

impl GoalStatistics {
    /// The mean value, if any playout had one.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Adds playouts that ended with this value alone.
    pub(crate) fn add(&mut self, value: Option<i64>, playouts: u64) {
        if let Some(value) = value {
            self.sum += i128::from(value) * i128::from(playouts);
            self.count += playouts;
        } else {
            self.missing += playouts;
        }
    }

    pub(crate) fn add_values(&mut self, values: &[i64]) {
        match values {
            [] => self.missing += 1,
            &[value] => self.add(Some(value), 1),
            _ => self.ambiguous += 1,
        }
    }
}

/// What random playouts were like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayoutStatistics {
    /// Playouts that ended, in whatever way.
    pub playouts: u64,
    /// States expanded: joint moves made. Includes playouts that have not ended.
    pub states: u64,
    /// Joint moves of the playouts that ended.
    pub steps: u64,
    /// Playouts that reached a terminal state.
    pub terminal: u64,
    /// Playouts that were given up after as many joint moves as they may have.
    pub capped: u64,
    /// Playouts that ended since a role had no legal move in a state that is not terminal.
    pub stuck: u64,
    /// By role: the playouts that ended since this one was the first without a legal move.
    pub stuck_by_role: Vec<u64>,
    /// By role.
    pub goals: Vec<GoalStatistics>,
}

impl PlayoutStatistics {
    /// Counts a playout.
    pub(crate) fn end(&mut self, Playout { length, end }: Playout) {
        self.playouts += 1;
        self.steps += u64::from(length);
        match end {
            PlayoutEnd::Terminal => self.terminal += 1,
            PlayoutEnd::Capped | PlayoutEnd::Stopped => self.capped += 1,
            PlayoutEnd::Stuck(role) => {
                self.stuck += 1;
                self.stuck_by_role[role.index()] += 1;
            }
        }
    }

    /// Nothing played yet.
    pub fn new(roles: usize) -> Self {
        PlayoutStatistics {
            goals: vec![GoalStatistics::default(); roles],
            stuck_by_role: vec![0; roles],
            ..PlayoutStatistics::default()
        }
    }

    /// Joint moves of a playout, on average.
    pub fn mean_length(&self) -> Option<f64> {
        (self.playouts > 0).then(|| self.steps as f64 / self.playouts as f64)
    }
}
