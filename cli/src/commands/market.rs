//! `groundfrog market`.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;

use groundfrog::description::Language;
use groundfrog::visible::visible_path;
use groundfrog_languages::lines::{Hub, one_line};
use groundfrog_languages::market::serve::{MarketClock, MarketHouse};
use groundfrog_languages::market::{Market, MarketError, Policy, Script, run as run_script};
use groundfrog_reasoner::Random;

use super::{Session, relatives};
use crate::arguments::{MarketArguments, PolicyChoice};
use crate::failure::Failure;

/// Runs a market.
pub(crate) fn work(arguments: &MarketArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let given = arguments.language.map(Language::from);
    let book = relatives::read(&arguments.market, Language::Market, given, session)?;
    let mut market = Market::new(&book, relatives::limits(supervisor)).map_err(failure)?;
    let mut policy = match arguments.policy {
        PolicyChoice::First => Policy::First,
        PolicyChoice::Random => Policy::Random(Random::new(arguments.seed)),
    };
    let mut out = super::Lines::new();
    if let Some(path) = &arguments.script {
        let text = relatives::script(path)?;
        let script = Script::read(&text, &mut market)
            .map_err(|it| Failure::Source(format!("`{}`: {it}", visible_path(path))))?;
        let stop = supervisor.stop_flag();
        let most = arguments.max_steps;
        run_script(&mut market, &script, &mut policy, most, &mut |lines| {
            out.write(lines.trim_end());
            !stop.load(Ordering::Relaxed)
        })
        .map_err(failure)?;
        return out.finish();
    }
    let address = SocketAddr::new(arguments.listen, arguments.port.unwrap_or_default());
    let hub = Hub::start(address).map_err(|source| Failure::listen(address, source))?;
    out.write(&format!("listens on {}", hub.address()));
    let rules = one_line(&book.description.source).unwrap_or_default();
    let clock = MarketClock {
        join: arguments.join.0,
        step: arguments.step.0,
        rounds: arguments.rounds,
        most_steps: arguments.max_steps,
    };
    let stop = supervisor.stop_flag();
    let house = MarketHouse::new(&hub, &mut market);
    let report = house
        .run(&rules, &clock, &mut policy, &|| stop.load(Ordering::Relaxed), &mut |line| {
            out.write(line);
        })
        .map_err(failure)?;
    out.write(&format!("{} messages received, {} refused", report.received, report.refused));
    out.finish()
}

fn failure(error: MarketError) -> Failure {
    match error {
        MarketError::Steps(_) => Failure::Stopped {
            cause: crate::failure::Cause::Time(std::time::Duration::ZERO),
            message: error.to_string(),
        },
        other => Failure::Game(other.to_string()),
    }
}
