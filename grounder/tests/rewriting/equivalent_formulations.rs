//! What is said in other words takes as many rules, and the game means the same.

use groundfrog::compact::{PassId, Passes};

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// Wheels with digits that are turned, one after the other; the game ends with all turned, and is won by a condition on
/// what they show.
fn wheels(count: usize, digits: usize, condition: &str, definitions: &str) -> String {
    let successors: String = (0..30).map(|it| format!("(after {it} {}) ", it + 1)).collect();
    let digits: String = (0..digits).map(|it| format!("(digit {it}) ")).collect();
    let shown: String = (1..=count).map(|it| format!("(true (shows {it} ?a{it})) ")).collect();
    format!(
        "(role r) (init (turn 1)) {successors} {digits} (goal r 50) {definitions}
        (<= (legal r (set ?d)) (digit ?d))
        (<= (next (shows ?w ?d)) (true (turn ?w)) (does r (set ?d)))
        (<= (next (shows ?w ?d)) (true (shows ?w ?d)))
        (<= (next (turn ?v)) (true (turn ?w)) (after ?w ?v))
        (<= (goal r 100) {shown} {condition})
        (<= terminal (true (turn {}))) ",
        count + 1
    )
}

/// The rules of a game that plays as it does without any pass.
fn rules(text: &str) -> usize {
    let game = grounded(text, &options(Passes::ALL));
    let as_it_was = grounded(text, &options(Passes::NONE));
    assert!(plays_the_same(&description(text), &game, &as_it_was, 4) > 8);
    game.rules().len()
}

#[test]
fn neighbours_that_are_terms() {
    // Four different neighbours of a cell, which has two coordinates: taken apart by which coordinates differ they are
    // more than the sets of four.
    let names = ["?a", "?b", "?c", "?d"];
    let lit: String = names.map(|it| format!("(lit ?z {it}) ")).concat();
    let pairs = (0..4).flat_map(|it| (it + 1..4).map(move |other| (it, other)));
    let different: String =
        pairs.map(|(it, other)| format!("(distinct {} {}) ", names[it], names[other])).collect();
    let index: String = (1..=8).map(|it| format!("(index {it}) (by {it} {}) ", it + 1)).collect();
    let text = format!(
        "(role r) {index} (<= (legal r (light ?c)) (cell ?c)) (goal r 50)
        (<= (cell (at ?x ?y)) (index ?x) (index ?y))
        (<= (next (on ?c)) (does r (light ?c))) (<= (next (on ?c)) (true (on ?c)))
        (<= (near ?x ?y) (by ?x ?y) (index ?y)) (<= (near ?x ?y) (by ?y ?x) (index ?x)) (<= (near ?x ?x) (index ?x))
        (<= (beside (at ?x ?y) (at ?u ?v)) (near ?x ?u) (near ?y ?v))
        (<= (lit ?z ?c) (beside ?z ?c) (true (on ?c))) (<= (four ?z) {lit} {different})
        (<= (legal r (dim ?z)) (four ?z)) (<= terminal (four (at 8 8)))"
    );
    let game = grounded(&text, &options(Passes::ALL));
    let whole = grounded(&text, &options(Passes::ALL.without(PassId::Decomposition)));
    let (found, most) = (game.rules().len(), whole.rules().len());
    assert!(found <= most + most / 20, "{found} rules, {most} if no rule is split");
    assert!(plays_the_same(&description(&text), &game, &whole, 1) > 2);
}

#[test]
fn rules_that_are_stated_twice() {
    // Two rules that are alike but for one literal become one; that one of them is there twice, the literals in another
    // order and the variables with other names, is no reason to take the wrong ones together.
    let domain: String = (0..12).map(|it| format!("(index {it}) ")).collect();
    let of_fluent = |fluent: &str| {
        format!(
            "(<= (legal r (put_{fluent} ?x ?y)) (index ?x) (index ?y))
            (<= (next ({fluent} ?x ?y)) (does r (put_{fluent} ?x ?y))) (<= (next ({fluent} ?x ?y)) (true ({fluent} ?x ?y)))"
        )
    };
    let fluents: String = ["p", "q", "w", "v"].map(of_fluent).concat();
    let view = |own: &str, names: [&str; 4], turn: usize| {
        let [a, b, c, d] = names;
        let mut literals = [
            format!("(true (w {b} {c}))"),
            format!("(true (q {a} {d}))"),
            format!("(distinct {d} {b})"),
            format!("(true (v {c} {d}))"),
            format!("(true ({own} {a} {b}))"),
        ];
        literals.rotate_left(turn);
        format!("(<= (view {c}) {})", literals.concat())
    };
    let names = ["?a", "?b", "?c", "?d"];
    let game = |twice: &str| {
        let (one, other) = (view("p", names, 0), view("v", names, 0));
        let text = format!(
            "(role r) {domain} {fluents} {one} {twice} {other} (<= (next (saw ?c)) (view ?c)) (goal r 0)
            (<= terminal (true (p 0 1)) (true (q 0 1)))"
        );
        grounded(&text, &options(Passes::ALL)).rules().len()
    };
    let expected = game("");
    for turn in 0..5 {
        let twice = view("p", ["?k", "?l", "?m", "?n"], turn);
        assert_eq!(game(&twice), expected, "{twice}");
    }
}

/// That a move is legal does not say that it is made, nor the other way round.
#[test]
fn legal_moves_and_those_that_are_made() {
    for body in [
        "(does r (set ?x)) (legal r (set ?d)) (true (turn ?d))",
        "(does ?r ?m) (legal ?r (set ?d)) (true (turn ?d))",
        "(legal ?r ?m) (does ?r (set ?d)) (true (turn ?d))",
        "(does r (set ?d)) (legal r (set ?d)) (legal ?r ?m) (true (turn ?w)) (after ?d ?w)",
    ] {
        let rests = format!("(legal r rest) (<= (next (marked ?d)) {body})");
        let text = wheels(4, 6, "(true (marked 2))", &rests);
        let game = grounded(&text, &options(Passes::ALL));
        let as_it_was = grounded(&text, &options(Passes::NONE));
        assert!(plays_the_same(&description(&text), &game, &as_it_was, 4) > 10, "{body}");
    }
}

/// An `or` of so many differences that a rule with all of them would be too long.
#[test]
fn many_differences() {
    for many in [16, 17, 10_000] {
        let differences = "(distinct ?x ?y)".repeat(many);
        let text = format!(
            "(role r) (init (p 1)) (n 1) (n 2) (legal r rest) (<= (legal r (go ?x ?y)) (n ?x) (n ?y) (or {differences}))
            (<= (next (p ?x)) (does r (go ?x ?y))) (<= terminal (true (p 2))) (goal r 100)"
        );
        assert_eq!(grounded(&text, &options(Passes::ALL)).moves().len(), 3, "{many}");
    }
}

/// An `or` of two differences and something else is one of a comparison and that.
#[test]
fn differences_beside_something_else() {
    let alone = |differ: &str| {
        format!(
            "(<= (alone ?i ?j) (true (tile ?a ?b)) {differ} (true (tile ?i ?j))
            (not (true (linked ?i ?j ?a ?b))))"
        )
    };
    let linked = "(true (linked ?a ?b ?a ?b))";
    let with_tuples = format!("(or (distinct (at ?i ?j) (at ?a ?b)) {linked})");
    let expected = rules(&tiles(5, &alone(&with_tuples)));
    for differ in [
        format!("(or (distinct ?i ?a) {linked} (distinct ?j ?b))"),
        format!("(or {linked} (or (distinct ?i ?a) (distinct ?j ?b)))"),
        format!("(not (and (not (or (distinct ?i ?a) {linked})) (not (distinct ?j ?b))))"),
    ] {
        assert_eq!(rules(&tiles(5, &alone(&differ))), expected, "{differ}");
    }
}

/// Tiles that are put and linked; the game ends with a tile to which no other is linked.
fn tiles(size: usize, others: &str) -> String {
    let numbers: String = (1..=size).map(|it| format!("(x {it}) ")).collect();
    format!(
        "(role r) (init (tile 1 1)) {numbers} (goal r 50) (<= (cell ?a ?b) (x ?a) (x ?b))
        (<= (legal r (put ?a ?b)) (cell ?a ?b))
        (<= (legal r (link ?a ?b ?c ?d)) (cell ?a ?b) (cell ?c ?d))
        (<= (next (tile ?a ?b)) (does r (put ?a ?b)))
        (<= (next (tile ?a ?b)) (true (tile ?a ?b)))
        (<= (next (linked ?a ?b ?c ?d)) (does r (link ?a ?b ?c ?d)))
        {others}
        (<= terminal (true (tile ?i ?j)) (not (alone ?i ?j)) (true (tile 2 2)))"
    )
}

#[test]
fn one_of_two_coordinates_differs() {
    let alone = |differ: &str, literals: &str| {
        format!("(<= (alone ?i ?j) (true (tile ?a ?b)) {differ} (true (tile ?i ?j)) {literals})")
    };
    let literals = "(not (true (linked ?i ?j ?a ?b)))";
    let with_tuples = rules(&tiles(8, &alone("(distinct (at ?i ?j) (at ?a ?b))", literals)));
    let with_or = rules(&tiles(8, &alone("(or (distinct ?i ?a) (distinct ?j ?b))", literals)));
    assert_eq!(with_or, with_tuples);
    let renamed = "(<= (alone ?x ?y) (true (tile ?x ?y)) (distinct ?v ?y)
        (not (true (linked ?x ?y ?u ?v))) (true (tile ?u ?v)))";
    let two_rules = format!("{} {renamed}", alone("(distinct ?i ?a)", literals));
    assert_eq!(rules(&tiles(8, &two_rules)), with_tuples);
    // Each rule alone would be split, and what is split off stored for each.
    let apart = options(Passes::ALL.without(PassId::ComparedTuples));
    let apart = grounded(&tiles(8, &two_rules), &apart).rules().len();
    assert!(apart > with_tuples, "{apart} rules, {with_tuples}");
}

#[test]
fn one_of_two_coordinates_of_each_of_two_differs() {
    let alone = |differ: &str| {
        format!(
            "(<= (alone ?i ?j) (true (tile ?a ?b)) (true (tile ?c ?d)) (true (tile ?i ?j)) {differ}
            (not (true (linked ?i ?j ?a ?b))) (not (true (linked ?i ?j ?c ?d))))"
        )
    };
    let tuples = "(distinct (at ?i ?j) (at ?a ?b)) (distinct (at ?a ?b) (at ?c ?d))";
    let or = "(or (distinct ?i ?a) (distinct ?j ?b)) (or (distinct ?a ?c) (distinct ?b ?d))";
    assert_eq!(rules(&tiles(4, &alone(or))), rules(&tiles(4, &alone(tuples))));
}
