//! How strategies play: what they search and believe, and a player in a thread of its own.

mod beliefs;
mod circles;
mod search;
mod seats;

use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog::{Description, ParseOptions};

fn described(text: &str) -> Arc<Description> {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    Arc::new(description.unwrap_or_else(|error| panic!("{error}")))
}

fn corpus(name: &str) -> Arc<Description> {
    described(groundfrog_corpus::game(name).expect("a game of the corpus").text)
}

fn later(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}
