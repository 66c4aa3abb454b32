use groundfrog::description::Language;

use super::*;
use crate::rules::{Rulebook, ground_term, term_text};

/// What follows for a predicate from facts, sorted.
fn follows(rules: &str, given: &[(&str, u32)], facts: &[&str], wanted: (&str, u32)) -> Vec<String> {
    let mut book = Rulebook::read(rules.as_bytes(), Language::Market, "t", &Limits::default())
        .expect("these rules are read");
    let mut predicate =
        |(name, arity): (&str, u32)| Predicate { name: book.rules.symbols.intern(name), arity };
    let given: Vec<Predicate> = given.iter().map(|&it| predicate(it)).collect();
    let wanted = predicate(wanted);
    let comparisons = ["<", ">", "<=", ">="].map(|it| predicate((it, 2)).name);
    let limits = Limits::default();
    let evaluator = Evaluator::new(&book.rules, &given, None, &comparisons, limits)
        .expect("these rules are stratified");
    let mut symbols = book.rules.symbols.clone();
    let facts: Vec<(Predicate, Terms)> = facts
        .iter()
        .map(|text| match ground_term(text, &mut symbols).expect("a fact") {
            Term::Compound(it) => {
                let arity = it.arguments.len() as u32;
                (Predicate { name: it.functor, arity }, it.arguments.clone())
            }
            Term::Constant(name) | Term::Variable(name) => {
                (Predicate { name, arity: 0 }, Terms::new())
            }
        })
        .collect();
    let model = evaluator.evaluate(&[wanted], facts, &symbols).expect("within limits");
    let text =
        |row: &Terms| row.iter().map(|it| term_text(it, &symbols)).collect::<Vec<_>>().join(" ");
    let mut rows: Vec<String> = model.rows(wanted).iter().map(text).collect();
    rows.sort();
    rows
}

#[test]
fn recursion_and_negation() {
    let rules = "(edge a b) (edge b c) (edge c a) (edge d e)
        (<= (path ?x ?y) (edge ?x ?y))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= (node ?x) (edge ?x ?y)) (<= (node ?y) (edge ?x ?y))
        (<= (apart ?x ?y) (node ?x) (node ?y) (not (path ?x ?y)) (distinct ?x ?y))
        (<= (open ?x) (true (door ?x)) (not (path ?x ?x)))";
    assert_eq!(follows(rules, &[], &[], ("path", 2)).len(), 10);
    assert_eq!(
        follows(rules, &[], &[], ("apart", 2)),
        ["a d", "a e", "b d", "b e", "c d", "c e", "d a", "d b", "d c", "e a", "e b", "e c", "e d"]
    );
    let facts = ["(true (door a))", "(true (door d))", "(true door)"];
    assert_eq!(follows(rules, &[("true", 1)], &facts, ("open", 1)), ["d"]);
}

#[test]
fn recursion_on_what_is_given() {
    let rules = "(<= (reached ?x) (true (at ?x)))
        (<= (reached ?y) (reached ?x) (true (way ?x ?y)))
        (<= (lost ?x) (true (way ?x ?y)) (not (reached ?x)))";
    let facts = ["(true (at 1))", "(true (way 1 2))", "(true (way 2 3))", "(true (way 7 8))"];
    assert_eq!(follows(rules, &[("true", 1)], &facts, ("reached", 1)), ["1", "2", "3"]);
    assert_eq!(follows(rules, &[("true", 1)], &facts, ("lost", 1)), ["7"]);
}

#[test]
fn numbers_are_compared_by_value() {
    let rules = "(<= (best ?a ?p) (true (bid ?a ?p)) (not (outbid ?p)))
        (<= (outbid ?p) (true (bid ?a ?p)) (true (bid ?b ?q)) (> ?q ?p))
        (<= (low ?a) (true (bid ?a ?p)) (<= ?p 9.50))";
    let facts =
        ["(true (bid a 9.5))", "(true (bid b 10))", "(true (bid c 10.00))", "(true (bid d x))"];
    let given = [("true", 1)];
    // A name does not compare with a number, so nobody has outbid it.
    assert_eq!(follows(rules, &given, &facts, ("best", 2)), ["b 10", "c 10", "d x"]);
    assert_eq!(follows(rules, &given, &facts, ("low", 1)), ["a"]);
}

#[test]
fn terms_do_not_grow_without_end() {
    let text = "(count 0) (<= (count (s ?n)) (count ?n))";
    let book = Rulebook::read(text.as_bytes(), Language::Market, "t", &Limits::default());
    let rules = book.expect("rules").rules;
    let made = Evaluator::new(&rules, &[], None, &[], Limits::default());
    assert!(matches!(made, Err(EvaluationError::Depth(name)) if name == "count"));
    let text = "(<= p (not q)) (<= q (not p))";
    let book = Rulebook::read(text.as_bytes(), Language::Market, "t", &Limits::default());
    let made = Evaluator::new(&book.expect("rules").rules, &[], None, &[], Limits::default());
    assert!(matches!(made, Err(EvaluationError::NotStratified)));
    let text = "(<= (p ?x) (not (q ?x)))";
    let book = Rulebook::read(text.as_bytes(), Language::Market, "t", &Limits::default());
    let made = Evaluator::new(&book.expect("rules").rules, &[], None, &[], Limits::default());
    assert!(matches!(made, Err(EvaluationError::Unsafe(_))));
}
