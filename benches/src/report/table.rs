//! The table of all games.

use std::fmt::Write;

use super::markup::escape;
use super::numbers::count;
use crate::measure::{Measure, words};
use crate::quantities::{size, time};
use crate::record::Record;

/// What is in a cell: what is shown, and what is sorted by.
struct Cell {
    shown: String,
    value: Option<f64>,
}

/// Heads with their units, and what they stand for.
const HEADS: [(&str, &str); 11] = [
    ("base", "fluents that can hold"),
    ("input", "moves that can be made"),
    ("described", "literals of the description"),
    ("flat", "rules of the flat game"),
    ("compact", "rules of the compact game"),
    ("components", "of the propositional network of the compact game"),
    ("one-step", "time for base and input, in one step"),
    ("iterative", "time for base and input, iteratively"),
    ("flat", "time to ground to the flat form"),
    ("compact", "time to ground to the compact form"),
    ("peak", "most memory that the process had, over all measurements"),
];
/// Which heads belong together, and their unit.
const GROUPS: [(&str, usize); 8] = [
    ("", 2),
    ("atoms", 2),
    ("literals", 1),
    ("rules", 2),
    ("network", 1),
    ("base and input, time", 2),
    ("grounding, time", 2),
    ("memory", 1),
];

/// A row for each game.
pub(super) fn table(records: &[&Record]) -> String {
    let mut html = String::from(
        "<div class=\"scroll\"><table id=\"games\" class=\"games\">\n<thead>\n<tr class=\"groups\">",
    );
    for (group, span) in GROUPS {
        let _ = write!(html, "<th colspan=\"{span}\" scope=\"colgroup\">{group}</th>");
    }
    html.push_str("</tr>\n<tr><th scope=\"col\">game</th><th scope=\"col\">status</th>");
    for (head, meaning) in HEADS {
        let _ = write!(html, "<th scope=\"col\" title=\"{meaning}\">{head}</th>");
    }
    html.push_str("</tr>\n</thead>\n<tbody>\n");
    records.iter().for_each(|record| row(record, &mut html));
    html + "</tbody></table></div>\n"
}

fn row(record: &Record, html: &mut String) {
    let hash = record.sha256.as_deref().unwrap_or("none");
    let reason = record.reason.as_deref().unwrap_or_default();
    let _ = write!(
        html,
        "<tr><th scope=\"row\" title=\"{}, SHA-256 {}\">{}</th><td class=\"{}\" title=\"{}\">{}</td>",
        escape(&record.file),
        escape(hash),
        escape(&record.game),
        if reason.is_empty() { "done" } else { "failed" },
        escape(reason),
        words(record.status)
    );
    for Cell { shown, value } in cells(record) {
        let _ = match value {
            // Six digits are more than a clock knows, and the same whether read or just measured.
            Some(value) => write!(html, "<td data-v=\"{value:.6e}\">{shown}</td>"),
            None => write!(html, "<td>–</td>"),
        };
    }
    html.push_str("</tr>\n");
}

fn cells(record: &Record) -> [Cell; HEADS.len()] {
    let number = |value: Option<u64>| Cell {
        shown: value.map(count).unwrap_or_default(),
        value: value.map(|it| it as f64),
    };
    let seconds = |value: Option<f64>| Cell { shown: value.map(time).unwrap_or_default(), value };
    let bytes = |value: Option<u64>| Cell {
        shown: value.map(size).unwrap_or_default(),
        value: value.map(|it| it as f64),
    };
    // All methods find the same; not all of them may have come to an end.
    let domains = [Measure::OneStep, Measure::Iterative].map(|it| it.domains(record));
    let groundings = [Measure::Flat, Measure::Compact].map(|it| it.grounding(record));
    let base = domains.iter().flatten().find_map(|it| it.base);
    let input = domains.iter().flatten().find_map(|it| it.input);
    [
        number(base.or_else(|| groundings.iter().flatten().find_map(|it| it.base))),
        number(input.or_else(|| groundings.iter().flatten().find_map(|it| it.input))),
        number(record.description.as_ref().map(|it| it.literals)),
        number(Measure::Flat.size(record, |it| it.rules)),
        number(Measure::Compact.size(record, |it| it.rules)),
        number(Measure::Compact.size(record, |it| it.components)),
        seconds(Measure::OneStep.seconds(record)),
        seconds(Measure::Iterative.seconds(record)),
        seconds(Measure::Flat.seconds(record)),
        seconds(Measure::Compact.seconds(record)),
        bytes(record.peak_memory),
    ]
}
