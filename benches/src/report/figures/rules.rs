//! Ground rules: against time, compact against flat, and their memory.

use super::figure::Figure;
use crate::measure::Measure;
use crate::quantities::{size, time};
use crate::record::{Grounding, Record};
use crate::report::axis::{Axis, Unit};
use crate::report::literature::{GRINGO_RULES_PER_SECOND, GRINGO_START, VITTAUT_BYTES_PER_RULE};
use crate::report::numbers::{count, games, ratio};
use crate::report::plot::{Plot, Point, Sample};
use crate::report::style::Series;
use crate::statistics::{geometric_mean, percentile, sorted};

/// Both forms, the default one last, so that it is drawn on top.
const FORMS: [(Measure, Series); 2] =
    [(Measure::Flat, Series::Other), (Measure::Compact, Series::Default)];

/// A game, its ground rules, and what stands against them.
type Row<'a> = (&'a Record, f64, f64);

fn rows<'a>(
    records: &[&'a Record],
    measure: Measure,
    value: impl Fn(&Record) -> Option<f64>,
) -> Vec<Row<'a>> {
    let row = |record: &&'a Record| {
        let rules = measure.size(record, |it| it.rules).filter(|&it| it > 0)?;
        Some((*record, rules as f64, value(record)?))
    };
    records.iter().filter_map(row).collect()
}

/// Ground rules against time (figure 5 of Vittaut and Méhat).
pub(super) fn time_of_rules(records: &[&Record]) -> Figure {
    let all = FORMS.map(|(measure, series)| {
        (measure, series, rows(records, measure, |it| measure.seconds(it)))
    });
    let each = || all.iter().flat_map(|it| &it.2);
    let mut plot = Plot::new(
        Axis::logarithmic("ground rules", Unit::Count, each().map(|it| it.1)),
        Axis::logarithmic(
            "time, from the text to the written rules",
            Unit::Time,
            each().map(|it| it.2),
        ),
    );
    let [low, high, _, longest] = plot.ends();
    let mut caption = Vec::new();
    for (measure, series, rows) in &all {
        if rows.is_empty() {
            continue;
        }
        plot.explain(*series, Sample::Mark, measure.key());
        let point = |&(record, rules, seconds): &Row<'_>| Point {
            x: rules,
            y: seconds,
            title: format!(
                "{}: {} {} rules in {}",
                record.game,
                count(rules as u64),
                measure.key(),
                time(seconds)
            ),
        };
        plot.scatter(*series, rows.iter().map(point).collect());
        caption.push(speed(measure.key(), rows));
    }
    if caption.is_empty() {
        caption.push("No game was grounded.".to_owned());
    } else {
        let gringo = |rules: f64| GRINGO_START + rules / GRINGO_RULES_PER_SECOND;
        let line: Vec<(f64, f64)> = (0..=60)
            .map(|it| low * (high / low).powf(f64::from(it) / 60.0))
            .map(|rules| (rules, gringo(rules)))
            .filter(|it| it.1 <= longest)
            .collect();
        plot.line(Series::Quoted, line);
        plot.explain(Series::Quoted, Sample::Line, "gringo 5.4, quoted");
        caption.push(
            "The line is what 6 ms to start and 0.9 million rules a second mean, as quoted of gringo; \
             its machine is another."
                .to_owned(),
        );
    }
    Figure {
        file: "rules-time",
        title: "Ground rules against time",
        caption: caption.join(" "),
        plot,
    }
}

/// What the games with many rules show about speed.
fn speed(form: &str, rows: &[Row<'_>]) -> String {
    let large: Vec<&Row<'_>> = rows.iter().filter(|it| it.1 >= 1e4).collect();
    let Some(mean) = geometric_mean(large.iter().map(|it| it.1 / it.2)) else {
        return format!("No game has 10 k {form} rules.");
    };
    let largest = rows.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a large game is there");
    format!(
        "Games with at least 10 k {form} rules ({}) are grounded at {} million rules a second in the geometric \
         mean; the largest is {} with {} rules in {}.",
        large.len(),
        ratio(mean / 1e6),
        largest.0.game,
        count(largest.1 as u64),
        time(largest.2)
    )
}

/// Compact rules against flat ones.
pub(super) fn compact_against_flat(records: &[&Record]) -> Figure {
    let compact = |it: &Record| Measure::Compact.size(it, |it| it.rules).map(|it| it as f64);
    let both = rows(records, Measure::Flat, compact);
    let values = || both.iter().flat_map(|it| [it.1, it.2]);
    let mut plot = Plot::new(
        Axis::logarithmic("flat rules", Unit::Count, values()),
        Axis::logarithmic("compact rules", Unit::Count, values()),
    );
    let [low, high, ..] = plot.ends();
    plot.line(Series::Guide, vec![(low, low), (high, high)]);
    plot.explain(Series::Default, Sample::Mark, "a game");
    plot.explain(Series::Guide, Sample::Line, "as many; below it compact is smaller");
    let point = |&(record, flat, compact): &Row<'_>| Point {
        x: flat,
        y: compact,
        title: format!(
            "{}: {} flat rules, {} compact",
            record.game,
            count(flat as u64),
            count(compact as u64)
        ),
    };
    plot.scatter(Series::Default, both.iter().map(point).collect());
    let caption = match geometric_mean(both.iter().map(|it| it.2 / it.1)) {
        None => "No game was grounded to both forms.".to_owned(),
        Some(mean) => {
            let fewer = both.iter().filter(|it| it.2 < it.1).count();
            let tenth = both.iter().filter(|it| it.2 * 10.0 <= it.1).count();
            let only = records
                .iter()
                .filter(|it| Measure::Compact.seconds(it).is_some())
                .filter(|it| Measure::Flat.is_requested(it) && Measure::Flat.seconds(it).is_none())
                .count();
            let only = match only {
                0 => String::new(),
                1 => " Another game could be grounded only to the compact form.".to_owned(),
                _ => {
                    format!(" Another {} could be grounded only to the compact form.", games(only))
                }
            };
            format!(
                "The compact game has {} times the rules of the flat one in the geometric mean: fewer in \
                 {fewer} of {}, at most a tenth in {tenth}.{only}",
                ratio(mean),
                games(both.len())
            )
        }
    };
    Figure { file: "compact-flat", title: "Compact rules against flat rules", caption, plot }
}

/// The memory of ground rules.
pub(super) fn memory(records: &[&Record]) -> Figure {
    let bytes = |measure: Measure, record: &Record| {
        let bytes = |it: &Grounding| it.rule_bytes;
        measure.size(record, bytes).filter(|&it| it > 0).map(|it| it as f64)
    };
    let all = FORMS.map(|(measure, series)| {
        (measure, series, rows(records, measure, |it| bytes(measure, it)))
    });
    let each = || all.iter().flat_map(|it| &it.2);
    let published = each().map(|it| it.1 * VITTAUT_BYTES_PER_RULE);
    let mut plot = Plot::new(
        Axis::logarithmic("ground rules", Unit::Count, each().map(|it| it.1)),
        Axis::logarithmic(
            "memory of the rules",
            Unit::Bytes,
            each().map(|it| it.2).chain(published),
        ),
    );
    let [low, high, ..] = plot.ends();
    let mut caption = Vec::new();
    for (measure, series, rows) in &all {
        let per_rule = sorted(rows.iter().map(|it| it.2 / it.1));
        let Some(median) = percentile(&per_rule, per_rule.len(), 50) else { continue };
        plot.explain(*series, Sample::Mark, measure.key());
        let point = |&(record, rules, bytes): &Row<'_>| Point {
            x: rules,
            y: bytes,
            title: format!(
                "{}: {} {} rules, {}, {} bytes a rule",
                record.game,
                count(rules as u64),
                measure.key(),
                size(bytes as u64),
                ratio(bytes / rules)
            ),
        };
        plot.scatter(*series, rows.iter().map(point).collect());
        caption.push(format!(
            "A {} rule takes {} bytes in the median.",
            measure.key(),
            ratio(median)
        ));
    }
    if caption.is_empty() {
        caption.push("No game was grounded.".to_owned());
    } else {
        let line = [low, high].map(|it| (it, it * VITTAUT_BYTES_PER_RULE)).to_vec();
        plot.line(Series::Quoted, line);
        plot.explain(Series::Quoted, Sample::Line, "500 bytes a rule, quoted");
        caption.push("Vittaut and Méhat needed about 500 bytes for one.".to_owned());
    }
    Figure {
        file: "rules-memory",
        title: "Memory of the ground rules",
        caption: caption.join(" "),
        plot,
    }
}
