//! One state expansion and one playout of five own games, on the reasoner over ground rules; a step of all
//! lanes on the bit-parallel one.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use groundfrog::description::{Description, ParseOptions};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{BitParallel, GroundReasoner, Random, Reasoner, State};

const GAMES: [&str; 5] = ["tictactoe", "connect_four", "breakthrough", "checkers_six", "hex_five"];
const CAP: u32 = 1000;

fn game(name: &str) -> Arc<GroundGame> {
    let text = groundfrog_corpus::game(name).expect("an own game").text;
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("a description");
    let grounding = ground(&description, &GroundOptions::flat(), &mut Silent);
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

criterion_group!(benches, build, expansion, playout, bit_parallel_step);
criterion_main!(benches);
