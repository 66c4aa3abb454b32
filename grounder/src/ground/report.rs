//! What grounding did and how long it took.

use std::time::Duration;
use web_time::Instant;

use groundfrog_engine::Tables;
use groundfrog_engine::observe::EvaluationStatistics;

use crate::domains::Iterations;

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// From text to description; whoever parses measures it.
    Parse,
    /// Or-elimination, static/dynamic split, checks, sentence forms.
    Rewrite,
    /// The fixpoint that gives base, input and all tables.
    Domains,
    /// Rules are split, auxiliary predicates evaluated.
    Decompose,
    /// The store pass.
    Store,
    /// Simplification to the residual.
    Simplify,
    /// Passes over ground rules that make the game compact.
    Compact,
    /// Atom numbers, roles, moves and goals.
    Assemble,
}

impl Stage {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Parse => "parse",
            Stage::Rewrite => "rewrite",
            Stage::Domains => "domains",
            Stage::Decompose => "decompose",
            Stage::Store => "store",
            Stage::Compact => "compact",
            Stage::Simplify => "simplify",
            Stage::Assemble => "assemble",
        }
    }
}

/// How long a stage took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageTime {
    /// The stage.
    pub stage: Stage,
    /// Wall-clock time.
    pub time: Duration,
}

/// What grounding did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The stages, in order.
    pub stages: Vec<StageTime>,
    /// Tuples in all tables.
    pub tuples: u64,
    /// Semi-naive rounds of the domain computation.
    pub rounds: u64,
    /// Rows that the joins of the domain computation looked at.
    pub matches: u64,
    /// Iterations, where base and input were computed iteratively.
    pub iterations: Option<Iterations>,
    /// Answers of g(R): store calls, repeated ones included.
    pub answers: u64,
    /// Rules of the flat program.
    pub flat_rules: u64,
    /// Bytes in all tables when the store pass ended.
    pub table_bytes: u64,
    /// Bytes of the ground rules.
    pub rule_bytes: u64,
}

impl Report {
    /// Runs a stage and notes its time.
    pub(super) fn time<T>(&mut self, stage: Stage, run: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = run(self);
        self.stages.push(StageTime { stage, time: start.elapsed() });
        result
    }

    /// Notes what the domain computation did.
    pub(super) fn note(&mut self, statistics: &EvaluationStatistics, tables: &Tables) {
        self.tuples = statistics.tuples;
        self.rounds = statistics.rounds;
        self.matches = statistics.matches;
        self.table_bytes = tables.bytes();
    }

    /// The time of all stages together.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|it| it.time).sum()
    }
}
