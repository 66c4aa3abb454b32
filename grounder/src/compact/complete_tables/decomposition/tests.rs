use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groundfrog_engine::Limit;

use super::*;
use crate::description::{Description, ParseOptions};
use crate::flat::lowering;
use crate::ground::{Flattened, flatten_rules, wanted};
use crate::options::{GroundOptions, PassId, Passes};

fn flattened(text: &str) -> Flattened {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded").0
}

/// Of each pass over the rules: those about moves, and those to be split.
#[test]
fn a_limit_stops_the_rewriting_of_many_rules() {
    let text = "(role r) (init (at 1 2)) (legal r go) (<= (next (at ?x ?y)) (true (at ?x ?y)))
        (<= (legal r (from ?x ?y)) (true (at ?x ?y))) (<= terminal (true (at ?y ?y)))
        (<= (next (at ?y ?x)) (true (at ?x ?y)) (does r (from ?a ?b)) (distinct ?a ?x))";
    for passes in [Passes::of(&[PassId::Complements]), Passes::of(&[PassId::Decomposition])] {
        let wanted = &wanted(passes)[..];
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
        let mut run = |budget: &Budget| {
            let (forms, symbols) = (&mut flattened.forms, &mut rules.symbols);
            let context = Context { forms, symbols, known, wanted, budget };
            Decomposed::new(&many, context).map(|split| split.rules.len())
        };
        let stopped = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
        let exceeded = run(&stopped).expect_err("it is to stop");
        assert_eq!(exceeded.limit, Limit::Cancelled);
        assert!(run(&Budget::unlimited()).is_ok());
    }
}
