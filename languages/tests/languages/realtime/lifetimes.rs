//! What expires, and when.

use groundfrog_languages::number::Number;
use groundfrog_languages::realtime::{Lifetime, RealTimeError, TimedState};
use groundfrog_reasoner::Random;
use num_bigint::BigInt;

use super::{begin, findings, lines, number, play, start};

/// A role may push at any time; what expires is noted.
const RENEWED: &str = "(role ann) (init 2 a) (init 3 b)
    (<= (next 2 a) (expired a)) (<= (next 3 b) (expired b))
    (<= (next ?t a) (true ?t a)) (<= (next ?t b) (true ?t b))
    (legal ann push) (<= terminal (true infinity c)) (goal ann 0)";

#[test]
fn three_moves_of_which_the_third_is_at_the_expiry() {
    // In binary floating point 1 - 0.1 - 0.3 is more than 0.6, and the third move comes too late.
    let text = "(role ann) (init 1.0 timer) (init infinity (count 0))
        (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (next ?t timer) (true ?t timer))
        (<= (next infinity (count ?m)) (true ?t (count ?n)) (succ ?n ?m) (does ann push))
        (<= (next infinity (count ?n)) (true ?t (count ?n)) (not (does ann push)))
        (legal ann push) (<= terminal (expired timer))
        (<= (goal ann 100) (true infinity (count 3))) (<= (goal ann 0) (not (true infinity (count 3))))";
    let mut timeline = start(text);
    play(&mut timeline, "(0.1 ann push) (0.4 ann push) (1.0 ann push)", "10");
    assert_eq!(
        lines(&mut timeline),
        ["0.1  (ann push)", "0.4  (ann push)", "1  (ann push)  expired timer"]
    );
    assert!(timeline.is_over());
    assert_eq!(timeline.last().situation.goals, [[100]]);
}

#[test]
fn what_is_renewed_when_it_expires() {
    let mut timeline = start(RENEWED);
    play(&mut timeline, "", "9");
    let times: Vec<Number> = timeline.events().iter().map(|it| it.time.clone()).collect();
    assert_eq!(times, ["0", "2", "3", "4", "6", "8", "9"].map(number));
    assert_eq!(
        lines(&mut timeline),
        [
            "2  expired a",
            "3  expired b",
            "4  expired a",
            "6  expired a  expired b",
            "8  expired a",
            "9  expired b"
        ]
    );
}

#[test]
fn what_is_not_carried_over_is_gone() {
    let text = "(role ann) (init 5 a) (init infinity b) (<= (next 1 c) (does ann push))
        (legal ann push) (<= terminal (expired c)) (goal ann 0)";
    let mut timeline = start(text);
    play(&mut timeline, "(2 ann push)", "100");
    assert_eq!(lines(&mut timeline), ["2  (ann push)", "3  expired c"]);
    assert!(timeline.last().state.fluents.is_empty());
}

#[test]
fn a_fluent_with_two_lifetimes_expires_twice() {
    let text = "(role ann) (init 1 a) (init 2 a) (<= (next ?t a) (true ?t a))
        (legal ann push) (<= terminal (true infinity b)) (goal ann 0)";
    let found = findings(text);
    assert!(found.iter().any(|it| it.starts_with("GF0803 the same fluent")), "{found:?}");
    let mut timeline = begin(text);
    assert_eq!(timeline.last().state.repeated().len(), 1);
    play(&mut timeline, "", "10");
    assert_eq!(lines(&mut timeline), ["1  expired a", "2  expired a"]);
}

#[test]
fn lifetimes_flow_through_facts_and_into_fluents() {
    let text = "(role ann) (init 10 timer) (delay 1.5)
        (<= (next ?t timer) (true ?t timer))
        (<= (next infinity (lap ?t)) (does ann stop) (true ?t timer))
        (<= (next ?t bell) (does ann stop) (delay ?t))
        (legal ann stop) (<= terminal (expired timer)) (goal ann 0)";
    let mut timeline = start(text);
    play(&mut timeline, "(2.5 ann stop)", "3");
    let state = timeline.last().state.clone();
    let texts = state.texts(timeline.reasoner().symbols());
    assert_eq!(texts, ["(true 1.5 bell)", "(true 7.5 timer)", "(true infinity (lap 7.5))"]);
}

#[test]
fn lifetimes_that_are_none() {
    let game = |rules: &str| {
        format!(
            "(role ann) (legal ann push) (<= terminal (expired a)) (goal ann 0)
            (<= (next ?t a) (true ?t a)) {rules}"
        )
    };
    for lifetime in ["0", "0.0", "-1", "soon", "(f 1)"] {
        let found = findings(&game(&format!("(init {lifetime} a)")));
        assert!(found.iter().any(|it| it.starts_with("GF0802")), "{lifetime}: {found:?}");
    }
    // What flows into a lifetime is seen when it does.
    let text = game("(init 1 a) (wrong soon) (<= (next ?t b) (does ann push) (wrong ?t))");
    let mut timeline = start(&text);
    let moves = groundfrog_languages::realtime::simulate::read_script(
        "(0.5 ann push)",
        timeline.reasoner(),
    );
    for it in moves.expect("a script") {
        timeline.add_move(it.time, it.role, it.term);
    }
    let error = timeline.advance_to(&number("1")).expect_err("no lifetime");
    assert!(matches!(error, RealTimeError::Lifetime { .. }), "{error}");
    assert!(error.to_string().starts_with("the lifetime of `b` is `soon`"), "{error}");
}

/// Theorem 1: a state follows from a preceding one, the joint move and the time. What is left of a state after two waits is what
/// is left after one that is as long as both, for any lifetimes and any waits without an event.
#[test]
fn waiting_twice_is_waiting_once() {
    let mut random = Random::new(7);
    let mut draw = |most: u32| {
        Number::new(BigInt::from(random.below(most) + 1), BigInt::from(random.below(12) + 1))
    };
    for _ in 0..500 {
        let mut state = TimedState::default();
        let mut symbols = groundfrog::symbols::Symbols::new();
        for fluent in 0..8 {
            let name = groundfrog::Term::Constant(symbols.intern(&format!("f{fluent}")));
            let lifetime = match fluent {
                0 => Lifetime::Infinite,
                _ => Lifetime::Finite(draw(40)),
            };
            state.fluents.push((lifetime, name));
        }
        let until = state.next_expiry().expect("most are finite").clone();
        let half = &until / (draw(9).to_integer() + BigInt::from(2));
        let first = state.after(&half);
        assert!(first.expired.is_empty() && first.fluents.len() == state.fluents.len());
        let (at_once, in_two) = (state.after(&until), first.after(&(&until - &half)));
        assert_eq!(at_once, in_two);
        assert!(!at_once.expired.is_empty());
        assert!(at_once.fluents.iter().all(|(it, _)| *it > Lifetime::Finite(number("0"))));
    }
}
