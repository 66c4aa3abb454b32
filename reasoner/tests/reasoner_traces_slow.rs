//! Every recorded playout is reproduced, in the games that take more than about a second.

#[path = "reasoner/traces.rs"]
mod traces;

fn main() {
    traces::run(true);
}
