use groundfrog_engine::observe::Silent;

use super::*;
use crate::description::{Description, ParseOptions};
use crate::flat::form_name;
use crate::ground::flatten_rules;
use crate::options::{GroundOptions, Passes};

/// The names of the predicates that demand, and how many rows a form has in the end.
fn completed(text: &str, form: &str) -> (Vec<String>, usize) {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    let options = GroundOptions { passes: Passes::ALL, ..GroundOptions::flat() };
    let mut flattened = flatten_rules(&description, &options).expect("the rules are bounded").0;
    let (budget, report) = (Budget::unlimited(), &mut Report::default());
    let (_, tables) = flattened
        .complete_with_remedies(&options, &budget, &mut Silent, report)
        .expect("nothing is limited");
    let Flattened { forms, prepared, .. } = &flattened;
    let name = |form| form_name(form, forms, &prepared.rules.symbols);
    let found = forms.iter().map(|it| it.0).find(|&it| name(it) == form);
    let rows = tables[predicate(found.expect("a form of the description"))].len();
    (forms.iter().map(|it| name(it.0)).filter(|it| it.starts_with("(demand_")).collect(), rows)
}

/// A game that uses all points of a cube and has some of them: those in so many layers. What demands, and how many points
/// there are in the end.
fn demanded_rows(size: u64, layers: u64) -> (Vec<String>, usize) {
    demanded_rows_with(size, layers, "")
}

/// What is demanded of towers with more rules.
fn demanded_rows_with(size: u64, layers: u64, more: &str) -> (Vec<String>, usize) {
    let indices: String = (1..=size).map(|it| format!("(index {it})")).collect();
    let layers: String = (1..=layers).map(|it| format!("(layer {it})")).collect();
    let text = format!(
        "(role r) (init (lit 1)) (legal r wait) (<= terminal (true (lit 2))) {indices} {layers}
         (<= (next (lit ?y)) (true (lit ?x)) (index ?y))
         (<= (goal r 100) (index ?x) (index ?y) (index ?z) (point ?x ?y ?z))
         (<= (point ?x ?y ?z) (true (lit ?x)) (true (lit ?y)) (layer ?z))
         {more}"
    );
    completed(&text, "(point _ _ _)")
}

#[test]
fn a_view_with_many_rows_is_computed_on_demand() {
    assert_eq!(demanded_rows(12, 12), (vec![], 12 * 12 * 12));
    assert_eq!(demanded_rows(70, 65), (vec!["(demand_point _ _ _)".to_owned()], 70 * 70 * 65));
}

#[test]
fn one_rule_with_more_variables_than_fit_in_a_set_leaves_the_others_their_demand() {
    let wide: String = (1..=140).map(|it| format!("(one ?v{it})")).collect();
    let with = |literal: &str| {
        let more = format!("(one 1) (<= (goal r 50) {wide} {literal})");
        demanded_rows_with(70, 65, &more)
    };
    let on_demand = (vec!["(demand_point _ _ _)".to_owned()], 70 * 70 * 65);
    assert_eq!(with(""), on_demand);
    assert_eq!(with("(point 1 2 3)"), on_demand);
    assert_eq!(with("(not (point 1 2 3))"), on_demand);
    // All points are demanded.
    assert_eq!(with("(point ?v1 ?v2 ?v3)").0, [""; 0]);
}

#[test]
fn the_order_of_literals_does_not_matter() {
    // Counts the pits with stones from the first to the last: each is demanded with what those before it have.
    let literals = ["(one ?x ?m ?k)", "(after ?x ?y)", "(count ?y ?k ?n)"];
    let mut chain: String = (1..30).map(|it| format!("(after {it} {})", it + 1)).collect();
    chain.extend((0..600).map(|it| format!("(succ {it} {}) (number {it})", it + 1)));
    let count = |order: [usize; 3]| {
        let body = order.map(|it| literals[it]).join(" ");
        let text = format!(
            "(role r) (legal r wait) (<= (init (full ?x)) (after ?x ?y)) (init (full 30)) {chain}
             (<= (legal r (take ?x)) (true (full ?x)))
             (<= (next (full ?x)) (true (full ?x)) (not (does r (take ?x))))
             (<= (next (empty ?x)) (does r (take ?x)))
             (<= (next (empty ?x)) (true (empty ?x)))
             (<= (one ?x ?m ?n) (true (full ?x)) (succ ?m ?n))
             (<= (one ?x ?m ?m) (true (empty ?x)) (number ?m))
             (<= (count 30 ?m ?n) (one 30 ?m ?n))
             (<= (count ?x ?m ?n) {body})
             (<= (goal r ?n) (count 1 0 ?n)) (<= terminal (true (empty 1)))"
        );
        completed(&text, "(count _ _ _)")
    };
    let expected = count([0, 1, 2]);
    assert!(expected.0.contains(&"(demand_count _ _)".to_owned()), "{:?}", expected.0);
    // A place, what was counted before it, and what has been counted in the end.
    assert_eq!(expected.1, (1..=30).map(|place| place * (32 - place)).sum::<usize>());
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(count(order), expected, "{order:?}");
    }
}
