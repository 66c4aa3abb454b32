//! Every recorded playout is reproduced: a test for each game and reasoner.

#[path = "reasoner/traces.rs"]
mod traces;

fn main() {
    traces::run();
}
