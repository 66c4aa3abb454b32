//! Made-up records, to test reports with.

use std::collections::BTreeMap;

use groundfrog_reasoner::Random;

use crate::record::{
    Description, Domains, Grounding, Machine, Options, Record, SCHEMA, Status, Times,
};

/// Between two positive numbers, evenly on a logarithmic axis, of few digits, which JSON gives back exactly.
fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    let number = low * (high / low).powf(random.fraction());
    format!("{number:.4e}").parse().expect("a number was just written")
}

/// So many games; every tenth fails flat.
pub fn records(number: usize, seed: u64) -> Vec<Record> {
    let mut random = Random::new(seed);
    (0..number).map(|place| record(place, &mut random)).collect()
}

fn record(place: usize, random: &mut Random) -> Record {
    let mut time = || {
        let seconds = between(random, 1e-4, 10.0);
        Some(Times { median: seconds, runs: vec![seconds; 3] })
    };
    let domains = |time| Domains {
        status: Status::Ok,
        reason: None,
        time,
        base: Some(20),
        input: Some(30),
        rounds: Some(5),
    };
    let domains = ["one-step", "iterative"].map(|it| (it.to_owned(), domains(time())));
    let groundings = [("flat", 1000), ("compact", 200)].map(|(form, rules)| {
        let grounding = Grounding {
            status: Status::Ok,
            reason: None,
            time: time(),
            stages: BTreeMap::new(),
            base: Some(20),
            input: Some(30),
            atoms: Some(rules / 2),
            rules: Some(rules * (place as u64 + 1)),
            literals: Some(rules * 5),
            components: Some(rules * 3),
            table_bytes: Some(rules * 8),
            rule_bytes: Some(rules * 24),
            peak_memory: Some(rules * 40 + (6 << 20)),
        };
        (form.to_owned(), grounding)
    });
    let options = Options {
        domains: "both".to_owned(),
        forms: vec!["flat".to_owned(), "compact".to_owned()],
        threads: 1,
        runs: 3,
        warm_up: 1,
        time_limit: 10_000,
        memory_limit: Some(4 << 30),
    };
    let model = Some("A processor".to_owned());
    let mut record = Record {
        schema: SCHEMA,
        game: format!("game{place:03}"),
        file: format!("games/game{place:03}.kif"),
        sha256: Some(format!("{place:064x}")),
        version: "0.1.0".to_owned(),
        options,
        machine: Machine { cores: 2, model, memory: Some(24 << 30) },
        cpu: Some(0.25),
        wall: 0.5,
        peak_memory: Some(6 << 20),
        description: Some(Description { bytes: 2000, rules: 30, literals: 100 }),
        domains: domains.into(),
        domains_agree: Some(true),
        groundings: groundings.into(),
        ..Record::default()
    };
    if place % 10 == 7 {
        let reason = "the time limit of 10 s was exceeded, while deriving `wide` (3 M so far)";
        (record.status, record.reason) = (Status::Limit, Some(format!("flat: {reason}")));
        let flat = record.groundings.get_mut("flat").expect("it was made above");
        (flat.status, flat.time) = (Status::Limit, None);
        flat.reason = Some(reason.to_owned());
    }
    record
}

/// A game that failed before anything was measured.
pub fn failed(name: &str, status: Status, reason: &str) -> Record {
    Record {
        game: name.to_owned(),
        file: format!("games/{name}.kif"),
        status,
        reason: Some(reason.to_owned()),
        options: records(1, 1).remove(0).options,
        ..Record::default()
    }
}
