//! Rules that are put together or taken apart.

use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::{Step, explain};
use groundfrog::options::Engine;

use super::text::{description, grounded};
use super::{means_the_same, options};

/// Lamps of three colours light the cells in line with them; one may be smashed if another lights a cell. The board
/// has so many rows.
fn lamps(size: u32) -> String {
    let mut text = String::from(
        "(role keeper) (legal keeper wait) (init (day 1)) (init (lamp red 1 1)) (init (lamp blue 2 2))
         (init (lamp green 3 2)) (colour red) (colour green) (colour blue) (after 3 4)
         (<= (next (day ?e)) (true (day ?d)) (after ?d ?e)) (<= terminal (true (day 4)))
         (<= (goal keeper 100) any_lamp) (<= (goal keeper 0) (not any_lamp))
         (<= any_lamp (true (lamp ?c ?x ?y)))
         (<= (in_line ?u ?v ?x ?v) (index ?u) (index ?v) (index ?x) (distinct ?u ?x))
         (<= (in_line ?u ?v ?u ?y) (index ?u) (index ?v) (index ?y) (distinct ?v ?y))
         (<= (red_light ?u ?v ?x ?y) (true (lamp red ?u ?v)) (in_line ?u ?v ?x ?y))
         (<= (green_light ?u ?v ?x ?y) (true (lamp green ?u ?v)) (in_line ?u ?v ?x ?y))
         (<= (blue_light ?u ?v ?x ?y) (true (lamp blue ?u ?v)) (in_line ?u ?v ?x ?y))
         (<= (differ ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?a ?c))
         (<= (differ ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?b ?d))
         (<= (lit_without ?cx ?cy ?x ?y) (differ ?cx ?cy ?u ?v)
             (or (red_light ?u ?v ?x ?y) (green_light ?u ?v ?x ?y) (blue_light ?u ?v ?x ?y)))
         (<= (legal keeper (smash ?cx ?cy ?x ?y)) (true (lamp ?c ?cx ?cy)) (lit_without ?cx ?cy ?x ?y))
         (<= (next (lamp ?c ?x ?y)) (true (lamp ?c ?x ?y)) (not (smashed ?x ?y)))
         (<= (smashed ?cx ?cy) (does keeper (smash ?cx ?cy ?x ?y)))
         (<= (next (lamp ?d ?x ?y)) (does keeper (smash ?cx ?cy ?x ?y)) (true (lamp ?c ?cx ?cy))
             (colour ?d) (distinct ?c ?d))",
    );
    for index in 1..=size {
        text += &format!("(index {index})");
        if index > 1 {
            text += &format!("(after {} {index})", index - 1);
        }
    }
    text
}

#[test]
fn rules_are_put_together_and_taken_apart_where_that_makes_them_fewer() {
    let text = lamps(8);
    assert!(means_the_same("lamps", &text) > 100);
    // Of the rules that decomposition saves here many are for views that are equal, or have something in common.
    let compact = Passes::ALL.without_all(&[PassId::EqualViews, PassId::Factoring]);
    let whole = compact.without(PassId::Decomposition);
    let [compact, whole] = [compact, whole]
        .map(|passes| grounded(&text, &options(passes, Engine::Datafrog)).rules().len());
    assert!(compact * 4 < whole, "{compact} of {whole} rules");
}

/// A rule that is like a second one but for one literal, and like a third one but for another.
fn alike_in_two_ways(size: u32) -> String {
    let indices: String = (1..=size).map(|it| format!("(index {it})")).collect();
    format!(
        "(role r) (init (on 1)) (init (day 1)) (legal r wait) (<= (next (day 2)) (true (day 1)))
         (<= terminal (true (day 2))) (goal r 100) (<= (next (on ?w)) (does r (go ?x ?y ?z ?w)))
         (<= (up ?x ?y ?u) (index ?x) (index ?y) (index ?u) (true (on ?x)))
         (<= (down ?x ?y ?u) (index ?x) (index ?y) (index ?u) (true (on ?y)) (distinct ?x ?u))
         (<= (left ?z ?w ?u) (index ?z) (index ?w) (index ?u) (true (on ?z)) (distinct ?w ?u))
         (<= (right ?z ?w ?u) (index ?z) (index ?w) (index ?u) (true (on ?w)) (distinct ?z ?u))
         (<= (way ?x ?y ?z ?w) (up ?x ?y ?u) (left ?z ?w ?u))
         (<= (way ?x ?y ?z ?w) (down ?x ?y ?u) (left ?z ?w ?u))
         (<= (way ?x ?y ?z ?w) (up ?x ?y ?u) (right ?z ?w ?u))
         (<= (legal r (go ?x ?y ?z ?w)) (way ?x ?y ?z ?w)) {indices}"
    )
}

#[test]
fn rules_that_are_alike_in_two_ways_are_put_together_in_one() {
    let text = alike_in_two_ways(6);
    assert!(means_the_same("ways", &text) > 50);
    let options = options(Passes::ALL, Engine::Datafrog);
    let passes = explain(&description(&text), Step::Passes, &options);
    assert_eq!(passes.expect("the game is small").matches("put together").count(), 1);
}
