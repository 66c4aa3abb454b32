//! Random playouts and what they are like.

use std::time::{Duration, Instant};

use crate::game::RoleId;
use crate::reasoner::{
    BitParallel, GroundReasoner, InterpretedReasoner, MoveId, Random, Reasoner, ReasonerError,
    State,
};

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

    fn add_values(&mut self, values: &[i64]) {
        match values {
            [] => self.missing += 1,
            &[value] => self.add(Some(value), 1),
            _ => self.ambiguous += 1,
        }
    }
}

/// What random playouts were like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Playouts that ended, in whatever way.
    pub playouts: u64,
    /// States expanded: joint moves made. Includes playouts that have not ended.
    pub states: u64,
    /// Joint moves of the playouts that ended.
    pub steps: u64,
    /// Playouts that reached a terminal state.
    pub terminal: u64,
    /// Playouts that were given up at the cap.
    pub capped: u64,
    /// Playouts that ended since a role had no legal move in a state that is not terminal.
    pub stuck: u64,
    /// By role.
    pub goals: Vec<GoalStatistics>,
}

impl Statistics {
    /// Nothing played yet.
    pub fn new(roles: usize) -> Self {
        Statistics { goals: vec![GoalStatistics::default(); roles], ..Statistics::default() }
    }

    /// Joint moves of a playout, on average.
    pub fn mean_length(&self) -> Option<f64> {
        (self.playouts > 0).then(|| self.steps as f64 / self.playouts as f64)
    }
}

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulateOptions {
    /// Seed of the choices.
    pub seed: u64,
    /// How long to play and not to measure yet.
    pub warm_up: Duration,
    /// How long to play. A playout that has begun is finished.
    pub time: Duration,
    /// Playouts to play at most; without it only time counts. Many playouts at once overshoot it.
    pub playouts: Option<u64>,
    /// Joint moves after which a playout is given up.
    pub cap: u32,
}

impl Default for SimulateOptions {
    fn default() -> Self {
        SimulateOptions {
            seed: 1,
            warm_up: Duration::from_millis(200),
            time: Duration::from_secs(1),
            playouts: None,
            cap: 1000,
        }
    }
}

/// Statistics and the time that they took.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// What the playouts were like.
    pub statistics: Statistics,
    /// The time they took on one thread.
    pub elapsed: Duration,
}

impl Simulation {
    /// Playouts a second.
    pub fn playouts_per_second(&self) -> f64 {
        self.statistics.playouts as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// States expanded a second.
    pub fn states_per_second(&self) -> f64 {
        self.statistics.states as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Follows a simulation. Every method does nothing by default.
pub trait Progress {
    /// So many playouts have ended.
    fn played(&mut self, _playouts: u64) {}
}

impl Progress for () {}

/// Something that plays random playouts.
pub trait Simulator {
    /// Plays at least one playout, or a step of many.
    ///
    /// # Errors
    /// As the reasoner.
    fn play(
        &mut self,
        random: &mut Random,
        cap: u32,
        statistics: &mut Statistics,
    ) -> Result<(), ReasonerError>;

    /// How many roles there are.
    fn role_count(&self) -> usize;
}

/// Plays random playouts for some time.
///
/// # Errors
/// As the reasoner. A role without a legal move is no error: it is counted.
pub fn simulate(
    simulator: &mut dyn Simulator,
    options: &SimulateOptions,
    progress: &mut dyn Progress,
) -> Result<Simulation, ReasonerError> {
    let mut random = Random::new(options.seed);
    let start = Instant::now();
    let mut unmeasured = Statistics::new(simulator.role_count());
    while start.elapsed() < options.warm_up {
        simulator.play(&mut random, options.cap, &mut unmeasured)?;
    }
    let mut statistics = Statistics::new(simulator.role_count());
    let start = Instant::now();
    let enough = |statistics: &Statistics| {
        options.playouts.is_some_and(|playouts| statistics.playouts >= playouts)
    };
    while start.elapsed() < options.time && !enough(&statistics) {
        for _ in 0..16 {
            simulator.play(&mut random, options.cap, &mut statistics)?;
            if enough(&statistics) {
                break;
            }
        }
        progress.played(statistics.playouts);
    }
    Ok(Simulation { statistics, elapsed: start.elapsed() })
}

impl Simulator for GroundReasoner {
    fn play(
        &mut self,
        random: &mut Random,
        cap: u32,
        statistics: &mut Statistics,
    ) -> Result<(), ReasonerError> {
        let playout = self.playout(random, cap);
        statistics.playouts += 1;
        statistics.states += u64::from(playout.length);
        statistics.steps += u64::from(playout.length);
        match playout.end {
            crate::reasoner::PlayoutEnd::Capped => statistics.capped += 1,
            crate::reasoner::PlayoutEnd::Stuck(_) => statistics.stuck += 1,
            crate::reasoner::PlayoutEnd::Terminal => {
                statistics.terminal += 1;
                for (role, goals) in statistics.goals.iter_mut().enumerate() {
                    goals.add_values(self.final_goals(RoleId(role as u32)));
                }
            }
        }
        Ok(())
    }

    fn role_count(&self) -> usize {
        self.roles().len()
    }
}

impl Simulator for BitParallel {
    fn play(
        &mut self,
        random: &mut Random,
        cap: u32,
        statistics: &mut Statistics,
    ) -> Result<(), ReasonerError> {
        if statistics.states == 0 {
            self.restart();
        }
        self.step(random, cap);
        statistics.clone_from(self.statistics());
        Ok(())
    }

    fn role_count(&self) -> usize {
        self.game().roles().len()
    }
}

impl Simulator for InterpretedReasoner {
    fn play(
        &mut self,
        random: &mut Random,
        cap: u32,
        statistics: &mut Statistics,
    ) -> Result<(), ReasonerError> {
        play_any(self, random, cap, statistics)
    }

    fn role_count(&self) -> usize {
        self.roles().len()
    }
}

/// A random playout on any reasoner, by the operations of the game model.
///
/// # Errors
/// As the reasoner.
pub fn play_any(
    reasoner: &mut dyn Reasoner,
    random: &mut Random,
    cap: u32,
    statistics: &mut Statistics,
) -> Result<(), ReasonerError> {
    let mut state = reasoner.initial().clone();
    let (mut next, mut legal, mut values) = (State::default(), Vec::new(), Vec::new());
    let mut moves: Vec<MoveId> = Vec::new();
    statistics.playouts += 1;
    let mut length = 0;
    loop {
        if reasoner.is_terminal(&state)? {
            statistics.terminal += 1;
            for (role, goals) in reasoner.role_ids().zip(&mut statistics.goals) {
                reasoner.goal_values(&state, role, &mut values)?;
                goals.add_values(&values);
            }
            return Ok(());
        }
        if length >= cap {
            statistics.capped += 1;
            return Ok(());
        }
        moves.clear();
        for role in reasoner.role_ids() {
            reasoner.legal_moves(&state, role, &mut legal)?;
            if legal.is_empty() {
                statistics.stuck += 1;
                return Ok(());
            }
            moves.push(legal[random.below(legal.len() as u32) as usize]);
        }
        reasoner.next_state(&state, &moves, &mut next)?;
        std::mem::swap(&mut state, &mut next);
        length += 1;
        statistics.states += 1;
        statistics.steps += 1;
    }
}
