//! The example that searches.

#[path = "../../examples/uct.rs"]
mod uct;

use groundfrog_reasoner::{GroundReasoner, Random, State, Vocabulary};

/// Nim is won by leaving the exclusive or of the heaps 0; here one move does.
#[test]
fn the_example_finds_the_only_winning_move() {
    let rules = groundfrog_corpus::game("nim").expect("an own game").text;
    let mut nim = GroundReasoner::of_text(rules).expect("a game");
    let heaps = ["(heap a 1)", "(heap b 0)", "(heap c 3)", "(heap d 0)", "(control first)"];
    let state = State::of(heaps.map(|it| nim.find_fluent(it).expect("a fluent")));
    let moves = uct::search(&mut nim, &state, 2000, &mut Random::new(1)).expect("playable");
    let moves = moves.expect("both can move");
    assert_eq!(nim.move_text(moves[0]), "(reduce c 1)");
}
