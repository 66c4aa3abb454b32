use groundfrog_engine::observe::Silent;

use crate::ground_rules::compile::Compiled;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog::options::Passes;

/// Twenty lamps that two roles light in turns, as long as one is dark.
fn lamps() -> String {
    let lamps: String = (1..=20).map(|it| format!("(lamp {it})")).collect();
    format!(
        "(role ann) (role bob) (then ann bob) (then bob ann) (init (turn ann)) {lamps}
         (<= (may ?r (light ?x)) (true (turn ?r)) (lamp ?x) (not (true (lit ?x))))
         (<= (may ?r (cover ?x)) (true (turn ?r)) (true (lit ?x)) (true (marked ?x)))
         (<= (can_move ?r) (may ?r ?m))
         (<= (legal ?r ?m) (may ?r ?m))
         (<= (legal ?r noop) (true (turn ?r)) (not (can_move ?r)))
         (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
         (<= (next (lit ?x)) (does ?r (light ?x)))
         (<= (next (lit ?x)) (true (lit ?x)) (not (does ann (cover ?x))) (not (does bob (cover ?x))))
         (<= (next (marked ?x)) (does ann (light ?x)))
         (<= (next (turn ?s)) (true (turn ?r)) (then ?r ?s))
         (<= terminal (true (lit 1)) (true (lit 2)) (not (true (lit 3))))
         (<= (goal ?r 100) (can_move ?r)) (<= (goal ?r 0) (role ?r) (not (can_move ?r)))"
    )
}

/// How many gates of the network read a fluent.
fn readers(game: &GroundGame, fluent: &str) -> usize {
    let compiled = Compiled::new(game).expect("the rules are stratified").0;
    let fluent = game.fluents().position(|it| game.display(it).to_string() == fluent);
    let node = fluent.expect("a fluent of the game") as u32;
    let inputs = (0..compiled.hot).map(|gate| compiled.gates.inputs(gate));
    inputs.filter(|inputs| inputs.iter().any(|code| code >> 1 == node)).count()
}

#[test]
fn no_gate_hears_whose_turn_it_is_if_all_moves_are_under_it() {
    let description = Description::parse(lamps().as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    for passes in [Passes::NONE, Passes::ALL] {
        let options = GroundOptions { passes, ..GroundOptions::flat() };
        let game = ground(&description, &options, &mut Silent).expect("the rules are bounded").game;
        assert_eq!(readers(&game, "(true (turn ann))"), 0);
        assert_eq!(readers(&game, "(true (turn bob))"), 0);
    }
}
