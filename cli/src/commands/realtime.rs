//! `groundfrog realtime`.

mod play;
mod player;
mod serve;
mod simulate;

use groundfrog::description::Language;
use groundfrog_languages::realtime::{
    GroundRealTime, Idle, InterpretedRealTime, RealTimeError, RealTimeReasoner, Timeline,
};
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

/// The reasoner over a game's own rules.
fn interpreted(book: &Rulebook, supervisor: &Supervisor) -> Result<InterpretedRealTime, Failure> {
    InterpretedRealTime::new(book, relatives::limits(supervisor)).map_err(failure)
}

/// The reasoner that is wanted; that a game is not ground is said.
fn reasoner(
    book: &Rulebook,
    choice: crate::arguments::RealtimeReasoner,
    session: &Session,
) -> Result<Box<dyn RealTimeReasoner>, Failure> {
    let Session { supervisor, reporter } = session;
    use crate::arguments::RealtimeReasoner as Choice;
    if choice == Choice::Interpreted {
        return Ok(Box::new(interpreted(book, supervisor)?));
    }
    match (GroundRealTime::new(book, relatives::limits(supervisor)), choice) {
        (Ok(ground), _) => Ok(Box::new(ground)),
        (Err(error), Choice::Ground) => {
            Err(Failure::Game(format!("the game is not ground: {error}")))
        }
        (Err(error), _) => {
            reporter.note(&format!("played by its rules with variables: {error}\n"));
            Ok(Box::new(interpreted(book, supervisor)?))
        }
    }
}

/// A match at its beginning.
fn begin<R: RealTimeReasoner>(
    mut reasoner: R,
    input: &RealtimeInput,
) -> Result<Timeline<R>, Failure> {
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
fn end<R: RealTimeReasoner>(timeline: &mut Timeline<R>) -> String {
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
