//! Made-up records, to test reports with.

use std::collections::BTreeMap;

use groundfrog_reasoner::Random;

use crate::record::{
    Description, Domains, Grounding, Machine, Options, Record, SCHEMA, Status, Times,
};

/// Numbers that look random; the same for the same seed.
pub(super) struct Numbers(pub(super) Random);

impl Numbers {
    /// Between two positive numbers, evenly on a logarithmic axis.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        short(low * (high / low).powf(self.0.fraction()))
    }
}

/// A number of few digits, which JSON gives back exactly.
fn short(number: f64) -> f64 {
    format!("{number:.4e}").parse().expect("a number was just written")
}

/// So many games; every tenth fails flat.
pub fn records(number: usize, seed: u64) -> Vec<Record> {
    let mut numbers = Numbers(Random::new(seed));
    (0..number).map(|place| record(place, &mut numbers)).collect()
}

fn times(seconds: f64, numbers: &mut Numbers) -> Option<Times> {
    let runs: Vec<f64> = (0..3).map(|_| short(seconds * numbers.between(0.95, 1.1))).collect();
    Some(Times { median: short(seconds), runs })
}

fn record(place: usize, numbers: &mut Numbers) -> Record {
    let literals = numbers.between(30.0, 3000.0);
    let flat = literals * numbers.between(0.5, 5000.0);
    let one_step = 2e-5 + flat * 3e-8 * numbers.between(0.3, 3.0);
    let iterative = one_step * numbers.between(0.8, 6.0);
    let compact = flat * numbers.between(0.02, 1.2).min(1.0);
    let (base, input) = (Some((literals * 2.0) as u64), Some((literals * 3.0) as u64));
    let mut domains = BTreeMap::new();
    for (name, seconds, rounds) in [("one-step", one_step, 5), ("iterative", iterative, 9)] {
        let time = times(seconds, numbers);
        let done =
            Domains { status: Status::Ok, reason: None, time, base, input, rounds: Some(rounds) };
        domains.insert(name.to_owned(), done);
    }
    let mut groundings = BTreeMap::new();
    for (name, rules, per_rule) in [("flat", flat, 1e-7), ("compact", compact, 4e-7)] {
        let stages = [
            ("parse", literals * 1e-7),
            ("rewrite", literals * 2e-7),
            ("domains", one_step),
            ("store", rules * per_rule * 0.6),
            ("simplify", rules * per_rule * 0.1),
            ("assemble", rules * per_rule * 0.1),
            ("emit", rules * per_rule * 0.2),
        ];
        let done = grounding(rules as u64 + 1, (base, input), stages, numbers);
        groundings.insert(name.to_owned(), done);
    }
    let mut record = Record {
        schema: SCHEMA,
        game: format!("game{place:03}"),
        file: format!("games/game{place:03}.kif"),
        sha256: Some(format!("{:016x}{place:048x}", numbers.0.next_word())),
        version: "0.1.0".to_owned(),
        options: options(),
        machine: Machine {
            cores: 2,
            model: Some("A processor".to_owned()),
            memory: Some(24 << 30),
        },
        status: Status::Ok,
        reason: None,
        cpu: Some(short(flat * 1e-6)),
        wall: short(flat * 1e-6 + 0.01),
        peak_memory: Some((flat * 40.0) as u64 + (6 << 20)),
        description: Some(Description {
            bytes: (literals * 20.0) as u64,
            rules: (literals / 3.0) as u64,
            literals: literals as u64,
        }),
        domains,
        domains_agree: Some(true),
        groundings,
    };
    if place % 10 == 7 {
        let reason = "the time limit of 10 s was exceeded, while deriving `wide` (3 M so far)";
        (record.status, record.reason) = (Status::Limit, Some(format!("flat: {reason}")));
        let flat = record.groundings.get_mut("flat").expect("it was made above");
        *flat = Grounding { status: Status::Limit, reason: Some(reason.to_owned()), ..nothing() };
    }
    record
}

/// So many rules, made in stages that take about as long as is given.
fn grounding(
    rules: u64,
    (base, input): (Option<u64>, Option<u64>),
    stages: [(&str, f64); 7],
    numbers: &mut Numbers,
) -> Grounding {
    let mut total = 0.0;
    let stages = stages.map(|(stage, seconds)| {
        let seconds = short(seconds * numbers.between(0.7, 1.4));
        total += seconds;
        (stage.to_owned(), Times { median: seconds, runs: vec![seconds] })
    });
    Grounding {
        status: Status::Ok,
        reason: None,
        time: times(total, numbers),
        stages: stages.into(),
        base,
        input,
        atoms: Some(rules / 2),
        rules: Some(rules),
        literals: Some(rules * 5),
        components: Some(rules * 3),
        table_bytes: Some(rules * 8),
        rule_bytes: Some(rules * 24),
        peak_memory: Some(rules * 40 + (6 << 20)),
    }
}

fn options() -> Options {
    Options {
        domains: "both".to_owned(),
        forms: vec!["flat".to_owned(), "compact".to_owned()],
        threads: 1,
        runs: 3,
        warm_up: 1,
        time_limit: 10_000,
        memory_limit: Some(4 << 30),
    }
}

/// A game that failed before anything was measured.
pub fn failed(name: &str, status: Status, reason: &str) -> Record {
    Record {
        game: name.to_owned(),
        file: format!("games/{name}.kif"),
        sha256: None,
        status,
        reason: Some(reason.to_owned()),
        cpu: None,
        peak_memory: None,
        description: None,
        domains: BTreeMap::new(),
        domains_agree: None,
        groundings: BTreeMap::new(),
        ..records(1, 1).remove(0)
    }
}

fn nothing() -> Grounding {
    Grounding {
        status: Status::Crash,
        reason: None,
        time: None,
        stages: BTreeMap::new(),
        base: None,
        input: None,
        atoms: None,
        rules: None,
        literals: None,
        components: None,
        table_bytes: None,
        rule_bytes: None,
        peak_memory: None,
    }
}
