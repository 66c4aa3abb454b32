use crate::description::{Description, ParseOptions};
use crate::emit::canonical;
use crate::ground::{flatten_rules, ground};
use crate::options::GroundOptions;
use crate::options::{PassId, Passes};
use groundfrog_engine::observe::Silent;

/// A board of four cells with a token that moves to any other cell.
const FRAME: &str = "(role r) (init (token 1 1)) (row 1) (row 2) (column 1) (column 2) (column 3)
    (<= (legal r (move ?x ?y)) (row ?x) (column ?y) (true (token ?u ?v)) (elsewhere ?x ?y ?u ?v))
    (<= (next (token ?x ?y)) (does r (move ?x ?y)))
    (<= terminal (true (token 2 3)))";

fn description(rules: &str) -> Description {
    Description::parse(format!("{FRAME} {rules}").as_bytes(), &ParseOptions::default())
        .expect("the text is well formed")
}

/// How many predicates are unfolded; the ground game must be the same with and without.
fn unfolded(rules: &str) -> usize {
    let description = description(rules);
    let (mut flattened, ..) =
        flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded");
    let found = flattened.unfold_differences().len();
    let lines = |passes| {
        let options = GroundOptions { passes, ..GroundOptions::flat() };
        let game = ground(&description, &options, &mut Silent).expect("the game is sound").game;
        canonical::lines(&game).collect::<Vec<_>>()
    };
    let with = Passes::of(&[PassId::DistinctAlternatives, PassId::Differences]);
    assert_eq!(lines(with), lines(Passes::NONE), "{rules}");
    found
}

const BOARD: &str = "(row ?x) (column ?y) (row ?u) (column ?v)";

#[test]
fn a_difference_by_columns_is_unfolded() {
    let head = "(elsewhere ?x ?y ?u ?v)";
    for rules in [
        format!("(<= {head} {BOARD} (distinct ?x ?u)) (<= {head} (distinct ?y ?v) {BOARD})"),
        format!("(<= {head} {BOARD} (or (distinct ?x ?u) (distinct ?y ?v)))"),
        format!("(<= {head} {BOARD} (distinct ?x ?u))"),
        format!("(<= {head} {BOARD} (distinct (at ?x ?y) (at ?u ?v)))"),
    ] {
        assert_eq!(unfolded(&rules), 1, "{rules}");
    }
}

#[test]
fn literals_with_constants_are_decided() {
    let difference =
        format!("(<= (elsewhere ?x ?y ?u ?v) {BOARD} (or (distinct ?x ?u) (distinct ?y ?v)))");
    for goal in [
        "(elsewhere 1 1 2 1)",
        "(elsewhere 1 1 1 1)",
        "(elsewhere 1 1 5 1)",
        "(elsewhere 1 ?y 1 3) (true (token 1 ?y))",
    ] {
        let rules = format!("{difference} (<= (goal r 100) {goal})");
        assert_eq!(unfolded(&rules), 1, "{rules}");
    }
}

#[test]
fn other_predicates_stay() {
    let head = "(elsewhere ?x ?y ?u ?v)";
    let other = "(row ?x) (column ?y) (row ?u) (row ?v)";
    for rules in [
        format!("(<= {head} {BOARD} (distinct ?x ?u)) (<= {head} {other} (distinct ?y ?v))"),
        format!("(<= {head} {BOARD} (distinct ?x ?u)) (<= {head} {BOARD})"),
        format!("(<= {head} {BOARD} (distinct ?x ?u)) (elsewhere 1 1 1 1)"),
        format!("(<= {head} {BOARD} (distinct ?x ?u) (distinct ?y ?v))"),
        format!("(<= {head} {BOARD} (row ?z) (distinct ?x ?z))"),
        format!("(<= {head} {BOARD} (distinct ?x ?u)) (<= (goal r 50) (not (elsewhere 1 1 2 1)))"),
        format!("(<= {head} {BOARD} (distinct ?x ?u) (true (token ?x ?y)))"),
        format!("(<= {head} {BOARD} (distinct ?x ?u) (not (column ?x)))"),
    ] {
        assert_eq!(unfolded(&rules), 0, "{rules}");
    }
}
