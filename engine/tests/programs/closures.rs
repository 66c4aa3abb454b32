//! Programs whose result is known otherwise: by a search, by arithmetic.

use std::collections::BTreeSet;

use groundfrog_engine::{Constants, EngineError, Program, Tables, strata};

use super::support::{EVALUATORS, atom, complete, distinct, no, rule, yes};

/// Edges of a graph, drawn by a linear congruential generator.
fn edges(nodes: u32, count: usize, seed: u64) -> BTreeSet<(u32, u32)> {
    let mut state = seed;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % nodes
    };
    (0..count).map(|_| (draw(), draw())).collect()
}

/// The pairs of nodes with a path of at least one edge, by a search from each node.
fn reachable(nodes: u32, edges: &BTreeSet<(u32, u32)>) -> BTreeSet<Vec<u32>> {
    let mut pairs = BTreeSet::new();
    for start in 0..nodes {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for &(_, to) in edges.range((node, 0)..=(node, u32::MAX)) {
                if pairs.insert(vec![start, to]) {
                    open.push(to);
                }
            }
        }
    }
    pairs
}

fn insert(
    tables: &mut Tables,
    predicate: groundfrog_engine::PredicateId,
    edges: &BTreeSet<(u32, u32)>,
) {
    for &(from, to) in edges {
        tables.insert(predicate, &[from, to]);
    }
}

#[test]
fn paths_are_those_of_a_search_however_the_recursion_is_written() {
    let recursions: [&[(&str, &str)]; 3] = [
        // left-linear, right-linear, quadratic: predicate and arguments of the two literals
        &[("path", "a b"), ("edge", "b c")],
        &[("edge", "a b"), ("path", "b c")],
        &[("path", "a b"), ("path", "b c")],
    ];
    for (nodes, count) in [(1, 1), (9, 12), (30, 40), (40, 300)] {
        let edges = edges(nodes, count, u64::from(nodes));
        let expected = reachable(nodes, &edges);
        for body in recursions {
            let mut program = Program::default();
            let edge = program.add_predicate("edge", 2);
            let path = program.add_predicate("path", 2);
            let of = |name| if name == "edge" { edge } else { path };
            rule(&mut program, atom(path, "a b"), vec![yes(edge, "a b")]);
            let body = body.iter().map(|&(name, arguments)| yes(of(name), arguments)).collect();
            rule(&mut program, atom(path, "a c"), body);
            let mut facts = Tables::new(&program);
            insert(&mut facts, edge, &edges);
            for (name, evaluate) in EVALUATORS {
                let tables = complete(evaluate, &program, &facts);
                let found: BTreeSet<Vec<u32>> =
                    tables[path].rows().map(Constants::to_vec).collect();
                assert_eq!(found, expected, "{name}, {nodes} nodes");
            }
        }
    }
}

#[test]
fn a_recursion_may_ask_its_own_large_tables_for_a_tuple() {
    let nodes = 90;
    for count in [120, 400, 2000] {
        let edges = edges(nodes, count, 3);
        let mut program = Program::default();
        let edge = program.add_predicate("edge", 2);
        let path = program.add_predicate("path", 2);
        let circle = program.add_predicate("circle", 2);
        rule(&mut program, atom(path, "a b"), vec![yes(edge, "a b")]);
        rule(&mut program, atom(path, "a c"), vec![yes(path, "a b"), yes(edge, "b c")]);
        rule(&mut program, atom(circle, "a b"), vec![yes(path, "a b"), yes(path, "b a")]);
        rule(&mut program, atom(path, "a c"), vec![yes(circle, "a b"), yes(edge, "b c")]);
        let mut facts = Tables::new(&program);
        insert(&mut facts, edge, &edges);
        let paths = reachable(nodes, &edges);
        let circles = paths.iter().filter(|it| paths.contains(&vec![it[1], it[0]]));
        let expected = [paths.clone(), circles.cloned().collect()];
        let tables = complete(EVALUATORS[0].1, &program, &facts);
        for (predicate, expected) in [path, circle].into_iter().zip(expected) {
            let rows: BTreeSet<Vec<u32>> =
                tables[predicate].rows().map(Constants::to_vec).collect();
            assert_eq!(rows.len(), tables[predicate].len());
            assert_eq!(rows, expected, "{} with {count} edges", program[predicate].name);
        }
    }
}

#[test]
fn negation_and_distinct_are_evaluated_over_complete_tables() {
    let nodes = 25;
    let edges = edges(nodes, 30, 7);
    let paths = reachable(nodes, &edges);
    let mut program = Program::default();
    let [edge, path] = ["edge", "path"].map(|name| program.add_predicate(name, 2));
    let node = program.add_predicate("node", 1);
    let apart = program.add_predicate("apart", 2);
    // The negated literals stand before those that bind their variables.
    let apart_body = vec![no(path, "a b"), distinct("a", "b"), yes(node, "b"), yes(node, "a")];
    rule(&mut program, atom(apart, "a b"), apart_body);
    rule(&mut program, atom(path, "a c"), vec![yes(path, "a b"), yes(path, "b c")]);
    rule(&mut program, atom(path, "a b"), vec![yes(edge, "a b")]);
    let mut facts = Tables::new(&program);
    insert(&mut facts, edge, &edges);
    (0..nodes).for_each(|number| {
        facts.insert(node, &[number]);
    });
    let all = (0..nodes).flat_map(|a| (0..nodes).map(move |b| vec![a, b]));
    let expected: BTreeSet<Vec<u32>> =
        all.filter(|pair| pair[0] != pair[1] && !paths.contains(pair)).collect();
    for (name, evaluate) in EVALUATORS {
        let tables = complete(evaluate, &program, &facts);
        let found: BTreeSet<Vec<u32>> = tables[apart].rows().map(Constants::to_vec).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_game_of_who_cannot_move_is_refused_as_not_stratified() {
    let mut program = Program::default();
    let edge = program.add_predicate("edge", 2);
    let win = program.add_predicate("win", 1);
    rule(&mut program, atom(win, "a"), vec![yes(edge, "a b"), no(win, "b")]);
    let cycle = vec!["win".to_owned()];
    assert_eq!(strata::components(&program), Err(EngineError::NotStratified { cycle }));
    for (_, evaluate) in EVALUATORS {
        let mut tables = Tables::new(&program);
        let budget = groundfrog_engine::Budget::unlimited();
        let outcome =
            evaluate(&program, &mut tables, &budget, &mut groundfrog_engine::observe::Silent);
        assert!(matches!(outcome, Err(EngineError::NotStratified { .. })));
    }
}
