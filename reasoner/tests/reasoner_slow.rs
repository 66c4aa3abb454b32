//! The long versions of the tests in `reasoner.rs`.

#[path = "reasoner/bit_parallel.rs"]
mod bit_parallel;
#[path = "../../grounder/tests/shared/text.rs"]
mod text;

#[test]
fn bit_parallel_agrees_with_scalar_on_ten_thousand_playouts() {
    bit_parallel::all_games(10_000);
}
