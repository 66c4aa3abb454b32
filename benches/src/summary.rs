//! What `bench` prints for people: a line a game, and a table in the end.

use std::fmt::Write;

use groundfrog::visible::visible;
use groundfrog_corpus::{KnownGame, known_game};

use super::job::Task;
use super::record::{Record, Status};
use crate::quantities::{geometric_mean, percentile, sorted};
use crate::quantities::{size, time};

/// How many games a list names.
const MOST_NAMED: usize = 10;

/// A game on one line, with what is known of it elsewhere in brackets.
pub fn game(record: &Record) -> String {
    let mut parts = Vec::new();
    let known = known(record);
    if let Some((base, input)) = record.counts() {
        let elsewhere = match known.and_then(|it| Some((it.base?, it.input?))) {
            None => String::new(),
            Some(same) if same == (base, input) => " [as known]".to_owned(),
            Some((base, input)) => format!(" [DIFFERENT: known are {base}, {input}]"),
        };
        parts.push(format!("base {base}, input {input}{elsewhere}"));
    }
    for task in Task::MEASURED {
        let Some(outcome) = record.measured(task) else { continue };
        let how = record.seconds(task).map_or(outcome.status.word().to_owned(), time);
        let rules = record.size(task, |it| it.rules).map_or_else(String::new, |rules| {
            format!("{rules} rules{} ", elsewhere(task, known, outcome.counts.components))
        });
        parts.push(format!("{} {rules}{how}", task.name()));
    }
    if let Some(reason) = &record.reason {
        parts.push(format!("{}: {reason}", record.status.word()));
    }
    format!("{}: {}\n", visible(&record.game), parts.join("; "))
}

/// What other programs make of a game.
fn elsewhere(task: Task, known: Option<KnownGame<'_>>, components: Option<u64>) -> String {
    let Some(known) = known else { return String::new() };
    let mut counts = Vec::new();
    let is_flat = task == Task::Flat;
    let gringo = if is_flat { known.gringo_rules } else { known.gringo_projected_rules };
    counts.extend(gringo.map(|it| format!("gringo {it}")));
    if let Some(components) = components {
        let theirs = known.ggp_base_components.filter(|_| !is_flat);
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

/// So many games.
pub(super) fn games(count: usize) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

/// The times of one measurement over all games for which it was requested.
pub(crate) struct Row {
    pub(crate) task: Task,
    pub(crate) requested: usize,
    /// Of those that were done, ascending.
    pub(crate) times: Vec<f64>,
}

impl Row {
    /// One for each measurement that was requested of any game.
    pub(crate) fn all(records: &[&Record]) -> Vec<Self> {
        let rows = Task::MEASURED.into_iter().map(|task| Row {
            task,
            requested: records.iter().filter(|it| it.is_requested(task)).count(),
            times: sorted(records.iter().filter_map(|it| it.seconds(task))),
        });
        rows.filter(|it| it.requested > 0).collect()
    }

    /// A time that so many per cent of all games do not exceed: one that was not done counts as slower than any other.
    pub(crate) fn at(&self, percent: usize) -> Option<f64> {
        percentile(&self.times, self.requested, percent)
    }

    /// The same for people.
    pub(crate) fn percentile(&self, percent: usize) -> String {
        self.at(percent).map_or("not done".to_owned(), time)
    }

    pub(crate) fn slowest(&self) -> String {
        self.times.last().map_or("–".to_owned(), |&it| time(it))
    }
}

/// By game: how many times as long as the one-step computation of base and input the iterative one takes.
pub(crate) fn iterative_ratios(records: &[&Record]) -> Vec<f64> {
    let ratio = |it: &&Record| Some(it.seconds(Task::Iterative)? / it.seconds(Task::OneStep)?);
    records.iter().filter_map(ratio).collect()
}

/// By game: how many times the rules of the flat game the compact one has.
pub(crate) fn compact_shares(records: &[&Record]) -> Vec<f64> {
    let rules = |it: &Record, task| it.size(task, |it| it.rules).map(|it| it as f64);
    let share = |it: &&Record| Some(rules(it, Task::Compact)? / rules(it, Task::Flat)?);
    records.iter().filter_map(share).filter(|it| it.is_finite() && *it > 0.0).collect()
}

/// All games in a table and a few lines.
pub fn text(records: &[Record]) -> String {
    let records: Vec<&Record> = records.iter().collect();
    let mut text = String::new();
    write(&mut text, &records).expect("a string takes everything");
    text
}

fn write(text: &mut String, records: &[&Record]) -> std::fmt::Result {
    let count = |status| records.iter().filter(|it| it.status == status).count();
    let some = Status::ALL.into_iter().filter(|&status| count(status) > 0);
    let statuses: Vec<String> =
        some.map(|status| format!("{} {}", count(status), status.word())).collect();
    writeln!(text, "\n{}: {}", games(records.len()), statuses.join(", "))?;
    writeln!(
        text,
        "{:26}{:>12}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "", "done", "median", "90 %", "95 %", "99 %", "slowest"
    )?;
    for row in Row::all(records) {
        let done = format!("{} of {}", row.times.len(), row.requested);
        write!(text, "{:26}{done:>12}", row.task.title())?;
        for percent in [50, 90, 95, 99] {
            write!(text, "{:>10}", row.percentile(percent))?;
        }
        writeln!(text, "{:>10}", row.slowest())?;
    }
    writeln!(
        text,
        "percentiles are of all games: one that was not done counts as slower than any other"
    )?;
    let slower = iterative_ratios(records);
    if let Some(mean) = geometric_mean(slower.iter().copied()) {
        let faster = slower.iter().filter(|&&it| it > 1.0).count();
        writeln!(
            text,
            "one-step against iterative: {mean:.2} times as fast (geometric mean), faster for {faster} of {} games",
            slower.len()
        )?;
    }
    let shares = compact_shares(records);
    if let Some(mean) = geometric_mean(shares.iter().copied()) {
        let games = games(shares.len());
        writeln!(text, "compact against flat: {mean:.2} of the rules (geometric mean of {games})")?;
    }
    if let Some(peak) = records.iter().filter_map(|it| it.peak_memory).max() {
        writeln!(text, "most memory of a process: {}", size(peak))?;
    }
    references(text, records)
}

/// What the index of known games says about these.
fn references(text: &mut String, records: &[&Record]) -> std::fmt::Result {
    let is_same = |record: &Record| {
        let known = known(record)?;
        Some((known.base?, known.input?) == record.counts()?)
    };
    let compared: Vec<(&str, bool)> =
        records.iter().filter_map(|it| Some((it.game.as_str(), is_same(it)?))).collect();
    let others: Vec<&str> = compared.iter().filter(|it| !it.1).map(|it| it.0).collect();
    if !compared.is_empty() {
        writeln!(
            text,
            "base and input as other grounders report: {} of {} games",
            compared.len() - others.len(),
            compared.len()
        )?;
    }
    if !others.is_empty() {
        writeln!(text, "DIFFERENT base or input: {}", names(&others))?;
    }
    Ok(())
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
