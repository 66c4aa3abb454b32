//! What says that there are several things that all differ takes few rules, and the game means the same.

use std::fmt::Write;

use groundfrog::compact::Passes;
use groundfrog::explain::{Step, explain};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const COUNTED: &str = "with a counter of things that all differ";

/// A game in which marks are put to numbers of two groups and to pairs of numbers, with the moves `claim` of some rules.
fn marks(rules: &str) -> String {
    marks_of(11, rules)
}

fn marks_of(numbers: usize, rules: &str) -> String {
    let mut text =
        String::from("(role r) (group a) (group b) (kind red) (kind blue) (init (turn 0))");
    for number in 1..=numbers {
        let _ = write!(text, "(number {number}) (init (free {number}))");
    }
    for number in (1..=numbers).step_by(2) {
        let _ = write!(
            text,
            "(odd {number}) (init (mark a {number} red)) (init (cell (at {number} 3)))"
        );
    }
    for turn in 0..9 {
        let _ = write!(text, "(after {turn} {})", turn + 1);
    }
    for number in 1..numbers {
        let _ = write!(text, "(next_to {number} {}) (next_to {} {number})", number + 1, number + 1);
        let _ = write!(text, "(less {number} {})", number + 1);
    }
    text + "(<= terminal (true (turn 9))) (goal r 100)
        (<= (less ?x ?z) (less ?x ?y) (less ?y ?z))
        (<= (next (turn ?y)) (true (turn ?x)) (after ?x ?y))
        (<= (legal r (put ?g ?x ?k)) (group ?g) (number ?x) (kind ?k) (not (true (mark ?g ?x ?k))))
        (<= (legal r (take ?g ?x ?k)) (true (mark ?g ?x ?k)))
        (<= (legal r (build ?x ?y)) (number ?x) (number ?y) (true (free ?x)) (odd ?y))
        (<= (next (mark ?g ?x ?k)) (does r (put ?g ?x ?k)))
        (<= (next (mark ?g ?x ?k)) (true (mark ?g ?x ?k)) (not (does r (take ?g ?x ?k))))
        (<= (next (cell (at ?x ?y))) (does r (build ?x ?y))) (<= (next (cell ?c)) (true (cell ?c)))
        (<= (next (free ?x)) (true (free ?x)) (not (touched ?x)))
        (<= (touched ?x) (does r (put a ?x ?k))) (<= (touched ?x) (does r (build ?x ?y)))
        (<= (near ?g ?x ?y) (next_to ?x ?y) (true (mark ?g ?x red)))
        (<= (linked ?x ?y) (true (cell (at ?x ?y)))) (<= (linked ?x ?y) (true (cell (at ?y ?x))))"
        + rules
}

/// The rules of a game that plays as it does without any pass, and what is told of the passes.
fn played(text: &str) -> (usize, String) {
    let game = grounded(text, &options(Passes::ALL));
    let as_it_was = grounded(text, &options(Passes::NONE));
    assert!(plays_the_same(&description(text), &game, &as_it_was, 3) > 8, "{text}");
    let told = explain(&description(text), Step::Passes, &options(Passes::ALL)).expect("explained");
    (game.rules().len(), told)
}

/// The rules of a game with the rule of a claim that this is the body of, and without; what is told must say so.
fn rules_of(head: &str, body: &str, told: &str) -> usize {
    let (without, _) = played(&marks("(<= (legal r (claim none)) (role ?r))"));
    let (with, all) = played(&marks(&format!("(<= (legal r (claim {head})) {body})")));
    assert!(all.contains(told), "{body}\n{all}");
    with.saturating_sub(without)
}

/// That all of some terms differ.
fn all_differ(terms: &[&str]) -> String {
    let mut text = String::new();
    for (at, one) in terms.iter().enumerate() {
        for other in &terms[at + 1..] {
            let _ = write!(text, "(distinct {one} {other})");
        }
    }
    text
}

#[test]
fn things_that_all_differ_are_counted() {
    let four = all_differ(&["?x", "?y", "?z", "?u"]);
    let of = |own: &dyn Fn(&str) -> String, keys: &[&str]| -> String {
        keys.iter().map(|it| own(it)).collect()
    };
    let numbers = ["?x", "?y", "?z", "?u"];
    let mark = |it: &str| format!("(true (mark ?g {it} red))");
    // One of two groups; 330 fours of 11.
    assert!(rules_of("?g", &(of(&mark, &numbers) + &four), COUNTED) < 160);
    // Of any kind; what is not the case.
    let any = |it: &str| format!("(true (mark ?g {it} ?k{}))", &it[1..]);
    assert!(rules_of("?g", &(of(&any, &numbers) + &four), COUNTED) < 230);
    let unmarked = |it: &str| format!("(true (free {it})) (not (true (mark ?g {it} red)))");
    let body = format!("(group ?g) {} {four}", of(&unmarked, &numbers));
    assert!(rules_of("?g", &body, COUNTED) < 230);
    // Tuples under a function term, more than a hundred of them.
    let cells = ["?c", "?d", "?e"];
    let body = of(&|it| format!("(true (cell {it}))"), &cells) + &all_differ(&cells);
    assert!(rules_of("three", &body, COUNTED) < 600);
    // Two conditions that count the same begin together.
    let three = all_differ(&["?x", "?y", "?z"]);
    let both = format!(
        "(<= (legal r (claim 3)) {} {three})",
        of(&|it| format!("(true (free {it}))"), &numbers[..3])
    ) + &format!(
        "(<= (legal r (claim 4)) {} {four})",
        of(&|it| format!("(true (free {it}))"), &numbers)
    );
    let (together, _) = played(&marks(&both));
    let (without, _) = played(&marks(""));
    assert!(together < without + 100, "{together} {without}");
}

#[test]
fn neighbours_are_counted_for_each_cell() {
    let mut text =
        String::from("(role r) (init (turn 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4)");
    for number in 1..=6 {
        let _ = write!(text, "(number {number}) (close {number} {number})");
        let _ = write!(text, "(close {number} {}) (close {} {number})", number + 1, number + 1);
    }
    text += "(<= (cell (at ?x ?y)) (number ?x) (number ?y)) (init (alive (at 2 2))) (init (alive (at 2 3)))
        (init (alive (at 3 2))) (init (alive (at 3 3))) (init (alive (at 4 4)))
        (<= (around (at ?x ?y) (at ?u ?v)) (close ?x ?u) (close ?y ?v) (number ?u) (number ?v)
            (or (distinct ?x ?u) (distinct ?y ?v)))
        (<= (next (turn ?y)) (true (turn ?x)) (after ?x ?y)) (<= terminal (true (turn 4)))
        (<= (legal r (toggle ?c)) (cell ?c)) (goal r 100)
        (<= (three ?c) (around ?c ?d) (true (alive ?d)) (around ?c ?e) (true (alive ?e)) (around ?c ?f)
            (true (alive ?f)) (distinct ?d ?e) (distinct ?d ?f) (distinct ?e ?f))
        (<= (four ?c) (around ?c ?d) (true (alive ?d)) (around ?c ?e) (true (alive ?e)) (around ?c ?f)
            (true (alive ?f)) (around ?c ?g) (true (alive ?g)) (distinct ?d ?e) (distinct ?d ?f)
            (distinct ?d ?g) (distinct ?e ?f) (distinct ?e ?g) (distinct ?f ?g))
        (<= (next (alive ?c)) (three ?c) (not (four ?c)))
        (<= (next (alive ?c)) (does r (toggle ?c)) (not (true (alive ?c))))";
    let (rules, told) = played(&text);
    assert!(told.contains(COUNTED) && rules < 2_000, "{rules} {told}");
}

/// Rules that look much alike: of some the things can be counted, of others not.
#[test]
fn all_kinds_of_rules_mean_the_same() {
    let mut draw = Draw(7);
    for _ in 0..60 {
        let count = 2 + draw.below(2);
        let names: Vec<String> = (0..count).map(|it| format!("?x{it}")).collect();
        let own: Vec<&str> = (0..1 + draw.below(3))
            .map(|_| {
                draw.of(&[
                    "(true (mark ?g X red))",
                    "(true (mark ?g X ?kX))",
                    "(true (mark a X red))",
                    "(odd X)",
                    "(not (true (free X)))",
                    "(distinct X 4)",
                    "(true (cell (at X ?y)))",
                    "(true (cell (at X ?iX))) (odd ?iX)",
                    "(less X ?iX) (true (mark b ?iX blue))",
                ])
            })
            .collect();
        let mut body = String::from("(true (free ?y)) (group ?g)");
        for name in &names {
            body += "(true (free NAME))".replace("NAME", name).as_str();
            for own in &own {
                // `X` stands for the variable, `?iX` for one of its own.
                body += &own
                    .replace("?iX", &format!("?i{}", &name[1..]))
                    .replace("?kX", &format!("?k{}", &name[1..]))
                    .replace('X', name);
            }
        }
        let mut differ = all_differ(&names.iter().map(String::as_str).collect::<Vec<_>>());
        if draw.below(4) == 0 {
            differ = differ.replacen("(distinct", "(less", 1);
        }
        if draw.below(3) == 0 {
            body += draw.of(&["(odd ?x0)", "(true (mark ?g ?x1 blue))", "(linked ?x0 ?x1)"]);
        }
        if draw.below(4) == 0 {
            body += "(distinct ?x0 ?y)";
        }
        let head = draw.of(&["it", "?g", "?y", "?x0", "?g ?x1"]);
        played(&marks_of(8, &format!("(<= (legal r (claim {head})) {body} {differ})")));
    }
}
