//! The summary for people.

use std::time::Duration;

use groundfrog_memory::Allocator;

use crate::peak_memory;
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

/// Seconds with three digits and a unit.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 0.9995 => format!("{} s", three_digits(seconds)),
        _ if seconds >= 0.000_999_5 => format!("{} ms", three_digits(seconds * 1e3)),
        _ => format!("{} µs", three_digits(seconds * 1e6)),
    }
}

/// A number of bytes with three digits and a unit.
pub(crate) fn size(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["bytes", "KiB", "MiB"] {
        if size < 999.5 {
            return format!(
                "{} {unit}",
                if unit == "bytes" { bytes.to_string() } else { three_digits(size) }
            );
        }
        size /= 1024.0;
    }
    format!("{} GiB", three_digits(size))
}

/// A number below a thousand, or a few more. Without the formatter of floating-point numbers, which is long and which
/// nothing else in a run asks for.
fn three_digits(number: f64) -> String {
    let (scale, decimals) = match number {
        _ if number < 9.995 => (100_u64, 2),
        _ if number < 99.95 => (10, 1),
        _ => (1, 0),
    };
    let scaled = (number * scale as f64).round() as u64;
    let (whole, rest) = (scaled / scale, scaled % scale);
    if decimals == 0 { whole.to_string() } else { format!("{whole}.{rest:0decimals$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(time(0.000_000_5), "0.50 µs");
        assert_eq!(time(0.012_34), "12.3 ms");
        assert_eq!(time(0.9999), "1.00 s");
        assert_eq!(time(123.4), "123 s");
        assert_eq!(size(12), "12 bytes");
        assert_eq!(size(1000), "0.98 KiB");
        assert_eq!(size(3 << 29), "1.50 GiB");
        assert_eq!(size(12 << 20), "12.0 MiB");
    }
}
