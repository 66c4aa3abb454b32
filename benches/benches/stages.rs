//! How long each stage of the pipeline takes on games of the corpus and on generated families.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit::{self, Format};
use groundfrog::ground::{Stage, ground};
use groundfrog::options::{Domains, GroundOptions};
use groundfrog_corpus::{Parameters, family, game};
use groundfrog_engine::observe::Silent;

/// Small, middling and large games of the corpus.
const GAMES: [&str; 5] = ["tictactoe", "connect_four", "breakthrough", "checkers_six", "hex_five"];

/// Generated families with the size of their boards.
const FAMILIES: [(&str, u32); 4] =
    [("breakthrough", 12), ("connect_four", 12), ("hex", 9), ("lights_out", 12)];

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

/// A game of the corpus or of a family.
struct Subject {
    name: String,
    text: String,
}

fn subjects() -> Vec<Subject> {
    let own = GAMES.iter().map(|&name| Subject {
        name: name.to_owned(),
        text: game(name).expect("a game of the corpus").text.to_owned(),
    });
    let generated = FAMILIES.iter().map(|&(name, size)| Subject {
        name: format!("{name} {size}"),
        text: of_family(name, size),
    });
    own.chain(generated).collect()
}

/// A member of a family with a board of that width, and height where there is one.
fn of_family(name: &str, size: u32) -> String {
    let family = family(name).expect("a family of the corpus");
    let has = |wanted: &str| family.parameters().iter().any(|it| it.name == wanted);
    let sides = ["width", "height", "size"].into_iter().filter(|&it| has(it));
    let parameters = sides.fold(Parameters::new(), |all, side| all.with(side, size));
    family.generate(&parameters).expect("the size is allowed")
}

fn stages(criterion: &mut Criterion) {
    for Subject { name, text } in subjects() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("parse", |bencher| bencher.iter(|| parse(black_box(&text))));
        let description = parse(&text);
        let flat = flat();
        let iterative = GroundOptions { domains: Domains::Iterative, ..flat.clone() };
        let compact = GroundOptions { passes: Passes::ALL, ..GroundOptions::flat() };
        let runs = [
            ("rewrite", Stage::Rewrite, &flat),
            ("domains one-step", Stage::Domains, &flat),
            ("domains iterative", Stage::Domains, &iterative),
            ("store", Stage::Store, &flat),
            ("decompose", Stage::Decompose, &compact),
            ("simplify", Stage::Simplify, &compact),
            ("compact", Stage::Compact, &compact),
        ];
        for (label, stage, options) in runs {
            group.bench_function(label, |bencher| {
                bencher.iter_custom(|runs| time_of(&description, options, stage, runs));
            });
        }
        let grounding =
            ground(&description, &flat, &mut Silent).expect("the corpus can be grounded");
        for format in Format::ALL {
            group.bench_function(format!("emit {}", format.name()), |bencher| {
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

fn flat() -> GroundOptions {
    GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() }
}

/// Time against the size of a family: the store pass per ground rule should not depend on it.
fn scaling(criterion: &mut Criterion) {
    for (name, _) in FAMILIES {
        let mut group = criterion.benchmark_group(format!("{name} n x n"));
        group.sample_size(20);
        for size in [6, 8, 10, 12, 16] {
            let description = parse(&of_family(name, size));
            let options = flat();
            let grounding =
                ground(&description, &options, &mut Silent).expect("the family can be grounded");
            group.throughput(Throughput::Elements(grounding.report.flat_rules));
            group.bench_function(format!("store {size}"), |bencher| {
                bencher.iter_custom(|runs| time_of(&description, &options, Stage::Store, runs));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, stages, scaling);
criterion_main!(benches);
