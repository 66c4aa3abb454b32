//! Reasoners against each other on the own games and on random ones, and what they do with bad input.

mod bad_input;
mod bit_parallel;
mod both;
mod from_states;
mod mutation;
mod outlook;
mod ownership;
mod propnet;

use groundfrog_testing::needs;

#[test]
fn bit_parallel_agrees_with_scalar_in_each_lane() {
    bit_parallel::all_games(1024);
}

#[test]
fn lanes_begun_in_random_states_agree_with_scalar() {
    let compared = from_states::own_games_agree(2000);
    assert!(compared > 50_000, "only {compared} states were compared");
}

#[needs(games)]
#[test]
fn lanes_begun_in_random_states_of_known_games_agree_with_scalar() {
    let (games, compared) = from_states::known_games_agree(25, 70, 100);
    assert!(games > 4 && compared > 1000, "{compared} states of {games} games");
}

#[needs(games)]
#[test]
#[ignore = "takes minutes"]
fn lanes_begun_in_random_states_agree_with_scalar_in_a_million_states_of_a_hundred_games() {
    let (games, compared) = from_states::known_games_agree(1, 70, 10_000);
    assert!(games >= 100 && compared > 1_000_000, "{compared} states of {games} games");
}
