//! Reasoners against each other on the own games and on random ones, and what they do with bad input.

#[path = "reasoner/agreement.rs"]
mod agreement;
#[path = "reasoner/bad_input.rs"]
mod bad_input;
#[path = "reasoner/bit_parallel.rs"]
mod bit_parallel;
#[path = "reasoner/from_states.rs"]
mod from_states;
#[path = "../../grounder/tests/shared/known_games.rs"]
mod known_games;
#[path = "reasoner/mutation.rs"]
mod mutation;
#[path = "reasoner/ownership.rs"]
mod ownership;
#[path = "reasoner/propnet.rs"]
mod propnet;
#[path = "reasoner/search.rs"]
mod search;
#[path = "../../grounder/tests/shared/text.rs"]
mod text;

#[test]
fn bit_parallel_agrees_with_scalar_in_each_lane() {
    bit_parallel::all_games(512);
}

#[test]
fn lanes_begun_in_random_states_agree_with_scalar() {
    let compared = from_states::own_games_agree(1000);
    assert!(compared > 20_000, "only {compared} states were compared");
}

#[needs(games)]
#[test]
fn lanes_begun_in_random_states_of_known_games_agree_with_scalar() {
    let (games, compared) = from_states::known_games_agree(25, 70, 100);
    assert!(games > 4 && compared > 1000, "{compared} states of {games} games");
}
use groundfrog_needs::needs;
