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

/// Two sides of a cell on which there are stones of one colour: the condition that they are different sides needs both, of
/// which a part that is split off has one only with what binds the other.
#[test]
fn what_binds_for_a_part_counts_once() {
    let lines: String =
        (1..=8).map(|it| format!("(line {it}) (next_line {it} {}) ", it % 8 + 1)).collect();
    let text = format!(
        "(role r) {lines} (color red) (color blue) (step left) (step none) (step right)
        (<= (moved left ?x ?u) (next_line ?u ?x)) (<= (moved right ?x ?u) (next_line ?x ?u)) (<= (moved none ?x ?x) (line ?x))
        (side 1 left left) (side 2 left none) (side 3 left right) (side 4 none left)
        (side 5 none right) (side 6 right left) (side 7 right none) (side 8 right right)
        (<= (beside ?k ?x ?y ?u ?v) (side ?k ?a ?b) (moved ?a ?x ?u) (moved ?b ?y ?v))
        (init (cell 1 1 red)) (init (cell 2 2 blue)) (init (moves 1))
        (<= (filled ?x ?y) (true (cell ?x ?y ?c)))
        (<= (legal r (put ?x ?y ?c)) (line ?x) (line ?y) (color ?c) (not (filled ?x ?y)))
        (<= (two ?x ?y ?c) (beside ?k ?x ?y ?u ?v) (beside ?j ?x ?y ?s ?t) (distinct ?k ?j)
            (true (cell ?u ?v ?c)) (true (cell ?s ?t ?c)))
        (<= (next (cell ?x ?y ?c)) (does r (put ?x ?y ?c))) (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))
        (<= (next (cell ?x ?y ?c)) (two ?x ?y ?c) (not (filled ?x ?y)))
        (<= (next (moves ?n)) (true (moves ?m)) (next_line ?m ?n)) (<= terminal (true (moves 8)))
        (<= (goal r 100) (two 1 1 red)) (<= (goal r 0) (not (two 1 1 red)))"
    );
    let [residual, compact] = [Passes::NONE, Passes::ALL].map(|it| grounded(&text, &options(it)));
    let [few, many] = [&compact, &residual].map(|it| it.rules().len());
    assert!(few < many, "{few} instead of {many} rules");
    assert!(plays_the_same(&description(&text), &compact, &residual, 4) >= 20);
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
