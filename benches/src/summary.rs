//! What `bench` tells people: a line a game, and a table in the end.

use std::fmt::Write;

use groundfrog_corpus::{KnownGame, known_game};

use super::record::{Grounding, Record, Status, Times};
use crate::quantities::{size, time};

/// The order in which measurements are told.
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
    format!("{}: {}\n", record.game, parts.join("; "))
}

/// What other programs make of a game.
fn elsewhere(form: &str, known: Option<KnownGame<'_>>, grounding: &Grounding) -> String {
    let Some(known) = known else { return String::new() };
    let mut told = Vec::new();
    let gringo = if form == "flat" { known.gringo_rules } else { known.gringo_projected_rules };
    told.extend(gringo.map(|it| format!("gringo {it}")));
    if let Some(components) = grounding.components {
        let theirs = known.ggp_base_components.filter(|_| form == "compact");
        told.push(match theirs {
            Some(theirs) => format!("{components} components, ggp-base {theirs}"),
            None => format!("{components} components"),
        });
    }
    if told.is_empty() { String::new() } else { format!(" [{}]", told.join("; ")) }
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
            "{:24}{:>7}{:>10}{:>10}{:>10}{:>10}{:>10}\n",
            "", "games", "median", "90 %", "95 %", "99 %", "slowest"
        ),
    );
    for method in METHODS {
        let times = records.iter().filter_map(|it| it.domains.get(method));
        let times = times.filter(|it| it.status == Status::Ok).filter_map(|it| it.time.as_ref());
        row(&mut text, &format!("base and input {method}"), times.map(|it| it.median).collect());
    }
    for form in FORMS {
        let times = records.iter().filter_map(|it| it.groundings.get(form));
        let times = times.filter(|it| it.status == Status::Ok).filter_map(|it| it.time.as_ref());
        row(&mut text, &format!("grounding {form}"), times.map(|it| it.median).collect());
    }
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

fn row(text: &mut String, name: &str, mut seconds: Vec<f64>) {
    if seconds.is_empty() {
        return;
    }
    seconds.sort_by(f64::total_cmp);
    add(text, format_args!("{name:24}{:>7}", seconds.len()));
    for share in [0.5, 0.9, 0.95, 0.99, 1.0] {
        add(text, format_args!("{:>10}", time(percentile(&seconds, share))));
    }
    text.push('\n');
}

/// The least number that is no less than this share of all; they are sorted and not none.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

/// The geometric mean of ratios, and how many there are.
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let logarithms: f64 = ratios.iter().map(|it| it.ln()).sum();
    (!ratios.is_empty()).then(|| (logarithms / ratios.len() as f64).exp())
}

fn ratios(text: &mut String, records: &[Record]) {
    let of = |record: &Record, method: &str| {
        let domains = record.domains.get(method).filter(|it| it.status == Status::Ok)?;
        domains.time.as_ref().map(|it| it.median)
    };
    let slower = records.iter().filter_map(|it| Some(of(it, "iterative")? / of(it, "one-step")?));
    let slower: Vec<f64> = slower.collect();
    if let Some(mean) = geometric_mean(&slower) {
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
    if let Some(mean) = geometric_mean(&share) {
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
    fn percentiles_are_nearest_ranks() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentile(&hundred, 0.5), 50.0);
        assert_eq!(percentile(&hundred, 0.99), 99.0);
        assert_eq!(percentile(&hundred, 1.0), 100.0);
        assert_eq!(percentile(&[7.0], 0.5), 7.0);
    }

    #[test]
    fn means_are_geometric() {
        let mean = geometric_mean(&[4.0, 0.25, 8.0]).expect("there are ratios");
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(names(&["a", "b"]), "a, b");
        assert_eq!(names(&["x"; 13]), "x, x, x, x, x, x, x, x, x, x and 3 more");
    }
}
