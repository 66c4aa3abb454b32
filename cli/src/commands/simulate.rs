//! `groundfrog simulate`.

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use groundfrog::visible::visible;
use groundfrog_reasoner::simulate::{SimulateOptions, Simulation, Simulator, simulate};
use groundfrog_reasoner::{BitParallel, GroundReasoner, PlayoutObserver, Vocabulary};
use serde::Serialize;

use super::Session;
use crate::arguments::{ReasonerChoice, SimulateArguments, name_of};
use crate::destination;
use crate::failure::Failure;
use crate::progress::{Activity, Follower};
use crate::supervisor::Supervisor;
use groundfrog_benches::machine;

/// What random playouts were like. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct SimulateReport {
    game: String,
    reasoner: String,
    seed: u64,
    setup_seconds: f64,
    seconds: f64,
    processor_seconds: Option<f64>,
    playouts: u64,
    states: u64,
    playouts_per_second: f64,
    states_per_second: f64,
    per_second_of: TimeKind,
    mean_length: Option<f64>,
    terminal: u64,
    capped: u64,
    stuck: u64,
    stuck_roles: Vec<String>,
    goals: Vec<GoalReport>,
}

#[derive(Debug, Serialize)]
struct GoalReport {
    role: String,
    mean: Option<f64>,
    missing: u64,
    ambiguous: u64,
}

/// Of which seconds rates are.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum TimeKind {
    /// Those that the process had a processor.
    Processor,
    /// Those by the clock on the wall, where the others are not known.
    Wall,
}

/// Follows playouts, and notes the processor time when they begin to be measured.
struct Stopwatch<'run> {
    supervisor: &'run Supervisor,
    follower: Follower<'run>,
    start: Option<f64>,
}

impl PlayoutObserver for Stopwatch<'_> {
    fn played(&mut self, playouts: u64, total: Option<u64>) {
        self.follower.played(playouts, total);
    }

    fn measured_from_now(&mut self) {
        self.start = machine::processor_time();
    }

    fn is_stopped(&mut self) -> bool {
        self.supervisor.stop_flag().load(Ordering::Relaxed)
    }
}

/// Measures random playouts.
pub(crate) fn work(arguments: &SimulateArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let description = session.read(&arguments.game.input)?;
    let start = Instant::now();
    let ground = || session.playable(&description, &arguments.game.grounding);
    let (roles, mut simulator): (Vec<String>, Box<dyn Simulator>) = match arguments.reasoner {
        ReasonerChoice::Ground => {
            let game = ground()?;
            let reasoner = session.compiled(&game, GroundReasoner::new)?;
            (game.role_names().collect(), Box::new(reasoner))
        }
        ReasonerChoice::BitParallel => {
            let game = ground()?;
            let reasoner = session.compiled(&game, BitParallel::new)?;
            (game.role_names().collect(), Box::new(reasoner))
        }
        ReasonerChoice::Interpreted => {
            let limits = &arguments.game.grounding.limits;
            let reasoner = session.interpreted(&description, limits)?;
            let names = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
            (names, Box::new(reasoner))
        }
    };
    let setup_seconds = start.elapsed().as_secs_f64();
    supervisor.progress().enter(Activity::Playing);
    let mut options = SimulateOptions {
        seed: arguments.chance.seed,
        time: arguments.seconds.0,
        playouts: arguments.playouts,
        max_length: arguments.chance.max_length,
        ..SimulateOptions::default()
    };
    if arguments.playouts.is_some() {
        (options.warm_up, options.time) = (Duration::ZERO, Duration::MAX);
    }
    let follower = Follower(supervisor.progress());
    let mut watch = Stopwatch { supervisor, follower, start: None };
    let simulation = simulate(&mut *simulator, &options, &mut watch);
    let processor = machine::processor_time().zip(watch.start).map(|(end, start)| end - start);
    let report = SimulateReport::new(arguments, roles, setup_seconds, &simulation?, processor);
    let text = |out: &mut dyn Write| report.write_text(out);
    if supervisor.cause().is_some() {
        // What was measured by then is worth having.
        supervisor.take_last_word();
        let line = destination::report(arguments.format.choice(), &report, text);
        let written = line.and_then(|it| io::stdout().lock().write_all(it.as_bytes()));
        written.map_err(Failure::standard_output)?;
        return supervisor.check();
    }
    session.report(&arguments.format, &report, text)
}

impl SimulateReport {
    fn new(
        arguments: &SimulateArguments,
        roles: Vec<String>,
        setup_seconds: f64,
        simulation: &Simulation,
        processor: Option<f64>,
    ) -> Self {
        let statistics = &simulation.statistics;
        let goals = roles.iter().cloned().zip(&statistics.goals).map(|(role, goals)| GoalReport {
            role,
            mean: goals.mean(),
            missing: goals.missing,
            ambiguous: goals.ambiguous,
        });
        let stuck = statistics.stuck_by_role.iter().zip(&roles).filter(|it| *it.0 > 0);
        let stuck_roles = stuck.map(|it| it.1.clone()).collect();
        // A clock that has not moved shows nothing.
        let (seconds, per_second_of) = match processor.filter(|it| *it > 0.0) {
            Some(seconds) => (seconds, TimeKind::Processor),
            None => (simulation.elapsed.as_secs_f64().max(1e-9), TimeKind::Wall),
        };
        SimulateReport {
            stuck_roles,
            processor_seconds: processor,
            game: arguments.game.input.game.to_string_lossy().into_owned(),
            reasoner: name_of(arguments.reasoner),
            seed: arguments.chance.seed,
            setup_seconds,
            seconds: simulation.elapsed.as_secs_f64(),
            playouts: statistics.playouts,
            states: statistics.states,
            playouts_per_second: statistics.playouts as f64 / seconds,
            states_per_second: statistics.states as f64 / seconds,
            per_second_of,
            mean_length: statistics.mean_length(),
            terminal: statistics.terminal,
            capped: statistics.capped,
            stuck: statistics.stuck,
            goals: goals.collect(),
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let or_none = |mean: Option<f64>| mean.map_or("none".into(), |it| format!("{it:.2}"));
        writeln!(
            out,
            "{}: {} playouts, {} states",
            visible(&self.game),
            self.playouts,
            self.states
        )?;
        writeln!(out, "set-up: {:.4} s; measured: {:.3} s", self.setup_seconds, self.seconds)?;
        let clock = match self.per_second_of {
            TimeKind::Processor => "of processor time",
            TimeKind::Wall => "by the clock on the wall",
        };
        writeln!(out, "playouts_per_second: {:.0} ({clock})", self.playouts_per_second)?;
        writeln!(out, "states_per_second: {:.0} ({clock})", self.states_per_second)?;
        writeln!(out, "mean length: {}", or_none(self.mean_length))?;
        if self.capped > 0 {
            writeln!(out, "given up at --max-length: {} playouts", self.capped)?;
        }
        if self.stuck > 0 {
            let names = self.stuck_roles.join("` or `");
            writeln!(out, "ended since `{names}` had no legal move: {} playouts", self.stuck)?;
        }
        for goals in &self.goals {
            write!(out, "mean goal of {}: {}", goals.role, or_none(goals.mean))?;
            for (count, what) in [(goals.missing, "without"), (goals.ambiguous, "with several")] {
                if count > 0 {
                    write!(out, ", {what} in {count} playouts")?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
