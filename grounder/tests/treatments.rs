//! Every game under every treatment gives the same ground game: evaluators, ways to compute base and
//! input, numbers of threads. Our own games have snapshots as well.

#[path = "treatments/given.rs"]
mod given;
#[path = "treatments/known.rs"]
mod known;
#[path = "treatments/own.rs"]
mod own;
#[path = "treatments/refused.rs"]
mod refused;
#[path = "games/support.rs"]
mod support;

fn main() -> std::process::ExitCode {
    let mut trials = own::trials();
    trials.extend(refused::trials());
    trials.extend(given::trials());
    match support::known_games() {
        Ok(games) => trials.extend(known::trials(games)),
        Err(why) => trials.push(support::skipped(&why)),
    }
    support::run(Ok(trials))
}
