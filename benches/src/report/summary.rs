//! The summary of a report: what was done, how fast, what failed, and where.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::markup::{escape, glue};
use super::numbers::{count, games, ratio, share};
use crate::measure::{Measure, words};
use crate::quantities::{size, time};
use crate::record::{Options, Record, Status};
use crate::statistics::{geometric_mean, percentile, sorted};

/// The paragraph that the page begins with.
pub(super) fn paragraph(records: &[&Record]) -> String {
    if records.is_empty() {
        return "<p class=\"lead\">There are no games in this report.</p>\n".to_owned();
    }
    let mut sentences = Vec::new();
    for measure in [Measure::Compact, Measure::Flat] {
        let Figures { requested, times } = Figures::new(measure, records);
        if requested == 0 {
            continue;
        }
        let median = match percentile(&times, requested, 50) {
            Some(median) => format!(", half of all games within {}", time(median)),
            None => String::new(),
        };
        sentences.push(format!(
            "<b>{} of {}</b> could be grounded to the {} form{median}.",
            times.len(),
            games(requested),
            measure.key()
        ));
    }
    let ratios: Vec<f64> = records
        .iter()
        .filter_map(|it| Some(Measure::Iterative.seconds(it)? / Measure::OneStep.seconds(it)?))
        .collect();
    let number = games(ratios.len());
    if let Some(mean) = geometric_mean(ratios) {
        sentences.push(format!(
            "The iterative computation of base and input takes <b>{} times</b> as long as the one-step one \
             (geometric mean of {number}).",
            ratio(mean)
        ));
    }
    let smaller = records.iter().filter_map(|record| {
        let rules = |measure: Measure| {
            measure.size(record, |record| record.rules).map(|record| record as f64)
        };
        Some(rules(Measure::Compact)? / rules(Measure::Flat)?)
    });
    if let Some(mean) = geometric_mean(smaller) {
        sentences.push(format!(
            "Compact games have <b>{} times</b> the rules of flat ones.",
            ratio(mean)
        ));
    }
    if sentences.is_empty() {
        sentences.push(format!("{}, none of which was grounded.", games(records.len())));
    }
    format!("<p class=\"lead\">{}</p>\n", glue(&sentences.join(" ")))
}

/// For how many games a measurement was requested, and the times of those done, ascending.
struct Figures {
    requested: usize,
    times: Vec<f64>,
}

impl Figures {
    fn new(measure: Measure, records: &[&Record]) -> Self {
        let requested = records.iter().filter(|it| measure.is_requested(it)).count();
        let times = sorted(records.iter().filter_map(|it| measure.seconds(it)));
        Figures { requested, times }
    }
}

/// The table of medians, percentiles and shares.
pub(super) fn table(records: &[&Record]) -> String {
    let mut html =
        "<div class=\"scroll\"><table class=\"numbers\">\n<thead><tr><th scope=\"col\"></th>"
            .to_owned();
    for head in
        ["done", "median", "90 %", "95 %", "&lt; 10 ms", "&lt; 100 ms", "&lt; 1 s", "slowest"]
    {
        let _ = write!(html, "<th scope=\"col\">{head}</th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for measure in Measure::ALL {
        let Figures { requested, times } = Figures::new(measure, records);
        if requested == 0 {
            continue;
        }
        let at =
            |percent| percentile(&times, requested, percent).map_or("not done".to_owned(), time);
        let below = |limit: f64| share(times.partition_point(|&it| it < limit), requested);
        let cells = [
            format!("{} of {}", times.len(), requested),
            at(50),
            at(90),
            at(95),
            below(0.01),
            below(0.1),
            below(1.0),
            times.last().map_or("–".to_owned(), |&it| time(it)),
        ];
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", measure.title());
        for cell in cells {
            let _ = write!(html, "<td>{cell}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    html + "<p class=\"note\">Wall-clock times, the median of the runs of each game. Percentiles and shares are \
            of all games requested: one that was not done counts as slower than any other. Base and input are \
            measured without parsing and rewriting, grounding from the text to the written rules.</p>\n"
}

/// What went wrong, by game.
pub(super) fn failures(records: &[&Record]) -> String {
    let mut rows = String::new();
    let mut failed = 0;
    for record in records {
        let mut failures: Vec<(String, Status, &str)> = Vec::new();
        for measure in Measure::ALL.into_iter().filter(|it| it.is_requested(record)) {
            if measure.seconds(record).is_some() {
                continue;
            }
            let (status, reason) = measure.outcome(record);
            let status = if status == Status::Ok { Status::Crash } else { status };
            let reason = reason.unwrap_or_default();
            // One reason for everything is reported once.
            match failures.iter_mut().find(|it| (it.1, it.2) == (status, reason)) {
                Some((titles, ..)) => *titles += &format!(", {}", measure.key()),
                None => failures.push((measure.key().to_owned(), status, reason)),
            }
        }
        if failures.is_empty() && record.status != Status::Ok {
            failures.push((
                "–".to_owned(),
                record.status,
                record.reason.as_deref().unwrap_or_default(),
            ));
        }
        failed += usize::from(!failures.is_empty());
        for (titles, status, reason) in failures {
            let _ = writeln!(
                rows,
                "<tr><th scope=\"row\">{}</th><td>{titles}</td><td>{}</td><td>{}</td></tr>",
                escape(&record.game),
                words(status),
                escape(reason)
            );
        }
    }
    if rows.is_empty() {
        return "<p>Everything that was requested was done.</p>\n".to_owned();
    }
    format!(
        "<p>Of {}, something that was requested was not done.</p>\n<div class=\"scroll\"><table class=\"failures\">\n\
         <thead><tr><th scope=\"col\">game</th><th scope=\"col\">what</th><th scope=\"col\">how it ended</th>\
         <th scope=\"col\">reason</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
        games(failed)
    )
}

/// Machines, options and versions, with the number of games of each if they differ.
pub(super) fn circumstances(records: &[&Record]) -> String {
    let mut html = String::from("<dl>\n");
    let lists = [
        ("Machine", tally(records, machine)),
        ("Options", tally(records, |it| options(&it.options))),
        ("Version", tally(records, |it| format!("groundfrog {}", it.version))),
    ];
    for (name, list) in lists {
        let _ = writeln!(html, "<dt>{name}</dt>");
        for (text, number) in &list {
            let of = if list.len() > 1 { format!(" ({})", games(*number)) } else { String::new() };
            let _ = writeln!(html, "<dd>{}{of}</dd>", escape(text));
        }
    }
    html + "</dl>\n"
}

fn tally(records: &[&Record], text: impl Fn(&Record) -> String) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    for record in records {
        *tally.entry(text(record)).or_default() += 1;
    }
    tally
}

fn machine(record: &Record) -> String {
    let machine = &record.machine;
    let model = machine.model.as_deref().unwrap_or("unknown processor");
    let cores = if machine.cores == 1 { "core" } else { "cores" };
    let memory = machine.memory.map_or(String::new(), |it| format!(", {} of memory", size(it)));
    format!("{model}, {} {cores}{memory}", machine.cores)
}

fn options(options: &Options) -> String {
    let memory = options.memory_limit.map_or("none".to_owned(), size);
    format!(
        "base and input: {}; forms: {}; {} thread{}; {} run{}, {} before to warm up; limits of each measurement: \
         {}, memory {memory}",
        if options.domains == "both" { "one-step and iterative" } else { &options.domains },
        if options.forms.is_empty() { "none".to_owned() } else { options.forms.join(", ") },
        count(options.threads as u64),
        if options.threads == 1 { "" } else { "s" },
        count(options.runs as u64),
        if options.runs == 1 { "" } else { "s" },
        if options.warm_up == 0 { "none".to_owned() } else { count(options.warm_up as u64) },
        time(options.time_limit as f64 / 1e3)
    )
}
