//! What a role can know of a match.

use std::time::Duration;

use groundfrog::kif::Span;
use groundfrog_player::belief::{Belief, BeliefLimits, HistoryStep, Opponents, UnknownOpponent};
use groundfrog_player::strategy::StrategyError;
use groundfrog_reasoner::Machine;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::calls::{Bounds, from_json, run};
use crate::errors::{IllegalMoveError, LimitError, of_reasoner};
use crate::game::Rules;

/// A step of a history: the own move, or None if it is not known, and all that was perceived.
pub(crate) type Step = (Option<String>, Vec<String>);

/// As [`Game::beliefs`] says.
pub(crate) fn beliefs<'py>(
    py: Python<'py>,
    rules: &Rules,
    role: &str,
    history: Vec<Step>,
    options: &BeliefOptions<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let role = rules.role(role)?;
    let parsed: Result<Opponents, UnknownOpponent> = options.opponents.parse();
    let opponents = parsed.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut machine = rules.ask(py, options.time, |machine| machine.clone())?;
    if let Some((role, action)) = opponents.unknown(&mut machine) {
        let fault = format!("the game has no move `{action}` of `{role}`");
        return Err(PyValueError::new_err(fault));
    }
    let limits = BeliefLimits::of(&machine);
    let limits = BeliefLimits { exact: options.most.unwrap_or(limits.exact), ..limits };
    let mut belief = Belief::new(&mut machine, role, &opponents, limits, options.seed);
    let work = |bounds: Bounds| {
        bounds.bind(&mut machine, rules.limits.clone());
        belief.set_until(bounds.deadline, Some(bounds.stop));
        believed(&mut machine, &mut belief, history)
    };
    let found = run(py, options.time, work)?.map_err(|(number, error)| match error {
        StrategyError::Reasoner(error) if error.is_late() => {
            LimitError::new_err("time ran out before the history was followed")
        }
        StrategyError::Reasoner(error) if error.is_limit() => of_reasoner(&error),
        _ => IllegalMoveError::new_err(format!("step {} of the history: {error}", number + 1)),
    })?;
    from_json(py, &found.to_string())
}

/// How a belief is held.
pub(crate) struct BeliefOptions<'call> {
    pub(crate) opponents: &'call str,
    pub(crate) most: Option<usize>,
    pub(crate) seed: u64,
    pub(crate) time: Option<Duration>,
}

/// What is believed, or the step that is wrong, counted from 0, and why.
fn believed(
    machine: &mut Machine,
    belief: &mut Belief,
    history: Vec<Step>,
) -> Result<Value, (usize, StrategyError)> {
    let steps = history.len();
    for (number, (own, percepts)) in history.into_iter().enumerate() {
        let step = HistoryStep { own, percepts, span: Span::default() };
        let observed = belief.observe_history(machine, &[step]);
        observed.map_err(|(_, error)| (number, error))?;
    }
    let summary = belief.summary(machine).map_err(|error| (steps, error))?;
    let worlds = belief.worlds().iter().map(|world| {
        let joint = |moves: &[groundfrog_reasoner::MoveId]| -> Vec<String> {
            moves.iter().map(|&it| machine.move_text(it)).collect()
        };
        let moves: Vec<Vec<String>> = world.way.moves().into_iter().map(joint).collect();
        json!({ "probability": world.weight, "moves": moves })
    });
    let worlds: Vec<Value> = worlds.collect();
    let mut found = serde_json::to_value(&summary).unwrap_or_default();
    found["worlds"] = worlds.into();
    Ok(found)
}
