//! The long versions of the tests in `reasoner.rs`.

#[path = "reasoner/bit_parallel.rs"]
mod bit_parallel;
#[path = "reasoner/from_states.rs"]
mod from_states;
#[path = "../../grounder/tests/shared/known_games.rs"]
mod known_games;
#[path = "../../grounder/tests/shared/text.rs"]
mod text;

#[test]
fn bit_parallel_agrees_with_scalar_on_ten_thousand_playouts() {
    bit_parallel::all_games(10_000);
}

#[test]
fn lanes_begun_in_random_states_agree_with_scalar_in_a_million_states() {
    let compared = from_states::own_games_agree(40_000);
    assert!(compared > 1_000_000, "only {compared} states were compared");
}

#[test]
#[ignore = "takes minutes"]
fn lanes_begun_in_random_states_agree_with_scalar_in_a_million_states_of_a_hundred_games() {
    let (games, compared) = from_states::known_games_agree(1, 70, 10_000);
    eprintln!("{compared} states of {games} games");
    assert!(games >= 100 && compared > 1_000_000, "{compared} states of {games} games");
}
