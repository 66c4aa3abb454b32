//! Known games, rule for rule what an independent grounder derives: those that take seconds each.

#[path = "games/suite.rs"]
mod suite;
#[path = "games/support.rs"]
mod support;

fn main() -> std::process::ExitCode {
    suite::run(suite::is_slow)
}
