//! Known games, rule for rule what an independent grounder derives.
//!
//! `cargo test -p groundfrog --test games -- breakthrough` runs one of them.

#[path = "games/suite.rs"]
mod suite;
#[path = "games/support.rs"]
mod support;

fn main() -> std::process::ExitCode {
    suite::run()
}
