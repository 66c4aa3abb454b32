//! Conditions whose sets contain each other, as those of an order, mean the same when each passes on what it is asked.

use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::{Step, explain};
use groundfrog::options::{Domains, Engine, GroundOptions};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const NESTED: Passes = Passes::of(&[PassId::Decomposition, PassId::NestedSets]);

/// How many parts with nested sets have been split off, as `explain` tells.
fn split_off(text: &str) -> u32 {
    let told = explain(&description(text), Step::Passes, &options(NESTED)).expect("explained");
    let line = told.lines().find_map(|it| it.strip_prefix("; nested-sets: "));
    let number = line.and_then(|it| it.split(' ').next()).expect("a line for the pass");
    number.parse().unwrap_or_else(|_| panic!("{told}"))
}

/// Players who take up to three a turn, from so many; and conditions that compare what they have.
fn scores(most: usize, conditions: &str) -> String {
    let succ: String = (0..most).map(|it| format!("(succ {it} {})", it + 1)).collect();
    format!(
        "(role a) (role b) (role c) (init (score a 0)) (init (score b 0)) (init (score c 0)) {succ}
        (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))
        (step 1) (step 2) (step 3) (init (left 5)) (number 0)
        (<= (number ?y) (succ ?x ?y))
        (<= (sum ?x 1 ?y) (succ ?x ?y)) (<= (sum ?x 2 ?z) (sum ?x 1 ?y) (succ ?y ?z))
        (<= (sum ?x 3 ?z) (sum ?x 2 ?y) (succ ?y ?z))
        (<= (legal ?r (take ?n)) (role ?r) (step ?n) (true (score ?r ?s)) (sum ?s ?n ?t))
        (<= (legal ?r rest) (role ?r))
        (<= (next (score ?r ?t)) (does ?r (take ?n)) (true (score ?r ?s)) (sum ?s ?n ?t))
        (<= (next (score ?r ?s)) (does ?r rest) (true (score ?r ?s)))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n)) (<= terminal (true (left 0)))
        (<= (goal ?r 100) (ahead ?r)) (<= (goal ?r 0) (role ?r) (not (ahead ?r)))
        {conditions}"
    )
}

const AHEAD: &str = "(<= (ahead ?r) (true (score ?r ?x)) (true (score ?s ?y)) (less ?y ?x))";

#[test]
fn an_order_takes_rules_in_proportion_to_its_length() {
    let text = scores(200, AHEAD);
    assert!(split_off(&text) > 0);
    let of = |passes| grounded(&text, &options(passes)).rules().len();
    let (with, without) = (of(Passes::ALL), of(Passes::ALL.without(PassId::NestedSets)));
    assert!(without > 20_000, "half the square of 201 scores: {without}");
    assert!(with < 6_000, "{with} instead of {without}");
}

/// Addition, by counting.
const PLUS: &str = "(<= (plus ?x 0 ?x) (number ?x))
    (<= (plus ?x ?y ?z) (succ ?v ?y) (plus ?x ?v ?w) (succ ?w ?z))";

#[test]
fn that_there_is_a_difference_is_an_order() {
    let compared = |condition: &str| {
        let text = scores(
            100,
            &format!(
                "{PLUS} (<= (ahead ?r) (true (score ?r ?x)) (true (score ?s ?y)) (distinct ?r ?s)
                    {condition})"
            ),
        );
        assert!(split_off(&text) > 0, "{condition}");
        let of = |passes| grounded(&text, &options(passes));
        let game = of(Passes::ALL);
        assert!(plays_the_same(&description(&text), &game, &of(Passes::NONE), 2) > 4);
        let without = of(Passes::ALL.without(PassId::NestedSets)).rules().len();
        (game.rules().len(), without)
    };
    for condition in ["(plus ?y ?d ?x)", "(plus ?d ?y ?x)"] {
        let (with, without) = compared(condition);
        assert!(without > 15_000 && with < 4_000, "{condition}: {with} instead of {without}");
    }
}

#[test]
fn what_is_compared_means_the_same() {
    let conditions = [
        AHEAD,
        "(<= (ahead ?r) (true (score ?r ?x)) (true (score ?s ?y)) (distinct ?r ?s) (less ?y ?x))",
        "(<= (ahead ?r) (true (score ?r ?x)) (less 3 ?x) (true (score ?s ?y)) (less ?y ?x))",
        "(<= (ahead a) (true (score a ?x)) (true (score b ?y)) (true (score c ?z)) (less ?y ?x) (less ?z ?x))",
        "(<= (ahead ?r) (true (score ?r ?x)) (less ?x ?y) (not (true (score b ?y))) (number ?y))",
        "(<= (ahead ?r) (true (score ?r ?x)) (less ?x ?y) (not (true (left ?y))) (number ?y))",
        "(<= (ahead ?r) (role ?r) (above ?x) (true (score ?r ?x))) (<= (above ?x) (less ?y ?x) (true (score b ?y)))",
        "(<= (ahead ?r) (does ?r (take ?n)) (true (score ?r ?x)) (less ?n ?x) (does ?s (take ?m)) (less ?m ?n))",
    ];
    for condition in &conditions[..7] {
        let text = scores(12, condition);
        means_the_same(&text);
    }
    let during = conditions[7].replace("(ahead ?r)", "(next (was ?r))");
    let text = scores(12, &format!("{during} (<= (ahead ?r) (true (was ?r)))"));
    means_the_same(&text);
}

fn means_the_same(text: &str) {
    let as_it_was = grounded(text, &options(Passes::NONE));
    for passes in [NESTED, Passes::ALL] {
        for engine in [Engine::Datafrog, Engine::Naive] {
            let options = GroundOptions { engine, ..options(passes) };
            let states =
                plays_the_same(&description(text), &grounded(text, &options), &as_it_was, 4);
            assert!(states >= 8, "{text}");
        }
    }
}

/// A static predicate whose sets contain each other more or less.
fn random_table(draw: &mut Draw) -> String {
    let size = 4 + draw.below(5);
    let kind = draw.below(5);
    let shift = draw.below(size);
    let mut text = String::new();
    for x in 0..size {
        for y in 0..size {
            let holds = match kind {
                0 => y < x,
                1 => x <= y,
                2 => x % 3 == y % 3,
                3 => (y + shift) % size < x,
                _ => draw.below(3) > 0,
            };
            for group in ["red", "blue"] {
                if holds && (kind != 1 || group == "red" || y > 1) {
                    text.push_str(&format!("(beats {group} {x} {y})"));
                }
            }
        }
    }
    text
}

/// A rule about marks on numbers, of two colours.
fn random_rule(draw: &mut Draw, head: &str) -> String {
    let mut body = String::from("(true (mark ?g ?y))");
    body.push_str(draw.of(&[
        "(beats ?g ?x ?y)",
        "(beats red ?x ?y)",
        "(beats ?h ?x ?y)",
        "(beats ?g ?y ?x)",
        "(beats ?g ?x ?y) (beats blue ?x ?z)",
        "(beats ?g ?x ?z) (true (mark ?g ?z))",
    ]));
    for _ in 0..draw.below(4) {
        body.push_str(draw.of(&[
            "(true (mark blue ?x))",
            "(true (mark ?g ?x))",
            "(not (true (mark red ?x)))",
            "(not (true (mark red ?y)))",
            "(distinct ?x ?y)",
            "(distinct ?y 2)",
            "(distinct ?g blue)",
            "(number ?x)",
            "(number ?y)",
            "(does r (put ?g ?x))",
            "(not (does r (put ?g ?x)))",
            "(beats blue 3 ?x)",
        ]));
    }
    format!("(<= {head} {body})\n")
}

#[test]
fn random_tables_mean_the_same() {
    let mut draw = Draw(5);
    let mut split = 0;
    for _ in 0..120 {
        let mut text = String::from(
            "(role r) (colour red) (colour blue) (init (mark red 1)) (init (mark blue 3)) (init (turn 1))
            (follows 1 2) (follows 2 3) (follows 3 4) (follows 4 5)
            (<= (legal r (put ?g ?x)) (colour ?g) (number ?x) (not (true (mark ?g ?x))))
            (<= (legal r wait) (true (turn 2)))
            (<= (next (mark ?g ?x)) (does r (put ?g ?x)))
            (<= (next (mark ?g ?x)) (true (mark ?g ?x)) (not (does r wait)))
            (<= (next (turn ?n)) (true (turn ?t)) (follows ?t ?n)) (<= terminal (true (turn 5)))
            (<= (goal r 100) (p ?x)) (<= (goal r 50) (not (true (seen 1)))) (<= (p ?x) (true (seen ?x)))\n",
        );
        (0..7).for_each(|it| text.push_str(&format!("(number {it})")));
        text.push_str(&random_table(&mut draw));
        text.push_str(&random_rule(&mut draw, "(next (seen ?x))"));
        let question = random_rule(&mut draw, "(p ?x)");
        if !question.contains("does") {
            text.push_str(&question);
        }
        split += u32::from(split_off(&text) > 0);
        for domains in [Domains::OneStep, Domains::Iterative] {
            let [flat, nested] = [Passes::NONE, NESTED]
                .map(|it| grounded(&text, &GroundOptions { domains, ..options(it) }));
            plays_the_same(&description(&text), &nested, &flat, 3);
        }
    }
    assert!(split > 30, "{split} of 120 had nested sets");
}

#[test]
fn which_of_equal_sets_stands_for_all_does_not_depend_on_the_order_of_rows() {
    // Boxes hold all pairs, whatever they are called: as predicates, whose names come first in the text or last.
    let statements = "(role r)|(init (day 0))|(after 0 1)|(after 1 2)
        |(box next)|(box size)|(box blue)|(size 1)|(size 3)|(size 2)
        |(<= (next (day ?y)) (after ?x ?y))|(<= (next (open ?c)) (any ?c))|(<= (any ?c) (box ?c))
        |(<= (holds ?c ?a ?b) (box ?c) (size ?a) (size ?b))
        |(<= (goal r 0) (wanted ?a ?b) (holds ?c ?a ?b) (true (open ?c)))
        |(<= (wanted ?a ?b) (true (day ?a)) (size ?b) (distinct ?a 2))
        |(<= (wanted ?a ?b) (true (day ?a)) (true (day ?b)) (distinct ?a 0))";
    let mut statements: Vec<&str> = statements.split('|').collect();
    let mut draw = Draw(7);
    for _ in 0..40 {
        (1..statements.len()).for_each(|it| statements.swap(it, draw.below(it + 1)));
        let text = statements.concat();
        assert!(split_off(&text) > 0);
        let options = GroundOptions { engine: Engine::Compare, ..options(Passes::ALL) };
        assert!(!grounded(&text, &options).rules().is_empty());
    }
}
