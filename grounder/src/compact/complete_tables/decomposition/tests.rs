use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groundfrog_engine::Limit;
use groundfrog_engine::projection::Part;

use super::elimination::split_off;
use super::*;
use crate::compact::estimate::variables;
use crate::description::{Description, ParseOptions};
use crate::flat::lowering;
use crate::flat::{FlatLiteral, LiteralKind};
use crate::ground::{Flattened, flatten_rules, wanted};
use crate::options::{GroundOptions, PassId, Passes};

fn flattened(text: &str) -> Flattened {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded").0
}

/// Works on a draft with no auxiliary predicates yet, above tables of the facts.
fn with_draft(flattened: &mut Flattened, work: impl FnOnce(&mut Draft<'_, '_>)) {
    let Flattened { flat, forms, prepared, .. } = flattened;
    let all = lowering::program(flat, forms, &prepared.rules.symbols, |_| true);
    let tables = lowering::fact_tables(flat, forms, &all);
    let (demanded, steps) = (FxHashSet::default(), FxHashMap::default());
    let rules = &mut prepared.rules;
    let keywords = &rules.keywords;
    let known =
        Known { keywords, tables: &tables, demanded: &demanded, steps: &steps, facts: flat };
    let budget = Budget::unlimited();
    let first = (forms.len(), fresh(&mut rules.symbols, "aux"));
    let symbols = &mut rules.symbols;
    let (wanted, budget) = (&[][..], &budget);
    let mut context = Context { forms, symbols, known, wanted, budget };
    let world = World::new(&flat.rules, first, &mut context);
    work(&mut Draft::new(&world, Auxiliaries::default()));
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
    let is_seen = |rule: &&FlatRule| rule.head.arguments.len() == 1 && rule.body.len() == 3;
    let mut rule = flattened.flat.rules.iter().find(is_seen).expect("the rule of seen").clone();
    with_draft(&mut flattened, |draft| {
        // What is negated, which needs `few`.
        let negated = |rule: &FlatRule| {
            let is_negated = |it: &FlatLiteral| matches!(it.kind, LiteralKind::Negative(_));
            let taken: Vec<bool> = rule.body.iter().map(is_negated).collect();
            let interface = variables(&rule.head.arguments);
            Part { taken, interface, unbound: interface }
        };
        let part = negated(&rule);
        assert!(split_off(&mut rule, &part, draft));
        assert_eq!(rule.body.len(), 3, "few, at and the auxiliary literal");
        let mut own = draft.rule(0).clone();
        let before = own.clone();
        let part = negated(&own);
        assert!(!split_off(&mut own, &part, draft));
        assert_eq!(own, before);
    });
}

/// The stored literal of the rule of `terminal`.
fn stored_literal(flattened: &Flattened) -> FlatLiteral {
    let is_projection = |rule: &&FlatRule| rule.stored && rule.head.arguments.is_empty();
    let rule = flattened.flat.rules.iter().find(is_projection).expect("the rule of terminal");
    rule.body[0].clone()
}

const SMALL_GAME: &str = "(role r) (init (at 1)) (legal r go) (<= (next (at ?x)) (true (at ?x)))
    (<= terminal (true (at ?x)))";

#[test]
fn a_condition_and_what_is_stored_are_two_predicates() {
    let mut flattened = flattened(SMALL_GAME);
    let stored = stored_literal(&flattened);
    let condition = FlatLiteral { stored: false, ..stored.clone() };
    with_draft(&mut flattened, |draft| {
        let mut form = |literal: &FlatLiteral| {
            let definition = draft.definition(&[literal], &[]);
            let literal = draft.stand_for(definition, 0).0;
            (literal.form(), literal.stored)
        };
        let [first, second, again] = [&condition, &stored, &condition].map(&mut form);
        assert_eq!((first.1, second.1), (false, true));
        assert_ne!(first.0, second.0, "one has rules in the ground game, the other a table");
        assert_eq!(first, again);
    });
}

/// A layer sees those below; what is made in it is seen in those only when it is taken in.
#[test]
fn what_is_proposed_changes_nothing_until_it_is_accepted() {
    let mut flattened = flattened(SMALL_GAME);
    let stored = stored_literal(&flattened);
    with_draft(&mut flattened, |draft| {
        let known = draft.stand_for(draft.definition(&[&stored], &[]), 0).0;
        let of_column = |draft: &Draft<'_, '_>| draft.definition(&[&stored], &[0]);
        let mut above = draft.above();
        assert_eq!(above.stand_for(above.definition(&[&stored], &[]), 0).0, known);
        let proposed = above.stand_for(of_column(&above), 0).0;
        assert!(above.rules() == 2 && draft.rules() == 1);
        assert_eq!(draft.find(&of_column(draft)), None);
        let mut another = draft.above();
        assert_eq!(another.stand_for(of_column(&another), 0).0, proposed);
        assert_eq!(another.rules(), 2);
        let made = above.into_made();
        draft.absorb(made);
        assert_eq!((draft.rules(), draft.find(&of_column(draft))), (2, proposed.form()));
        assert_eq!(draft.rule(1).head.form, proposed.form().expect("it is an atom"));
    });
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
