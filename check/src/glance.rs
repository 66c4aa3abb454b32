//! What a few short matches show, besides what the text itself says.

use web_time::Instant;

use groundfrog::description::Description;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::{Observer, Silent};
use groundfrog_reasoner::GroundReasoner;

use super::explore::{Exploration, ExploreOptions, SampleOptions, glance};
use super::knowledge::know;
use super::{CheckOptions, CheckReport, Fragment, check};

/// So many short matches are looked at.
const MATCHES: SampleOptions = SampleOptions { playouts: 5, seed: 0, max_length: 200 };
/// So many joint moves are followed to see what roles know.
const MOST_MOVES: u64 = 4096;
/// So many states are visited where none of those matches ends.
const MOST_STATES: u64 = 1 << 14;
/// Only at descriptions with no more statements: the time is for what the text says.
const MOST_STATEMENTS: usize = 10_000;
/// Games whose ground rules take more bytes, or are more, are not looked at so.
const MOST_BYTES: u64 = 64 << 20;
const MOST_RULES: u64 = 1 << 18;

/// What [`check`] finds, and what a glance at a few matches shows, all of it within the limits of the options.
pub fn check_and_glance(
    description: &Description,
    options: &CheckOptions,
    seed: u64,
) -> CheckReport {
    let start = Instant::now();
    let report = check(description, options);
    let time = options.limits.time.map(|it| it.saturating_sub(start.elapsed()));
    let limits = Limits { time, ..options.limits.clone() };
    report.with_glance(description, options, &limits, seed, &mut Silent)
}

impl CheckReport {
    /// Adds what a glance at a few matches shows; of what is no bounded game nothing.
    #[must_use]
    pub fn with_glance(
        mut self,
        description: &Description,
        options: &CheckOptions,
        limits: &Limits,
        seed: u64,
        progress: &mut dyn Observer,
    ) -> Self {
        if !matches!(self.fragment, Fragment::Propositional | Fragment::Bounded) {
            return self;
        }
        match look(description, limits, seed, progress) {
            Ok(sampled) => self.with_findings(&sampled, description, options),
            Err(reason) => {
                self.undecided.get_or_insert_with(|| format!("what a few matches show: {reason}"));
                self
            }
        }
    }
}

/// What the initial state and a few matches show, or why they are not looked at.
fn look(
    description: &Description,
    limits: &Limits,
    seed: u64,
    progress: &mut dyn Observer,
) -> Result<Exploration, String> {
    if description.statements.len() > MOST_STATEMENTS {
        return Err(format!("there are more than {MOST_STATEMENTS} statements"));
    }
    // Not all of it: what is made last takes its time as well.
    let time = limits.time.map(|it| it / 2);
    let memory = Some(limits.memory.map_or(MOST_BYTES, |it| it.min(MOST_BYTES)));
    let limits = Limits { time, memory, rules: Some(MOST_RULES), ..limits.clone() };
    let budget = limits.budget();
    let late = || budget.is_over();
    let stop = limits.stop.clone();
    let options = GroundOptions { limits, ..GroundOptions::compact() };
    let reasoner = GroundReasoner::of_description(description, &options, progress);
    let mut reasoner = reasoner.map_err(|error| error.brief())?;
    if late() {
        return Err("the time is over".to_owned());
    }
    let few = ExploreOptions {
        states: MOST_STATES,
        memory: MOST_BYTES,
        time: budget.left().map(|it| it / 2),
        stop,
        ..ExploreOptions::default()
    };
    let matches = SampleOptions { seed, ..MATCHES };
    let mut sampled = glance(&mut reasoner, &matches, &few, &mut |_| !late());
    sampled.knowledge =
        know(&mut reasoner, MOST_MOVES, &mut || !late()).map_err(|error| error.to_string())?;
    Ok(sampled)
}
