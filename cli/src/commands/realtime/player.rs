//! `groundfrog realtime player`.

use groundfrog::visible::visible_path;
use groundfrog_languages::number;
use groundfrog_languages::realtime::player::{
    PlayerError, RandomTimes, RealTimeStrategy, ScriptedTimes, play,
};
use groundfrog_languages::rules::list;

use crate::arguments::RealtimePlayer;
use crate::commands::{Lines, relatives};
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// Plays for a manager over the network.
pub(super) fn work(arguments: &RealtimePlayer, supervisor: &Supervisor) -> Result<(), Failure> {
    let mut strategy: Box<dyn RealTimeStrategy> = match &arguments.script {
        Some(path) => {
            let text = relatives::script(path)?;
            let moves = scripted(&text).ok_or_else(|| {
                Failure::Source(format!("`{}`: expected lists `(TIME MOVE)`", visible_path(path)))
            })?;
            Box::new(ScriptedTimes::new(moves))
        }
        None => Box::new(RandomTimes::new(arguments.seed, arguments.wait.clone())),
    };
    let is_stopped = || supervisor.cause().is_some();
    let role = arguments.role.as_deref();
    let played = play(arguments.manager, &arguments.name, role, &mut *strategy, &is_stopped);
    supervisor.check()?;
    let report = played.map_err(|error| match error {
        PlayerError::Io(source) => {
            Failure::Io { what: format!("the manager on {}", arguments.manager), source }
        }
        other => Failure::Game(other.to_string()),
    })?;
    let mut out = Lines::new();
    out.write(&format!("played {}", report.role));
    report.events.iter().for_each(|it| out.write(it));
    for (wanted, arrived) in &report.arrivals {
        let late = number::text(&(arrived - wanted));
        out.write(&format!("a move for {} arrived {late} s after", number::text(wanted)));
    }
    for (role, goals) in &report.goals {
        let goals: Vec<String> = goals.iter().map(i64::to_string).collect();
        out.write(&format!("{role}: {}", goals.join(" or ")));
    }
    out.finish()
}

/// Times and moves of a script.
fn scripted(text: &str) -> Option<Vec<(number::Number, String)>> {
    let all = format!("({text}\n)");
    let items = list(&all)?;
    let read = |item: &&str| match list(item)?[..] {
        [time, chosen] => Some((number::parse(time)?, chosen.to_owned())),
        _ => None,
    };
    items.iter().map(read).collect()
}
