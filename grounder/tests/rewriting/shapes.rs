//! Variables whose terms have several shapes do not multiply where nothing asks for them.

use groundfrog::compact::Passes;
use groundfrog::emit::canonical;
use groundfrog::options::{Engine, GroundOptions};

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// Two players who each make a move in so many games at once; a move has one of these shapes.
fn at_once(games: usize, shapes: &[&str]) -> String {
    let variables =
        |prefix: &str| -> Vec<String> { (0..games).map(|it| format!("?{prefix}{it}")).collect() };
    let (own, other) = (variables("a"), variables("b"));
    let moves = |of: &[String]| of.join(" ");
    let conditions: String = own.iter().map(|it| format!("(single {it}) ")).collect();
    let clashes: String = (0..games)
        .map(|it| {
            format!(
                "(<= (next (clash {it})) (does a (all {})) (does b (all {})) (distinct ?a{it} ?b{it}))",
                moves(&own),
                moves(&other)
            )
        })
        .collect();
    let single: String = shapes.iter().map(|it| format!("(<= (single {it}) (cell ?c))")).collect();
    format!(
        "(role a) (role b) (cell 1) (cell 2) (single pass) {single} (init (turn 0))
        (<= (legal ?p (all {})) (role ?p) {conditions}) {clashes}
        (<= (next (turn 1)) (true (turn 0))) (<= terminal (true (turn 1)))
        (<= (goal ?p 50) (role ?p) (true (clash 0))) (<= (goal ?p 0) (role ?p) (not (true (clash 0))))",
        moves(&own)
    )
}

#[test]
fn what_nothing_asks_for_does_not_multiply() {
    let text = at_once(3, &["(put ?c)", "(swap ?c)", "(turn ?c ?c)"]);
    let game = grounded(&text, &options(Passes::ALL));
    let as_it_was = grounded(&text, &options(Passes::NONE));
    assert!(plays_the_same(&description(&text), &game, &as_it_was, 3) > 6);
    let (compact, flat) = (game.rules().len(), as_it_was.rules().len());
    assert!(compact < 3_000 && flat > 300_000, "{compact} of {flat} rules");
    let lines = [Engine::Datafrog, Engine::Naive].map(|engine| {
        let game = grounded(&text, &GroundOptions { engine, ..options(Passes::ALL) });
        canonical::lines(&game).collect::<Vec<_>>()
    });
    assert_eq!(lines[0], lines[1]);
}

/// For each pair of moves in four games there would be a rule of its own.
#[test]
fn games_that_are_too_many_combinations_at_first() {
    let text = at_once(4, &["(put ?c)", "(swap ?c)", "(turn ?c ?c)", "(hold ?c)"]);
    let rules = grounded(&text, &options(Passes::ALL)).rules().len();
    assert!(rules < 70_000, "ten for each move, and little else: {rules} rules");
    assert!(grounded(&text, &options(Passes::ALL)).moves().len() == 2 * 9_usize.pow(4));
}
