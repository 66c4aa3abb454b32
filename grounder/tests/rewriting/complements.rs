//! Rules for all moves of a role but a few mean the same when the few take the place of the many.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::options::{Domains, Engine, GroundOptions};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

/// With what reads an `or` of `distinct` as one comparison.
const COMPLEMENTS: Passes = Passes::of(&[PassId::ComparedTuples, PassId::Complements]);

fn means_the_same(text: &str, options: &GroundOptions) -> u64 {
    let (game, as_it_was) = (grounded(text, options), grounded(text, &self::options(Passes::NONE)));
    plays_the_same(&description(text), &game, &as_it_was, 4)
}

/// How many parts of rules have been replaced, as `explain` tells.
fn replaced(text: &str) -> u32 {
    let told = explain(&description(text), Step::Passes, &options(COMPLEMENTS)).expect("explained");
    let line = told.lines().find_map(|it| it.strip_prefix("; complements: "));
    let number = line.and_then(|it| it.split(' ').next()).expect("a line for the pass");
    number.parse().unwrap_or_else(|_| panic!("{told}"))
}

/// A board that players move on, in turns or together, with rules for what moves leave as it is.
fn board(roles: &[&str], rules: &str) -> String {
    let mut text: String = roles.iter().map(|it| format!("(role {it}) ")).collect();
    text.push_str(
        "(index 1) (index 2) (index 3) (after t0 t1) (after t1 t2) (after t2 t3) (after t3 t4)
        (init (turn t0)) (<= (next (turn ?t)) (true (turn ?s)) (after ?s ?t))
        (<= terminal (true (turn t4))) (<= (goal ?r 50) (role ?r))
        (init (at 1 1 a)) (init (at 2 2 a)) (init (at 3 1 b)) (init (at 2 3 b)) (init (mark 1))
        (<= (turns odd) (or (true (turn t1)) (true (turn t3))))
        (<= (holds ?x ?y) (true (at ?x ?y ?p)))
        (<= (mate ?x ?y ?u ?v) (true (at ?x ?y ?p)) (true (at ?u ?v ?p)))
        (corner 1 1) (corner 3 3) (<= (near ?x ?y) (index ?x) (index ?y) (distinct ?x ?y))
        (near 1 1) (before 1 2) (before 2 3)
        (foe white black) (foe black white) (foe red white) (foe red black) (foe red nobody)
        (<= (legal ?r (move ?x ?y ?u ?v)) (role ?r) (holds ?x ?y) (index ?u) (index ?v) (near ?x ?u))
        (<= (legal ?r (drop ?x ?p)) (role ?r) (index ?x) (true (at ?u ?v ?p)) (turns odd))
        (<= (legal ?r (sign ?s ?x)) (role ?r) (role ?s) (index ?x) (not (turns odd)))
        (<= (legal ?r stay) (role ?r)) (legal nobody (move 1 1 2 2))
        (<= (next (at ?u ?v ?p)) (does ?r (move ?x ?y ?u ?v)) (true (at ?x ?y ?p)))
        (<= (next (at ?x ?x ?p)) (does ?r (drop ?x ?p)))
        (<= (next (mark ?x)) (does ?r (drop ?x ?p)))",
    );
    text + rules
}

/// A rule for what some moves leave as it is, with names of its own for what it is about.
fn random_rule(draw: &mut Draw, head: &str, state: &str) -> String {
    let role = draw.of(&["?r", "?r", "white", "black"]);
    let own = draw.of(&[
        "(move ?a ?b ?c ?d)",
        "(move ?a ?b ?c ?d)",
        "(move ?a ?b 2 ?d)",
        "(move ?a ?b ?a ?d)",
        "(drop ?a ?q)",
        "(move ?a ?p ?c ?d)",
        "(drop ?a ?p)",
        "(sign ?r ?a)",
        "(sign ?s ?a)",
        "(sign white ?a)",
        "stay",
        "(move 1 2 ?a ?d)",
        "(move ?a ?a 2 2)",
        "(move ?a ?a ?a ?d)",
        "(move 2 ?a 1 ?a)",
        "(sign ?r 2)",
    ]);
    let mut body = format!("{state} (does {role} {own})");
    body.push_str(draw.of(&["", "", "(index ?x)"]));
    for _ in 0..(1 + draw.below(3)) * usize::from(draw.below(6) > 0) {
        let condition = draw.of(&[
            "(distinct ?x ?a)",
            "(distinct ?a ?y)",
            "(distinct ?a 2)",
            "(distinct ?z ?a)",
            "(or (distinct ?x ?a) (distinct ?y ?a))",
            "(distinct ?r white)",
            "(distinct ?p ?a)",
            "(not (before ?x ?a))",
            "(not (corner ?a ?y))",
            "(near ?a 1)",
            "(near ?a ?x)",
            "(not (mate ?x ?y ?a 1))",
            "(not (holds ?a 1))",
            "(not (corner ?a ?a))",
            "(true (mark ?a))",
            "(or (distinct ?x ?a) (distinct ?a 1) (corner ?a ?x))",
            "(not (does ?r stay))",
            "(not (turns odd))",
            "(index ?a)",
            "(not (does ?r (drop ?x ?p)))",
        ]);
        let is_bound = |it: &str| own.contains(it) || !condition.contains(it);
        if is_bound("?a") && (role == "?r" || !condition.contains("?r")) {
            body = format!("{body} {condition}");
        }
    }
    if own.contains("?b ?c ?d") {
        body.push_str(draw.of(&[
            "",
            "(or (distinct ?x ?a) (distinct ?y ?b)) (or (distinct ?x ?c) (distinct ?y ?d))",
            "(not (mate ?x ?y ?c ?d))",
            "(distinct ?c ?x) (not (corner ?d ?y))",
        ]));
    }
    if role == "?r" && draw.below(4) == 0 {
        body.push_str("(role ?r) (true (at ?k ?l a)) (not (does ?r (drop ?k b)))");
    }
    if role == "?r" && draw.below(3) == 0 {
        body.push_str(draw.of(&[
            "(foe ?r ?f)",
            "(foe ?r ?f) (does ?f stay)",
            "(foe ?f ?r) (does ?f (drop ?g ?h)) (distinct ?g ?x)",
            "(foe ?r ?f) (not (does ?f stay))",
        ]));
    }
    let rule = format!("\n(<= (next {head}) {body})");
    match draw.below(2) {
        0 => rule,
        _ => rule.replace("?x", "?o").replace("?y", "?x").replace("?o", "?y"),
    }
}

/// A board with rules for what some moves leave as it is, each with conditions of many kinds.
fn random_board(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let roles = &["white", "black", "red"][..1 + draw.below(3)];
    let mut rules = String::new();
    for _ in 0..2 {
        let head = draw.of(&["(at ?x ?y ?p)", "(at ?x ?y a)", "(at ?x 2 ?p)", "(mark ?x)"]);
        let state = match head {
            "(mark ?x)" => "(true (mark ?x)) (true (at ?y ?z ?p))".to_string(),
            head => format!("(true {head}) (true (mark ?z)) (index ?y) (true (at ?m ?n ?p))"),
        };
        for _ in 0..1 + draw.below(3) {
            rules.push_str(&random_rule(&mut draw, head, &state));
        }
    }
    board(roles, &rules)
}

#[test]
fn random_boards_mean_the_same() {
    let (mut states, mut parts) = (0, 0);
    for seed in 0..150 {
        let text = random_board(seed);
        parts += replaced(&text);
        states += means_the_same(&text, &options(COMPLEMENTS));
        states += means_the_same(&text, &options(Passes::ALL));
        let iterative = GroundOptions { domains: Domains::Iterative, ..options(COMPLEMENTS) };
        states += means_the_same(&text, &iterative);
        let lines = [Engine::Datafrog, Engine::Naive].map(|engine| {
            let game = grounded(&text, &GroundOptions { engine, ..options(COMPLEMENTS) });
            canonical::lines(&game).collect::<Vec<_>>()
        });
        assert_eq!(lines[0], lines[1], "{text}");
    }
    assert!(parts > 40, "only {parts} parts were replaced");
    assert!(states > 2000, "only {states} states were compared");
}

/// What two players' moves on nine cells leave as it is, one rule for each alternative.
const FRAME: &str = "(<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (does ?r (move ?a ?b ?c ?d))
    (or (distinct ?x ?a) (distinct ?y ?b)) (or (distinct ?x ?c) (distinct ?y ?d)))";

#[test]
fn what_moves_leave_takes_a_rule_for_each_cell_and_each_move() {
    let text = board(&["white", "black"], FRAME);
    assert!(replaced(&text) > 0);
    assert!(means_the_same(&text, &options(COMPLEMENTS)) > 20);
    let rules = |passes| grounded(&text, &options(passes)).rules().len();
    let (before, after) = (rules(Passes::NONE), rules(COMPLEMENTS));
    assert!(after * 2 < before, "{after} of {before} rules");
}

#[test]
fn moves_that_differ_in_several_places_are_others() {
    let numbers: String = (1..=8).map(|it| format!("(n {it})")).collect();
    for places in ["a a ?e", "?k ?k ?k", "a ?k ?k", "?k ?k b", "b a b"] {
        let text = format!(
            "(role r) (kind a) (kind b) {numbers} (<= (init (at ?x ?y)) (n ?x) (n ?y)) (init (left 4))
            (<= (legal r (pull ?a ?b ?e ?c ?d)) (kind ?a) (kind ?b) (kind ?e) (n ?c) (n ?d))
            (<= (next (at ?x ?y)) (true (at ?x ?y)) (does r (pull {places} ?c ?d))
                (or (distinct ?x ?c) (distinct ?y ?d)))
            (follows 4 3) (follows 3 2) (follows 2 1) (<= terminal (true (left 1)))
            (<= (next (left ?m)) (true (left ?n)) (follows ?n ?m)) (goal r 100)"
        );
        assert!(replaced(&text) > 0, "{places}");
        assert!(means_the_same(&text, &options(COMPLEMENTS)) > 20);
    }
}

#[test]
fn moves_that_cannot_be_listed_without_the_others_stay() {
    for (what, rule) in [
        ("a condition that holds for few", "(near ?x ?a) (distinct ?y ?b)"),
        ("nothing in between", "(distinct ?a ?c) (distinct ?x ?y)"),
        ("one variable of the move and of the rest", "(true (mark ?b)) (distinct ?x ?a)"),
        ("a value that is not the move's", "(index ?k) (near ?a ?k) (distinct ?x ?k)"),
    ] {
        let rule = format!(
            "(<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (does ?r (move ?a ?b ?c ?d)) {rule})"
        );
        let text = board(&["white", "black"], &rule);
        assert_eq!(replaced(&text), 0, "{what}");
        assert!(means_the_same(&text, &options(COMPLEMENTS)) > 20, "{what}");
    }
}

/// `nobody` has a legal move, but is no role: what it leaves as it is does not stay for it.
#[test]
fn only_roles_leave_things_as_they_are() {
    let rule = FRAME.replace("?r", "nobody");
    let text = board(&["white"], &rule);
    assert_eq!(replaced(&text), 0);
    assert!(means_the_same(&text, &options(COMPLEMENTS)) > 10);
    let rule = FRAME.replace("(true (at ?x ?y ?p))", "(true (at ?x ?y ?p)) (true (by ?r))");
    let text = board(
        &["white", "black"],
        &format!(
            "{rule} (init (by nobody)) (init (by black))
        (<= (next (by nobody)) (true (by nobody))) (<= (next (by black)) (true (by black)))"
        ),
    );
    assert!(replaced(&text) > 0);
    assert!(means_the_same(&text, &options(COMPLEMENTS)) > 10);
}

#[test]
fn the_order_of_literals_does_not_matter() {
    // A cell is left as it is unless the move is about just that cell: a rule for each coordinate.
    let game = |orders: [[usize; 3]; 3]| {
        let rules: String = ["?a ?x", "?b ?y", "?c ?z"]
            .into_iter()
            .zip(orders)
            .map(|(coordinates, order)| {
                let literals = [
                    "(true (cell ?x ?y ?z))",
                    "(does r (clear ?a ?b ?c))",
                    &format!("(distinct {coordinates})"),
                ];
                let body = order.map(|it| literals[it]).join(" ");
                format!("(<= (next (cell ?x ?y ?z)) {body})")
            })
            .collect();
        let text = format!(
            "(role r) (index 1) (index 2) (index 3) (index 4) (<= terminal (not (true (cell 1 1 1))))
             (<= (init (cell ?x ?y ?z)) (index ?x) (index ?y) (index ?z)) (goal r 50)
             (<= (legal r (clear ?x ?y ?z)) (true (cell ?x ?y ?z))) {rules}"
        );
        assert!(means_the_same(&text, &options(COMPLEMENTS)) > 0);
        (replaced(&text), grounded(&text, &options(COMPLEMENTS)).rules().len())
    };
    let expected = game([[0, 1, 2]; 3]);
    assert_eq!(expected.0, 1);
    for orders in [[[1, 0, 2], [0, 1, 2], [2, 1, 0]], [[2, 0, 1], [1, 2, 0], [0, 2, 1]]] {
        assert_eq!(game(orders), expected, "{orders:?}");
    }
}
