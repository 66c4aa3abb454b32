//! Two runs of `bench` side by side. `docs/benchmarking.md` defines when a time has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use groundfrog::visible::visible;

use crate::job::Task;
use crate::quantities::geometric_mean;
use crate::quantities::{size, time};
use crate::record::{Measurement, Record, Status, Times};
use crate::summary::{self, games};

// What has changed between two runs.

/// Differences of less are noise in any case: seconds.
const LEAST_SECONDS: f64 = 0.000_2;
/// Ratios of less are noise in any case.
const LEAST_RATIO: f64 = 1.05;
/// With fewer runs their range says nothing about the noise, which may be of any size: times cannot be told apart.
const ENOUGH_RUNS: usize = 3;
/// Bytes are reported to have changed by ratios of more.
const LEAST_BYTES_RATIO: f64 = 1.1;

/// A time or size of a game that has changed.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
struct Change {
    game: String,
    measure: String,
    old: f64,
    new: f64,
}

impl Change {
    fn new(game: &str, measure: &str, old: f64, new: f64) -> Self {
        Change { game: game.to_owned(), measure: measure.to_owned(), old, new }
    }

    fn ratio(&self) -> f64 {
        self.new / self.old
    }
}

/// A measurement that went well in one run only.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
struct Turn {
    game: String,
    measure: String,
    /// How it went where it did not go well.
    status: Status,
    reason: Option<String>,
}

/// Times of one measure over all games that both runs have.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
struct Overall {
    measure: String,
    games: usize,
    /// Geometric mean of new by old.
    ratio: f64,
}

/// What has changed between two runs.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Comparison {
    /// In what the runs as such differ: one sentence each.
    remarks: Vec<String>,
    /// How much the runs differ over all games, a line for each task.
    overall: Vec<Overall>,
    /// Games that take longer.
    slower: Vec<Change>,
    /// Games that take less time.
    faster: Vec<Change>,
    /// Games whose times differ, with too few runs to tell whether by more than the noise.
    unclear: Vec<Change>,
    /// Games with more ground rules.
    larger: Vec<Change>,
    /// Games with fewer ground rules.
    smaller: Vec<Change>,
    /// Games that only the new run could do.
    solved: Vec<Turn>,
    /// Games that only the old run could do.
    lost: Vec<Turn>,
    /// Other counts for the same rules, which the method does not allow.
    contradictions: Vec<Change>,
}

impl Comparison {
    /// Compares two runs; of several records of a game the last one counts.
    pub fn new(old: &[Record], new: &[Record]) -> Self {
        let by_name = |records| -> BTreeMap<String, Record> {
            let records: &[Record] = records;
            records.iter().map(|it| (it.game.clone(), it.clone())).collect()
        };
        let (old, new) = (by_name(old), by_name(new));
        let mut comparison = Comparison { remarks: remarks(&old, &new), ..Comparison::default() };
        let mut ratios: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (game, old) in &old {
            if let Some(new) = new.get(game) {
                comparison.game(old, new, &mut ratios);
            }
        }
        comparison.overall = ratios
            .into_iter()
            .filter_map(|(measure, ratios)| {
                let (games, ratio) = (ratios.len(), geometric_mean(ratios.iter().copied())?);
                Some(Overall { measure, games, ratio })
            })
            .collect();
        let by_ratio = |a: &Change, b: &Change| b.ratio().total_cmp(&a.ratio());
        comparison.slower.sort_by(by_ratio);
        comparison.unclear.sort_by(by_ratio);
        comparison.larger.sort_by(by_ratio);
        comparison.faster.sort_by(|a, b| by_ratio(b, a));
        comparison.smaller.sort_by(|a, b| by_ratio(b, a));
        comparison
    }

    fn game(&mut self, old: &Record, new: &Record, ratios: &mut BTreeMap<String, Vec<f64>>) {
        for task in Task::MEASURED {
            let (Some(before), Some(after)) = (old.measured(task), new.measured(task)) else {
                continue;
            };
            let turn = |it: &Measurement| Turn {
                game: old.game.clone(),
                measure: task.name().to_owned(),
                status: it.status,
                reason: it.reason.clone(),
            };
            match (before.status == Status::Ok, after.status == Status::Ok) {
                (true, false) => self.lost.push(turn(after)),
                (false, true) => self.solved.push(turn(before)),
                (false, false) => {}
                (true, true) => {
                    if let (Some(before), Some(after)) = (&before.time, &after.time) {
                        let change =
                            Change::new(&old.game, task.name(), before.median, after.median);
                        ratios.entry(task.name().to_owned()).or_default().push(change.ratio());
                        self.times(change, before, after);
                    }
                    self.sizes(old, new, task);
                }
            }
        }
        // Most of it may be the same in all measurements.
        if let (Some(before), Some(after)) = (old.peak_memory, new.peak_memory)
            && (old.status, new.status) == (Status::Ok, Status::Ok)
        {
            self.bytes(&old.game, "peak memory", before, after);
        }
    }

    fn times(&mut self, change: Change, before: &Times, after: &Times) {
        let (is_slower, is_faster) =
            (is_beyond_noise(before, after), is_beyond_noise(after, before));
        if !(is_slower || is_faster) {
            return;
        }
        if before.runs.len().min(after.runs.len()) < ENOUGH_RUNS {
            self.unclear.push(change);
        } else if is_slower {
            self.slower.push(change);
        } else {
            self.faster.push(change);
        }
    }

    fn sizes(&mut self, old: &Record, new: &Record, task: Task) {
        let is_same = old.sha256.is_some() && old.sha256 == new.sha256;
        let after = sizes(new, task);
        for (what, before) in sizes(old, task) {
            let Some(&(_, after)) = after.iter().find(|it| it.0 == what) else { continue };
            let measure = format!("{}: {what}", task.name());
            if what.ends_with("bytes") {
                self.bytes(&old.game, &measure, before, after);
                continue;
            }
            let change = Change::new(&old.game, &measure, before as f64, after as f64);
            // Base, input and the flat rules are what the method says that they are.
            let is_fixed =
                ["base", "input"].contains(&what) || (task == Task::Flat && what == "rules");
            if before != after && is_same && is_fixed {
                self.contradictions.push(change);
            } else if after > before {
                self.larger.push(change);
            } else if after < before {
                self.smaller.push(change);
            }
        }
    }

    fn bytes(&mut self, game: &str, measure: &str, before: u64, after: u64) {
        let change = Change::new(game, measure, before as f64, after as f64);
        if change.ratio() > LEAST_BYTES_RATIO {
            self.larger.push(change);
        } else if change.ratio() < 1.0 / LEAST_BYTES_RATIO {
            self.smaller.push(change);
        }
    }

    /// Whether this is worse than allowed.
    pub fn is_worse(&self, allowed: f64) -> bool {
        let is_slower = self.slower.iter().any(|it| it.ratio() > allowed);
        is_slower || !self.lost.is_empty() || !self.contradictions.is_empty()
    }
}

/// Whether the runs of `more` took longer than those of `less`, beyond the noise.
fn is_beyond_noise(less: &Times, more: &Times) -> bool {
    let most = less.runs.iter().copied().fold(less.median, f64::max);
    let least = more.runs.iter().copied().fold(more.median, f64::min);
    least > most
        && more.median - less.median > LEAST_SECONDS
        && more.median > less.median * LEAST_RATIO
}

/// What was counted in a measurement, and the bytes that it took.
fn sizes(record: &Record, task: Task) -> Vec<(&'static str, u64)> {
    let it = record.measured(task).map(|it| it.counts).unwrap_or_default();
    let all = [
        ("base", it.base),
        ("input", it.input),
        ("rules", it.rules),
        ("literals", it.literals),
        ("components", it.components),
        ("table bytes", it.table_bytes),
        ("rule bytes", it.rule_bytes),
    ];
    all.into_iter().filter_map(|(name, size)| Some((name, size?))).collect()
}

/// In what the runs as such differ.
fn remarks(old: &BTreeMap<String, Record>, new: &BTreeMap<String, Record>) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut differ = |what: &str, of: &dyn Fn(&Record) -> String| {
        let all = |records: &BTreeMap<String, Record>| {
            records.values().map(of).collect::<BTreeSet<String>>()
        };
        let (before, after) = (all(old), all(new));
        if before != after {
            let list = |it: BTreeSet<String>| it.into_iter().collect::<Vec<_>>().join(" and ");
            remarks.push(format!("{what}: {} before, {} now", list(before), list(after)));
        }
    };
    differ("other versions", &|it| it.version.clone());
    differ("other machines: times cannot be compared", &|it| it.machine.to_string());
    differ("other options", &|run| {
        let options = &run.options;
        let memory = options.memory_limit.map_or("none".to_owned(), crate::quantities::size);
        format!(
            "domains {}, forms {}, threads {}, runs {}, warm-up {}, limits {} ms and {memory}",
            options.domains,
            options.forms.join(" "),
            options.threads,
            options.runs,
            options.warm_up,
            options.time_limit
        )
    });
    let missing = |from: &BTreeMap<String, Record>, of: &BTreeMap<String, Record>, when: &str| {
        let names: Vec<&str> =
            of.keys().filter(|it| !from.contains_key(*it)).map(String::as_str).collect();
        let count = names.len();
        (count > 0).then(|| format!("{count} games only {when}: {}", summary::names(&names)))
    };
    let changed: Vec<&str> = old
        .iter()
        .filter(|(name, it)| new.get(*name).is_some_and(|other| other.sha256 != it.sha256))
        .map(|(name, _)| name.as_str())
        .collect();
    if !changed.is_empty() {
        let count = changed.len();
        remarks.push(format!("{count} games have other rules: {}", summary::names(&changed)));
    }
    remarks.extend(missing(new, old, "before"));
    remarks.extend(missing(old, new, "now"));
    let few = old.values().chain(new.values()).any(|it| it.options.runs < ENOUGH_RUNS);
    if few {
        remarks.push(format!(
            "fewer than {ENOUGH_RUNS} runs say nothing about the noise: no time is called slower or faster (bench --runs {ENOUGH_RUNS})"
        ));
    }
    remarks
}

// A comparison for people.

/// How many changes of a kind are listed.
const MOST_LISTED: usize = 30;

impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for remark in &self.remarks {
            writeln!(out, "note: {remark}")?;
        }
        for overall in &self.overall {
            writeln!(
                out,
                "{}: {:.3} of the time (geometric mean of {})",
                overall.measure,
                overall.ratio,
                games(overall.games)
            )?;
        }
        changes(out, "other results for the same rules", &self.contradictions)?;
        turns(out, "lost", "now", &self.lost)?;
        turns(out, "newly solved", "before", &self.solved)?;
        changes(out, "slower", &self.slower)?;
        changes(out, "faster", &self.faster)?;
        let unclear = format!("cannot be told apart with fewer than {ENOUGH_RUNS} runs");
        changes(out, &unclear, &self.unclear)?;
        changes(out, "larger", &self.larger)?;
        changes(out, "smaller", &self.smaller)?;
        if self.is_same() && self.unclear.is_empty() {
            writeln!(out, "no change beyond the noise")?;
        }
        Ok(())
    }
}

impl Comparison {
    fn is_same(&self) -> bool {
        let changes =
            [&self.contradictions, &self.slower, &self.faster, &self.larger, &self.smaller];
        changes.iter().all(|it| it.is_empty()) && self.lost.is_empty() && self.solved.is_empty()
    }
}

/// A measure without a colon is a time, one with `bytes` or `memory` is a size, and all others are counts.
fn changes(out: &mut fmt::Formatter<'_>, title: &str, changes: &[Change]) -> fmt::Result {
    lines(out, title, changes, |change| {
        let measure = &change.measure;
        let write = |number: f64| match () {
            () if measure.ends_with("bytes") || measure.ends_with("memory") => size(number as u64),
            () if measure.contains(':') => format!("{number:.0}"),
            () => time(number),
        };
        let (old, new) = (write(change.old), write(change.new));
        format!("{:7.2}  {} {measure}: {old} to {new}", change.ratio(), visible(&change.game))
    })
}

fn turns(out: &mut fmt::Formatter<'_>, title: &str, when: &str, turns: &[Turn]) -> fmt::Result {
    lines(out, title, turns, |turn| {
        let mut line = format!("{} {}", visible(&turn.game), turn.measure);
        if let Some(reason) = &turn.reason {
            // A string takes everything.
            let _ = write!(line, "; {when}: {reason}");
        }
        line
    })
}

fn lines<T>(
    out: &mut fmt::Formatter<'_>,
    title: &str,
    all: &[T],
    line: impl Fn(&T) -> String,
) -> fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", all.len())?;
    for one in all.iter().take(MOST_LISTED) {
        writeln!(out, "  {}", line(one))?;
    }
    match all.len().saturating_sub(MOST_LISTED) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(runs: &[f64]) -> Times {
        Times::of(runs.iter().copied()).expect("there are runs")
    }

    #[test]
    fn overlapping_runs_are_noise() {
        let old = times(&[1.0, 1.1, 1.4]);
        assert!(!is_beyond_noise(&old, &times(&[1.3, 1.6, 1.7])));
        assert!(is_beyond_noise(&old, &times(&[1.5, 1.6, 1.7])));
        assert!(!is_beyond_noise(&times(&[1.5, 1.6, 1.7]), &old), "the other direction");
    }

    #[test]
    fn small_differences_are_noise() {
        let old = times(&[1.0, 1.0, 1.0]);
        assert!(!is_beyond_noise(&old, &times(&[1.04, 1.04, 1.04])), "less than a twentieth");
        assert!(is_beyond_noise(&old, &times(&[1.06, 1.06, 1.06])));
        let old = times(&[0.000_1, 0.000_1, 0.000_1]);
        assert!(!is_beyond_noise(&old, &times(&[0.000_29, 0.000_29, 0.000_29])));
        assert!(is_beyond_noise(&old, &times(&[0.000_31, 0.000_31, 0.000_31])));
    }
}
