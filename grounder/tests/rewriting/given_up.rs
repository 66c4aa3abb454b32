//! Splits that make more than they replace are not taken, or are given up.

use groundfrog::compact::Passes;
use groundfrog::ground::{Report, ground};
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_engine::observe::Silent;

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// What becomes of a game within so many ground rules.
fn report(text: &str, options: &GroundOptions, most: u64) -> Report {
    let limits = Limits { rules: Some(most), ..options.limits.clone() };
    let options = GroundOptions { limits, ..options.clone() };
    let grounding = ground(&description(text), &options, &mut Silent);
    grounding.unwrap_or_else(|error| panic!("{error}\n{text}")).report
}

/// Checks that the compact game takes no more ground rules than the flat one, and plays as the description says.
#[track_caller]
fn is_no_worse_than_flat(text: &str) -> Report {
    let flat = report(text, &options(Passes::FLAT), u64::MAX);
    let compact = report(text, &options(Passes::ALL), flat.flat_rules);
    assert!(compact.flat_rules <= flat.flat_rules);
    let [flat, game] = [Passes::FLAT, Passes::ALL].map(|it| grounded(text, &options(it)));
    assert!(plays_the_same(&description(text), &game, &flat, 5) > 5);
    compact
}

/// Lamps with a wire from each to a place above and one beside; the places of a wire are known from two of its ends, so
/// that wires that are projected one by one are not joined any more.
#[test]
fn guards_that_join_each_other_do_not_when_each_is_projected() {
    let steps: String = (1..8).map(|it| format!("(step {it} {})", it + 1)).collect();
    let far: String = (30..42).map(|it| format!("(step {it} {})", it + 1)).collect();
    let places: String = (1..14).map(|it| format!("(place {it})")).collect();
    let text = format!(
        "(role r) (init (count 1)) {steps} {far} {places}
        (<= (up ?x ?y ?u ?y) (step ?u ?x) (place ?y))
        (<= (down ?x ?y ?u ?y) (step ?x ?u) (place ?y))
        (<= (left ?x ?y ?x ?v) (step ?v ?y) (place ?x))
        (<= (right ?x ?y ?x ?v) (step ?y ?v) (place ?x))
        (<= (legal r (light ?x ?y)) (place ?x) (step ?z ?y))
        (<= (next (lamp ?x ?y r)) (does r (light ?x ?y)))
        (<= (next (count ?m)) (up ?a ?b ?x ?y) (down ?c ?d ?x ?y) (left ?e ?f ?x ?y) (right ?g ?h ?x ?y)
            (true (lamp ?c ?d ?r)) (not (true (lamp ?a ?b ?r))) (not (true (lamp ?e ?f ?r)))
            (not (true (lamp ?g ?h ?r))) (true (count ?n)) (step ?n ?m))
        (<= terminal (true (count 4))) (<= (goal r 100) (true (count 4)))
        (<= (goal r 0) (not (true (count 4))))"
    );
    is_no_worse_than_flat(&text);
}

/// Most pairs have the same second half, which estimates do not know: a predicate that is expected to have some hundred
/// rows has many thousands.
#[test]
fn a_split_that_multiplies_what_was_taken_for_independent_is_given_up() {
    let mut pairs: Vec<[u32; 2]> = (0..60).map(|it| [it, 0]).collect();
    pairs.extend((0..20).map(|it| [it * 3 % 100, (it * 3 + it % 2) % 100]));
    pairs.sort_unstable();
    pairs.dedup();
    let mut marks: Vec<[u32; 3]> = (0..10).map(|it| [it, 75, 7 * it % 100]).collect();
    marks.extend(
        (0..20).map(|it| [it * 5 % 100, (it * 5 + it / 2 % 2) % 100, (it * 5 + it % 2 * 2) % 100]),
    );
    marks.sort_unstable();
    marks.dedup();
    let pairs: String = pairs.iter().map(|[x, y]| format!("(pair {x} {y})")).collect();
    let marks: String =
        marks.iter().map(|[x, y, z]| format!("(init (mark {x} {y} {z}))")).collect();
    let text = format!(
        "(role r) (init (score 1)) (legal r noop) {pairs} {marks}
        (<= (next (mark ?x ?y ?z)) (true (mark ?x ?y ?z)) (true (score 1)))
        (<= (next (hit ?e ?b)) (pair ?d ?e) (true (mark ?e ?e ?b)) (pair ?f ?f) (pair ?c ?a) (true (mark ?g ?g ?f))
            (not (true (mark ?f ?d ?c))) (not (true (mark ?b ?d ?c))))
        (<= terminal (true (score 4))) (<= (goal r 100) (true (score 4)))
        (<= (goal r 0) (not (true (score 4))))"
    );
    let compact = is_no_worse_than_flat(&text);
    let expected = compact.flat_rules;
    assert!(expected < 1_000, "{expected} ground rules: there were 36 thousand with the split");
}
