//! Rules that look at far more rows than they derive are split on the way; the tables are the same.

use groundfrog_engine::observe::{EvaluationStatistics, Silent};
use groundfrog_engine::{Budget, Limit, PredicateId, Program, Tables, fixpoint, naive};

use super::support::{Evaluate, atom, distinct, no, rule, yes};

/// Completes the tables of a program.
fn complete(
    program: &Program,
    facts: impl Fn(&mut Tables),
    evaluate: Evaluate,
) -> (Tables, EvaluationStatistics) {
    let mut tables = Tables::new(program);
    facts(&mut tables);
    let statistics = evaluate(program, &mut tables, &Budget::unlimited(), &mut Silent);
    assert_eq!(tables.iter().len(), program.predicates().len(), "auxiliary tables are forgotten");
    (tables, statistics.expect("there is no limit"))
}

/// Completes the tables of a program by both evaluators and compares them.
fn agree(program: &Program, facts: impl Fn(&mut Tables)) -> EvaluationStatistics {
    let (tables, statistics) = complete(program, &facts, fixpoint::evaluate);
    let (expected, _) = complete(program, &facts, naive::evaluate);
    for (predicate, table) in expected.iter() {
        let name = &program[predicate].name;
        assert_eq!(tables[predicate].len(), table.len(), "{name}");
        assert!(table.rows().all(|row| tables[predicate].find_row(row).is_some()), "{name}");
    }
    statistics
}

fn numbers(tables: &mut Tables, predicate: PredicateId, count: u32) {
    (0..count).for_each(|it| _ = tables.insert(predicate, &[it]));
}

#[test]
fn recursive_rules_with_a_costly_part() {
    let mut program = Program::default();
    let step = program.add_predicate("step", 1);
    let next = program.add_predicate("next", 2);
    let linked = program.add_predicate("linked", 2);
    let moved = program.add_predicate("moved", 1);
    let far = program.add_predicate("far", 2);
    rule(&mut program, atom(moved, "0"), vec![]);
    rule(&mut program, atom(moved, "b"), vec![yes(moved, "a"), yes(linked, "a b")]);
    rule(&mut program, atom(linked, "a b"), vec![yes(moved, "a"), yes(next, "a b")]);
    // The value of `a` does not matter for the head.
    let spread = [yes(moved, "a"), yes(linked, "a b"), yes(step, "c"), distinct("a", "b")];
    rule(&mut program, atom(linked, "c b"), spread.to_vec());
    // Two of these are costly at the same time.
    let apart = [yes(linked, "a b"), yes(linked, "c d"), yes(next, "b d"), no(step, "d")];
    rule(&mut program, atom(far, "a d"), apart.to_vec());
    agree(&program, |tables| {
        numbers(tables, step, 60);
        (0..70).for_each(|it| _ = tables.insert(next, &[it, it + 1]));
    });
}

#[test]
fn random_programs_with_costly_rules() {
    let mut splits = 0;
    for seed in 0..25_u64 {
        let mut state = seed;
        let mut draw = |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        let mut program = Program::default();
        let given: Vec<PredicateId> =
            (0..3).map(|it| program.add_predicate(format!("e{it}"), 2)).collect();
        let derived: Vec<PredicateId> =
            (0..3).map(|it| program.add_predicate(format!("p{it}"), 2)).collect();
        for &head in &derived {
            rule(&mut program, atom(head, "a b"), vec![yes(given[draw(3) as usize], "a b")]);
            let mut chain = |pairs: &[&str]| -> Vec<_> {
                let any = |draw: &mut dyn FnMut(u32) -> u32| match draw(2) {
                    0 => given[draw(3) as usize],
                    _ => derived[draw(3) as usize],
                };
                pairs.iter().map(|pair| yes(any(&mut draw), pair)).collect()
            };
            let mut long = chain(&["a b", "b c", "c d", "d e"]);
            long.push(distinct("b", "c"));
            rule(&mut program, atom(head, "a e"), long);
            let star = chain(&["a b", "c b", "d b", "a e"]);
            rule(&mut program, atom(head, "e a"), star);
        }
        let edges: Vec<[u32; 2]> = (0..60).map(|_| [draw(16), draw(16)]).collect();
        let statistics = agree(&program, |tables| {
            for (number, edge) in edges.iter().enumerate() {
                tables.insert(given[number % 3], edge);
            }
        });
        splits += statistics.splits;
    }
    assert!(splits >= 10, "{splits} rules were split");
}

#[test]
fn limits_hold_in_split_rules() {
    let mut program = Program::default();
    let number = program.add_predicate("number", 1);
    let pair = program.add_predicate("pair", 2);
    let body = [yes(number, "a"), yes(number, "b"), yes(number, "c"), yes(number, "d")];
    rule(&mut program, atom(pair, "a b"), body.to_vec());
    let mut tables = Tables::new(&program);
    numbers(&mut tables, number, 4000);
    let budget = Budget::unlimited().with_table_rows(vec![u64::MAX, 1 << 20].into());
    let result = fixpoint::evaluate(&program, &mut tables, &budget, &mut Silent);
    let Err(groundfrog_engine::EngineError::Limit(exceeded)) = result else {
        panic!("a table has too many rows")
    };
    assert_eq!((exceeded.limit, exceeded.table), (Limit::TableRows, Some(pair)));
}
