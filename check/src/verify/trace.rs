//! Recorded playouts.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Playouts by a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    positions: Vec<TracePosition>,
}

/// A state of a recorded playout and what the reference says of it. All terms are KIF.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TracePosition {
    /// The number of the playout, from 0.
    pub playout: u32,
    /// Joint moves made so far.
    pub step: u32,
    /// The fluents.
    pub state: Vec<String>,
    /// The legal moves by role; none for any role if they were not recorded.
    #[serde(default)]
    pub legal: BTreeMap<String, Vec<String>>,
    /// Whether the playout ends here.
    pub terminal: bool,
    /// The goal values by role; none for any role if they were not recorded.
    #[serde(default)]
    pub goal: BTreeMap<String, Vec<i64>>,
    /// The moves that lead to the next position; none at the end.
    #[serde(rename = "move")]
    pub moves: Option<BTreeMap<String, String>>,
}

impl TracePosition {
    fn place(&self) -> (u32, u32) {
        (self.playout, self.step)
    }
}

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the trace: {fault}")]
pub struct TraceError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub fault: TraceFault,
}

/// What is wrong with a line of a trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceFault {
    /// It is no position.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The position was recorded before.
    #[error("step {step} of playout {playout} was recorded in line {first} already")]
    Twice {
        /// The number of the playout.
        playout: u32,
        /// Joint moves made so far.
        step: u32,
        /// Where it was recorded.
        first: usize,
    },
}

impl Trace {
    /// Reads a trace: JSON, one position a line, in any order. An incomplete last line is left out: a recording may have
    /// been cut off.
    ///
    /// # Errors
    /// A line that is no position, or one that was recorded before.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut recorded: Vec<(TracePosition, usize)> = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(position) => recorded.push((position, number + 1)),
                Err(cause) if cause.is_eof() && !text.ends_with('\n') => break,
                Err(cause) => return Err(TraceError { line: number + 1, fault: cause.into() }),
            }
        }
        // Stable, so that a line comes after the one that it repeats.
        recorded.sort_by_key(|(position, _)| position.place());
        let pairs = recorded.windows(2).filter(|pair| pair[0].0.place() == pair[1].0.place());
        if let Some([(_, first), (position, line)]) = pairs.min_by_key(|pair| pair[1].1) {
            let (playout, step) = position.place();
            let fault = TraceFault::Twice { playout, step, first: *first };
            return Err(TraceError { line: *line, fault });
        }
        Ok(Trace { positions: recorded.into_iter().map(|(position, _)| position).collect() })
    }

    /// A trace of positions that are given playout by playout and step by step.
    pub fn new(positions: Vec<TracePosition>) -> Self {
        Trace { positions }
    }

    /// The positions, playout by playout and step by step.
    pub fn positions(&self) -> &[TracePosition] {
        &self.positions
    }

    /// The positions of each playout.
    pub(super) fn playouts(&self) -> impl Iterator<Item = &[TracePosition]> {
        self.positions.chunk_by(|one, next| one.playout == next.playout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(playout: u32, step: u32) -> String {
        format!(
            "{{\"playout\":{playout},\"step\":{step},\"state\":[],\"legal\":{{}},\"terminal\":false,\
             \"goal\":{{}},\"move\":null}}\n"
        )
    }

    fn places(trace: &Trace) -> Vec<(u32, u32)> {
        trace.positions().iter().map(TracePosition::place).collect()
    }

    #[test]
    fn lines_may_be_in_any_order() {
        let text = [line(1, 1), line(0, 0), line(1, 0), line(0, 2)].concat();
        let trace = Trace::parse(&text).expect("four positions");
        assert_eq!(places(&trace), [(0, 0), (0, 2), (1, 0), (1, 1)]);
        assert_eq!(trace.playouts().map(<[_]>::len).collect::<Vec<_>>(), [2, 2]);
    }

    #[test]
    fn a_step_is_recorded_once() {
        let text = [line(1, 1), line(0, 0), line(0, 7), line(1, 1), line(0, 0)].concat();
        let error = Trace::parse(&text).expect_err("two are recorded twice");
        let expected = "line 4 of the trace: step 1 of playout 1 was recorded in line 1 already";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_recording_may_have_been_cut_off() {
        let text = [line(0, 0), line(0, 1)].concat();
        let trace = Trace::parse(&text[..text.len() - 5]).expect("a position and a half");
        assert_eq!(places(&trace), [(0, 0)]);
        let error = Trace::parse("{\"playout\":0}\n").expect_err("a line without its step");
        assert_eq!(error.line, 1);
    }
}
