use groundfrog_engine::observe::Silent;

use super::*;
use crate::description::{Description, ParseOptions};
use crate::domains::program::{form_name, predicate};
use crate::ground::flatten_rules;
use crate::options::GroundOptions;

/// A game that asks for all points of a cube and has some of them: those in so many layers. The names of the predicates
/// that ask, and how many points there are in the end.
fn asked(size: u64, layers: u64) -> (Vec<String>, usize) {
    let indices: String = (1..=size).map(|it| format!("(index {it})")).collect();
    let layers: String = (1..=layers).map(|it| format!("(layer {it})")).collect();
    let text = format!(
        "(role r) (init (lit 1)) (legal r wait) (<= terminal (true (lit 2))) {indices} {layers}
         (<= (next (lit ?y)) (true (lit ?x)) (index ?y))
         (<= (goal r 100) (index ?x) (index ?y) (index ?z) (point ?x ?y ?z))
         (<= (point ?x ?y ?z) (true (lit ?x)) (true (lit ?y)) (layer ?z))"
    );
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    let options = GroundOptions::default();
    let mut flattened = flatten_rules(&description, &options).expect("the rules are bounded").0;
    let (budget, report) = (Budget::unlimited(), &mut Report::default());
    let (_, tables) = flattened
        .complete_on_demand(false, Evaluator::Datafrog, &budget, &mut Silent, report)
        .expect("nothing is limited");
    let Flattened { forms, prepared, .. } = &flattened;
    let name = |form| form_name(form, forms, &prepared.rules.symbols);
    let points = forms.iter().map(|it| it.0).find(|&it| name(it) == "(point _ _ _)");
    let points = tables[predicate(points.expect("a form of the description"))].len();
    (forms.iter().map(|it| name(it.0)).filter(|it| it.starts_with("(demand_")).collect(), points)
}

#[test]
fn a_view_is_computed_whole_if_more_is_asked_of_it_than_it_has_rows() {
    // Few points, and as many as may be asked for.
    assert_eq!(asked(12, 12), (vec![], 12 * 12 * 12));
    assert_eq!(asked(70, 5), (vec![], 70 * 70 * 5));
    // Too many to compute them all unasked, but fewer are asked for.
    assert_eq!(asked(70, 65), (vec!["(demand_point _ _ _)".to_owned()], 70 * 70 * 65));
    // More are asked for.
    assert_eq!(asked(75, 60), (vec![], 75 * 75 * 60));
}
