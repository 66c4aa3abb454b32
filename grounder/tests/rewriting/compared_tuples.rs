//! That two tuples differ takes as few rules however it is defined, and the game means the same.

use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::{Step, explain};

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// A board with stones that are moved to other cells; who has three of them wins. `differ` says of two cells that they
/// differ, with these definitions.
fn board(definitions: &str, differ: impl Fn(&str) -> String) -> String {
    format!(
        "(role r) (init (turn 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (row 1) (row 2) (row 3) (row 4) (column 5) (column 6) (column 7) (column 8) (column 9)
        (init (at 1 5 a)) (init (at 2 6 a)) (init (at 4 9 b)) {definitions}
        (<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m)) (<= terminal (true (turn 3)))
        (<= (legal r (move ?a ?b ?c ?d)) (true (at ?a ?b ?p)) (row ?c) (column ?d))
        (<= (next (at ?c ?d ?p)) (true (at ?a ?b ?p)) (does r (move ?a ?b ?c ?d)))
        (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (does r (move ?a ?b ?c ?d)) {} {})
        (<= (three ?p) (true (at ?x ?y ?p)) (true (at ?u ?v ?p)) (true (at ?s ?t ?p)) {} {} {})
        (<= (goal r 100) (three a)) (<= (goal r 0) (not (three a)))",
        differ("?x ?y ?a ?b"),
        differ("?x ?y ?c ?d"),
        differ("?x ?y ?u ?v"),
        differ("?u ?v ?s ?t"),
        differ("?x ?y ?s ?t"),
    )
}

/// The rules of a game that plays as it does without any pass.
fn rules(text: &str) -> usize {
    let game = grounded(text, &options(Passes::ALL));
    let as_it_was = grounded(text, &options(Passes::NONE));
    assert!(plays_the_same(&description(text), &game, &as_it_was, 4) > 8);
    game.rules().len()
}

fn other(arguments: &str) -> String {
    format!("(other {arguments})")
}

const CELLS: &str = "(row ?x) (column ?y) (row ?u) (column ?v)";

#[test]
fn differences_are_known_by_their_tables() {
    let head = "(<= (other ?x ?y ?u ?v)";
    let one_by_one = format!(
        "(<= (rows ?x ?u) (row ?x) (row ?u) (distinct ?x ?u)) {head} (rows ?x ?u) (column ?y) (column ?v))
        (<= (columns ?y ?v) (column ?y) (column ?v) (not (equal ?y ?v))) (<= (equal ?y ?y) (column ?y))
        {head} (columns ?y ?v) (row ?x) (row ?u))"
    );
    let not_the_same = format!(
        "(<= (same ?x ?y ?x ?y) (row ?x) (column ?y)) {head} {CELLS} (not (same ?x ?y ?u ?v)))"
    );
    let disjoint = format!(
        "{head} {CELLS} (distinct ?x ?u))
        (<= (other ?x ?y ?x ?v) (row ?x) (column ?y) (column ?v) (distinct ?y ?v))"
    );
    let by_an_order = format!(
        "(<= (less ?a ?b) (after ?a ?b)) (<= (less ?a ?c) (after ?a ?b) (less ?b ?c))
        {head} (column ?y) (column ?v) (row ?x) (row ?u) (or (less ?x ?u) (less ?u ?x)))
        {head} {CELLS} (distinct ?y ?v))"
    );
    let plain = format!("{head} {CELLS} (or (distinct ?x ?u) (distinct ?y ?v)))");
    let expected = rules(&board(&plain, other));
    for definitions in [&one_by_one, &not_the_same, &disjoint, &by_an_order] {
        let found = rules(&board(definitions, other));
        assert!(found <= expected, "{found} rules, not {expected}: {definitions}");
    }
}

#[test]
fn tuples_that_are_not_the_same_differ() {
    let text = "(role r) (init (turn 0)) (after 0 1) (after 1 2) (after 2 3)
        (row 1) (row 2) (row 3) (row 4) (column 5) (column 6) (column 7) (column 8) (column 9)
        (init (at 1 5 a)) (init (at 2 6 a)) (init (at 4 9 b)) (<= terminal (true (turn 3)))
        (<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m)) (<= (legal r (put ?x ?y)) (row ?x) (column ?y))
        (<= (next (at ?x ?y a)) (does r (put ?x ?y))) (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (not (does r (put ?x ?y))))
        (<= (three ?p) (true (at ?x ?y ?p)) (true (at ?u ?v ?p)) (true (at ?s ?t ?p))
            (not (same ?x ?y ?u ?v)) (not (same ?u ?v ?s ?t)) (not (same ?x ?y ?s ?t)))
        (<= (goal r 100) (three a)) (<= (goal r 0) (not (three a)))
        (<= (same ?x ?y ?x ?y) (row ?x) (column ?y))";
    let told = explain(&description(text), Step::Passes, &options(Passes::ALL)).expect("explained");
    assert!(
        told.contains("with a comparison in the place of what says that tuples differ"),
        "{told}"
    );
    let found = grounded(text, &options(Passes::ALL)).rules().len();
    let as_it_is = Passes::ALL.without(PassId::ComparedTuples);
    let before = grounded(text, &options(as_it_is)).rules().len();
    assert!(found + 500 < before, "{found} rules, {before} before");
    rules(text);
}

#[test]
fn other_tables_stay() {
    // One tuple is missing, or the board has holes and more is asked for than cells.
    let head = "(<= (other ?x ?y ?u ?v)";
    let same = "(<= (same ?x ?y ?x ?y) (row ?x) (column ?y) (distinct ?x 3))";
    for definitions in [
        format!(
            "{head} {CELLS} (or (distinct ?x ?u) (distinct ?y ?v)) (not (hole ?x ?v))) (hole 2 6)"
        ),
        format!("{head} {CELLS} (not (same ?x ?y ?u ?v))) {same}"),
        format!(
            "{head} {CELLS} (distinct ?x 1) (not (equal ?x ?y ?u ?v)))
            (<= (equal ?x ?y ?x ?y) (row ?x) (column ?y))"
        ),
        format!(
            "{head} (cell ?x ?y) (cell ?u ?v) (not (equal ?x ?y ?u ?v)))
            (<= (cell ?x ?y) (row ?x) (column ?y) (not (hole ?x ?y))) (hole 2 6)
            (<= (equal ?x ?y ?x ?y) (cell ?x ?y))"
        ),
    ] {
        rules(&board(&definitions, other));
    }
    // The same for what is negated: tuples that are the same, but not in the set.
    rules(&board(same, |arguments| format!("(not (same {arguments}))")));
}
