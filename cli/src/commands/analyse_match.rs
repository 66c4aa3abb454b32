//! `groundfrog analyse-match`.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use groundfrog_arena::record::{MatchRecord, files};
use groundfrog_player::machine::{MachineLimits, machine};
use groundfrog_player::review::{RoleReview, review};
use groundfrog_player::strategy::StrategyOptions;

use super::run_supervised;
use crate::arguments::AnalyseMatchArguments;
use crate::destination::Destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::source;
use crate::supervisor::Supervisor;

/// Says where the estimates of each role turned in a match.
pub(crate) fn run(arguments: &AnalyseMatchArguments) -> Exit {
    run_supervised(&arguments.limits, false, |supervisor, _| work(arguments, supervisor))
}

fn work(arguments: &AnalyseMatchArguments, supervisor: &Supervisor) -> Result<(), Failure> {
    let path = &arguments.record;
    let text = files::read(path).map_err(|it| Failure::io("cannot read", path, it))?;
    let record = MatchRecord::parse(&text).map_err(|it| Failure::Source(it.to_string()))?;
    let named = || Path::new(&record.game_meta_url).to_owned();
    let game = arguments.game.clone().unwrap_or_else(named);
    let description = Arc::new(source::description(&game, &arguments.reading, supervisor)?);
    let stop = Some(supervisor.stop());
    let memory = arguments.limits.max_memory.0;
    let limits = MachineLimits { deadline: None, memory, stop: stop.clone() };
    let machine = machine(&description, &limits).map_err(|it| Failure::Game(it.to_string()))?;
    let ids = machine.role_ids().filter(|&it| Some(it) != machine.chance_role());
    let roles: Vec<String> = ids.map(|it| machine.role_text(it)).collect();
    let options = StrategyOptions { memory, stop, seed: arguments.seed, ..Default::default() };
    let time = arguments.time.0;
    let reviews = review(&description, &roles, &record.moves, time, None, &options);
    supervisor.check()?;
    let reviews = reviews.map_err(|it| Failure::Game(it.to_string()))?;
    let text = report(&record, &reviews);
    Destination::Stdout.write(supervisor, |out| out.write_all(text.as_bytes()))
}

/// The estimates turn by turn, and where they turned.
fn report(record: &MatchRecord, reviews: &[RoleReview]) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    for (turn, made) in record.moves.iter().enumerate() {
        let estimates: Vec<String> = reviews
            .iter()
            .map(|turn_values| match (turn_values.values[turn], turn_values.proven[turn]) {
                (Some(value), true) => format!("{} {value:.0} (proven)", turn_values.role),
                (Some(value), false) => format!("{} {value:.0}", turn_values.role),
                (None, _) => format!("{} ?", turn_values.role),
            })
            .collect();
        line(format!("{:>4}  {}  made {}", turn + 1, estimates.join(", "), made.join(" ")));
    }
    for review in reviews {
        let value = |turn: usize| review.values.get(turn).copied().flatten().unwrap_or_default();
        line(match review.turning_point() {
            Some(turn) => format!(
                "{}: turned in turn {}, from {:.0} to {:.0}; made {}, the search would have made {}",
                review.role,
                turn + 1,
                value(turn),
                value(turn + 1),
                record.moves[turn].join(" "),
                review.best[turn],
            ),
            None => format!("{}: never turned", review.role),
        });
    }
    text
}
