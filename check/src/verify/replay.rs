//! What was recorded: playouts, and a reasoner against them.

use std::collections::BTreeMap;

use fxhash::FxHashMap;
use groundfrog::game::{GroundGame, RoleId};
use groundfrog_reasoner::{Case, PlayoutObserver, Reasoner, State};
use serde::Deserialize;

use super::{Answers, Difference, Subject, VerifyError, VerifyReport, sorted};

/// Compares a reasoner with recorded playouts. The case of recorded letters does not count where just one name is meant.
///
/// # Errors
/// The reasoner has no answer, or the trace is of another game.
pub fn replay(
    tested: &mut dyn Reasoner,
    trace: &Trace,
    game: Option<&GroundGame>,
    observer: &mut dyn PlayoutObserver,
) -> Result<VerifyReport, VerifyError> {
    let mut report = VerifyReport::default();
    let roles: Vec<String> = tested.role_ids().map(|it| tested.role_text(it)).collect();
    let start = Answers::of_start(tested).map_err(VerifyError::Tested)?;
    let total = trace.playouts().count() as u64;
    let mut spelling = Spelling::default();
    for playout in trace.playouts() {
        observer.played(report.playouts, Some(total));
        let playout: Vec<_> = playout.iter().map(|it| spelling.of(it, tested)).collect();
        for (index, position) in playout.iter().enumerate() {
            report.states += 1;
            // A step may not have been recorded.
            let next = playout.get(index + 1).filter(|it| it.step - 1 == position.step);
            if let Some(found) = compare(tested, (&roles, &start), position, next)? {
                report.difference = Some(found.with_rules(game));
                return Ok(report);
            }
        }
        report.playouts += 1;
    }
    observer.played(total, Some(total));
    Ok(report)
}

/// The first difference between what a reasoner says of a position and what is recorded.
fn compare(
    tested: &mut dyn Reasoner,
    (roles, start): (&[String], &Answers),
    position: &TracePosition,
    next: Option<&TracePosition>,
) -> Result<Option<Difference>, VerifyError> {
    let located = |difference| Some(Difference { state: position.state.clone(), ..difference });
    let recorded = recorded(position, roles)?;
    if let Some(difference) = start.difference(&recorded, roles) {
        return Ok(located(difference));
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
    let answers = Answers::of_state(tested, &state).map_err(VerifyError::Tested)?;
    if let Some(difference) = answers.difference(&recorded, roles) {
        return Ok(located(difference));
    }
    let (Some(moves), Some(next)) = (&position.moves, next) else { return Ok(None) };
    let made: Vec<(String, String)> = roles
        .iter()
        .filter_map(|it| moves.get_key_value(it))
        .map(|(role, it)| (role.clone(), it.clone()))
        .collect();
    if made.len() != roles.len() {
        return Err(VerifyError::Roles { trace: made.len(), game: roles.len() });
    }
    let mut numbers = Vec::with_capacity(roles.len());
    for (role, (name, it)) in tested.role_ids().zip(&made) {
        let is_legal = answers.legal[role.index()].binary_search(it).is_ok();
        match tested.find_move(role, it).filter(|_| is_legal) {
            Some(number) => numbers.push(number),
            None => {
                let atom = format!("(legal {name} {it})");
                return Ok(located(Difference::new(Subject::Legal, atom, true)));
            }
        }
    }
    let answers = Answers::of_step(tested, &state, &numbers).map_err(VerifyError::Tested)?;
    let recorded = Answers { next: Some(sorted(next.state.iter().cloned())), ..Answers::default() };
    let difference = answers.difference(&recorded, roles);
    Ok(difference.and_then(|it| located(Difference { moves: made, ..it })))
}

/// What is recorded of a position itself.
fn recorded(position: &TracePosition, roles: &[String]) -> Result<Answers, VerifyError> {
    if roles.len() != position.legal.len() && !position.legal.is_empty() {
        return Err(VerifyError::Roles { trace: position.legal.len(), game: roles.len() });
    }
    if roles.len() < position.goal.len() {
        return Err(VerifyError::Roles { trace: position.goal.len(), game: roles.len() });
    }
    let legal = |role| sorted(position.legal.get(role).into_iter().flatten().cloned());
    let goals = |role| sorted(position.goal.get(role).into_iter().flatten().map(i64::to_string));
    // What was recorded for no role is not compared.
    let recorded = |empty: bool| if empty { &[] } else { roles };
    Ok(Answers {
        initial: (position.step == 0).then(|| sorted(position.state.iter().cloned())),
        terminal: Some(position.terminal),
        legal: recorded(position.legal.is_empty()).iter().map(legal).collect(),
        goals: recorded(position.goal.is_empty()).iter().map(goals).collect(),
        ..Answers::default()
    })
}

// Recorded names as a reasoner writes them: servers may have changed the case of letters.

/// Fluents and moves that were met, each with how the reasoner writes it.
#[derive(Default)]
pub(super) struct Spelling {
    fluents: FxHashMap<String, String>,
    moves: FxHashMap<(RoleId, String), String>,
}

impl Spelling {
    /// A position with what the reasoner knows written as it writes it; the rest is left as it is.
    pub(super) fn of(
        &mut self,
        position: &TracePosition,
        reasoner: &mut dyn Reasoner,
    ) -> TracePosition {
        let state = position.state.iter().map(|it| self.fluent(it, reasoner)).collect();
        let legal = position.legal.iter().map(|(name, texts)| {
            let role = reasoner.find_role(name, Case::Folded);
            let texts = texts.iter().map(|it| self.one_move(role, it, reasoner)).collect();
            (role_text(role, name, reasoner), texts)
        });
        let legal: BTreeMap<String, Vec<String>> = legal.collect();
        let goal = position.goal.iter().map(|(name, values)| {
            let role = reasoner.find_role(name, Case::Folded);
            (role_text(role, name, reasoner), values.clone())
        });
        let goal = goal.collect();
        let moves = position.moves.as_ref().map(|moves| {
            let made = moves.iter().map(|(name, text)| {
                let role = reasoner.find_role(name, Case::Folded);
                (role_text(role, name, reasoner), self.one_move(role, text, reasoner))
            });
            made.collect()
        });
        TracePosition { state, legal, goal, moves, ..position.clone() }
    }

    fn fluent(&mut self, text: &str, reasoner: &mut dyn Reasoner) -> String {
        if let Some(known) = self.fluents.get(text) {
            return known.clone();
        }
        let found = reasoner.read_fluent(text, Case::Folded);
        let own = found.map_or_else(|| text.to_owned(), |it| reasoner.fluent_text(it));
        self.fluents.insert(text.to_owned(), own.clone());
        own
    }

    fn one_move(
        &mut self,
        role: Option<RoleId>,
        text: &str,
        reasoner: &mut dyn Reasoner,
    ) -> String {
        let Some(role) = role else { return text.to_owned() };
        let key = (role, text.to_owned());
        if let Some(known) = self.moves.get(&key) {
            return known.clone();
        }
        let found = reasoner.read_move(role, text, Case::Folded);
        let own = found.map_or_else(|| text.to_owned(), |it| reasoner.move_text(it));
        self.moves.insert(key, own.clone());
        own
    }
}

fn role_text(role: Option<RoleId>, name: &str, reasoner: &dyn Reasoner) -> String {
    role.map_or_else(|| name.to_owned(), |it| reasoner.role_text(it))
}

// Recorded playouts.

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
