//! One step and one playout of five own games, on the reasoner over ground rules; a step of all lanes on the bit-parallel
//! one; playing from a state, importing one from the interpreted reasoner, and looking one up in a table.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use groundfrog::description::{Description, ParseOptions};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog::options::Limits;
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, InterpretedReasoner, Random, Reasoner, State, Uniform, Vocabulary,
};

const GAMES: [&str; 5] = ["tictactoe", "connect_four", "breakthrough", "checkers_six", "hex_five"];
const CAP: u32 = 1000;

fn description(name: &str) -> Description {
    let text = groundfrog_corpus::game(name).expect("an own game").text;
    Description::parse(text.as_bytes(), &ParseOptions::default()).expect("a description")
}

fn game(name: &str) -> Arc<GroundGame> {
    let grounding = ground(&description(name), &GroundOptions::flat(), &mut Silent);
    Arc::new(grounding.expect("a groundable game").game)
}

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    for name in GAMES {
        let game = game(name);
        group.bench_function(name, |bench| bench.iter(|| GroundReasoner::new(game.clone())));
    }
}

fn expansion(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("expansion");
    for name in GAMES {
        let mut reasoner = GroundReasoner::new(game(name)).expect("a game");
        let mut path = Vec::new();
        reasoner.playout_observed(&mut Random::new(1), CAP, |words, moves| {
            path.push((State::of_words(words), moves.to_vec()));
        });
        let mut next = State::default();
        let mut position = 0;
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let (state, moves) = &path[position % path.len()];
                position += 1;
                reasoner.next_state(state, moves, &mut next).expect("legal moves");
                black_box(next.len())
            });
        });
    }
}

fn playout(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout");
    for name in GAMES {
        let mut reasoner = GroundReasoner::new(game(name)).expect("a game");
        let mut random = Random::new(1);
        group.bench_function(name, |bench| bench.iter(|| reasoner.playout(&mut random, CAP)));
    }
}

fn bit_parallel_step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bit_parallel_step");
    for name in GAMES {
        let Ok(mut play) = BitParallel::new(game(name)) else { continue };
        let mut random = Random::new(1);
        group.bench_function(name, |bench| bench.iter(|| play.step(&mut random, CAP)));
    }
}

/// A state in the middle of a random match, and the one after it.
fn middle(reasoner: &mut GroundReasoner) -> [State; 2] {
    let mut states = Vec::new();
    reasoner.playout_observed(&mut Random::new(1), CAP, |words, _| {
        states.push(State::of_words(words));
    });
    states.push(reasoner.final_state());
    let half = (states.len() - 1) / 2;
    [states[half].clone(), states[half + 1].clone()]
}

fn from_a_state(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout_until");
    for name in GAMES {
        let mut reasoner = GroundReasoner::new(game(name)).expect("a game");
        let [start, _] = middle(&mut reasoner);
        let mut random = Random::new(1);
        group.bench_function(name, |bench| {
            bench.iter(|| reasoner.playout_until(&start, &mut Uniform(&mut random), CAP, || false));
        });
    }
    drop(group);
    let mut group = criterion.benchmark_group("lanes_from");
    for name in GAMES {
        let mut reasoner = GroundReasoner::new(game(name)).expect("a game");
        let start = [middle(&mut reasoner)[0].clone()];
        let mut lanes = BitParallel::new(reasoner.game().clone()).expect("a game");
        let mut random = Random::new(1);
        group.bench_function(name, |bench| {
            bench.iter(|| {
                lanes.start_from(&start).expect("a state of the game");
                lanes.run(&mut random, CAP);
                black_box(lanes.playouts()[0].length)
            });
        });
    }
}

fn states(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("state");
    for name in GAMES {
        let mut reasoner = GroundReasoner::new(game(name)).expect("a game");
        let mut oracle = InterpretedReasoner::new(&description(name), Limits::default());
        let oracle = oracle.as_mut().expect("a game");
        let [state, _] = middle(&mut reasoner);
        let foreign = oracle.import_state(&reasoner, &state).expect("a state of the game");
        group.bench_function(format!("import/{name}"), |bench| {
            bench.iter(|| reasoner.import_state(oracle, &foreign));
        });
        let table: HashMap<State, u32> = HashMap::from([(state.clone(), 1)]);
        group.bench_function(format!("look_up/{name}"), |bench| {
            bench.iter(|| table.get(black_box(&state)));
        });
    }
}

criterion_group!(benches, build, expansion, playout, bit_parallel_step, from_a_state, states);
criterion_main!(benches);
