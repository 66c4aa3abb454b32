//! `groundfrog realtime simulate`.

use std::time::Instant;

use groundfrog::visible::visible_path;
use groundfrog_languages::number;
use groundfrog_languages::realtime::simulate::{RandomRoles, read_script, role_names, run};
use groundfrog_languages::realtime::{RealTimeReasoner, Timeline};

use super::{begin, end, failure, read, reasoner};
use crate::arguments::{RealtimeInput, RealtimeSimulate};
use crate::commands::{Lines, Session, relatives};
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// Runs a match, or measures many.
pub(super) fn work(arguments: &RealtimeSimulate, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let book = read(&arguments.input, session)?;
    let make = || reasoner(&book, supervisor);
    let is_stopped = || supervisor.cause().is_some();
    if let (Some(playouts), Some(step)) = (arguments.playouts, &arguments.step) {
        return measure(make, arguments, (playouts, step), supervisor);
    }
    let mut timeline = begin(make()?, &arguments.input)?;
    if let Some(path) = &arguments.script {
        let text = relatives::script(path)?;
        let moves = read_script(&text, timeline.reasoner())
            .map_err(|it| Failure::Source(format!("`{}`: {it}", visible_path(path))))?;
        for it in moves {
            timeline.add_move(it.time, it.role, it.term);
        }
    }
    let mut random = arguments
        .step
        .clone()
        .map(|step| RandomRoles::new(&mut timeline, arguments.input.seed, step));
    run(&mut timeline, random.as_mut(), &arguments.until, &is_stopped).map_err(failure)?;
    supervisor.check()?;
    show(&mut timeline, arguments.states)
}

/// Shows the events of a match and how it has ended.
fn show(timeline: &mut Timeline, states: bool) -> Result<(), Failure> {
    let mut out = Lines::new();
    for event in 0..timeline.events().len() {
        out.write(&timeline.line(event));
        if states {
            let state = timeline.events()[event].state.clone();
            for fluent in state.texts(timeline.reasoner().symbols()) {
                out.write(&format!("    {fluent}"));
            }
        }
    }
    let ignored = timeline.ignored().to_vec();
    let names = role_names(timeline.reasoner());
    for (time, role, term) in ignored {
        let symbols = timeline.reasoner().symbols();
        let text = groundfrog_languages::rules::term_text(&term, symbols);
        out.write(&format!("ignored at {}: ({} {text})", number::text(&time), names[role]));
    }
    out.write(&end(timeline));
    out.finish()
}

/// Measures random matches.
fn measure(
    make: impl Fn() -> Result<RealTimeReasoner, Failure>,
    arguments: &RealtimeSimulate,
    (playouts, step): (u64, &number::Number),
    supervisor: &Supervisor,
) -> Result<(), Failure> {
    let mut reasoner = make()?;
    let names = role_names(&mut reasoner);
    let (mut sums, mut counts) = (vec![0_i64; names.len()], vec![0_i64; names.len()]);
    let (mut events, mut over, mut played) = (0, 0, 0);
    let start = Instant::now();
    for playout in 0..playouts {
        if supervisor.cause().is_some() {
            break;
        }
        let seed = arguments.input.seed.wrapping_add(playout);
        let input = RealtimeInput {
            game: arguments.input.game.clone(),
            idle: arguments.input.idle.clone(),
            seed,
            ..arguments.input
        };
        let mut timeline = begin(reasoner, &input)?;
        let mut random = RandomRoles::new(&mut timeline, seed, step.clone());
        let is_stopped = || supervisor.cause().is_some();
        run(&mut timeline, Some(&mut random), &arguments.until, &is_stopped).map_err(failure)?;
        played += 1;
        events += timeline.events().len() - 1;
        over += u64::from(timeline.is_over());
        if timeline.is_over() {
            for (role, values) in timeline.last().situation.goals.iter().enumerate() {
                if let [value] = values[..] {
                    sums[role] += value;
                    counts[role] += 1;
                }
            }
        }
        reasoner = timeline.into_reasoner();
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let mut out = Lines::new();
    out.write(&format!("{played} matches, {over} over; {events} events"));
    out.write(&format!("events_per_second: {:.0}", events as f64 / seconds));
    for (role, name) in names.iter().enumerate() {
        let mean = match counts[role] {
            0 => "none".to_owned(),
            count => format!("{:.2}", sums[role] as f64 / count as f64),
        };
        out.write(&format!("mean goal of {name}: {mean}"));
    }
    out.finish()
}
