//! Recorded playouts.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::difference::{Difference, Subject, first_difference, of_states};
use super::error::VerifyError;
use super::sides::answers;
use crate::reasoner::{Reasoner, State};

/// Playouts by a reference, one position a line of JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The positions, playout by playout and step by step.
    pub positions: Vec<TracePosition>,
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
    /// The legal moves by role.
    pub legal: BTreeMap<String, Vec<String>>,
    /// Whether the playout ends here.
    pub terminal: bool,
    /// The goal values by role.
    pub goal: BTreeMap<String, Vec<i64>>,
    /// The moves that lead to the next position; none at the end.
    #[serde(rename = "move")]
    pub moves: Option<BTreeMap<String, String>>,
}

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the trace: {cause}")]
pub struct TraceError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub cause: serde_json::Error,
}

impl Trace {
    /// Reads a trace: JSON lines. An incomplete last line is left out: a recording may have been cut off.
    ///
    /// # Errors
    /// A line that is no position.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut positions = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(position) => positions.push(position),
                Err(cause) if cause.is_eof() && !text.ends_with('\n') => break,
                Err(cause) => return Err(TraceError { line: number + 1, cause }),
            }
        }
        Ok(Trace { positions })
    }

    /// The position after another of this trace, if it is recorded.
    pub(super) fn successor(&self, position: &TracePosition) -> Option<&TracePosition> {
        let key = (position.playout, position.step + 1);
        let found = self.positions.binary_search_by_key(&key, |it| (it.playout, it.step));
        found.ok().map(|index| &self.positions[index])
    }
}

/// The first difference between what a reasoner says of a position and what is recorded.
pub(super) fn compare(
    tested: &mut dyn Reasoner,
    position: &TracePosition,
    successor: Option<&TracePosition>,
) -> Result<Option<Difference>, VerifyError> {
    let roles: Vec<String> = tested.role_ids().map(|it| tested.role_text(it)).collect();
    if roles.len() != position.legal.len() {
        return Err(VerifyError::Roles { trace: position.legal.len(), game: roles.len() });
    }
    let located = |mut difference: Difference| {
        difference.state.clone_from(&position.state);
        Some(difference)
    };
    if position.step == 0 {
        let initial = tested.state_text(&tested.initial().clone());
        if let Some(difference) = of_states(Subject::Initial, &initial, &sorted(&position.state)) {
            return Ok(located(difference));
        }
    }
    let mut state = State::default();
    for fluent in &position.state {
        match tested.find_fluent(fluent) {
            Some(number) => state.insert(number),
            None => {
                let atom = format!("(true {fluent})");
                return Ok(located(Difference::new(Subject::Next, atom, true)));
            }
        }
    }
    let found = answers(tested, &state).map_err(VerifyError::Tested)?;
    if found.terminal != position.terminal {
        let difference =
            Difference::new(Subject::Terminal, "terminal".to_owned(), position.terminal);
        return Ok(located(difference));
    }
    let empty = Vec::new();
    let no_values = Vec::new();
    for (role, name) in roles.iter().enumerate() {
        let moves: Vec<String> = found.legal[role].iter().map(|&it| tested.move_text(it)).collect();
        let recorded = sorted(position.legal.get(name).unwrap_or(&empty));
        if let Some((text, expected)) = first_difference(&sorted(&moves), &recorded) {
            let atom = format!("(legal {name} {text})");
            return Ok(located(Difference::new(Subject::Legal, atom, expected)));
        }
        let texts =
            |values: &[i64]| sorted(&values.iter().map(i64::to_string).collect::<Vec<String>>());
        let recorded = texts(position.goal.get(name).unwrap_or(&no_values));
        if let Some((text, expected)) = first_difference(&texts(&found.goals[role]), &recorded) {
            let atom = format!("(goal {name} {text})");
            return Ok(located(Difference::new(Subject::Goal, atom, expected)));
        }
    }
    let (Some(moves), Some(successor)) = (&position.moves, successor) else { return Ok(None) };
    let mut made = Vec::with_capacity(roles.len());
    let mut shown = Vec::with_capacity(roles.len());
    for (role, name) in tested.role_ids().zip(&roles) {
        let Some(text) = moves.get(name) else { break };
        shown.push((name.clone(), text.clone()));
        // It is among the legal moves compared above, so it is known.
        made.extend(tested.find_move(role, text));
    }
    let mut next = State::default();
    tested.next_state(&state, &made, &mut next).map_err(VerifyError::Tested)?;
    let difference = of_states(Subject::Next, &tested.state_text(&next), &sorted(&successor.state));
    Ok(difference.and_then(|difference| located(Difference { moves: shown, ..difference })))
}

fn sorted(texts: &[String]) -> Vec<String> {
    let mut texts = texts.to_vec();
    texts.sort_unstable();
    texts
}
