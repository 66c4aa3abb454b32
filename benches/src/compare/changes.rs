//! What has changed between two runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::{Record, Status, Times};
use crate::statistics::geometric_mean;
use crate::summary;

/// Differences of less are noise in any case: seconds.
const LEAST_SECONDS: f64 = 0.000_2;
/// Ratios of less are noise in any case.
const LEAST_RATIO: f64 = 1.05;
/// With fewer runs their range says nothing about the noise, which may be of any size: times cannot be told apart.
pub(super) const ENOUGH_RUNS: usize = 3;
/// Bytes are reported to have changed by ratios of more.
const LEAST_BYTES_RATIO: f64 = 1.1;

/// A time or size of a game that has changed.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Change {
    pub game: String,
    pub measure: String,
    pub old: f64,
    pub new: f64,
}

impl Change {
    pub fn ratio(&self) -> f64 {
        self.new / self.old
    }
}

/// A measurement that went well in one run only.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Turn {
    pub game: String,
    pub measure: String,
    /// How it went where it did not go well.
    pub status: Status,
    pub reason: Option<String>,
}

/// Times of one measure over all games that both runs have.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Overall {
    pub measure: String,
    pub games: usize,
    /// Geometric mean of new by old.
    pub ratio: f64,
}

/// What has changed between two runs.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Comparison {
    /// In what the runs as such differ: one sentence each.
    pub remarks: Vec<String>,
    /// How much the runs differ over all games, a line for each task.
    pub overall: Vec<Overall>,
    /// Games that take longer.
    pub slower: Vec<Change>,
    /// Games that take less time.
    pub faster: Vec<Change>,
    /// Games whose times differ, with too few runs to tell whether by more than the noise.
    pub unclear: Vec<Change>,
    /// Games with more ground rules.
    pub larger: Vec<Change>,
    /// Games with fewer ground rules.
    pub smaller: Vec<Change>,
    /// Games that only the new run could do.
    pub solved: Vec<Turn>,
    /// Games that only the old run could do.
    pub lost: Vec<Turn>,
    /// Other counts for the same rules, which the method does not allow.
    pub contradictions: Vec<Change>,
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
        let is_same = old.sha256.is_some() && old.sha256 == new.sha256;
        let (before, after) = (measurements(old), measurements(new));
        for (name, before) in &before {
            let Some(after) = after.get(name) else { continue };
            let turn = |measurement: &Measurement<'_>| Turn {
                game: old.game.clone(),
                measure: name.clone(),
                status: measurement.status,
                reason: measurement.reason.cloned(),
            };
            match (before.status == Status::Ok, after.status == Status::Ok) {
                (true, false) => self.lost.push(turn(after)),
                (false, true) => self.solved.push(turn(before)),
                (false, false) => {}
                (true, true) => {
                    if let (Some(old_times), Some(new_times)) = (before.time, after.time) {
                        let change = Change {
                            game: old.game.clone(),
                            measure: name.clone(),
                            old: old_times.median,
                            new: new_times.median,
                        };
                        ratios.entry(name.clone()).or_default().push(change.ratio());
                        let is_slower = is_beyond_noise(old_times, new_times);
                        let is_faster = is_beyond_noise(new_times, old_times);
                        if !(is_slower || is_faster) {
                            // Nothing to tell.
                        } else if old_times.runs.len().min(new_times.runs.len()) < ENOUGH_RUNS {
                            self.unclear.push(change);
                        } else if is_slower {
                            self.slower.push(change);
                        } else {
                            self.faster.push(change);
                        }
                    }
                    self.sizes(old, name, before, after, is_same);
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

    fn sizes(
        &mut self,
        old: &Record,
        name: &str,
        before: &Measurement<'_>,
        after: &Measurement<'_>,
        is_same: bool,
    ) {
        for (what, &before) in &before.counts {
            let Some(&after) = after.counts.get(what) else { continue };
            let change = Change {
                game: old.game.clone(),
                measure: format!("{name}: {what}"),
                old: before as f64,
                new: after as f64,
            };
            // Base, input and the flat rules are what the method says that they are.
            let is_fixed = ["base", "input"].contains(what) || (name == "flat" && *what == "rules");
            if before != after && is_same && is_fixed {
                self.contradictions.push(change);
            } else if after > before {
                self.larger.push(change);
            } else if after < before {
                self.smaller.push(change);
            }
        }
        for (what, &before) in &before.bytes {
            if let Some(&after) = after.bytes.get(what) {
                self.bytes(&old.game, &format!("{name}: {what}"), before, after);
            }
        }
    }

    fn bytes(&mut self, game: &str, measure: &str, before: u64, after: u64) {
        let (game, measure) = (game.to_owned(), measure.to_owned());
        let change = Change { game, measure, old: before as f64, new: after as f64 };
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

/// A measurement, whatever it is of.
struct Measurement<'run> {
    status: Status,
    reason: Option<&'run String>,
    time: Option<&'run Times>,
    counts: BTreeMap<&'static str, u64>,
    bytes: BTreeMap<&'static str, u64>,
}

fn measurements(record: &Record) -> BTreeMap<String, Measurement<'_>> {
    let known = |counts: &[(&'static str, Option<u64>)]| {
        counts.iter().filter_map(|&(name, count)| Some((name, count?))).collect()
    };
    let domains = record.domains.iter().map(|(name, it)| {
        let measurement = Measurement {
            status: it.status,
            reason: it.reason.as_ref(),
            time: it.time.as_ref(),
            counts: known(&[("base", it.base), ("input", it.input)]),
            bytes: BTreeMap::new(),
        };
        (name.clone(), measurement)
    });
    let groundings = record.groundings.iter().map(|(name, it)| {
        let measurement = Measurement {
            status: it.status,
            reason: it.reason.as_ref(),
            time: it.time.as_ref(),
            counts: known(&[
                ("base", it.base),
                ("input", it.input),
                ("rules", it.rules),
                ("literals", it.literals),
                ("components", it.components),
            ]),
            bytes: known(&[("table bytes", it.table_bytes), ("rule bytes", it.rule_bytes)]),
        };
        (name.clone(), measurement)
    });
    let mut all: BTreeMap<String, Measurement<'_>> = domains.chain(groundings).collect();
    if all.is_empty() {
        let nothing = Measurement {
            status: record.status,
            reason: record.reason.as_ref(),
            time: None,
            counts: BTreeMap::new(),
            bytes: BTreeMap::new(),
        };
        all.insert("parse".to_owned(), nothing);
    }
    all
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
