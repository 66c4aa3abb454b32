//! What `bench` writes: one line of JSON a game. `docs/benchmarking.md` describes every field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the fields below; it grows when one changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// What was measured of one game. Times are in seconds, sizes in bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub domains: BTreeMap<String, Domains>,
    /// Whether all methods found the same base and input; none if fewer than two were done.
    pub domains_agree: Option<bool>,
    /// By `flat` or `compact`.
    pub groundings: BTreeMap<String, Grounding>,
}

/// What was requested. Records with other options are not measured anew by `--resume`, and `compare` says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// How many cores the machine has.
    pub cores: usize,
    /// What its processor is called, if that is known.
    pub model: Option<String>,
    /// Its memory in bytes, if that is known.
    pub memory: Option<u64>,
}

/// How something went. The names are those of the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Everything was done.
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

/// The computation of base and input by one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Domains {
    /// How it ended.
    pub status: Status,
    /// Why it did not end well.
    pub reason: Option<String>,
    /// Parsing and rewriting not included.
    pub time: Option<Times>,
    /// How many atoms of `base` there are.
    pub base: Option<u64>,
    /// How many atoms of `input` there are.
    pub input: Option<u64>,
    /// Rounds: of the fixpoint in one step, of the growth after the fake match iteratively.
    pub rounds: Option<u64>,
}

/// Grounding to one form, from the text to the written result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grounding {
    /// How it ended.
    pub status: Status,
    /// Why it did not end well.
    pub reason: Option<String>,
    /// How long it took.
    pub time: Option<Times>,
    /// By the name of the stage: parse, rewrite, domains, decompose, store, simplify, compact, assemble, emit.
    pub stages: BTreeMap<String, Times>,
    /// How many atoms of `base` there are.
    pub base: Option<u64>,
    /// How many atoms of `input` there are.
    pub input: Option<u64>,
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
    /// Of a process that does this once and nothing else.
    #[serde(default)]
    pub peak_memory: Option<u64>,
}

/// Wall-clock times of repeated runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The median of all runs, in seconds.
    pub median: f64,
    /// In the order they were run; warm-ups not included.
    pub runs: Vec<f64>,
}
