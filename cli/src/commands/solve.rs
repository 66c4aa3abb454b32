//! `groundfrog solve`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use groundfrog_player::solve::{
    LONGEST_HISTORY, LineStop, Solution, SolveError, SolveOptions, THREAD_STACK, Undecided, solve,
};
use groundfrog_reasoner::open::is_imperfect;
use serde::Serialize;

use super::Session;
use crate::arguments::SolveArguments;
use crate::failure::Failure;
use crate::memory;
use crate::progress::Activity;

/// What is needed to give tables back and to write the result in time, at most.
const RESERVE: Duration = Duration::from_millis(300);

/// The value of a game. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct SolutionReport<'run> {
    game: String,
    seconds: f64,
    decided: bool,
    #[serde(flatten)]
    solution: &'run Solution,
}

/// Solves a game.
pub(crate) fn work(arguments: &SolveArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let description = session.read(&arguments.game.input)?;
    let grounding = &arguments.game.grounding;
    let game = session.playable(&description, grounding)?;
    let start = Instant::now();
    supervisor.progress().enter(Activity::Solving);
    let left = supervisor.time_left().map(|it| it.saturating_sub(RESERVE.min(it / 10)));
    let options = SolveOptions {
        deadline: left.and_then(|it| start.checked_add(it)),
        stop: Some(supervisor.stop()),
        // The rest is for the rules and what the search keeps beside its tables.
        memory: grounding.limits.max_memory.0.map_or(1 << 40, |it| it / 4 * 3),
        threads: memory::threads(arguments.threads, THREAD_STACK as u64)?,
        is_imperfect: is_imperfect(&description),
        ..SolveOptions::default()
    };
    let note = |states| supervisor.progress().visit(states, 0, 0);
    let solution = solve(game, &options, note).map_err(|error| match error {
        SolveError::Build(error) => Failure::Build(error),
        SolveError::Reasoner(error) => Failure::Reasoner(error),
    })?;
    if supervisor.stop_flag().load(std::sync::atomic::Ordering::Relaxed)
        && supervisor.cause() == Some(crate::failure::Cause::Interrupt)
    {
        supervisor.check()?;
    }
    let report = SolutionReport {
        game: arguments.game.input.game.to_string_lossy().into_owned(),
        seconds: start.elapsed().as_secs_f64(),
        decided: solution.is_decided(),
        solution: &solution,
    };
    session.report(&arguments.format, &report, |out| report.write_text(out))?;
    match solution.undecided {
        None => Ok(()),
        Some(why) => Err(Failure::Undecided(words(why))),
    }
}

/// Why something is not decided, in words.
fn words(why: Undecided) -> String {
    let words = match why {
        Undecided::Budget => "the time limit was reached",
        Undecided::Memory => "there is no room for further states: see `--max-memory`",
        Undecided::TooWide => "a state has more joint moves than are looked at",
        Undecided::TooDeep => {
            return format!(
                "play may go on for more than {LONGEST_HISTORY} joint moves, and no more are looked ahead where roles do not know the \
                 whole state"
            );
        }
        Undecided::Endless => "play may go on for ever",
        Undecided::Simultaneous => {
            "roles choose at the same time, and it depends on who guesses better"
        }
        Undecided::Approximate => {
            "the values lie within the bounds, which iterations bring ever closer"
        }
        Undecided::ImperfectInformation => "roles do not know the whole state",
    };
    words.to_owned()
}

/// Why a line does not go on, in words.
fn words_of_stop(stop: LineStop) -> &'static str {
    match stop {
        LineStop::Undecided => "no value is decided",
        LineStop::Simultaneous => "roles choose at the same time",
        LineStop::Chance => "it depends on chance",
        LineStop::Unproven => "which move comes next was not proven",
    }
}

impl SolutionReport<'_> {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for value in &self.solution.values {
            match value.exact() {
                Some(exact) => writeln!(out, "value of {}: {exact}", value.role)?,
                None if value.lower == value.upper => {
                    let (role, end) = (&value.role, value.lower);
                    writeln!(out, "value of {role}: undecided, {end} if the match ends")?;
                }
                None => writeln!(
                    out,
                    "value of {}: undecided, from {} to {}",
                    value.role, value.lower, value.upper
                )?,
            }
        }
        writeln!(out, "states: {}, {:.3} s", self.solution.states, self.seconds)?;
        self.write_strategies(out)?;
        let Solution { line, line_role, line_stop, .. } = self.solution;
        if let (true, Some(stop)) = (line.is_empty(), line_stop) {
            return writeln!(out, "no line: {}", words_of_stop(*stop));
        }
        write!(out, "line of {} moves", line.len())?;
        if let Some(role) = line_role {
            write!(out, ", best for {role}, with all others against it")?;
        }
        writeln!(out, ":")?;
        for moves in line {
            writeln!(out, "  {}", moves.join("  "))?;
        }
        if let Some(stop) = line_stop {
            writeln!(out, "  ... {}", words_of_stop(*stop))?;
        }
        Ok(())
    }

    fn write_strategies(&self, out: &mut dyn Write) -> io::Result<()> {
        for set in &self.solution.strategies {
            let step = |(own, seen): &(String, Vec<String>)| format!("{own} ({})", seen.join(" "));
            let history: Vec<String> = set.history.iter().map(step).collect();
            let moves = set.moves.iter().map(|(it, likely)| format!("{it} {likely:.3}"));
            let moves: Vec<String> = moves.collect();
            writeln!(out, "{} after {}: {}", set.role, history.join(" "), moves.join(", "))?;
        }
        Ok(())
    }
}
