//! A player's start clock: grounds a game within so many seconds and prints what there is to know.
//!
//! `cargo run --release -p groundfrog --example start_clock -- GAME.kif 10`, or `-` for standard input.

use std::error::Error;
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use groundfrog::{
    Description, GroundError, GroundGame, GroundOptions, Limits, ParseOptions, RoleId, RulesByHead,
    Silent, ground,
};

fn main() -> ExitCode {
    match prepare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn prepare() -> Result<(), Box<dyn Error>> {
    let usage = "usage: start_clock GAME.kif|- SECONDS";
    let mut arguments = std::env::args().skip(1);
    let (path, seconds) = arguments.next().zip(arguments.next()).ok_or(usage)?;
    let clock = Instant::now();
    let allowed = Duration::try_from_secs_f64(seconds.parse().map_err(|_| usage)?)?;

    let parse_options = ParseOptions::default();
    let description = match &*path {
        "-" => Description::from_reader(io::stdin(), &parse_options),
        path => Description::from_file(path, &parse_options),
    }?;

    let time = Some(allowed.saturating_sub(clock.elapsed()));
    let limits = Limits { time, ..Limits::default() };
    let options = GroundOptions { limits, ..GroundOptions::compact() };
    match ground(&description, &options, &mut Silent) {
        Ok(grounding) => print(&grounding.game),
        Err(GroundError::Limit { exceeded, .. }) => {
            println!("not grounded: {exceeded}; play by the rules as they are");
        }
        Err(error) => return Err(error.into()),
    }
    println!("{:.1} ms of {} s", clock.elapsed().as_secs_f64() * 1e3, allowed.as_secs_f64());
    Ok(())
}

fn print(game: &GroundGame) {
    let by_head = RulesByHead::new(game);
    let rules = |atom| by_head.rules(atom).len();
    println!(
        "{} rules, {} fluents, {} moves",
        game.rules().len(),
        game.fluents().len(),
        game.moves().len()
    );
    println!("initial state:");
    for &atom in game.init() {
        println!("    {}", game.display(atom));
    }
    for (role, name) in game.role_names().enumerate() {
        let role = RoleId(role as u32);
        let moves: Vec<_> = game.moves_of(role).collect();
        let legal: usize = moves.iter().filter_map(|it| it.legal).map(rules).sum();
        println!("{name}: {} moves, legal by {legal} rules", moves.len());
        if let Some(first) = moves.first().and_then(|it| it.legal) {
            by_head
                .rules(first)
                .iter()
                .for_each(|&it| println!("    {}", game.display_rule(it as usize)));
        }
        let goals =
            game.goals_of(role).filter_map(|goal| goal.value).map(|value| value.to_string());
        println!("    goals: {}", goals.collect::<Vec<_>>().join(" "));
    }
    let next: usize = game.fluents().filter_map(|fluent| game.next(fluent)).map(rules).sum();
    println!("next state by {next} rules, end by {}", game.terminal().map_or(0, rules));
}
