//! What `solve` finds: known values, brute force on generated games, puzzles by their parts, roles that do not see everything.

mod brute_force;
mod hidden;
mod parts;
mod values;

use groundfrog::game::GroundGame;
use groundfrog::{Description, GroundOptions, ParseOptions, Silent, ground};
use groundfrog_player::solve::{Solution, SolveOptions, solve};

fn described(text: &str) -> Description {
    Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses")
}

fn grounded(text: &str) -> GroundGame {
    ground(&described(text), &GroundOptions::compact(), &mut Silent).expect("grounds").game
}

fn solved(text: &str, options: &SolveOptions) -> Solution {
    solve(grounded(text), options, |_| {}).expect("can be played")
}

/// The text of a game of the corpus.
fn own(name: &str) -> &'static str {
    groundfrog_corpus::game(name).expect("a game of the corpus").text
}
