use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groundfrog_engine::Limit;
use groundfrog_engine::projection::Part;

use super::*;
use crate::compact::estimate::variables;
use crate::description::{Description, ParseOptions};
use crate::flat::LiteralKind;
use crate::flat::lowering;
use crate::ground::{Flattened, flatten_rules, run_on_complete_tables};
use crate::options::GroundOptions;

fn flattened(text: &str) -> Flattened {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded").0
}

/// A rule is split into an auxiliary literal and a condition; the same part of the auxiliary predicate's own
/// rule, with the same condition, is that predicate.
#[test]
fn an_auxiliary_predicate_is_not_defined_by_itself() {
    let text =
        "(role r) (init (at 1 2)) (legal r go) (few 1) (<= (next (at ?x ?y)) (true (at ?x ?y)))
        (<= (seen ?x) (few ?x) (not (true (at ?x 2))) (true (at ?y ?y)))
        (<= terminal (seen ?x)) (<= (goal r 1) (seen ?x))";
    let mut flattened = flattened(text);
    let is_seen = |it: &&FlatRule| it.head.arguments.len() == 1 && it.body.len() == 3;
    let mut rule = flattened.flat.rules.iter().find(is_seen).expect("the rule of seen").clone();
    let Flattened { flat, forms, prepared, .. } = &mut flattened;
    let all = lowering::program(flat, forms, &prepared.rules.symbols, |_| true);
    let tables = lowering::fact_tables(flat, forms, &all);
    let (demanded, steps) = (FxHashSet::default(), FxHashMap::default());
    let rules = &mut prepared.rules;
    let known = Known {
        keywords: &rules.keywords,
        tables: &tables,
        demanded: &demanded,
        steps: &steps,
        facts: flat,
    };
    let (budget, given_up) = (Budget::unlimited(), FxHashSet::default());
    let made = Made { first_auxiliary: forms.len(), ..Made::default() };
    let (symbols, passes) = (&mut rules.symbols, Passes::NONE);
    let context = Context { forms, symbols, known, passes, given_up: &given_up, budget: &budget };
    let mut splitter = Splitter::new(context, made, AboutTables::default());
    // What is negated, which needs `few`.
    let negated = |rule: &FlatRule| {
        let taken: Vec<bool> =
            rule.body.iter().map(|it| matches!(it.kind, LiteralKind::Negative(_))).collect();
        let interface = variables(&rule.head.arguments);
        Part { taken, interface, unbound: interface }
    };
    let part = negated(&rule);
    assert!(splitter.apply(&mut rule, &part));
    assert_eq!(rule.body.len(), 3, "few, at and the auxiliary literal");
    let mut own = splitter.made.auxiliaries.rules[0].clone();
    let before = own.clone();
    let part = negated(&own);
    assert!(!splitter.apply(&mut own, &part));
    assert_eq!(own, before);
}

/// Of each pass over the rules: those about moves, and those to be split.
#[test]
fn a_limit_stops_the_rewriting_of_many_rules() {
    let text = "(role r) (init (at 1 2)) (legal r go) (<= (next (at ?x ?y)) (true (at ?x ?y)))
        (<= (legal r (from ?x ?y)) (true (at ?x ?y))) (<= terminal (true (at ?y ?y)))
        (<= (next (at ?y ?x)) (true (at ?x ?y)) (does r (from ?a ?b)) (distinct ?a ?x))";
    for passes in [Passes::of(&[PassId::Complements]), Passes::of(&[PassId::Decomposition])] {
        let mut flattened = flattened(text);
        let (flat, forms) = (&flattened.flat, &flattened.forms);
        let all = lowering::program(flat, forms, &flattened.prepared.rules.symbols, |_| true);
        let tables = lowering::fact_tables(flat, forms, &all);
        let (demanded, steps) = (FxHashSet::default(), FxHashMap::default());
        let stored: Vec<FlatRule> = flat.rules.iter().filter(|it| it.stored).cloned().collect();
        let many: Vec<FlatRule> = stored.iter().cycle().take(20_000).cloned().collect();
        let rules = &mut flattened.prepared.rules;
        let keywords = &rules.keywords;
        let (tables, demanded, steps) = (&tables, &demanded, &steps);
        let known = Known { keywords, tables, demanded, steps, facts: flat };
        let given_up = FxHashSet::default();
        let mut run = |budget: &Budget| {
            let (forms, symbols) = (&mut flattened.forms, &mut rules.symbols);
            let context = Context { forms, symbols, known, passes, given_up: &given_up, budget };
            run_on_complete_tables(many.clone(), context).map(|it| it.rules.len())
        };
        let stopped = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
        let exceeded = run(&stopped).expect_err("it is to stop");
        assert_eq!(exceeded.limit, Limit::Cancelled);
        assert!(run(&Budget::unlimited()).is_ok());
    }
}
