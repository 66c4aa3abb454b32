//! The summary for people.

use std::time::Duration;

use groundfrog::visible::visible;

use crate::statistics::{Counts, Outcome};
use groundfrog_benches::peak_memory;
use groundfrog_benches::quantities::{size, time};

/// What a run did, in a few lines.
pub(crate) fn text(name: &str, outcome: &Outcome, total: Duration) -> String {
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
    peak_memory::peak().map_or_else(String::new, |peak| format!("; peak memory {}", size(peak)))
}
