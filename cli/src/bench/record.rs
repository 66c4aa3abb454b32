//! What `bench` writes: one line of JSON a game. `docs/benchmarking.md` describes every field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the fields below; it grows when one changes its meaning or goes away.
pub(crate) const SCHEMA: u32 = 1;

/// What was measured of one game. Times are in seconds, sizes in bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) schema: u32,
    /// The name of the file without folders and ending.
    pub(crate) game: String,
    /// The file as it was named or found.
    pub(crate) file: String,
    /// SHA-256 of the file in hexadecimal; none if it could not be read.
    pub(crate) sha256: Option<String>,
    /// The version of this program.
    pub(crate) version: String,
    pub(crate) options: Options,
    pub(crate) machine: Machine,
    /// How the game as a whole went: `ok`, or the worst of its measurements.
    pub(crate) status: Status,
    /// Why it did not go well: one line for people.
    pub(crate) reason: Option<String>,
    /// User and system time of the worker process, all runs and warm-ups together.
    pub(crate) cpu: Option<f64>,
    /// Wall-clock time of the worker process.
    pub(crate) wall: f64,
    /// Of the worker process.
    pub(crate) peak_memory: Option<u64>,
    /// None if the description could not be parsed.
    pub(crate) description: Option<Description>,
    /// By `one-step` or `iterative`.
    pub(crate) domains: BTreeMap<String, Domains>,
    /// Whether all methods found the same base and input; none if fewer than two were done.
    pub(crate) domains_agree: Option<bool>,
    /// By `flat` or `compact`.
    pub(crate) groundings: BTreeMap<String, Grounding>,
}

/// What was asked for. Records with other options are not measured anew by `--resume`, and `compare` says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Options {
    pub(crate) domains: String,
    pub(crate) forms: Vec<String>,
    pub(crate) threads: usize,
    pub(crate) runs: usize,
    pub(crate) warm_up: usize,
    /// Milliseconds for each single measurement.
    pub(crate) time_limit: u64,
    pub(crate) memory_limit: Option<u64>,
}

/// Where it was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) model: Option<String>,
    pub(crate) memory: Option<u64>,
}

/// How something went. The names are those of the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
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
pub(crate) struct Description {
    pub(crate) bytes: u64,
    pub(crate) rules: u64,
    /// Literals in bodies, and one for each head.
    pub(crate) literals: u64,
}

/// The computation of base and input by one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Domains {
    pub(crate) status: Status,
    pub(crate) reason: Option<String>,
    /// Parsing and rewriting not included.
    pub(crate) time: Option<Times>,
    pub(crate) base: Option<u64>,
    pub(crate) input: Option<u64>,
    /// Rounds: of the fixpoint in one step, of the growth after the fake match iteratively.
    pub(crate) rounds: Option<u64>,
}

/// Grounding to one form, from the text to the written result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grounding {
    pub(crate) status: Status,
    pub(crate) reason: Option<String>,
    pub(crate) time: Option<Times>,
    /// By the name of the stage: parse, rewrite, domains, decompose, store, simplify, compact, assemble, emit.
    pub(crate) stages: BTreeMap<String, Times>,
    pub(crate) base: Option<u64>,
    pub(crate) input: Option<u64>,
    pub(crate) atoms: Option<u64>,
    pub(crate) rules: Option<u64>,
    /// Of all bodies, and one for each head.
    pub(crate) literals: Option<u64>,
    /// Of the propositional network.
    pub(crate) components: Option<u64>,
    pub(crate) table_bytes: Option<u64>,
    pub(crate) rule_bytes: Option<u64>,
    /// Of a process that does this once and nothing else.
    #[serde(default)]
    pub(crate) peak_memory: Option<u64>,
}

/// Wall-clock times of repeated runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    pub(crate) median: f64,
    /// In the order they were run; warm-ups not included.
    pub(crate) runs: Vec<f64>,
}
