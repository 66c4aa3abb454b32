//! `groundfrog realtime`.

mod play;
mod player;
mod serve;
mod simulate;

use groundfrog::description::Language;
use groundfrog_languages::realtime::{Idle, RealTimeError, RealTimeReasoner, Timeline};
use groundfrog_languages::rules::{Rulebook, ground_term};

use super::{Session, relatives, run_usual};
use crate::arguments::{RealtimeArguments, RealtimeCommand, RealtimeInput};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// Runs one of the commands about games in real time.
pub(crate) fn run(arguments: &RealtimeArguments) -> Exit {
    let (time, quiet) = match &arguments.command {
        RealtimeCommand::Simulate(it) => (it.time_limit.map(|it| it.0), it.input.quiet),
        RealtimeCommand::Play(it) => (None, it.input.quiet),
        RealtimeCommand::Serve(it) => (None, it.input.quiet),
        RealtimeCommand::Player(_) => (None, false),
    };
    run_usual(time, quiet, &|session| match &arguments.command {
        RealtimeCommand::Simulate(it) => simulate::work(it, session),
        RealtimeCommand::Play(it) => play::work(it, session),
        RealtimeCommand::Serve(it) => serve::work(it, session),
        RealtimeCommand::Player(it) => player::work(it, &session.supervisor),
    })
}

/// Reads a game.
fn read(input: &RealtimeInput, session: &Session) -> Result<Rulebook, Failure> {
    let given = input.language.map(Language::from);
    relatives::read(&input.game, Language::RealTime, given, session)
}

/// The reasoner over the rules.
fn reasoner(book: &Rulebook, supervisor: &Supervisor) -> Result<RealTimeReasoner, Failure> {
    RealTimeReasoner::new(book, relatives::limits(supervisor)).map_err(failure)
}

/// A match at its beginning.
fn begin(mut reasoner: RealTimeReasoner, input: &RealtimeInput) -> Result<Timeline, Failure> {
    let idle = match &input.idle {
        Some(text) => {
            let fluent = ground_term(text, reasoner.symbols());
            let fluent = fluent.map_err(|it| Failure::Usage(format!("--idle `{text}`: {it}")))?;
            Some(Idle { fluent })
        }
        None => None,
    };
    Timeline::new(reasoner, input.seed, idle).map_err(failure)
}

fn failure(error: RealTimeError) -> Failure {
    Failure::Game(error.to_string())
}

/// How a match has ended, in a line.
fn end(timeline: &mut Timeline) -> String {
    use groundfrog_languages::realtime::simulate::role_names;
    let names = role_names(timeline.reasoner());
    let last = timeline.last();
    let goals = names.iter().zip(&last.situation.goals).map(|(name, values)| {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        let values = if values.is_empty() { "none".to_owned() } else { values.join(" or ") };
        format!("{name} {values}")
    });
    let goals: Vec<String> = goals.collect();
    let how = if timeline.is_over() { "over" } else { "not over" };
    format!("{how}: {}", goals.join(", "))
}
