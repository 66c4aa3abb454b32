//! The game of Chicken: the five rows of its table.

use groundfrog_corpus::relative;

use super::{number, play, start};

fn goals(script: &str) -> (String, Vec<Vec<i64>>) {
    let mut timeline = start(relative("chicken").expect("of the corpus").text);
    play(&mut timeline, script, "100");
    assert!(timeline.is_over());
    let last = timeline.last();
    assert_eq!(last.time, number("1"));
    (timeline.events().len().to_string(), last.situation.goals.clone())
}

#[test]
fn nobody_swerves() {
    assert_eq!(goals("").1, [[0], [0]]);
}

#[test]
fn white_swerves() {
    assert_eq!(goals("(0.3 white swerve)").1, [[80], [100]]);
    let mut timeline = start(relative("chicken").expect("of the corpus").text);
    play(&mut timeline, "(0.3 white swerve)", "0.5");
    assert_eq!(timeline.last().state.next_expiry(), Some(&number("0.7")));
}

#[test]
fn both_swerve() {
    assert_eq!(goals("(0.3 white swerve) (0.7 black swerve)").1, [[90], [90]]);
    let (events, both) = goals("(0.3 white swerve) (0.3 black swerve)");
    // The beginning, one event for both moves, and the end.
    assert_eq!((events.as_str(), both), ("3", vec![vec![90], vec![90]]));
}

#[test]
fn a_move_at_the_last_instant_counts() {
    assert_eq!(goals("(1.0 white swerve)").1, [[80], [100]]);
    assert_eq!(goals("(0.3 white swerve) (1 black swerve)").1, [[90], [90]]);
    assert_eq!(goals("(1.000000001 white swerve)").1, [[0], [0]]);
}

#[test]
fn an_illegal_move_is_ignored() {
    assert_eq!(goals("(0.3 white swerve) (0.4 white swerve) (0.5 black wait)").1, [[80], [100]]);
}
