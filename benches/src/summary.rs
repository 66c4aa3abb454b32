//! What `bench` prints for people: a line a game, and a table in the end.

use std::fmt::Write;

use groundfrog::visible::visible;
use groundfrog_corpus::{KnownGame, known_game};

use super::record::{Grounding, Record, Status, Times};
use crate::measure::Measure;
use crate::quantities::{size, time};
use crate::statistics::{geometric_mean, percentile, sorted};

/// The order in which measurements are reported.
const METHODS: [&str; 2] = ["one-step", "iterative"];
const FORMS: [&str; 2] = ["flat", "compact"];
/// How many games a list names.
const MOST_NAMED: usize = 10;

/// A game on one line, with what is known of it elsewhere in brackets.
pub fn game(record: &Record) -> String {
    let mut parts = Vec::new();
    let known = known(record);
    if let Some((base, input)) = counts(record) {
        let elsewhere = match known.and_then(|it| Some((it.base?, it.input?))) {
            None => String::new(),
            Some(same) if same == (base, input) => " [as known]".to_owned(),
            Some((base, input)) => format!(" [DIFFERENT: known are {base}, {input}]"),
        };
        parts.push(format!("base {base}, input {input}{elsewhere}"));
    }
    for (name, domains) in METHODS.iter().filter_map(|it| record.domains.get_key_value(*it)) {
        let how = domains.time.as_ref().filter(|_| domains.status == Status::Ok);
        parts.push(format!("{name} {}", how.map_or(word(domains.status).into(), median)));
    }
    for (name, grounding) in FORMS.iter().filter_map(|it| record.groundings.get_key_value(*it)) {
        let how = match (&grounding.time, grounding.rules) {
            (Some(time), Some(rules)) if grounding.status == Status::Ok => {
                let elsewhere = elsewhere(name, known, grounding);
                format!("{rules} rules{elsewhere} {}", median(time))
            }
            _ => word(grounding.status).to_owned(),
        };
        parts.push(format!("{name} {how}"));
    }
    if let Some(reason) = &record.reason {
        parts.push(format!("{}: {reason}", word(record.status)));
    }
    format!("{}: {}\n", visible(&record.game), parts.join("; "))
}

/// What other programs make of a game.
fn elsewhere(form: &str, known: Option<KnownGame<'_>>, grounding: &Grounding) -> String {
    let Some(known) = known else { return String::new() };
    let mut counts = Vec::new();
    let gringo = if form == "flat" { known.gringo_rules } else { known.gringo_projected_rules };
    counts.extend(gringo.map(|it| format!("gringo {it}")));
    if let Some(components) = grounding.components {
        let theirs = known.ggp_base_components.filter(|_| form == "compact");
        counts.push(match theirs {
            Some(theirs) => format!("{components} components, ggp-base {theirs}"),
            None => format!("{components} components"),
        });
    }
    if counts.is_empty() { String::new() } else { format!(" [{}]", counts.join("; ")) }
}

fn known(record: &Record) -> Option<KnownGame<'static>> {
    known_game(record.sha256.as_ref()?)
}

/// Base and input, from whatever measurement found them.
pub fn counts(record: &Record) -> Option<(u64, u64)> {
    let domains = record.domains.values().map(|it| (it.base, it.input));
    let groundings = record.groundings.values().map(|it| (it.base, it.input));
    domains.chain(groundings).find_map(|(base, input)| Some((base?, input?)))
}

fn median(times: &Times) -> String {
    time(times.median)
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Description => "at fault",
        Status::Unbounded => "unbounded",
        Status::Limit => "over the limit",
        Status::Io => "not read",
        Status::Disagreement => "DISAGREEMENT",
        Status::Crash => "CRASHED",
    }
}

/// So many games.
pub(super) fn games(count: usize) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

/// All games in a table and a few lines.
pub fn text(records: &[Record]) -> String {
    let mut text = String::new();
    add(&mut text, format_args!("\n{}: {}\n", games(records.len()), statuses(records)));
    add(
        &mut text,
        format_args!(
            "{:26}{:>12}{:>10}{:>10}{:>10}{:>10}{:>10}\n",
            "", "done", "median", "90 %", "95 %", "99 %", "slowest"
        ),
    );
    for measure in Measure::ALL {
        row(&mut text, measure, records);
    }
    add(
        &mut text,
        format_args!(
            "percentiles are of all games: one that was not done counts as slower than any other\n"
        ),
    );
    ratios(&mut text, records);
    if let Some(peak) = records.iter().filter_map(|it| it.peak_memory).max() {
        add(&mut text, format_args!("most memory of a process: {}\n", size(peak)));
    }
    references(&mut text, records);
    text
}

fn add(text: &mut String, part: std::fmt::Arguments<'_>) {
    text.write_fmt(part).expect("a string takes everything");
}

fn statuses(records: &[Record]) -> String {
    let all = [
        Status::Ok,
        Status::Description,
        Status::Unbounded,
        Status::Limit,
        Status::Io,
        Status::Disagreement,
        Status::Crash,
    ];
    let count = |status| records.iter().filter(|it| it.status == status).count();
    let some = all.into_iter().filter(|&status| count(status) > 0);
    some.map(|status| format!("{} {}", count(status), word(status))).collect::<Vec<_>>().join(", ")
}

/// Percentiles of the times of all games for which a measurement was requested.
fn row(text: &mut String, measure: Measure, records: &[Record]) {
    let requested = records.iter().filter(|it| measure.is_requested(it)).count();
    if requested == 0 {
        return;
    }
    let times = sorted(records.iter().filter_map(|it| measure.seconds(it)));
    let done = format!("{} of {requested}", times.len());
    add(text, format_args!("{:26}{done:>12}", measure.title()));
    for percent in [50, 90, 95, 99] {
        let time = percentile(&times, requested, percent).map_or("not done".to_owned(), time);
        add(text, format_args!("{time:>10}"));
    }
    let slowest = times.last().map_or("–".to_owned(), |&it| time(it));
    add(text, format_args!("{slowest:>10}"));
    text.push('\n');
}

fn ratios(text: &mut String, records: &[Record]) {
    let (iterative, one_step) = (Measure::Iterative, Measure::OneStep);
    let slower =
        records.iter().filter_map(|it| Some(iterative.seconds(it)? / one_step.seconds(it)?));
    let slower: Vec<f64> = slower.collect();
    if let Some(mean) = geometric_mean(slower.iter().copied()) {
        let faster = slower.iter().filter(|&&it| it > 1.0).count();
        add(
            text,
            format_args!(
                "one-step against iterative: {mean:.2} times as fast (geometric mean), faster for \
                 {faster} of {} games\n",
                slower.len()
            ),
        );
    }
    let rules = |record: &Record, form: &str| Some(record.groundings.get(form)?.rules? as f64);
    let share = records.iter().filter_map(|it| Some(rules(it, "compact")? / rules(it, "flat")?));
    let share: Vec<f64> = share.filter(|it| it.is_finite() && *it > 0.0).collect();
    if let Some(mean) = geometric_mean(share.iter().copied()) {
        let games = games(share.len());
        add(
            text,
            format_args!(
                "compact against flat: {mean:.2} of the rules (geometric mean of {games})\n"
            ),
        );
    }
}

/// What the index of known games says about these.
fn references(text: &mut String, records: &[Record]) {
    let reported = |record: &Record| {
        let known = known(record)?;
        Some((known.base?, known.input?))
    };
    let compared: Vec<(&Record, bool)> =
        records.iter().filter_map(|it| Some((it, reported(it)? == counts(it)?))).collect();
    if compared.is_empty() {
        return;
    }
    let others: Vec<&str> =
        compared.iter().filter(|(_, same)| !same).map(|(it, _)| it.game.as_str()).collect();
    add(
        text,
        format_args!(
            "base and input as other grounders report: {} of {} games\n",
            compared.len() - others.len(),
            compared.len()
        ),
    );
    if !others.is_empty() {
        add(text, format_args!("DIFFERENT base or input: {}\n", names(&others)));
    }
}

/// The first few names of a list, and how many more there are.
pub fn names(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(names(&["a", "b"]), "a, b");
        assert_eq!(names(&["x"; 13]), "x, x, x, x, x, x, x, x, x, x and 3 more");
    }
}
