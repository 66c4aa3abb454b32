//! Static predicates of which a small part is asked for mean the same when no more is computed.

use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::{Step, explain};
use groundfrog::ground::ground;
use groundfrog_engine::observe::Silent;

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// Stones that hop on a board of five by five, whose coordinates are the first of the numbers that count the steps.
fn hops() -> String {
    let succ: String = (1..100).map(|it| format!("(succ {it} {})", it + 1)).collect();
    format!(
        "(role r) (init (stone 1 1)) (init (step 1)) {succ}
        (line 1) (line 2) (line 3) (line 4) (line 5)
        (<= (beside ?x ?x) (succ ?x ?y)) (<= (beside ?x ?y) (succ ?x ?y)) (<= (beside ?x ?y) (succ ?y ?x))
        (<= (near ?x ?y ?u ?v) (beside ?x ?u) (beside ?y ?v))
        (<= (free ?x ?y) (line ?x) (line ?y) (not (true (stone ?x ?y))))
        (<= (legal r (hop ?x ?y ?u ?v)) (true (stone ?x ?y)) (near ?x ?y ?u ?v) (free ?u ?v))
        (<= (legal r (grow ?x ?y)) (line ?x) (line ?y) (not (lonely ?x ?y)) (free ?x ?y))
        (<= (lonely ?x ?y) (line ?x) (line ?y) (not (company ?x ?y)))
        (<= (company ?x ?y) (near ?u ?v ?x ?y) (true (stone ?u ?v)))
        (<= (next (stone ?x ?y)) (true (stone ?x ?y)) (not (left ?x ?y)))
        (<= (left ?x ?y) (does r (hop ?x ?y ?u ?v)))
        (<= (next (stone ?u ?v)) (does r (hop ?x ?y ?u ?v))) (<= (next (stone ?u ?v)) (does r (grow ?u ?v)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 30)))
        (<= (goal r 100) (true (stone 5 5))) (<= (goal r 0) (not (true (stone 5 5))))"
    )
}

#[test]
fn rows_that_are_not_on_the_board_are_not_computed() {
    let text = hops();
    let tuples = |passes| {
        let grounding = ground(&description(&text), &options(passes), &mut Silent);
        grounding.unwrap_or_else(|error| panic!("{error}")).report.tuples
    };
    let (with, without) = (
        tuples(Passes::ALL),
        tuples(Passes::ALL.without_all(&[PassId::Demand, PassId::Specialisation, PassId::Ranges])),
    );
    assert!(without > 80_000, "three neighbours of a hundred numbers, twice: {without}");
    assert!(with < 3_000, "{with} instead of {without}");
}

#[test]
fn what_is_computed_means_the_same() {
    let text = hops();
    let flat = grounded(&text, &options(Passes::NONE));
    let compact = grounded(&text, &options(Passes::ALL));
    assert!(plays_the_same(&description(&text), &compact, &flat, 20) > 500);
}

#[test]
fn explain_tells_which_part_is_asked_for() {
    let told = explain(&description(&hops()), Step::Passes, &options(Passes::ALL));
    let told = told.unwrap_or_else(|error| panic!("{error}"));
    assert!(told.contains("needed for a part of their range.\n"), "{told}");
    assert!(told.contains(";   argument 4 of (near _ _ _ _): 5 of 100\n"), "{told}");
}
