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
        list(out, "other results for the same rules", &self.contradictions, |it| it.to_string())?;
        turns(out, "lost", "now", &self.lost)?;
        turns(out, "newly solved", "before", &self.solved)?;
        let seconds = |number: f64| time(number);
        list(out, "slower", &self.slower, seconds)?;
        list(out, "faster", &self.faster, seconds)?;
        let unclear = format!("cannot be told apart with fewer than {ENOUGH_RUNS} runs");
        list(out, &unclear, &self.unclear, seconds)?;
        sizes(out, "larger", &self.larger)?;
        sizes(out, "smaller", &self.smaller)?;
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

fn list(
    out: &mut fmt::Formatter<'_>,
    title: &str,
    changes: &[Change],
    write: impl Fn(f64) -> String,
) -> fmt::Result {
    lines(out, title, changes, |change| {
        let (old, new) = (write(change.old), write(change.new));
        format!(
            "{:7.2}  {} {}: {old} to {new}",
            change.ratio(),
            visible(&change.game),
            change.measure
        )
    })
}

fn sizes(out: &mut fmt::Formatter<'_>, title: &str, changes: &[Change]) -> fmt::Result {
    lines(out, title, changes, |change| {
        let is_bytes = change.measure.ends_with("bytes") || change.measure.ends_with("memory");
        let write =
            |number: f64| if is_bytes { size(number as u64) } else { format!("{number:.0}") };
        let (old, new) = (write(change.old), write(change.new));
        format!(
            "{:7.2}  {} {}: {old} to {new}",
            change.ratio(),
            visible(&change.game),
            change.measure
        )
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
