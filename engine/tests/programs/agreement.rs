//! Generated programs: the engine derives and stores what the textbook evaluator does.

use std::collections::BTreeSet;

use groundfrog_engine::instantiate::instantiate;
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, Literal, PredicateId, Repeated, Tables, fixpoint, naive};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::FileFailurePersistence;

use super::generate::programs;
use super::support::{complete, request, sets, spaces, spell};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 500,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "tests/programs/regressions.txt",
        ))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn tables_are_those_of_the_textbook(raw in programs()) {
        let (program, facts) = raw.build();
        let found = complete(fixpoint::evaluate, &program, &facts);
        let expected = complete(naive::evaluate, &program, &facts);
        prop_assert_eq!(sets(&found), sets(&expected));
    }

    /// Plans, indexes and chains are kept from one evaluation to the next; the facts of every other predicate are not.
    #[test]
    fn tables_of_repeated_evaluation_are_those_of_the_textbook(raw in programs()) {
        let (program, facts) = raw.build();
        let is_derived = |it: PredicateId| program.rules().iter().any(|rule| rule.head.predicate == it);
        let varies = |it: PredicateId| it.index() % 2 == 1 || is_derived(it);
        let all = program.predicates().len() as u32;
        let mut repeated = Repeated::new(program.clone(), (0..all).map(|it| varies(PredicateId(it))).collect())
            .expect("stratified");
        let mut tables = facts.clone();
        for step in [1, 2, 3, 1] {
            let mut own = Tables::new(&program);
            for (predicate, table) in facts.iter() {
                let step = if varies(predicate) { step } else { 1 };
                for row in table.rows().step_by(step) {
                    own.insert_row(predicate, row);
                }
                if varies(predicate) {
                    tables.clear(predicate);
                    table.rows().step_by(step).for_each(|row| _ = tables.insert_row(predicate, row));
                }
            }
            repeated.evaluate(&mut tables, &Budget::unlimited()).expect("no limits");
            let expected = complete(naive::evaluate, &program, &own);
            prop_assert_eq!(sets(&tables), sets(&expected), "every {}", step);
        }
    }

    #[test]
    fn evaluating_again_changes_nothing(raw in programs()) {
        let (program, facts) = raw.build();
        let once = complete(fixpoint::evaluate, &program, &facts);
        let twice = complete(fixpoint::evaluate, &program, &once);
        for ((_, once), (_, twice)) in once.iter().zip(twice.iter()) {
            prop_assert!(once.rows().eq(twice.rows()));
        }
    }

    #[test]
    fn the_same_program_gives_the_same_rows(raw in programs()) {
        let (program, facts) = raw.build();
        let one = complete(fixpoint::evaluate, &program, &facts);
        let other = complete(fixpoint::evaluate, &program, &facts);
        for ((_, one), (_, other)) in one.iter().zip(other.iter()) {
            prop_assert!(one.rows().eq(other.rows()));
        }
    }

    #[test]
    fn the_order_of_rules_and_literals_means_nothing(raw in programs()) {
        let (program, facts) = raw.build();
        let mut reversed = groundfrog_engine::Program::default();
        for predicate in program.predicates() {
            reversed.add_predicate(predicate.name.clone(), predicate.arity);
        }
        for rule in program.rules().iter().rev() {
            let mut rule = rule.clone();
            rule.body.reverse();
            reversed.add_rule(rule);
        }
        let found = complete(fixpoint::evaluate, &reversed, &facts);
        prop_assert_eq!(sets(&found), sets(&complete(fixpoint::evaluate, &program, &facts)));
    }

    #[test]
    fn ground_rules_are_those_of_the_textbook(raw in programs()) {
        let drawn = raw.build_templates();
        let tables = complete(fixpoint::evaluate, &drawn.program, &drawn.facts);
        let spaces = spaces(&tables);
        let request_for = |threads| request(&drawn.program, &tables, &spaces, &drawn.templates, threads);
        let unlimited = Budget::unlimited();
        let one = instantiate(&request_for(1), &unlimited, &mut Silent).expect("no limits");
        let expected = naive::instantiate(&request_for(1), &unlimited, &mut Silent).expect("no limits");
        prop_assert_eq!(spell(&request_for(1), &one), spell(&request_for(1), &expected));
        let two = instantiate(&request_for(2), &unlimited, &mut Silent).expect("no limits");
        prop_assert_eq!(&one.rules, &two.rules, "one thread and two");
        let extra = |done: &groundfrog_engine::instantiate::Instantiation| {
            (0..done.extra.len())
                .map(|it| done.extra.get(it).map(|(space, tuple)| (space, tuple.to_vec())))
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(extra(&one), extra(&two));
    }
}

/// The drawn programs must not be trivial, or their agreement shows nothing.
#[test]
fn generated_programs_exercise_what_they_should() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut derived, mut recursive, mut negated, mut distinct, mut stored) = (0, 0, 0, 0, 0);
    for _ in 0..300 {
        let raw = programs().new_tree(&mut runner).expect("never rejects").current();
        let (program, facts) = raw.build();
        let tables = complete(fixpoint::evaluate, &program, &facts);
        derived += u32::from(tables.tuple_count() > facts.tuple_count() + 5);
        let components = groundfrog_engine::strata::components(&program).expect("stratified");
        recursive += u32::from(components.iter().any(|it| it.recursive));
        let literals: Vec<&Literal> = program.rules().iter().flat_map(|it| &it.body).collect();
        negated += u32::from(literals.iter().any(|it| matches!(it, Literal::Negative(_))));
        distinct += u32::from(literals.iter().any(|it| matches!(it, Literal::Distinct(..))));
        let drawn = raw.build_templates();
        let tables = complete(fixpoint::evaluate, &drawn.program, &drawn.facts);
        let spaces = spaces(&tables);
        let requested = request(&drawn.program, &tables, &spaces, &drawn.templates, 1);
        let done = instantiate(&requested, &Budget::unlimited(), &mut Silent).expect("no limits");
        let bodies: BTreeSet<usize> = done.rules.iter().map(|rule| rule.body.len()).collect();
        stored += u32::from(done.rules.len() > 5 && bodies.len() > 1 && !done.extra.is_empty());
    }
    let counts = [derived, recursive, negated, distinct, stored];
    assert!(counts.iter().all(|&count| count >= 30), "of 300 programs: {counts:?}");
}
