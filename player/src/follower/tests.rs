use std::time::Duration;

use groundfrog::ParseOptions;

use super::*;

const LONG: Duration = Duration::from_secs(60);

fn described(text: &str) -> Arc<Description> {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    Arc::new(description.expect("parses"))
}

fn follower(text: &str, role: &str) -> Follower {
    let options = StrategyOptions { memory: None, ..StrategyOptions::default() };
    Follower::start(described(text), role, &options).expect("threads")
}

fn moves(texts: &[&str]) -> Turn {
    Turn::Moves(texts.iter().map(|&it| it.to_owned()).collect())
}

fn legal(follower: &Follower) -> Vec<String> {
    let known = follower.wait(Instant::now() + LONG).expect("it is known");
    let mut legal = known.legal.expect("there are moves");
    legal.sort_unstable();
    legal
}

const TURNS: &str = "(role (p 1)) (role (p 2)) (init (turn 1)) (init (left 3))
    (<= (legal (p ?n) (take ?k)) (true (turn ?n)) (true (left ?k)))
    (<= (legal (p ?n) wait) (role (p ?n)) (not (true (turn ?n))))
    (less 3 2) (less 2 1) (less 1 0)
    (<= (next (left ?m)) (true (left ?k)) (less ?k ?m))
    (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 1)) (true (turn 2)))
    (<= terminal (true (left 0))) (<= (goal ?p 50) (role ?p))";

#[test]
fn ground_rules_make_the_moves_so_far_and_take_over() {
    let follower = follower(TURNS, "(P 1)");
    assert_eq!(legal(&follower), ["(take 3)"]);
    follower.observe(moves(&["(take 3)", "wait"]));
    assert_eq!(legal(&follower), ["wait"]);
    // What cannot have happened is told, and passed over by all.
    follower.observe(moves(&["(take 3)", "wait"]));
    let known = follower.wait(Instant::now() + LONG).expect("it is known");
    assert!(known.fault.expect("a fault").to_string().contains("`(take 3)` is not legal"));
    follower.observe(moves(&["wait", "(take 2)"]));
    assert!(follower.wait_for_rules(Instant::now() + LONG).expect("can be played"));
    let mut position =
        follower.position(Instant::now() + LONG).expect("no fault").expect("it is known");
    assert!(position.machine().ground().is_some());
    assert_eq!(legal(&follower), ["(take 1)"]);
}

#[test]
fn what_cannot_be_played_is_told() {
    let nobody = follower(TURNS, "(p 3)");
    let known = nobody.wait(Instant::now() + LONG).expect("it is known");
    assert!(known.role.is_none() && known.fault.expect("a fault").to_string().contains("no role"));
    // Terms grow for ever, so that there are no ground rules, and the match goes on nevertheless.
    let growing = follower(
        "(role ann) (init (at z)) (<= (next (at (s ?x))) (true (at ?x)) (does ann go)) (legal ann go)
         (<= terminal (true (at z)) (true (at (s z))))",
        "ann",
    );
    assert!(!growing.wait_for_rules(Instant::now() + LONG).expect("can be played"));
    growing.observe(moves(&["go"]));
    assert_eq!(legal(&growing), ["go"]);
}

#[test]
fn guesses_are_moves_of_the_last_own_turn() {
    let follower = follower(TURNS, "(p 1)");
    let random = &mut Random::new(1);
    assert!(follower.guess(random).is_some(), "whatever is known by now");
    assert_eq!(legal(&follower), ["(take 3)"]);
    {
        let mut log = follower.0.0.lock();
        log.turns.push(moves(&["(take 3)", "wait"]));
        assert!(log.candidates().is_empty() && log.latest() == ["(take 3)"], "another's turn");
        log.turns.clear();
    }
    follower.observe(moves(&["(take 3)", "wait"]));
    assert_eq!(legal(&follower), ["wait"]);
    // Nothing is known yet of what follows.
    let mut log = follower.0.0.lock();
    log.turns.push(moves(&["wait", "(take 2)"]));
    assert_eq!(log.candidates(), ["(take 3)"], "nothing else was legal in an own turn");
    log.turns.push(moves(&["(take 1)", "wait"]));
    assert_eq!(log.candidates(), ["wait"]);
}
