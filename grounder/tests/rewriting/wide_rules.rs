//! Rules with many literals that have little to do with each other are split, however many they are.

use std::time::Duration;

use groundfrog::GroundError;
use groundfrog::compact::Passes;
use groundfrog::ground::ground;
use groundfrog::options::{Engine, GroundOptions, Limits};
use groundfrog_check::MOST_LITERALS;
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::InterpretedReasoner;

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// Four cards of a rank, in whichever order: which suits they have is nevertheless better told of each by itself.
#[test]
fn what_changes_places_is_split_where_that_is_smaller() {
    let cards: String = (1..=6).map(|it| format!("(place {it}) (rank {it})")).collect();
    let text = format!(
        "(role r) {cards} (suit a) (suit b) (suit c) (suit d) (init (count 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (<= (next (count ?y)) (true (count ?x)) (after ?x ?y)) (<= terminal (true (count 5)))
        (<= (legal r (take ?p ?r ?s)) (place ?p) (rank ?r) (suit ?s))
        (<= (next (holds ?p ?r ?s)) (does r (take ?p ?r ?s))) (<= (next (holds ?p ?r ?s)) (true (holds ?p ?r ?s)))
        (<= (four ?r) (true (holds ?i ?r ?s)) (true (holds ?j ?r ?t)) (true (holds ?k ?r ?u)) (true (holds ?l ?r ?v))
            (distinct ?i ?j) (distinct ?i ?k) (distinct ?i ?l) (distinct ?j ?k) (distinct ?j ?l) (distinct ?k ?l))
        (<= (goal r 100) (four ?r)) (<= (goal r 0) (not (goal r 100)))"
    );
    let [flat, compact] = [Passes::NONE, Passes::ALL].map(|it| grounded(&text, &options(it)));
    let [few, many] = [&compact, &flat].map(|it| it.rules().len());
    assert!(few * 10 < many, "{few} instead of {many} rules");
    assert!(plays_the_same(&description(&text), &compact, &flat, 4) >= 20);
}

/// A rule with so many literals, all about one place or each about a place of its own.
fn long(literals: usize, has_variables: bool) -> String {
    let place = |it: usize| if has_variables { format!("?x{it}") } else { "a".to_owned() };
    let body: String = (0..literals).map(|it| format!("(true (on {}))", place(it))).collect();
    format!(
        "(role r) (legal r wait) (init (on a)) (<= terminal {body}) (<= (goal r 100) terminal)
        (<= (next (on b)) (true (on a)) (not terminal))"
    )
}

#[test]
fn the_longest_rule_takes_no_more_than_the_stack_of_a_thread() {
    // Tests run in threads of two megabytes.
    for has_variables in [false, true] {
        let text = long(MOST_LITERALS, has_variables);
        let flat = Passes::NONE;
        for (passes, engine) in
            [(Passes::ALL, Engine::Datafrog), (flat, Engine::Datafrog), (flat, Engine::Naive)]
        {
            // Of 2048 places that may differ there is no end.
            let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
            let options = GroundOptions { engine, limits, ..options(passes) };
            let grounding = ground(&description(&text), &options, &mut Silent);
            assert!(!matches!(grounding, Err(GroundError::Description(_))), "it is not too long");
        }
        assert!(InterpretedReasoner::new(&description(&text), Limits::default()).is_ok());
    }
    let error =
        ground(&description(&long(MOST_LITERALS + 1, true)), &options(Passes::ALL), &mut Silent);
    let error = error.expect_err("it is too long").to_string();
    assert!(error.contains("a rule with 2049 literals, more than 2048"), "{error}");
}
