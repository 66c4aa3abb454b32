//! Rules over long chains of values, whose variables are best eliminated in the order of least fill.

use groundfrog::compact::Passes;
use groundfrog::options::{Engine, GroundOptions};

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// Lamps in a row, of which one is switched in each step. Each window of so many lamps shows how many of them are lit; the
/// game is won when the first window is full. `order` gives the order in which the lamps of a window are asked for.
fn windows(width: usize, lamps: usize, order: impl Fn(usize) -> usize) -> String {
    let numbers = lamps.max(width);
    let facts: String = (0..numbers)
        .map(|it| format!("(after {it} {}) (number {it}) ", it + 1))
        .chain((1..lamps).map(|it| format!("(beside {it} {}) ", it + 1)))
        .chain((1..=lamps).map(|it| format!("(lamp {it}) ")))
        .collect();
    let row: String = (1..width).map(|it| format!("(beside ?l{it} ?l{}) ", it + 1)).collect();
    let lamp = |it: usize| format!("(shows ?l{0} ?v{0}) ", order(it));
    let shown: String = (1..=width).map(lamp).collect();
    let sums: String = (2..=width)
        .map(|number| {
            let before = if number == 2 { "?v1".to_owned() } else { format!("?s{}", number - 1) };
            format!("(plus {before} ?v{number} ?s{number}) ")
        })
        .collect();
    format!(
        "(role r) (init (count 1 0)) {facts} (number {numbers})
        (<= (legal r (switch ?l)) (lamp ?l))
        (<= (next (lit ?l)) (does r (switch ?l)) (not (true (lit ?l))))
        (<= (next (lit ?l)) (true (lit ?l)) (not (does r (switch ?l))))
        (<= (shows ?l 1) (true (lit ?l)))
        (<= (shows ?l 0) (lamp ?l) (not (true (lit ?l))))
        (<= (plus ?a 0 ?a) (number ?a)) (<= (plus ?a 1 ?b) (after ?a ?b))
        (<= (next (count ?l1 ?s{width})) {row} {shown} {sums})
        (<= terminal (true (count 1 {width})))
        (<= (goal r 100) (true (count 1 {width})))
        (<= (goal r 0) (not (true (count 1 {width})))) "
    )
}

#[test]
fn sums_over_windows_grow_with_the_window_and_not_with_what_it_can_show() {
    let text = windows(9, 20, |it| it);
    let game = grounded(&text, &options(Passes::ALL));
    // A window has 512 states, and there are twelve of them; a sum so far has ten values at most.
    let rules = game.rules().len();
    assert!(rules < 20 * 9 * 10, "{rules} rules");
    let as_it_was = grounded(&text, &options(Passes::NONE));
    assert!(plays_the_same(&description(&text), &game, &as_it_was, 2) > 8);
}

#[test]
fn what_is_chosen_is_the_same_in_whatever_order_a_rule_is_written() {
    let rules = |order: fn(usize) -> usize| {
        let text = windows(9, 20, order);
        grounded(&text, &options(Passes::ALL)).rules().len()
    };
    let plain = rules(|it| it);
    assert_eq!(rules(|it| 10 - it), plain);
    assert_eq!(rules(|it| it * 7 % 10), plain);
}

#[test]
fn both_evaluators_choose_alike() {
    let text = windows(7, 40, |it| it);
    let compared = GroundOptions { engine: Engine::Compare, ..options(Passes::ALL) };
    let rules = grounded(&text, &compared).rules().len();
    assert_eq!(rules, grounded(&text, &options(Passes::ALL)).rules().len());
    assert!(rules < 40 * 7 * 8, "{rules} rules");
}

/// Cells of a ring of rows and columns; in each step one is switched, and then those live on that have three neighbours
/// that do, counted one after the other.
fn life(size: usize) -> String {
    let facts: String = (1..=size)
        .map(|it| format!("(left {it} {}) (line {it}) ", it % size + 1))
        .chain((0..8).map(|it| format!("(add {it} 0 {it}) (add {it} 1 {}) ", it + 1)))
        .collect();
    let cells = ["?w ?n", "?x ?n", "?e ?n", "?w ?y", "?e ?y", "?w ?s", "?x ?s", "?e ?s"];
    let shown: String =
        (1..).zip(cells).map(|(it, cell)| format!("(now {cell} ?v{it}) ")).collect();
    let sums: String = (2..8)
        .map(|number| {
            let before = if number == 2 { "?v1".to_owned() } else { format!("?s{}", number - 1) };
            format!("(add {before} ?v{number} ?s{number}) ")
        })
        .collect();
    format!(
        "(role r) (init (cell 1 1)) (init (cell 1 2)) (init (cell 2 1)) (init (cell 3 3)) {facts}
        (<= (legal r (switch ?x ?y)) (line ?x) (line ?y))
        (<= (now ?x ?y 1) (true (cell ?x ?y)))
        (<= (now ?x ?y 0) (line ?x) (line ?y) (not (true (cell ?x ?y))))
        (<= (three ?x ?y) (left ?w ?x) (left ?x ?e) (left ?n ?y) (left ?y ?s) {shown} {sums} (add ?s7 ?v8 3))
        (<= (next (cell ?x ?y)) (three ?x ?y))
        (<= (next (cell ?x ?y)) (does r (switch ?x ?y)) (not (true (cell ?x ?y))))
        (<= any (true (cell ?x ?y))) (<= terminal (not any))
        (<= (goal r 100) (not any)) (<= (goal r 0) any) "
    )
}

#[test]
fn parts_of_the_other_way_are_guarded_though_they_seem_small() {
    let text = life(8);
    let game = grounded(&text, &options(Passes::ALL));
    // A cell has eight neighbours, and what of them is counted so far has four values that may still come to three.
    let rules = game.rules().len();
    assert!(rules < 64 * 8 * 5, "{rules} rules");
    let small = grounded(&life(4), &options(Passes::ALL));
    let as_it_was = grounded(&life(4), &options(Passes::NONE));
    assert!(plays_the_same(&description(&life(4)), &small, &as_it_was, 3) > 3);
}
