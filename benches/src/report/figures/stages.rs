//! Where the time of grounding goes.

use std::collections::BTreeSet;

use super::figure::Figure;
use crate::measure::Measure;
use crate::quantities::time;
use crate::record::Record;
use crate::report::axis::{Axis, Unit};
use crate::report::plot::{Plot, Sample, Spread};
use crate::report::style::Series;
use crate::statistics::{percentile, sorted};

/// The stages, in the order they run.
const STAGES: [&str; 9] = [
    "parse",
    "rewrite",
    "domains",
    "decompose",
    "store",
    "simplify",
    "compact",
    "assemble",
    "emit",
];

/// How the times of each stage are spread over the games.
pub(super) fn stages(records: &[&Record]) -> Figure {
    let forms = [(Measure::Compact, Series::Default), (Measure::Flat, Series::Other)];
    let times = |measure: Measure, stage: &str| {
        let seconds = |record: &&Record| {
            measure.seconds(record)?;
            measure.grounding(record)?.stages.get(stage).map(|it| it.median)
        };
        sorted(records.iter().filter_map(seconds))
    };
    let measured = |stage: &&str| forms.iter().any(|it| !times(it.0, stage).is_empty());
    let others: BTreeSet<&str> = records
        .iter()
        .flat_map(|record| forms.iter().filter_map(|it| it.0.grounding(record)))
        .flat_map(|it| it.stages.keys().map(String::as_str))
        .filter(|it| !STAGES.contains(it))
        .collect();
    let names: Vec<&str> = STAGES.into_iter().chain(others).filter(measured).collect();
    let mut spreads = Vec::new();
    let mut caption = Vec::new();
    for (place, (measure, series)) in forms.into_iter().enumerate() {
        let mut total = 0.0;
        let mut sums = Vec::new();
        for (row, stage) in names.iter().enumerate() {
            let times = times(measure, stage);
            let at = |percent| percentile(&times, times.len(), percent);
            let (Some(a), Some(b), Some(c), Some(d), Some(e)) =
                (at(5), at(25), at(50), at(75), at(95))
            else {
                continue;
            };
            let sum: f64 = times.iter().sum();
            total += sum;
            sums.push((sum, *stage));
            // The first stage is at the top.
            let y = (names.len() - 1 - row) as f64 + if place == 0 { 0.2 } else { -0.2 };
            let title = format!(
                "{stage}, {}: median {}, half of the games from {} to {}, 5 % below {}, 5 % above {}",
                measure.key(),
                time(c),
                time(b),
                time(d),
                time(a),
                time(e)
            );
            spreads.push(Spread { series, y, percentiles: [a, b, c, d, e], title });
        }
        sums.sort_by(|a, b| b.0.total_cmp(&a.0));
        if let [(most, first), ..] = sums.as_slice()
            && total > 0.0
        {
            caption.push(format!(
                "Over all games, {first} takes the most of the {} time: {:.0} %.",
                measure.key(),
                most / total * 100.0
            ));
        }
    }
    let ends = spreads.iter().flat_map(|it| [it.percentiles[0], it.percentiles[4]]);
    let x = Axis::logarithmic("time of a stage", Unit::Time, ends);
    let labels = names.iter().rev().map(|&it| it.to_owned()).collect();
    let mut plot = Plot::new(x, Axis::names("stage", labels));
    for (measure, series) in forms {
        if spreads.iter().any(|it| it.series == series) {
            plot.explain(series, Sample::Bar, measure.key());
        }
    }
    spreads.into_iter().for_each(|it| plot.spread(it));
    let caption = match caption.is_empty() {
        true => "No game was grounded.".to_owned(),
        false => format!(
            "Boxes hold the middle half of the games, with the median; lines go from the 5th to the 95th \
             percentile. {}",
            caption.join(" ")
        ),
    };
    Figure { file: "stages", title: "Where the time of grounding goes", caption, plot }
}
