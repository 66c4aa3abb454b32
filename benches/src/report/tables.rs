//! What a report tells in words and tables: what was done, how fast, what failed, and where.

use std::collections::BTreeMap;

use groundfrog::visible::visible;
use maud::{Markup, html};

use super::chart::{Axis, Chart, Series};
use super::html::{SortedRow, glue, numbers, sorted_table};
use super::numbers::{count, games, ratio, share};
use crate::job::Task;
use crate::quantities::geometric_mean;
use crate::quantities::{size, time};
use crate::record::{Options, Record, Status};
use crate::summary::{Row, compact_shares, iterative_ratios};

/// The paragraph that the page begins with.
pub(super) fn lead(records: &[&Record]) -> Markup {
    let mut sentences = Vec::new();
    if records.is_empty() {
        sentences.push("There are no games in this report.".to_owned());
    }
    for row in Row::all(records).iter().filter(|it| !it.task.is_domains()) {
        let half = match row.at(50) {
            Some(median) => format!(", half of all games within {}", time(median)),
            None => String::new(),
        };
        sentences.push(format!(
            "{} of {} could be grounded to the {} form{half}.",
            row.times.len(),
            games(row.requested),
            row.task.name()
        ));
    }
    let ratios = iterative_ratios(records);
    if let Some(mean) = geometric_mean(ratios.iter().copied()) {
        sentences.push(format!(
            "The iterative computation of base and input takes {} times as long as the one-step one (geometric mean of {}).",
            ratio(mean),
            games(ratios.len())
        ));
    }
    if let Some(mean) = geometric_mean(compact_shares(records)) {
        sentences.push(format!("Compact games have {} times the rules of flat ones.", ratio(mean)));
    }
    html! { p.lead { (glue(&sentences.join(" "))) } }
}

/// The table of medians, percentiles and shares.
pub(super) fn summary(records: &[&Record]) -> Markup {
    let heads = ["done", "median", "90 %", "95 %", "< 10 ms", "< 100 ms", "< 1 s", "slowest"];
    let row = |row: &Row| {
        let below = |limit: f64| share(row.times.partition_point(|&it| it < limit), row.requested);
        let cells = vec![
            format!("{} of {}", row.times.len(), row.requested),
            row.percentile(50),
            row.percentile(90),
            row.percentile(95),
            below(0.01),
            below(0.1),
            below(1.0),
            row.slowest(),
        ];
        (row.task.title().to_owned(), cells)
    };
    html! {
        (numbers(&heads, &Row::all(records).iter().map(row).collect::<Vec<_>>()))
        p.note {
            "Wall-clock times, the median of the runs of each game. Percentiles and shares are of all games requested: one that was \
             not done counts as slower than any other. Base and input are measured without parsing and rewriting, grounding from \
             the text to the written rules."
        }
    }
}

/// What went wrong, by game.
pub(super) fn failures(records: &[&Record]) -> Markup {
    let mut failures: Vec<(&str, String, Status, &str)> = Vec::new();
    for record in records {
        // One reason for everything is reported once.
        let mut own: Vec<(Vec<&str>, Status, &str)> = Vec::new();
        for task in Task::MEASURED.into_iter().filter(|it| record.is_requested(*it)) {
            if record.seconds(task).is_some() {
                continue;
            }
            let (status, reason) = record.outcome(task);
            let reason = reason.unwrap_or_default();
            match own.iter_mut().find(|it| (it.1, it.2) == (status, reason)) {
                Some((names, ..)) => names.push(task.name()),
                None => own.push((vec![task.name()], status, reason)),
            }
        }
        if own.is_empty() && record.status != Status::Ok {
            own.push((vec!["–"], record.status, record.reason.as_deref().unwrap_or_default()));
        }
        failures.extend(own.into_iter().map(|it| (&*record.game, it.0.join(", "), it.1, it.2)));
    }
    let mut failed: Vec<&str> = failures.iter().map(|it| it.0).collect();
    failed.dedup();
    html! {
        @if failures.is_empty() {
            p { "Everything that was requested was done." }
        } @else {
            p { "Of " (games(failed.len())) ", something that was requested was not done." }
            div.scroll {
                table.failures {
                    thead {
                        tr { @for head in ["game", "what", "how it ended", "reason"] { th scope="col" { (head) } } }
                    }
                    tbody {
                        @for (game, tasks, status, reason) in &failures {
                            tr {
                                th scope="row" { (visible(game)) }
                                td { (tasks) }
                                td { (status.word()) }
                                td { (visible(reason)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Heads, and what they stand for.
const HEADS: [(&str, &str); 13] = [
    ("game", "the file"),
    ("status", "how it ended"),
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

/// The table of all games.
pub(super) fn all_games(records: &[&Record]) -> Markup {
    let rows: Vec<SortedRow> = records.iter().map(|it| row(it)).collect();
    sorted_table(&GROUPS, &HEADS, &rows)
}

fn row(record: &Record) -> SortedRow {
    let number = |value: Option<u64>| value.map(|it| (it as f64, count(it)));
    let seconds = |task| record.seconds(task).map(|it| (it, time(it)));
    let counts = record.counts();
    let reason = record.reason.as_deref().unwrap_or_default();
    let class = if record.status == Status::Ok { "done" } else { "failed" };
    let cells = vec![
        number(counts.map(|it| it.0)),
        number(counts.map(|it| it.1)),
        number(record.description.as_ref().map(|it| it.literals)),
        number(record.size(Task::Flat, |it| it.rules)),
        number(record.size(Task::Compact, |it| it.rules)),
        number(record.size(Task::Compact, |it| it.components)),
        seconds(Task::OneStep),
        seconds(Task::Iterative),
        seconds(Task::Flat),
        seconds(Task::Compact),
        record.peak_memory.map(|it| (it as f64, size(it))),
    ];
    SortedRow {
        name: record.game.clone(),
        title: format!("{}, SHA-256 {}", record.file, record.sha256.as_deref().unwrap_or("none")),
        second: html! { td class=(class) title=(visible(reason)) { (record.status.word()) } },
        cells,
    }
}

/// Machines, options and versions, with the number of games of each if they differ.
pub(super) fn circumstances(records: &[&Record]) -> Markup {
    let lists = [
        ("Machine", tally(records, |it| it.machine.to_string())),
        ("Options", tally(records, |it| options(&it.options))),
        ("Version", tally(records, |it| format!("groundfrog {}", it.version))),
    ];
    html! {
        dl {
            @for (name, list) in &lists {
                dt { (name) }
                @for (text, number) in list {
                    dd { (visible(text)) @if list.len() > 1 { " (" (games(*number)) ")" } }
                }
            }
        }
    }
}

fn tally(records: &[&Record], text: impl Fn(&Record) -> String) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    for record in records {
        *tally.entry(text(record)).or_default() += 1;
    }
    tally
}

fn options(options: &Options) -> String {
    format!(
        "base and input: {}; forms: {}; threads: {}; runs: {}, {} before to warm up; limits of each measurement: {}, memory {}",
        options.domains,
        if options.forms.is_empty() { "none".to_owned() } else { options.forms.join(", ") },
        options.threads,
        options.runs,
        options.warm_up,
        time(options.time_limit as f64 / 1e3),
        options.memory_limit.map_or("none".to_owned(), size)
    )
}

// The figures: how many games are done within a time, and the time that ground rules take.

/// What is drawn, the forms first.
const SERIES: [(Task, Series); 4] = [
    (Task::Compact, Series::First),
    (Task::Flat, Series::Second),
    (Task::OneStep, Series::Third),
    (Task::Iterative, Series::Fourth),
];

/// A figure: its name as a file, its title, what one sees, and the drawing.
pub(super) struct Figure {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    pub(super) caption: String,
    pub(super) chart: Chart,
}

/// The share of games that are done within a time (figures 3, 4 and 6 of Vittaut and Méhat).
pub(super) fn budget(records: &[&Record]) -> Figure {
    let curves = SERIES.map(|(task, series)| {
        let game = |record: &&Record| {
            let seconds = record.seconds(task)?;
            Some((seconds, format!("{}: {} {}", record.game, task.name(), time(seconds))))
        };
        let mut games: Vec<(f64, String)> = records.iter().filter_map(game).collect();
        games.sort_by(|a, b| a.0.total_cmp(&b.0));
        (task, series, games)
    });
    let times = curves.iter().flat_map(|it| it.2.iter().map(|game| game.0));
    let x = Axis::time("wall-clock time of a game", times);
    let mut chart = Chart::new(x, Axis::share("share of games done"));
    for (task, series, games) in &curves {
        let requested = records.iter().filter(|it| it.is_requested(*task)).count();
        if !games.is_empty() {
            let words = format!("{}: {} of {requested}", task.name(), games.len());
            chart.stairs(*series, &words, games, requested);
        }
    }
    Figure {
        file: "budget",
        title: "Games done within a time",
        caption: "Grounding to the compact and to the flat form, and base and input alone, one-step and iterative. A curve ends at the \
                  share of the games that was done at all."
            .to_owned(),
        chart,
    }
}

/// Ground rules against time (figure 5 of Vittaut and Méhat).
pub(super) fn time_of_rules(records: &[&Record]) -> Figure {
    // The default is drawn on top.
    let forms = [SERIES[1], SERIES[0]].map(|(task, series)| {
        let game = |record: &&Record| {
            let rules = record.size(task, |it| it.rules).filter(|&it| it > 0)?;
            let seconds = record.seconds(task)?;
            let (form, time) = (task.name(), time(seconds));
            let title = format!("{}: {} {form} rules in {time}", record.game, count(rules));
            Some((rules as f64, seconds, title))
        };
        (task, series, records.iter().filter_map(game).collect::<Vec<_>>())
    });
    let each = || forms.iter().flat_map(|it| &it.2);
    let mut chart = Chart::new(
        Axis::count("ground rules", each().map(|it| it.0)),
        Axis::time("time, from the text to the written rules", each().map(|it| it.1)),
    );
    let mut caption = Vec::new();
    for (task, series, games) in &forms {
        if !games.is_empty() {
            chart.scatter(*series, task.name(), games);
        }
        let large = games.iter().filter(|it| it.0 >= 1e4).map(|it| it.0 / it.1);
        if let Some(mean) = geometric_mean(large) {
            caption.push(format!(
                "Games with at least 10 000 {} rules are grounded at {} million rules a second in the geometric mean.",
                task.name(),
                ratio(mean / 1e6)
            ));
        }
    }
    let caption = caption.join(" ");
    Figure { file: "rules-time", title: "Ground rules against time", caption, chart }
}
