//! Statistics for programs: `--json-stats`. `docs/command-line.md` describes every field.

use std::time::Duration;

use groundfrog::ground::Grounding;
use groundfrog::visible::{visible, visible_json};
use groundfrog_benches::machine;
use groundfrog_benches::quantities::{size, time};
use serde::Serialize;

use crate::arguments::{Form, GroundArguments, name_of};
use crate::failure::{Exit, Failure};

/// The version of the fields below; it grows when one changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// What is reported about one run.
#[derive(Debug, Serialize)]
pub(crate) struct RunStatistics {
    schema: u32,
    version: &'static str,
    game: String,
    domains: String,
    engine: String,
    form: Form,
    threads: usize,
    status: Exit,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    seconds: f64,
    stages: Vec<StageSeconds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
}

/// The time of one stage.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct StageSeconds {
    pub(crate) stage: &'static str,
    pub(crate) seconds: f64,
}

/// What was found.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Counts {
    pub(crate) roles: usize,
    pub(crate) init: usize,
    pub(crate) base: usize,
    pub(crate) input: usize,
    pub(crate) atoms: usize,
    pub(crate) rules: usize,
    pub(crate) literals: usize,
    pub(crate) flat_rules: u64,
    pub(crate) answers: u64,
    pub(crate) tuples: u64,
    pub(crate) rounds: u64,
    pub(crate) matches: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fake_match_states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) growth_rounds: Option<u64>,
    pub(crate) table_bytes: u64,
    pub(crate) rule_bytes: u64,
}

impl Counts {
    /// The counts of a ground game.
    pub(crate) fn new(grounding: &Grounding) -> Self {
        let (game, report) = (&grounding.game, &grounding.report);
        Counts {
            roles: game.roles().len(),
            init: game.init().len(),
            base: game.fluents().len(),
            input: game.inputs().len(),
            atoms: game.atom_count(),
            rules: game.rules().len(),
            literals: game.rules().literal_count(),
            flat_rules: report.flat_rules,
            answers: report.answers,
            tuples: report.tuples,
            rounds: report.rounds,
            matches: report.matches,
            fake_match_states: report.iterations.map(|it| it.fake_match),
            growth_rounds: report.iterations.map(|it| it.growth),
            table_bytes: report.table_bytes,
            rule_bytes: report.rule_bytes,
        }
    }
}

/// What a run did: the stages that were finished, and the counts if all were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) stages: Vec<StageSeconds>,
    pub(crate) counts: Option<Counts>,
}

impl Outcome {
    /// Adds a stage that was finished.
    pub(crate) fn add(&mut self, stage: &'static str, time: Duration) {
        self.stages.push(StageSeconds { stage, seconds: time.as_secs_f64() });
    }

    /// Adds what the grounder did.
    pub(crate) fn note(&mut self, grounding: &Grounding) {
        for stage in &grounding.report.stages {
            self.add(stage.stage.name(), stage.time);
        }
        self.counts = Some(Counts::new(grounding));
    }
}

impl RunStatistics {
    /// What is reported about a run.
    pub(crate) fn new(
        arguments: &GroundArguments,
        outcome: &Outcome,
        failure: Option<&Failure>,
        seconds: f64,
    ) -> Self {
        let exit = failure.map_or(Exit::Success, Failure::exit);
        RunStatistics {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            game: arguments.input.game.to_string_lossy().into_owned(),
            domains: name_of(arguments.method.domains),
            engine: name_of(arguments.engine),
            form: arguments.rules.form(),
            threads: arguments.threads,
            status: exit,
            exit_code: exit.code(),
            message: failure.map(ToString::to_string),
            seconds,
            stages: outcome.stages.clone(),
            counts: outcome.counts,
            peak_memory_bytes: machine::peak_memory(),
        }
    }

    /// One line of JSON, without a line end.
    pub(crate) fn line(&self) -> String {
        let line = serde_json::to_string(self).expect("numbers and strings can always be written");
        visible_json(&line).into_owned()
    }
}

// The summary for people.

/// What a run did, in a few lines.
pub(crate) fn summary(name: &str, outcome: &Outcome, total: Duration) -> String {
    let mut text = String::new();
    if let Some(counts) = &outcome.counts {
        text += &format!(
            "{}: {} ground rules, {} atoms, base {}, input {}\n",
            visible(name),
            counts.rules,
            counts.atoms,
            counts.base,
            counts.input
        );
    }
    let stages: Vec<String> =
        outcome.stages.iter().map(|it| format!("{} {}", it.stage, time(it.seconds))).collect();
    text += &format!("time: {}; in all {}\n", stages.join(", "), time(total.as_secs_f64()));
    if let Some(counts) = &outcome.counts {
        text += &work(counts);
    }
    text
}

fn work(counts: &Counts) -> String {
    let mut text = format!("tables: {} tuples in {} rounds", counts.tuples, counts.rounds);
    if let (Some(states), Some(growth)) = (counts.fake_match_states, counts.growth_rounds) {
        text += &format!(" (fake match of {states} states, {growth} iterations)");
    }
    text += &format!(", {}\n", size(counts.table_bytes));
    text += &format!(
        "rules: {} stored, from {} answers, {}",
        counts.flat_rules,
        counts.answers,
        size(counts.rule_bytes)
    );
    text + &peak() + "\n"
}

/// The peak of memory, if it is known.
fn peak() -> String {
    machine::peak_memory().map_or_else(String::new, |peak| format!("; peak memory {}", size(peak)))
}
