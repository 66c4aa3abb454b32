//! A comparison for people.

use std::fmt::{self, Write};

use super::changes::{Change, Comparison, ENOUGH_RUNS, Turn};
use crate::quantities::{size, time};
use crate::summary::games;
use groundfrog::visible::visible;

/// How many changes of a kind are listed.
const MOST_LISTED: usize = 30;

impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for remark in &self.remarks {
            writeln!(out, "note: {remark}")?;
        }
        for overall in &self.overall {
            writeln!(
                out,
                "{}: {:.3} of the time (geometric mean of {})",
                overall.measure,
                overall.ratio,
                games(overall.games)
            )?;
        }
        changes(out, "other results for the same rules", &self.contradictions)?;
        turns(out, "lost", "now", &self.lost)?;
        turns(out, "newly solved", "before", &self.solved)?;
        changes(out, "slower", &self.slower)?;
        changes(out, "faster", &self.faster)?;
        let unclear = format!("cannot be told apart with fewer than {ENOUGH_RUNS} runs");
        changes(out, &unclear, &self.unclear)?;
        changes(out, "larger", &self.larger)?;
        changes(out, "smaller", &self.smaller)?;
        if self.is_same() && self.unclear.is_empty() {
            writeln!(out, "no change beyond the noise")?;
        }
        Ok(())
    }
}

impl Comparison {
    fn is_same(&self) -> bool {
        let changes =
            [&self.contradictions, &self.slower, &self.faster, &self.larger, &self.smaller];
        changes.iter().all(|it| it.is_empty()) && self.lost.is_empty() && self.solved.is_empty()
    }
}

/// A measure without a colon is a time, one with `bytes` or `memory` is a size, and all others are counts.
fn changes(out: &mut fmt::Formatter<'_>, title: &str, changes: &[Change]) -> fmt::Result {
    lines(out, title, changes, |change| {
        let measure = &change.measure;
        let write = |number: f64| match () {
            () if measure.ends_with("bytes") || measure.ends_with("memory") => size(number as u64),
            () if measure.contains(':') => format!("{number:.0}"),
            () => time(number),
        };
        let (old, new) = (write(change.old), write(change.new));
        format!("{:7.2}  {} {measure}: {old} to {new}", change.ratio(), visible(&change.game))
    })
}

fn turns(out: &mut fmt::Formatter<'_>, title: &str, when: &str, turns: &[Turn]) -> fmt::Result {
    lines(out, title, turns, |turn| {
        let mut line = format!("{} {}", visible(&turn.game), turn.measure);
        if let Some(reason) = &turn.reason {
            // A string takes everything.
            let _ = write!(line, "; {when}: {reason}");
        }
        line
    })
}

fn lines<T>(
    out: &mut fmt::Formatter<'_>,
    title: &str,
    all: &[T],
    line: impl Fn(&T) -> String,
) -> fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", all.len())?;
    for one in all.iter().take(MOST_LISTED) {
        writeln!(out, "  {}", line(one))?;
    }
    match all.len().saturating_sub(MOST_LISTED) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more"),
    }
}
