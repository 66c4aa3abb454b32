//! Views that only name a conjunction are unfolded, and the game means the same.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::options::{Engine, GroundOptions};

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// How many views have been unfolded, as `explain` tells. A view of which little is asked does not become large when it
/// loses arguments.
fn unfolded(text: &str) -> u32 {
    let with_arguments = options(Passes::ALL);
    let told = explain(&description(text), Step::Passes, &with_arguments).expect("explained");
    let line = told.lines().find_map(|it| it.strip_prefix("; unfolding: "));
    let number = line.and_then(|it| it.split(' ').next()).expect("a line for the pass");
    number.parse().unwrap_or_else(|_| panic!("{told}"))
}

/// Five players name one of eight numbers each, in every turn, which are remembered for the next: 32 768 ballots.
fn ballots(rules: &str) -> String {
    let numbers: String = (1..=8).map(|it| format!("(number {it})")).collect();
    format!(
        "(role a) (role b) (role c) (role d) (role e) {numbers} (odd 1) (odd 3) (odd 5) (odd 7)
        (more 2 1) (more 3 2) (more 4 3) (more 5 4) (more 6 5) (more 7 6) (more 8 7)
        (init (turn 0)) (follows 0 1) (follows 1 2) (follows 2 3) (follows 3 4)
        (<= (next (turn ?n)) (true (turn ?m)) (follows ?m ?n)) (<= terminal (true (turn 4)))
        (<= (legal ?r (say ?n)) (role ?r) (number ?n))
        (<= (next (said ?r ?n)) (does ?r (say ?n)))
        (<= (ballot ?v ?w ?x ?y ?z)
            (true (said a ?v)) (true (said b ?w)) (true (said c ?x)) (true (said d ?y)) (true (said e ?z)))
        (<= (goal ?r 0) (role ?r) (not (true (turn 4)))) {rules}"
    )
}

/// Rules that need little of a ballot at a time.
const USERS: [&str; 5] = [
    "(<= (next odd) (ballot ?v ?w ?x ?y ?z) (odd ?v) (odd ?w) (odd ?x) (odd ?y) (odd ?z))",
    "(<= (next (first ?v)) (ballot ?v ?w ?x ?y ?z) (does a (say ?v)))",
    "(<= (next same) (ballot ?x ?x ?x ?y ?y))",
    "(<= (goal a 50) (true (turn 4)) (ballot ?v ?w ?x ?y ?z) (not (lonely ?v ?x)))
     (<= (lonely ?n ?m) (true (said a ?n)) (true (said c ?m)) (more ?n ?m))",
    "(<= (next (rising ?v)) (ballot ?v ?w ?x ?y ?z) (more ?w ?v) (distinct ?x ?y) (more ?z ?y))",
];

/// Of a ballot with constants alone there are few.
const WITH_CONSTANTS: &str = "(<= (legal a pass) (ballot 1 ?w ?x ?y 8) (more ?w ?x))";

/// Plays with all passes and without any, and with all but the pass; and both engines find the same rules.
fn means_the_same(text: &str) {
    let flat = grounded(text, &options(Passes::NONE));
    let without = Passes::ALL.without(PassId::Unfolding);
    for passes in [Passes::ALL, without, Passes::ALL.without(PassId::Decomposition)] {
        let game = grounded(text, &options(passes));
        assert!(plays_the_same(&description(text), &game, &flat, 4) >= 20, "{text}");
    }
    let lines = [Engine::Datafrog, Engine::Naive].map(|engine| {
        let options = GroundOptions { engine, ..options(Passes::ALL) };
        canonical::lines(&grounded(text, &options)).collect::<Vec<_>>()
    });
    assert_eq!(lines[0], lines[1], "{text}");
}

#[test]
fn a_name_for_a_conjunction_is_unfolded() {
    for users in USERS {
        let text = ballots(users);
        assert_eq!(unfolded(&text), 1, "{users}");
        means_the_same(&text);
    }
    let text = ballots(&(USERS.concat() + WITH_CONSTANTS));
    assert_eq!(unfolded(&text), 1);
    means_the_same(&text);
    let rules = |passes| grounded(&text, &options(passes)).rules().len();
    let (with, without) = (rules(Passes::ALL), rules(Passes::ALL.without(PassId::Unfolding)));
    assert!(with * 20 < without, "{with} instead of {without} rules");
}

#[test]
fn a_name_with_several_rules_is_unfolded_to_all_of_them() {
    let other = "(<= (ballot ?z ?v ?v ?v ?z) (true (said a ?z)) (true (said b ?v)))
        (<= (ballot 8 ?w 2 ?x ?w) (true (said c ?w)) (true (said d ?x)) (more ?w ?x))
        (<= (ballot ?v ?w ?v ?w ?v) (true (said a ?v)) (true (said b ?w)) (distinct ?v ?w))
        (ballot 5 5 5 3 3)";
    let text = ballots(&(USERS.concat() + other));
    assert_eq!(unfolded(&text), 1);
    means_the_same(&text);
}

#[test]
fn a_name_that_is_passed_on_is_unfolded_with_those_that_do() {
    let passed = "(<= (vote ?z ?y ?x ?w ?v) (ballot ?v ?w ?x ?y ?z))
        (<= (vote 3 3 ?x ?x 3) (true (said a ?x)))
        (<= (next odd) (vote ?v ?w ?x ?y ?z) (odd ?v) (odd ?w) (odd ?x) (odd ?y) (odd ?z))";
    let text = ballots(passed);
    assert_eq!(unfolded(&text), 2);
    means_the_same(&text);
}

#[test]
fn what_is_asked_for_as_a_whole_stays() {
    let odd = USERS[0];
    for (why, rules) in [
        ("a negation", "(<= (next none) (number ?v) (not (ballot ?v ?v ?v ?v ?v)))"),
        (
            "all of it at once",
            "(<= (next told) (ballot ?v ?w ?x ?y ?z) (distinct ?v ?w) (distinct ?v ?x)
                (distinct ?v ?y) (distinct ?v ?z) (distinct ?w ?x) (distinct ?w ?y) (distinct ?w ?z)
                (distinct ?x ?y) (distinct ?x ?z) (distinct ?y ?z))",
        ),
        ("recursion", "(<= (ballot ?w ?v ?x ?y ?z) (ballot ?v ?w ?x ?y ?z) (more ?v ?w))"),
    ] {
        let text = ballots(&format!("{odd} {rules}"));
        assert_eq!(unfolded(&text), 0, "{why}");
        means_the_same(&text);
    }
}
