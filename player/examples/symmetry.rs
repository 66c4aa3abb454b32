//! What symmetries gain in solving: states and seconds with and without them.

use std::time::Instant;

use groundfrog::{Description, GroundOptions, ParseOptions, Silent, ground};
use groundfrog_corpus::{Parameters, family, game};
use groundfrog_player::solve::{SolveOptions, solve};

fn main() {
    let own = |name: &str| (name.to_owned(), game(name).expect("a game").text.to_owned());
    let generated = |name: &str, given: &[(&str, u32)]| {
        let parameters = given.iter().fold(Parameters::new(), |all, it| all.with(it.0, it.1));
        let text = family(name).expect("a family").generate(&parameters).expect("in range");
        (format!("{name} {given:?}"), text)
    };
    let games = [
        own("tictactoe"),
        generated("connect_four", &[("width", 4), ("height", 4)]),
        generated("connect_four", &[("width", 5), ("height", 4)]),
        generated("breakthrough", &[("width", 3), ("height", 5)]),
        generated("breakthrough", &[("width", 4), ("height", 4)]),
        generated("hex", &[("size", 3)]),
        generated("hex", &[("size", 4)]),
        generated("connect_four", &[("width", 5), ("height", 5)]),
    ];
    for (name, text) in games {
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("a description");
        let game =
            ground(&description, &GroundOptions::compact(), &mut Silent).expect("small").game;
        for symmetry in [false, true] {
            let start = Instant::now();
            let options = SolveOptions { symmetry, ..SolveOptions::default() };
            let solution = solve(game.clone(), &options, |_| {}).expect("can be played");
            let seconds = start.elapsed().as_secs_f64();
            println!("{name} {symmetry} {} {seconds:.2}", solution.states);
        }
    }
}
