use std::time::Duration;

use groundfrog_engine::Budget;

use super::*;
use crate::description::{Description, ParseOptions};
use crate::ground::{Flattened, flatten_rules};
use crate::options::GroundOptions;
use crate::symbols::Symbol;

/// What every game here has: a counter, a light, and how many are on.
const FRAME: &str = "(role r) (legal r switch) (init (step 0)) (init off)
    (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
    (<= (next (step ?t)) (true (step ?s)) (after ?s ?t))
    (<= (next on) (true off) (does r switch)) (<= (next off) (true on) (does r switch))
    (<= (goal r 100) (true (step 3)))";

fn flattened(rules: &str) -> Flattened {
    let text = format!("{FRAME} {rules}");
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded").0
}

/// The heads of the rules for a predicate, in order, and what was found out about its arguments.
fn specialised(rules: &str, predicate: &str) -> (Vec<String>, Vec<(usize, Vec<String>)>) {
    let mut flattened = flattened(rules);
    let found = flattened.specialise(&Budget::unlimited()).expect("no limit");
    let symbols = &flattened.prepared.rules.symbols;
    let name = |constant: u32| symbols.name(Symbol(constant)).to_owned();
    let head = |rule: &FlatRule| {
        let argument = |it: &Argument| match *it {
            Argument::Constant(constant) => name(constant),
            Argument::Variable(_) => "_".to_owned(),
        };
        rule.head.arguments.iter().map(argument).collect::<Vec<_>>().join(" ")
    };
    let rules = flattened.flat.rules.iter();
    let own = rules.filter(|rule| symbols.name(rule.head.name) == predicate);
    let forms = &flattened.forms;
    let is_own = |it: &&Specialised| symbols.name(forms.form(it.form).predicate.name) == predicate;
    let found = found.iter().filter(is_own);
    let found = found.map(|it| (it.column, it.constants.iter().map(|&it| name(it)).collect()));
    (own.map(head).collect(), found.collect())
}

/// A column and the constants that it is used with.
fn demanded(column: usize, constants: &[&str]) -> (usize, Vec<String>) {
    (column, constants.iter().map(|&it| it.to_owned()).collect())
}

#[test]
fn a_constant_that_every_use_has_takes_the_place_of_the_variable() {
    let rules = "(<= (from ?n ?m) (after ?n ?m) (true on))
        (<= (from ?n ?k) (from ?n ?m) (after ?m ?k))
        (<= terminal (from 2 6)) (<= (legal r wait) (not (from 2 4)) (true on))";
    // The second argument is used with any: the rule itself uses whatever comes before another.
    let (heads, found) = specialised(rules, "from");
    assert_eq!(heads, ["2 _", "2 _"]);
    assert_eq!(found, [demanded(0, &["2"])]);
}

#[test]
fn constants_are_passed_on_from_heads_to_bodies() {
    let rules = "(<= (outer ?n ?m) (inner ?m ?n)) (<= (inner ?m ?n) (after ?n ?m) (true on))
        (<= terminal (outer 3 4))";
    assert_eq!(specialised(rules, "outer").0, ["3 4"]);
    assert_eq!(specialised(rules, "inner").0, ["4 3"]);
}

#[test]
fn what_a_variable_needs_stays() {
    let rules = "(<= (near ?n ?m) (after ?n ?m) (true on))
        (<= terminal (near 2 ?m) (true (step ?m))) (<= (legal r wait) (true (step ?s)) (near ?s 4))";
    let (heads, found) = specialised(rules, "near");
    assert_eq!((heads, found), (vec!["_ _".to_owned()], vec![]));
    // The game itself uses all of what it is made of.
    assert_eq!(specialised("(<= terminal (true (step 5)))", "next").1, []);
}

#[test]
fn what_nothing_that_is_needed_needs_does_not_count() {
    let rules = "(<= (near ?n ?m) (after ?n ?m) (true on)) (<= terminal (near 2 3))
        (<= (idle ?n) (near ?n ?n) (after ?n ?m)) (<= (other 3) (near 4 5)) (<= (other 4) (near 2 3))
        (<= (goal r 50) (other 4))";
    assert_eq!(specialised(rules, "near").0, ["2 3"]);
    // Rules for what is not demanded go.
    assert_eq!(specialised(rules, "other").0, ["4"]);
}

#[test]
fn conditions_that_are_settled_go_and_so_do_rules_that_cannot_apply() {
    let rules = "(<= (near ?n ?m) (after ?n ?m) (distinct ?n 3) (true on))
        (<= (near ?n ?m) (after ?m ?n) (distinct ?n 2) (true off))
        (<= (near ?n ?n) (after ?n ?m) (true off))
        (<= terminal (near 2 3))";
    let mut flattened = flattened(rules);
    flattened.specialise(&Budget::unlimited()).expect("no limit");
    let symbols = &flattened.prepared.rules.symbols;
    let near = flattened.flat.rules.iter().filter(|it| symbols.name(it.head.name) == "near");
    let near: Vec<&FlatRule> = near.collect();
    let has_condition = |literal: &FlatLiteral| matches!(literal.kind, LiteralKind::Distinct(..));
    assert_eq!(near.len(), 1, "only the first rule is left");
    assert!(!near[0].body.iter().any(has_condition));
}

#[test]
fn several_constants_are_for_wide_rules_with_more_to_give() {
    let row = "(<= (row ?n) (after ?n ?a) (after ?a ?b) (after ?b ?c) (after ?c ?d)
        (true (step ?n)) (true (step ?a)) (true (step ?b)) (true (step ?c)))";
    let uses = "(<= terminal (row 0)) (<= (legal r wait) (row 3))";
    let (heads, found) = specialised(&format!("{row} {uses}"), "row");
    assert_eq!(heads, ["0", "3"]);
    assert_eq!(found, [demanded(0, &["0", "3"])]);
    // Six facts are no more than twice four of them, five constants too many, seven literals not wide.
    let four = "(<= terminal (row 1)) (<= terminal (row 2))";
    let narrow = row.replacen("(true (step ?c))", "", 1);
    let five = "(<= terminal (row 4))";
    for rules in [
        format!("{row} {uses} {four}"),
        format!("{row} {uses} {four} {five}"),
        format!("{narrow} {uses}"),
    ] {
        assert_eq!(specialised(&rules, "row"), (vec!["_".to_owned()], vec![]));
    }
}

#[test]
fn a_limit_ends_the_search_for_constants() {
    let step = |it: u32| format!("(<= (p{it} ?x) (p{} ?x))", it + 1);
    let steps: String = (0..5_000).map(step).collect();
    let rules = format!("{steps} (<= terminal (p0 0)) (<= (p5000 ?x) (after ?x 1))");
    let mut flattened = flattened(&rules);
    let budget = Budget::unlimited().with_time(Duration::ZERO);
    assert!(flattened.specialise(&budget).is_err());
    assert!(flattened.specialise(&Budget::unlimited()).is_ok_and(|found| found.len() == 5_001));
}
