//! A state of a match.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use groundfrog::RoleId;
use groundfrog_reasoner::{GoalStatistics, Machine, MoveId, ReasonerError};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict, PyMapping, PyString, PyTuple};
use serde_json::{Value, json};

use crate::calls::{Bounds, from_json, run_shown, seconds};
use crate::errors::{IllegalMoveError, of_reasoner};
use crate::game::{Game, Rules, text};

/// A state of a game: it does not change, can be compared, hashed and pickled.
#[pyclass(module = "groundfrog", frozen)]
pub(crate) struct State {
    rules: Arc<Rules>,
    state: groundfrog_reasoner::State,
}

impl State {
    pub(crate) fn new(rules: Arc<Rules>, state: groundfrog_reasoner::State) -> Self {
        State { rules, state }
    }

    /// The texts of a joint move from a dictionary by role, or a sequence in the order of the roles; a single text where there is one role.
    fn texts(&self, moves: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let roles = &self.rules.roles;
        let single = moves.cast::<PyString>();
        let texts: Vec<Bound<'_, PyString>> = if let Ok(by_role) = moves.cast::<PyMapping>() {
            let of_role = |role: &String| {
                if !by_role.contains(role)? {
                    return Err(IllegalMoveError::new_err(format!("no move for `{role}`")));
                }
                Ok(by_role.get_item(role)?.cast_into()?)
            };
            roles.iter().map(of_role).collect::<PyResult<_>>()?
        } else if let (Ok(single), 1) = (single, roles.len()) {
            vec![single.clone()]
        } else {
            let advice = "moves are a dictionary by role, or a list in the order of the roles";
            moves.extract().map_err(|_| PyTypeError::new_err(advice))?
        };
        if texts.len() != roles.len() {
            let fault = format!("{} moves for {} roles", texts.len(), roles.len());
            return Err(IllegalMoveError::new_err(fault));
        }
        // What is no character is in no name.
        Ok(texts.iter().map(|it| it.to_string_lossy().into_owned()).collect())
    }

    /// Puts a question about a joint move.
    fn ask_of_moves<T: Send>(
        &self,
        moves: &Bound<'_, PyAny>,
        timeout: Option<f64>,
        question: impl FnOnce(&mut Machine, &[MoveId]) -> Result<T, ReasonerError> + Send,
    ) -> PyResult<T> {
        let (texts, roles) = (self.texts(moves)?, &self.rules.roles);
        self.rules.ask(moves.py(), seconds(timeout)?, |machine| {
            let mut joint = Vec::with_capacity(texts.len());
            for ((text, name), role) in texts.iter().zip(roles).zip((0..).map(RoleId)) {
                let unknown =
                    || IllegalMoveError::new_err(format!("`{text}` is no move of `{name}`"));
                joint.push(machine.find_move(role, text).ok_or_else(unknown)?);
            }
            question(machine, &joint).map_err(|error| of_reasoner(&error))
        })?
    }

    /// Puts a question about the state.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        question: impl FnOnce(&mut Machine) -> Result<T, ReasonerError> + Send,
    ) -> PyResult<T> {
        self.rules.ask(py, seconds(timeout)?, question)?.map_err(|error| of_reasoner(&error))
    }
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { rules: Arc::clone(&self.rules) }
    }

    /// The fluents that hold, as KIF, sorted.
    #[getter]
    fn fluents(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, None, |machine| machine.state_text(&self.state))
    }

    /// Whether the match is over.
    #[getter]
    fn terminal(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask(py, None, |machine| machine.is_terminal(&self.state))
    }

    /// The legal moves of a role, as KIF; of all roles as a dictionary if none is named.
    #[pyo3(signature = (role=None, *, timeout=None))]
    fn legal<'py>(
        &self,
        py: Python<'py>,
        role: Option<&str>,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked: Vec<RoleId> = match role {
            Some(role) => vec![self.rules.role(role)?],
            None => (0..self.rules.roles.len() as u32).map(RoleId).collect(),
        };
        let mut found = self.ask(py, timeout, |machine| {
            let mut legal = Vec::new();
            let texts = asked.into_iter().map(|role| {
                machine.legal_moves(&self.state, role, &mut legal)?;
                Ok(legal.iter().map(|&it| machine.move_text(it)).collect::<Vec<_>>())
            });
            texts.collect::<Result<Vec<_>, _>>()
        })?;
        if role.is_some() {
            return Ok(found.remove(0).into_pyobject(py)?.into_any());
        }
        let all = self.rules.roles.iter().zip(found);
        Ok(all.into_py_dict(py)?.into_any())
    }

    /// The state after a joint move: a dictionary by role, or a list in the order of the roles.
    #[pyo3(signature = (moves, *, timeout=None))]
    fn apply(&self, moves: &Bound<'_, PyAny>, timeout: Option<f64>) -> PyResult<State> {
        let next = self.ask_of_moves(moves, timeout, |machine, moves| {
            let mut next = groundfrog_reasoner::State::default();
            machine.next_state(&self.state, moves, &mut next)?;
            Ok(next)
        })?;
        Ok(State::new(Arc::clone(&self.rules), next))
    }

    /// By role: the goal value of the state, or None where it has none or several.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.ask(py, None, |machine| {
            let mut values = Vec::new();
            let goals = machine.role_ids().map(|role| {
                machine.goal_values(&self.state, role, &mut values)?;
                Ok(if let [value] = values[..] { Some(value) } else { None })
            });
            goals.collect::<Result<Vec<_>, _>>()
        })?;
        self.rules.roles.iter().zip(found).into_py_dict(py)
    }

    /// By role: what it perceives when these moves are made (GDL-II), as KIF.
    #[pyo3(signature = (moves, *, timeout=None))]
    fn percepts<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'_, PyAny>,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let found = self.ask_of_moves(moves, timeout, |machine, moves| {
            let seen = machine.percepts(&self.state, moves)?;
            let texts = |terms: &Vec<_>| -> Vec<String> {
                terms.iter().map(|term| text(machine, term)).collect()
            };
            Ok(seen.iter().map(texts).collect::<Vec<_>>())
        })?;
        self.rules.roles.iter().zip(found).into_py_dict(py)
    }

    /// Plays `n` random matches from here, 512 at once: `playouts`, `length`, all their joint moves, `ended`, those that came to a
    /// terminal state, and by role `goals`, the mean goal value, and `sums` and `counts`, from which it comes. Each 512 matches have the
    /// seed after that of those before, so that the matches of several calls can be those of one. There are fewer where time ran out.
    /// `progress` is called with the matches that are done and with all of them, or is a bar of `tqdm`.
    #[pyo3(signature = (n=512, *, seed=1, max_length=1000, timeout=None, progress=None))]
    fn rollouts<'py>(
        &self,
        py: Python<'py>,
        n: u64,
        seed: u64,
        max_length: u32,
        timeout: Option<f64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut lanes = self.rules.lanes(py)?;
        let work = |mut it: Bounds| lanes.rollouts(&self.state, n, seed, max_length, &mut it);
        let found = run_shown(py, seconds(timeout)?, progress, work)?;
        let found = found.map_err(|error| of_reasoner(&error))?;
        let by_role = |value: &dyn Fn(&GoalStatistics) -> Value| -> Value {
            let values = self.rules.roles.iter().cloned().zip(found.goals.iter().map(value));
            Value::Object(values.collect())
        };
        let json = json!({
            "playouts": found.playouts,
            "length": found.steps,
            "ended": found.terminal,
            "goals": by_role(&|it| it.mean().into()),
            "sums": by_role(&|it| (it.sum as i64).into()),
            "counts": by_role(&|it| it.count.into()),
        });
        from_json(py, &json.to_string())
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// A state does not change: it is its own copy.
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        let Ok(other) = other.cast::<State>() else { return Ok(false) };
        let other = other.get();
        if Arc::ptr_eq(&self.rules, &other.rules) {
            return Ok(self.state == other.state);
        }
        let same_rules = self.rules.description.source == other.rules.description.source;
        Ok(same_rules && self.fluents(py)? == other.fluents(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        // By names, as equal states of two objects of one game have equal hashes.
        let mut hasher = DefaultHasher::new();
        self.fluents(py)?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("groundfrog")?.getattr("_restore_state")?;
        Ok((restore, (Py::new(py, self.game())?, self.fluents(py)?).into_pyobject(py)?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<groundfrog.State {}>", self.fluents(py)?.join(" ")))
    }
}
