//! Random playouts and what they are like.

use std::time::Duration;
use web_time::Instant;

use crate::{
    BitParallel, GroundReasoner, InterpretedReasoner, PlayoutEnd, PlayoutObserver,
    PlayoutStatistics, Random, Reasoner, ReasonerError, State, Uniform, Vocabulary, play_on,
};
use groundfrog::game::RoleId;

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulateOptions {
    /// Seed of the choices.
    pub seed: u64,
    /// How long to play and not to measure yet; no longer than `time`.
    pub warm_up: Duration,
    /// How long to play. A playout that has not ended then is given up: its states count, and it does not.
    pub time: Duration,
    /// Playouts to play at most; without it only time counts. Many playouts at once overshoot it.
    pub playouts: Option<u64>,
    /// Joint moves after which a playout is given up.
    pub max_length: u32,
}

impl Default for SimulateOptions {
    fn default() -> Self {
        SimulateOptions {
            seed: 1,
            warm_up: Duration::from_millis(200),
            time: Duration::from_secs(1),
            playouts: None,
            max_length: 1000,
        }
    }
}

/// Statistics and the time that they took.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// What the playouts were like.
    pub statistics: PlayoutStatistics,
    /// The time by the clock on the wall that they took on one thread.
    pub elapsed: Duration,
}

impl Simulation {
    /// Playouts a second of [`Simulation::elapsed`].
    pub fn playouts_per_second(&self) -> f64 {
        self.statistics.playouts as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// States expanded a second of [`Simulation::elapsed`].
    pub fn states_per_second(&self) -> f64 {
        self.statistics.states as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Something that plays random playouts.
pub trait Simulator {
    /// Plays one playout, or a step of many; a playout is given up at the deadline.
    ///
    /// # Errors
    /// As the reasoner.
    fn play(
        &mut self,
        random: &mut Random,
        max_length: u32,
        deadline: Instant,
        statistics: &mut PlayoutStatistics,
    ) -> Result<(), ReasonerError>;

    /// How many roles there are.
    fn role_count(&self) -> usize;
}

/// Plays random playouts for some time, or until the observer stops them.
///
/// # Errors
/// As the reasoner. A role without a legal move is no error: it is counted.
pub fn simulate(
    simulator: &mut dyn Simulator,
    options: &SimulateOptions,
    observer: &mut dyn PlayoutObserver,
) -> Result<Simulation, ReasonerError> {
    let mut random = Random::new(options.seed);
    let roles = simulator.role_count();
    let mut play = |statistics: &mut _, deadline, observer: &mut dyn PlayoutObserver| {
        match simulator.play(&mut random, options.max_length, deadline, statistics) {
            // An evaluation was stopped.
            Err(_) if observer.is_stopped() => Ok(()),
            played => played,
        }
    };
    let deadline = after(options.warm_up.min(options.time));
    let mut unmeasured = PlayoutStatistics::new(roles);
    while Instant::now() < deadline && !observer.is_stopped() {
        play(&mut unmeasured, deadline, observer)?;
    }
    observer.measured_from_now();
    let mut statistics = PlayoutStatistics::new(roles);
    let start = Instant::now();
    let enough = |statistics: &PlayoutStatistics| {
        options.playouts.is_some_and(|playouts| statistics.playouts >= playouts)
    };
    let deadline = after(options.time);
    while Instant::now() < deadline && !enough(&statistics) && !observer.is_stopped() {
        play(&mut statistics, deadline, observer)?;
        observer.played(statistics.playouts, None);
    }
    Ok(Simulation { statistics, elapsed: start.elapsed() })
}

/// So long from now.
fn after(time: Duration) -> Instant {
    const LONG: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    Instant::now() + time.min(LONG)
}

impl Simulator for GroundReasoner {
    fn play(
        &mut self,
        random: &mut Random,
        max_length: u32,
        deadline: Instant,
        statistics: &mut PlayoutStatistics,
    ) -> Result<(), ReasonerError> {
        let start = self.initial().clone();
        let mut steps = 0u32;
        let is_late = || {
            steps += 1;
            steps.is_multiple_of(64) && Instant::now() >= deadline
        };
        let playout = self.playout_until(&start, &mut Uniform(random), max_length, is_late)?;
        statistics.states += u64::from(playout.length);
        if playout.end == PlayoutEnd::Stopped {
            return Ok(());
        }
        statistics.end(playout);
        if playout.end == PlayoutEnd::Terminal {
            for (role, goals) in statistics.goals.iter_mut().enumerate() {
                goals.add_values(self.final_goals(RoleId(role as u32)));
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
        max_length: u32,
        _deadline: Instant,
        statistics: &mut PlayoutStatistics,
    ) -> Result<(), ReasonerError> {
        if statistics.states == 0 && statistics.playouts == 0 {
            self.restart();
        }
        self.step(random, max_length);
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
        max_length: u32,
        deadline: Instant,
        statistics: &mut PlayoutStatistics,
    ) -> Result<(), ReasonerError> {
        self.set_deadline(Some(deadline));
        let played = play_any(self, random, max_length, Some(deadline), statistics);
        self.set_deadline(None);
        match played {
            // An evaluation ran into the deadline.
            Err(_) if Instant::now() >= deadline => Ok(()),
            played => played,
        }
    }

    fn role_count(&self) -> usize {
        self.roles().len()
    }
}

/// A random playout on any reasoner, by the operations of the game model. It is not counted if it does not end by the deadline.
///
/// # Errors
/// As the reasoner.
pub fn play_any(
    reasoner: &mut dyn Reasoner,
    random: &mut Random,
    max_length: u32,
    deadline: Option<Instant>,
    statistics: &mut PlayoutStatistics,
) -> Result<(), ReasonerError> {
    let (mut state, mut values) = (reasoner.initial().clone(), Vec::new());
    let is_late = |_: &State| deadline.is_some_and(|it| Instant::now() >= it);
    let states = &mut statistics.states;
    let playout = play_on(reasoner, &mut state, random, max_length, is_late, |_, _, _, _| {
        *states += 1;
        Ok(())
    })?;
    if playout.end == PlayoutEnd::Stopped {
        return Ok(());
    }
    statistics.end(playout);
    if playout.end == PlayoutEnd::Terminal {
        for (role, goals) in reasoner.role_ids().zip(&mut statistics.goals) {
            reasoner.goal_values(&state, role, &mut values)?;
            goals.add_values(&values);
        }
    }
    Ok(())
}
