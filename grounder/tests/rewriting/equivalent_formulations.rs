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

/// Bids that are raised above that of the other, or withdrawn; `raise` says when, `rules` what else.
fn bids(raise: &str, rules: &str) -> String {
    let numbers: String = (0..24).map(|it| format!("(after {it} {}) ", it + 1)).collect();
    format!(
        "(role a) (role b) (other a b) (other b a) (init (bid a 0)) (init (bid b 0)) {numbers}
        (<= (number ?x) (after ?x ?y)) (<= (less ?x ?y) (after ?x ?y))
        (<= (less ?x ?z) (less ?x ?y) (after ?y ?z)) (init (turn 0))
        (<= (legal ?p (raise ?n)) {raise}) (<= (legal ?p (withdraw ?q)) (other ?p ?q))
        (<= (legal ?p stay) (role ?p))
        (<= (next (bid ?p ?n)) (does ?p (raise ?n))) (<= (next (bid ?p 0)) (does ?p (withdraw ?q)))
        (<= (next (turn ?y)) (true (turn ?x)) (after ?x ?y)) (<= terminal (true (turn 9)))
        (<= (goal ?p 100) (true (bid ?p 24))) (<= (goal ?p 0) (role ?p) (not (true (bid ?p 24))))
        {rules}"
    )
}

const STAYS: &str = "(<= (next (bid ?p ?n)) (does ?p stay) (true (bid ?p ?n)))";

#[test]
fn orders_that_several_conditions_say() {
    let more = "(<= (greater ?x ?y) (less ?y ?x)) (<= (at_most ?x ?y) (less ?x ?y)) (number 24)
        (<= (at_most ?x ?x) (number ?x)) (<= (even 0)) (<= (even ?z) (even ?x) (after ?x ?y) (after ?y ?z))
        (<= (odd ?y) (even ?x) (after ?x ?y)) (<= (other_kind ?x ?y) (even ?x) (odd ?y))
        (<= (other_kind ?x ?y) (odd ?x) (even ?y))";
    let with = |condition: &str| {
        let raise = format!("(other ?p ?q) (true (bid ?q ?m)) {condition}");
        rules(&bids(&raise, &format!("{STAYS} {more}")))
    };
    let plain = with("(less ?m ?n)");
    for condition in [
        "(less ?m ?n) (distinct ?m ?n)",
        "(less ?m ?n) (greater ?n ?m)",
        "(number ?n) (not (at_most ?n ?m))",
        "(number ?n) (not (less ?n ?m)) (distinct ?n ?m)",
        "(at_most ?m ?n) (distinct ?m ?n)",
    ] {
        let found = with(condition);
        assert!(found <= plain + 4, "{condition}: {found} rules, {plain} with one");
    }
    // These are other conditions, orders or not.
    for condition in [
        "(less ?m ?n) (other_kind ?m ?n)",
        "(number ?n) (not (other_kind ?m ?n))",
        "(number ?n) (not (less ?m ?n)) (not (other_kind ?m ?n))",
        "(at_most ?m ?n) (not (after ?m ?n))",
    ] {
        assert!(with(condition) > 0, "{condition}");
    }
}

#[test]
fn orders_of_many_values_that_conditions_say() {
    let numbers: String = (0..300).map(|it| format!("(after {it} {})", it + 1)).collect();
    let text = format!(
        "(role r) (init (level 0)) (legal r rest) (legal r raise) (goal r 0) (<= terminal (true (level 3)))
        {numbers} (<= (less ?x ?y) (after ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (after ?y ?z))
        (<= (next (level ?y)) (true (level ?x)) (less ?x ?y) (does r raise))
        (<= (next (high ?x)) (true (level ?x)) (true (level ?y)) (not (less ?x ?y)))"
    );
    let game = grounded(&text, &options(Passes::ALL));
    let found = game.rules().len();
    assert!(found < 10 * 300, "{found} rules");
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

/// Three or four stones on different cells, in whatever way it is said that they are.
#[test]
fn cells_that_all_differ() {
    let game = |stones: usize, different: &dyn Fn(usize, usize) -> String, definitions: &str| {
        let pairs = (1..=stones).flat_map(|it| (it + 1..=stones).map(move |other| (it, other)));
        let differ: String = pairs.map(|(it, other)| different(it, other)).collect();
        let cells: String =
            (1..=stones).map(|it| format!("(true (cell ?x{it} ?y{it} ?p))")).collect();
        format!(
            "(role w) (role b) (init (control w)) (i 1) (i 2) (i 3) (i 4) (i 5) {definitions}
            (<= (legal ?p (put ?x ?y)) (true (control ?p)) (i ?x) (i ?y))
            (<= (legal ?p rest) (role ?p) (not (true (control ?p))))
            (<= (next (cell ?x ?y ?p)) (does ?p (put ?x ?y))) (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
            (<= (next (control w)) (true (control b))) (<= (next (control b)) (true (control w)))
            (<= (several ?p) {cells} {differ}) (<= terminal (several ?p))
            (<= (goal ?p 100) (several ?p)) (<= (goal ?p 0) (role ?p) (not (several ?p)))"
        )
    };
    let by_tuples =
        |it: usize, other: usize| format!("(distinct (at ?x{it} ?y{it}) (at ?x{other} ?y{other}))");
    let by_view = |it: usize, other: usize| format!("(differs ?x{it} ?y{it} ?x{other} ?y{other})");
    let view = "(<= (differs ?x ?y ?u ?v) (i ?x) (i ?y) (i ?u) (i ?v) (distinct ?x ?u))
        (<= (differs ?x ?y ?u ?v) (i ?x) (i ?y) (i ?u) (i ?v) (distinct ?y ?v))";
    for stones in [3, 4] {
        let found = rules(&game(stones, &by_tuples, ""));
        assert!(found < 1_000, "{found} rules for {stones} stones");
    }
    let found = rules(&game(3, &by_view, view));
    assert!(found < 5_000, "{found} of 27 600 instances");
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
