//! Matches from end to end, over real sockets on loopback.

#[path = "matches/built_in.rs"]
mod built_in;

use std::sync::Arc;
use std::time::Duration;

use groundfrog::{Description, ParseOptions};
use groundfrog_player::machine::{MachineLimits, machine};
use groundfrog_player::referee::{MatchOptions, Referee, Seat};
use groundfrog_player::strategy::{StrategyKind, StrategyOptions};

/// A game of the corpus.
fn corpus(name: &str) -> Arc<Description> {
    let game = groundfrog_corpus::game(name).expect("a game of the corpus");
    described(game.text)
}

fn described(text: &str) -> Arc<Description> {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    Arc::new(description.unwrap_or_else(|error| panic!("{error}")))
}

fn referee(description: &Arc<Description>) -> Referee {
    let machine = machine(description, &MachineLimits::default()).expect("it can be played");
    Referee::new(Arc::clone(description), machine)
}

/// Clocks that are short and never the point.
fn options(seed: u64) -> MatchOptions {
    MatchOptions {
        start_clock: Duration::from_secs(5),
        play_clock: Duration::from_millis(100),
        seed,
        ..MatchOptions::default()
    }
}

fn built_in(name: &str, kind: StrategyKind, seed: u64) -> Seat {
    Seat::built_in(name, kind, StrategyOptions { seed, ..StrategyOptions::default() })
}
