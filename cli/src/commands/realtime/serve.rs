//! `groundfrog realtime serve`.

use std::net::SocketAddr;

use groundfrog_languages::lines::{Hub, one_line};
use groundfrog_languages::realtime::manager::{ExecutionModel, Manager, ManagerOptions};

use super::{begin, failure, read, reasoner};
use crate::arguments::{ModelChoice, RealtimeServe};
use crate::commands::{Lines, Session};
use crate::failure::Failure;

/// Runs a match for players over the network.
pub(super) fn work(arguments: &RealtimeServe, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let book = read(&arguments.input, session)?;
    let reasoner = reasoner(&book, supervisor)?;
    let timeline = begin(reasoner, &arguments.input)?;
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let hub = Hub::start(address).map_err(|source| Failure::listen(address, source))?;
    let model = match arguments.model {
        ModelChoice::Events => ExecutionModel::Events,
        ModelChoice::Moves => ExecutionModel::Moves,
        ModelChoice::Slots => ExecutionModel::Slots(arguments.slot.clone()),
        ModelChoice::Stopped => ExecutionModel::Stopped,
    };
    let options = ManagerOptions {
        id: arguments.id.clone(),
        model,
        join: arguments.join.0,
        start_clock: arguments.start_clock.0,
        until: arguments.until.clone(),
    };
    let mut out = Lines::new();
    out.write(&format!("listens on {}", hub.address()));
    let rules = one_line(&book.description.source).unwrap_or_default();
    let is_stopped = || supervisor.cause().is_some();
    let manager = Manager::new(&hub, timeline, options);
    let report = manager.run(&rules, &is_stopped, &mut |line| out.write(line)).map_err(failure)?;
    for (role, goals) in &report.goals {
        let goals: Vec<String> = goals.iter().map(i64::to_string).collect();
        out.write(&format!("{role}: {}", goals.join(" or ")));
    }
    if let (Some(median), Some(most)) = (report.lateness_at(50), report.lateness_at(99)) {
        out.write(&format!(
            "{} events by themselves, {:.2} ms late at the median, {:.2} ms at 99 %; {} moves, {} lines refused",
            report.lateness.len(),
            median.as_secs_f64() * 1000.0,
            most.as_secs_f64() * 1000.0,
            report.moves,
            report.refused
        ));
    }
    supervisor.check()?;
    out.finish()
}
