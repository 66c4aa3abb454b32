//! The engine alone: transitive closure, written in three ways, over a random graph.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Argument, Atom, Budget, Literal, PredicateId, Program, Rule, Tables};
use groundfrog_engine::{fixpoint, naive};

const NODES: u32 = 300;
const EDGES: usize = 600;

/// The recursive rule: which predicate stands first, which second.
#[derive(Clone, Copy)]
enum Recursion {
    Left,
    Right,
    Quadratic,
}

/// Program, and its table of edges.
fn closure(recursion: Recursion) -> (Program, Tables) {
    let mut program = Program::default();
    let edge = program.add_predicate("edge", 2);
    let path = program.add_predicate("path", 2);
    let atom = |predicate: PredicateId, variables: [u32; 2]| Atom {
        predicate,
        arguments: variables.map(Argument::Variable).to_vec().into(),
    };
    let (first, second) = match recursion {
        Recursion::Left => (path, edge),
        Recursion::Right => (edge, path),
        Recursion::Quadratic => (path, path),
    };
    program.add_rule(Rule::new(atom(path, [0, 1]), vec![Literal::Positive(atom(edge, [0, 1]))]));
    program.add_rule(Rule::new(
        atom(path, [0, 2]),
        vec![Literal::Positive(atom(first, [0, 1])), Literal::Positive(atom(second, [1, 2]))],
    ));
    let mut tables = Tables::new(&program);
    let mut state = 1u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % NODES
    };
    for _ in 0..EDGES {
        tables.insert(edge, &[draw(), draw()]);
    }
    (program, tables)
}

fn benches(criterion: &mut Criterion) {
    let budget = Budget::unlimited();
    let mut group = criterion.benchmark_group("transitive closure");
    group.sample_size(20);
    let ways = [
        ("left", Recursion::Left),
        ("right", Recursion::Right),
        ("quadratic", Recursion::Quadratic),
    ];
    for (name, recursion) in ways {
        let (program, tables) = closure(recursion);
        let mut complete = tables.clone();
        fixpoint::evaluate(&program, &mut complete, &budget, &mut Silent).expect("no limit");
        group.throughput(Throughput::Elements(complete.tuple_count()));
        group.bench_function(format!("fixpoint {name}"), |bencher| {
            let evaluate = |mut tables: Tables| {
                fixpoint::evaluate(&program, &mut tables, &budget, &mut Silent).expect("no limit");
                tables
            };
            bencher.iter_batched(|| tables.clone(), evaluate, BatchSize::LargeInput);
        });
    }
    group.finish();
    // The oracle, to see what rounds and plans are worth.
    let (program, tables) = closure(Recursion::Left);
    let mut group = criterion.benchmark_group("transitive closure, naive");
    group.sample_size(10);
    group.bench_function("left", |bencher| {
        let evaluate = |mut tables: Tables| {
            naive::evaluate(&program, &mut tables, &budget, &mut Silent).expect("no limit");
            tables
        };
        bencher.iter_batched(|| tables.clone(), evaluate, BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
