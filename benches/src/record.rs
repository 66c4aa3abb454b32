//! What `bench` writes: one line of JSON a game. `docs/benchmarking.md` describes every field.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::job::Task;
use crate::quantities::size;

/// The version of the fields below; it grows when one changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// What was measured of one game. Times are in seconds, sizes in bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this format.
    pub schema: u32,
    /// The name of the file without folders and ending.
    pub game: String,
    /// The file as it was named or found.
    pub file: String,
    /// SHA-256 of the file in hexadecimal; none if it could not be read.
    pub sha256: Option<String>,
    /// The version of this program.
    pub version: String,
    /// How it is measured.
    pub options: Options,
    /// Where it is measured.
    pub machine: Machine,
    /// How the game as a whole went: `ok`, or the worst of its measurements.
    pub status: Status,
    /// Why it did not go well: one line for people.
    pub reason: Option<String>,
    /// User and system time of the worker process, all runs and warm-ups together.
    pub cpu: Option<f64>,
    /// Wall-clock time of the worker process.
    pub wall: f64,
    /// Of the worker process.
    pub peak_memory: Option<u64>,
    /// None if the description could not be parsed.
    pub description: Option<Description>,
    /// By `one-step` or `iterative`.
    pub domains: BTreeMap<String, Measurement>,
    /// Whether all methods found the same base and input; none if fewer than two were done.
    pub domains_agree: Option<bool>,
    /// By `flat` or `compact`.
    pub groundings: BTreeMap<String, Measurement>,
}

/// What was requested. Records with other options are not measured anew by `--resume`, and `compare` says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Which computations of base and input are measured.
    pub domains: String,
    /// Which forms are grounded: flat, compact.
    pub forms: Vec<String>,
    /// How many threads ground a game.
    pub threads: usize,
    /// How often each task is measured.
    pub runs: usize,
    /// How often each task is done before it is measured.
    pub warm_up: usize,
    /// Milliseconds for each single measurement.
    pub time_limit: u64,
    /// What each task may use, in bytes.
    pub memory_limit: Option<u64>,
}

/// Where it was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// How many cores the machine has.
    pub cores: usize,
    /// What its processor is called, if that is known.
    pub model: Option<String>,
    /// Its memory in bytes, if that is known.
    pub memory: Option<u64>,
}

/// How something went. The names are those of the exit codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Everything was done.
    #[default]
    Ok,
    /// The description is at fault.
    Description,
    /// Terms grow without bound.
    Unbounded,
    /// A limit of time, memory or rules.
    Limit,
    /// The file could not be read.
    Io,
    /// Two methods disagree: an error of this program.
    Disagreement,
    /// The worker died: an error of this program.
    Crash,
}

impl Status {
    /// All of them, from the best to the worst.
    pub(crate) const ALL: [Status; 7] = [
        Status::Ok,
        Status::Description,
        Status::Unbounded,
        Status::Limit,
        Status::Io,
        Status::Disagreement,
        Status::Crash,
    ];

    /// What it is called in summaries.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Description => "at fault",
            Status::Unbounded => "unbounded",
            Status::Limit => "over the limit",
            Status::Io => "not read",
            Status::Disagreement => "DISAGREEMENT",
            Status::Crash => "CRASHED",
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.model.as_deref().unwrap_or("unknown processor");
        let memory = self.memory.map_or("memory unknown".to_owned(), size);
        write!(out, "{} cores, {model}, {memory}", self.cores)
    }
}

impl Record {
    /// How a measurement went, if it began.
    pub(crate) fn measured(&self, task: Task) -> Option<&Measurement> {
        self.domains.get(task.name()).or_else(|| self.groundings.get(task.name()))
    }

    /// Whether it was requested, be it done or not.
    pub(crate) fn is_requested(&self, task: Task) -> bool {
        let (name, options) = (task.name(), &self.options);
        let is_named = match task.is_domains() {
            true => [name, "both"].contains(&options.domains.as_str()),
            false => options.forms.iter().any(|it| it == name),
        };
        is_named || self.measured(task).is_some()
    }

    /// How it ended, and why if not well. What never began ended as the whole game did.
    pub(crate) fn outcome(&self, task: Task) -> (Status, Option<&str>) {
        let (status, reason) = match self.measured(task) {
            Some(it) => (it.status, it.reason.as_deref()),
            None => (self.status, self.reason.as_deref()),
        };
        (if status == Status::Ok { Status::Crash } else { status }, reason)
    }

    /// The median of the wall-clock times, in seconds, if it was done.
    pub(crate) fn seconds(&self, task: Task) -> Option<f64> {
        self.done(task)?.time.as_ref().map(|it| it.median)
    }

    /// A count of the ground game, if it was made.
    pub(crate) fn size(&self, task: Task, count: impl Fn(&Counts) -> Option<u64>) -> Option<u64> {
        self.done(task).and_then(|it| count(&it.counts))
    }

    fn done(&self, task: Task) -> Option<&Measurement> {
        self.measured(task).filter(|it| it.status == Status::Ok)
    }

    /// Base and input, from whatever measurement found them.
    pub(crate) fn counts(&self) -> Option<(u64, u64)> {
        let mut all = self.domains.values().chain(self.groundings.values());
        all.find_map(|it| Some((it.counts.base?, it.counts.input?)))
    }
}

/// The size of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The length of the text, in bytes.
    pub bytes: u64,
    /// How many rules there are.
    pub rules: u64,
    /// Literals in bodies, and one for each head.
    pub literals: u64,
}

/// The computation of base and input by one method, or grounding to one form, from the text to the written result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// How it ended.
    pub status: Status,
    /// Why it did not end well.
    pub reason: Option<String>,
    /// How long it took; of base and input without parsing and rewriting.
    pub time: Option<Times>,
    /// By the name of the stage: parse, rewrite, domains, decompose, store, simplify, compact, assemble, emit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stages: BTreeMap<String, Times>,
    /// What was counted.
    #[serde(flatten)]
    pub counts: Counts,
    /// Of a process that does this once and nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
}

/// What is counted of a game. What a measurement does not count, or did not come to, is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// How many atoms of `base` there are.
    pub base: Option<u64>,
    /// How many atoms of `input` there are.
    pub input: Option<u64>,
    /// Rounds: of the fixpoint in one step, of the growth after the fake match iteratively.
    pub rounds: Option<u64>,
    /// How many atoms there are.
    pub atoms: Option<u64>,
    /// How many rules there are.
    pub rules: Option<u64>,
    /// Of all bodies, and one for each head.
    pub literals: Option<u64>,
    /// Of the propositional network.
    pub components: Option<u64>,
    /// Memory of the tables, in bytes.
    pub table_bytes: Option<u64>,
    /// Memory of the ground rules, in bytes.
    pub rule_bytes: Option<u64>,
}

/// Wall-clock times of repeated runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The median of all runs, in seconds.
    pub median: f64,
    /// In the order they were run; warm-ups not included.
    pub runs: Vec<f64>,
}
