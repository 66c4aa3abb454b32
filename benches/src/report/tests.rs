//! Tests of whole reports.

use groundfrog_reasoner::Random;
use roxmltree::{Document, Node};

use super::*;
use crate::record::{Counts, Description, Machine, Measurement, Options, SCHEMA, Status, Times};

// Made-up records.

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
    let base = Counts { base: Some(20), input: Some(30), ..Counts::default() };
    let mut domains = |name: &str| {
        let counts = Counts { rounds: Some(5), ..base };
        (name.to_owned(), Measurement { time: time(), counts, ..Measurement::default() })
    };
    let domains = ["one-step", "iterative"].map(&mut domains);
    let groundings = [("flat", 1000), ("compact", 200)].map(|(form, rules)| {
        let counts = Counts {
            atoms: Some(rules / 2),
            rules: Some(rules * (place as u64 + 1)),
            literals: Some(rules * 5),
            components: Some(rules * 3),
            table_bytes: Some(rules * 8),
            rule_bytes: Some(rules * 24),
            ..base
        };
        let peak_memory = Some(rules * 40 + (6 << 20));
        (
            form.to_owned(),
            Measurement { time: time(), counts, peak_memory, ..Measurement::default() },
        )
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

/// A file of a report.
fn file(records: &[Record], name: &str) -> String {
    let found = files(records).into_iter().find(|it| it.0 == name);
    found.expect("the report has such a file").1
}

/// All drawings of a report, by name.
fn drawings(records: &[Record]) -> Vec<(String, String)> {
    files(records).into_iter().filter(|it| it.0.ends_with(".svg")).collect()
}

#[test]
fn drawings_and_pages_are_well_formed() {
    // No clock and no game has such numbers, but a file may.
    let mut absurd = records(4, 6);
    for (record, seconds) in absurd.iter_mut().zip([1e300, -1.0, 0.0, 5e-324]) {
        for grounding in record.groundings.values_mut() {
            grounding.time = Some(Times { median: seconds, runs: vec![] });
            grounding.counts.rules = Some(u64::MAX);
        }
    }
    let mut mixed = records(40, 3);
    mixed.push(failed("zero", Status::Description, "4:2: a variable is unsafe"));
    for records in [absurd, vec![], records(1, 2), mixed] {
        for (name, svg) in &drawings(&records) {
            let document = Document::parse(svg).expect("a drawing is XML");
            for node in document.descendants() {
                for place in ["x", "y", "cx", "cy"].iter().filter_map(|&it| node.attribute(it)) {
                    let place: i32 = place.parse().expect("a whole number");
                    assert!((-60..=5460).contains(&place), "{name}: {place} is outside");
                }
            }
        }
        let page = file(&records, "report.html").replace("<!DOCTYPE html>", "");
        let (before, after) = page.split_once("<script>").expect("a script");
        let mut metas = before.split("<meta ");
        let mut xml = metas.next().unwrap_or_default().to_owned();
        for meta in metas {
            xml += &format!("<meta {}", meta.replacen("\">", "\"/>", 1));
        }
        xml += after.split_once("</script>").expect("the end of the script").1;
        let document = Document::parse(&xml).expect("all elements are closed");
        let figures = document.descendants().filter(|it| it.has_tag_name("figure")).count();
        assert_eq!(figures, drawings(&records).len());
    }
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    for (name, text) in files(&records(20, 1)) {
        let text = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for pattern in ["http:", "https:", "src=", "href=", "url(", "@import", "<link", "fetch("] {
            assert!(!text.contains(pattern), "{name} has {pattern}");
        }
    }
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let all = records(30, 9);
    let turned: Vec<Record> = all.iter().rev().cloned().collect();
    assert_eq!(files(&all), files(&turned));
    let read = |it: &Record| {
        let line = serde_json::to_string(it).expect("a record");
        serde_json::from_str(&line).expect("a record")
    };
    assert_eq!(files(&all), files(&all.iter().map(read).collect::<Vec<Record>>()));
}

#[test]
fn odd_names_stay_names() {
    let mut all = records(2, 4);
    all[0].game = "<script>alert('x')</script>&amp;\u{1}\"".to_owned();
    all[0].machine.model = Some("</dd><b>".to_owned());
    (all[1].reason, all[1].status) = (Some("<i>".to_owned()), Status::Limit);
    let page = file(&all, "report.html");
    assert_eq!(page.matches("<script>").count(), 1);
    let escaped = "&lt;script&gt;alert('x')&lt;/script&gt;&amp;amp;\\u{1}";
    assert!(page.contains(&format!(">{escaped}&quot;</th>")), "{page}");
    assert!(page.contains("&lt;/dd&gt;&lt;b&gt;") && page.contains("title=\"&lt;i&gt;\""));
    for (name, svg) in drawings(&all) {
        Document::parse(&svg).expect("a drawing is XML");
        assert!(svg.contains(&format!("<title>{escaped}")), "{name}");
    }
}

#[test]
fn what_failed_and_what_was_done_is_told() {
    let mut all = records(8, 4);
    all.push(failed("broken", Status::Description, "4:2: the variable ?x is unsafe"));
    let page = file(&all, "report.html").replace('\u{a0}', " ");
    for record in &all {
        assert!(page.contains(&format!("\">{}</th><td", record.game)), "{}", record.game);
    }
    let broken = "<tr><th scope=\"row\">broken</th><td>one-step, iterative, flat, compact</td>\
                  <td>at fault</td><td>4:2: the variable ?x is unsafe</td></tr>";
    let slow = "<tr><th scope=\"row\">game007</th><td>flat</td><td>over the limit</td>\
                <td>the time limit of 10 s was exceeded, while deriving `wide` (3 M so far)</td></tr>";
    for part in [
        broken,
        slow,
        "Of 2 games, something that was requested was not done.",
        "7 of 9 games could be grounded to the flat form, half of all games within ",
        "Compact games have 0.20 times the rules of flat ones.",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(!file(&records(3, 1), "report.html").contains("was not done."));
    let nothing = [failed("a", Status::Crash, "signal 11")];
    for (name, svg) in drawings(&nothing) {
        assert!(svg.contains(">nothing measured</text>"), "{name}");
    }
    assert!(file(&[], "report.html").contains("There are no games in this report."));
}

/// Where a game is in a drawing.
fn centre(svg: &str, game: &str) -> (i32, i32) {
    let document = Document::parse(svg).expect("a drawing is XML");
    let is_title = |node: &Node<'_, '_>| {
        let names_it = |it: &str| it.starts_with(&format!("{game}: compact"));
        node.has_tag_name("title") && node.text().is_some_and(names_it)
    };
    let title = document.descendants().find(is_title).expect("the game is drawn");
    let at = |name: &str| {
        let circle = title.parent().expect("the title is of something");
        circle.attribute(name).expect("a circle").parse().expect("a whole number")
    };
    (at("cx"), at("cy"))
}

#[test]
fn points_are_where_they_belong() {
    let mut all = records(2, 1);
    for (record, seconds) in all.iter_mut().zip([1e-3, 1e-1]) {
        record.domains.clear();
        record.options.domains = "iterative".to_owned();
        for grounding in record.groundings.values_mut() {
            grounding.time = Some(Times { median: seconds, runs: vec![seconds] });
        }
    }
    // The axis goes from 1 ms to 100 ms, and each game is half of all.
    let svg = file(&all, "budget.svg");
    assert_eq!((centre(&svg, "game000"), centre(&svg, "game001")), ((900, 2130), (5180, 760)));
}
