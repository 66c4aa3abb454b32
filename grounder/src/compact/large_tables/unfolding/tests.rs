use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, Tables};

use super::*;
use crate::description::{Description, ParseOptions};
use crate::emit::canonical;
use crate::evaluator::Evaluator;
use crate::game::{GroundGame, Layout};
use crate::ground::{Flattened, Report, flatten_rules, ground, request, templates};
use crate::options::{Domains, GroundOptions};

/// A token on a board, and in which direction cells are from others.
const FRAME: &str = "(role r) (init (token 1 1))
    (number 1) (number 2) (number 3) (number 4)
    (less 1 2) (less 1 3) (less 1 4) (less 2 3) (less 2 4) (less 3 4)
    (compass none none none) (compass up up none) (compass down down none)
    (compass right none up) (compass left none down)
    (<= (along ?x ?y up) (less ?x ?y))
    (<= (along ?x ?y down) (less ?y ?x))
    (<= (along ?x ?x none) (number ?x))
    (<= (legal r (move ?d)) (compass ?d ?h ?v))
    (<= terminal (true (token ?x ?y)) (direction ?x ?y 3 ?x right) (direction 2 ?x ?y ?y ?d))";

const NEXT: &str =
    "(<= (next (token ?u ?v)) (true (token ?x ?y)) (does r (move ?d)) (direction ?x ?y ?u ?v ?d))";

const DIRECTION: &str =
    "(<= (direction ?x ?y ?u ?v ?d) (along ?x ?u ?h) (along ?y ?v ?w) (compass ?d ?h ?w))";

fn description(text: &str) -> Description {
    Description::parse(text.as_bytes(), &ParseOptions::default()).expect("the text is well formed")
}

fn flattened(description: &Description) -> Flattened {
    flatten_rules(description, &GroundOptions::flat()).expect("the rules are bounded").0
}

fn complete(flattened: &Flattened, evaluator: Evaluator) -> (groundfrog_engine::Program, Tables) {
    let (budget, report) = (Budget::unlimited(), &mut Report::default());
    let result = flattened.complete(Domains::OneStep, evaluator, &budget, &mut Silent, report);
    result.expect("the rules are stratified")
}

/// The flat program.
fn lines(flattened: Flattened, evaluator: Evaluator) -> Vec<String> {
    let (program, tables) = complete(&flattened, evaluator);
    let layout = Layout::new(&flattened.forms, &flattened.prepared, &tables, &[]);
    let layout = layout.expect("there are few atoms");
    let templates = templates(flattened.flat.rules, &layout);
    let request = request(&program, &tables, &layout, &templates, 1);
    let stored = evaluator.instantiate(&request, &Budget::unlimited(), &mut Silent);
    let stored = stored.expect("nothing is limited");
    let game = GroundGame::assemble(&flattened.forms, &flattened.prepared, tables, layout, stored);
    canonical::lines(&game).collect()
}

/// Whether `direction` is unfolded where its table is taken to have so many rows; the textbook must find the same
/// rules in the program as it was.
fn is_unfolded(rules: &str, rows: u64) -> bool {
    let description = description(&format!("{FRAME} {NEXT} {rules}"));
    let mut own = flattened(&description);
    let tables = complete(&own, Evaluator::Datafrog).1;
    let facts: Vec<FormId> = own.flat.facts(&own.forms).map(|fact| fact.0).collect();
    let is_open = |form: FormId| {
        let predicate = own.forms.form(form).predicate;
        !facts.contains(&form)
            && own.prepared.rules.symbols.name(predicate.name) == "direction"
            && !own.prepared.statics.is_dynamic(predicate)
    };
    let products = products(&own.flat.rules, own.forms.len(), is_open);
    let is_unfolded = products
        .first()
        .is_some_and(|&form| unfold_product(&mut own.flat.rules, form, &tables, rows));
    assert_eq!(lines(own, Evaluator::Datafrog), lines(flattened(&description), Evaluator::Naive));
    is_unfolded
}

#[test]
fn large_joins_of_small_tables_are_unfolded() {
    assert!(is_unfolded(DIRECTION, 10_000));
    assert!(!is_unfolded(DIRECTION, 10));
    // Whatever the uses are called.
    let others = "(<= (goal r 50) (true (token ?h ?w)) (direction ?w ?h ?w ?h ?d))
        (<= (goal r ?v) (number ?v) (direction ?v ?v ?d ?v right))";
    assert!(is_unfolded(&format!("{DIRECTION} {others}"), 10_000));
}

#[test]
fn other_predicates_keep_their_tables() {
    for rules in [
        // Two ways to the same direction.
        format!("{DIRECTION} (compass none up none)").replace("?d ?h ?w)", "?d ?k ?w)"),
        format!("{DIRECTION} (direction 1 1 1 1 right)"),
        format!("{DIRECTION} (<= (direction ?x ?x ?x ?x left) (number ?x))"),
        format!("{DIRECTION} (<= (goal r 0) (not (direction 1 2 3 4 up)))"),
        DIRECTION.replace("(along ?y", "(direction ?x ?y ?u ?v ?d) (along ?y"),
        DIRECTION.replace("(direction ?x ?y", "(direction ?x ?x"),
        DIRECTION.replace("(direction ?x ?y", "(direction ?x 2"),
        DIRECTION.replace("(along ?y", "(not (less 4 4)) (along ?y"),
        DIRECTION.replace("(along ?y", "(true (token ?x ?y)) (along ?y"),
    ] {
        assert!(!is_unfolded(&rules, 10_000), "{rules}");
    }
}

#[test]
fn a_game_with_a_large_product_is_the_same() {
    // 810 000 directions on a board of 30 by 30 cells.
    let numbers: String =
        (5..=30).map(|it| format!("(number {it}) (less {} {it})", it - 1)).collect();
    let rules = "(<= (less ?x ?z) (less ?x ?y) (less ?y ?z))
        (compass slant up up) (compass slant up down) (compass slant down up) (compass slant down down)";
    let next =
        "(<= (next (token ?u ?v)) (true (token ?x ?y)) (does r (move ?d)) (less ?u 4) (less ?v 4)";
    let [of_tables, by_hand] =
        ["(direction ?x ?y ?u ?v ?d))", "(along ?x ?u ?h) (along ?y ?v ?w) (compass ?d ?h ?w))"]
            .map(|body| format!("{FRAME} {DIRECTION} {numbers} {rules} {next} {body}"));
    for options in [GroundOptions::compact(), GroundOptions::flat()] {
        let [of_tables, by_hand] = [&of_tables, &by_hand].map(|text| {
            let grounding =
                ground(&description(text), &options, &mut Silent).expect("the game is sound");
            assert!(grounding.report.tuples < 100_000, "{}", grounding.report.tuples);
            canonical::lines(&grounding.game).collect::<Vec<_>>()
        });
        assert_eq!(of_tables, by_hand);
        assert!(of_tables.len() > 50);
    }
}
