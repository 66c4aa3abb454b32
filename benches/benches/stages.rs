//! How long each stage of the pipeline takes on games of the corpus and on generated families.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit::{self, Format};
use groundfrog::ground::{Stage, ground};
use groundfrog::options::{Domains, GroundOptions};
use groundfrog_corpus::{Parameters, family, game};
use groundfrog_engine::observe::Silent;

/// Small, middling and large games of the corpus.
const GAMES: [&str; 5] = ["tictactoe", "connect_four", "breakthrough", "checkers_six", "hex_five"];

fn parse(text: &str) -> Description {
    Description::parse(text.as_bytes(), &ParseOptions::default())
        .expect("the corpus is well formed")
}

/// The time of one stage alone, taken from the report of whole runs.
fn time_of(
    description: &Description,
    options: &GroundOptions,
    stage: Stage,
    runs: u64,
) -> Duration {
    let one = || {
        let grounding =
            ground(description, options, &mut Silent).expect("the corpus can be grounded");
        let report = black_box(grounding).report;
        report.stages.iter().filter(|it| it.stage == stage).map(|it| it.time).sum::<Duration>()
    };
    (0..runs).map(|_| one()).sum()
}

fn stages(criterion: &mut Criterion) {
    for name in GAMES {
        let text = game(name).expect("a game of the corpus").text;
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("parse", |bencher| bencher.iter(|| parse(black_box(text))));
        let description = parse(text);
        let flat = GroundOptions { simplify: false, ..GroundOptions::default() };
        let iterative = GroundOptions { domains: Domains::Iterative, ..flat.clone() };
        let runs = [
            ("rewrite", Stage::Rewrite, &flat),
            ("domains one-step", Stage::Domains, &flat),
            ("domains iterative", Stage::Domains, &iterative),
            ("store", Stage::Store, &flat),
        ];
        for (label, stage, options) in runs {
            group.bench_function(label, |bencher| {
                bencher.iter_custom(|runs| time_of(&description, options, stage, runs));
            });
        }
        let grounding =
            ground(&description, &flat, &mut Silent).expect("the corpus can be grounded");
        for (label, format) in [("emit kif", Format::Kif), ("emit canonical", Format::Canonical)] {
            group.bench_function(label, |bencher| {
                bencher.iter(|| {
                    let mut sink = std::io::sink();
                    emit::write(&grounding.game, format, &mut sink)
                        .expect("a sink takes everything");
                });
            });
        }
        group.finish();
    }
}

/// Time against the size of a family: the store pass per ground rule should not depend on it.
fn scaling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("breakthrough n x n");
    group.sample_size(20);
    for size in [6u32, 8, 10, 12, 16] {
        let parameters = Parameters::new().with("width", size).with("height", size);
        let family = family("breakthrough").expect("a family of the corpus");
        let text = family.generate(&parameters).expect("the size is allowed");
        let description = parse(&text);
        let flat = GroundOptions { simplify: false, ..GroundOptions::default() };
        let grounding =
            ground(&description, &flat, &mut Silent).expect("the family can be grounded");
        group.throughput(Throughput::Elements(grounding.report.flat_rules));
        group.bench_function(format!("store {size}"), |bencher| {
            bencher.iter_custom(|runs| time_of(&description, &flat, Stage::Store, runs));
        });
    }
    group.finish();
}

criterion_group!(benches, stages, scaling);
criterion_main!(benches);
