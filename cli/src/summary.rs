//! The summary for people.

use std::time::Duration;

use groundfrog_memory::Allocator;

use crate::peak_memory;
use crate::quantities::{size, time};
use crate::statistics::{Counts, Outcome};

/// A peak of memory, in bytes, that nobody needs to know more precisely.
const LITTLE: u64 = 20 << 20;
/// What code and stacks need of it, at most.
const REST: u64 = 16 << 20;

/// What a run did, in a few lines.
pub(crate) fn text(name: &str, outcome: &Outcome, total: Duration) -> String {
    let mut text = String::new();
    if let Some(counts) = &outcome.counts {
        text += &format!(
            "{name}: {} ground rules, {} atoms, base {}, input {}\n",
            counts.rules, counts.atoms, counts.base, counts.input
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
///
/// The system writes two kilobytes of text to tell it, which takes some 4 % of a small game: that is not asked for where
/// the allocator knows that it is little.
fn peak() -> String {
    if Allocator::most_mapped().is_some_and(|it| it as u64 <= LITTLE - REST) {
        return format!("; peak memory below {}", size(LITTLE));
    }
    peak_memory::peak().map_or_else(String::new, |peak| format!("; peak memory {}", size(peak)))
}
