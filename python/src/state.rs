//! A state of a match.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use groundfrog::RoleId;
use groundfrog_reasoner::{GoalStatistics, MoveId};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::{Value, json};

use crate::calls::{Bounds, from_json, run};
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

    /// A joint move from a dictionary by role, or a sequence in the order of the roles; a single text where there is one role.
    fn joint_move(&self, moves: &Bound<'_, PyAny>) -> PyResult<Vec<MoveId>> {
        let roles = &self.rules.roles;
        let texts: Vec<String> = if let Ok(by_role) = moves.cast::<PyDict>() {
            let of_role = |role: &String| {
                let missing = || IllegalMoveError::new_err(format!("no move for `{role}`"));
                by_role.get_item(role)?.ok_or_else(missing)?.extract()
            };
            roles.iter().map(of_role).collect::<PyResult<_>>()?
        } else if let (Ok(single), 1) = (moves.extract::<String>(), roles.len()) {
            vec![single]
        } else {
            let advice = "moves are a dictionary by role, or a list in the order of the roles";
            moves.extract().map_err(|_| PyTypeError::new_err(advice))?
        };
        if texts.len() != roles.len() {
            let fault = format!("{} moves for {} roles", texts.len(), roles.len());
            return Err(IllegalMoveError::new_err(fault));
        }
        let mut machine = self.rules.machine();
        let numbered = texts.iter().zip((0..).map(RoleId));
        numbered
            .map(|(text, role)| {
                let name = &roles[role.index()];
                let unknown =
                    || IllegalMoveError::new_err(format!("`{text}` is no move of `{name}`"));
                machine.find_move(role, text).ok_or_else(unknown)
            })
            .collect()
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
    fn fluents(&self) -> PyResult<Vec<String>> {
        self.rules.machine().state_text(&self.state).map_err(|error| of_reasoner(&error))
    }

    /// Whether the match is over.
    #[getter]
    fn terminal(&self) -> PyResult<bool> {
        self.rules.machine().is_terminal(&self.state).map_err(|error| of_reasoner(&error))
    }

    /// The legal moves of a role, as KIF; of all roles as a dictionary if none is named.
    #[pyo3(signature = (role=None))]
    fn legal<'py>(&self, py: Python<'py>, role: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let of_role = |role: RoleId| -> PyResult<Vec<String>> {
            let mut machine = self.rules.machine();
            let mut legal = Vec::new();
            machine
                .legal_moves(&self.state, role, &mut legal)
                .map_err(|error| of_reasoner(&error))?;
            Ok(legal.into_iter().map(|it| machine.move_text(it)).collect())
        };
        if let Some(role) = role {
            return Ok(of_role(self.rules.role(role)?)?.into_pyobject(py)?.into_any());
        }
        let all = PyDict::new(py);
        for (role, name) in (0..).map(RoleId).zip(&self.rules.roles) {
            all.set_item(name, of_role(role)?)?;
        }
        Ok(all.into_any())
    }

    /// The state after a joint move: a dictionary by role, or a list in the order of the roles.
    fn apply(&self, moves: &Bound<'_, PyAny>) -> PyResult<State> {
        let moves = self.joint_move(moves)?;
        let mut next = groundfrog_reasoner::State::default();
        self.rules
            .machine()
            .next_state(&self.state, &moves, &mut next)
            .map_err(|error| of_reasoner(&error))?;
        Ok(State::new(Arc::clone(&self.rules), next))
    }

    /// By role: the goal value of the state, or None where it has none or several.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (role, name) in (0..).map(RoleId).zip(&self.rules.roles) {
            let mut values = Vec::new();
            let found = self.rules.machine().goal_values(&self.state, role, &mut values);
            found.map_err(|error| of_reasoner(&error))?;
            let value = if let [value] = values[..] { Some(value) } else { None };
            all.set_item(name, value)?;
        }
        Ok(all)
    }

    /// By role: what it perceives when these moves are made (GDL-II), as KIF.
    fn percepts<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let moves = self.joint_move(moves)?;
        let mut machine = self.rules.machine();
        let seen = machine.percepts(&self.state, &moves).map_err(|error| of_reasoner(&error))?;
        let all = PyDict::new(py);
        for (name, terms) in self.rules.roles.iter().zip(&seen) {
            let texts: Vec<String> = terms.iter().map(|term| text(&machine, term)).collect();
            all.set_item(name, texts)?;
        }
        Ok(all)
    }

    /// Plays `n` random matches from here, 512 at once: `playouts`, `length`, all their joint moves, `ended`, those that came to a
    /// terminal state, and by role `goals`, the mean goal value, and `sums` and `counts`, from which it comes. Each 512 matches have the
    /// seed after that of those before, so that the matches of several calls can be those of one.
    #[pyo3(signature = (n=512, *, seed=1, max_length=1000))]
    fn rollouts<'py>(
        &self,
        py: Python<'py>,
        n: u64,
        seed: u64,
        max_length: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut lanes = self.rules.lanes()?;
        let work = |_: Bounds| lanes.rollouts(&self.state, n, seed, max_length);
        let found = run(py, None, work)?.map_err(|error| of_reasoner(&error))?;
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
        let Ok(other) = other.cast::<State>() else { return Ok(false) };
        let other = other.get();
        if Arc::ptr_eq(&self.rules, &other.rules) {
            return Ok(self.state == other.state);
        }
        let same_rules = self.rules.description.source == other.rules.description.source;
        Ok(same_rules && self.fluents()? == other.fluents()?)
    }

    fn __hash__(&self) -> PyResult<u64> {
        // By names, as equal states of two objects of one game have equal hashes.
        let mut hasher = DefaultHasher::new();
        self.fluents()?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("groundfrog")?.getattr("_restore_state")?;
        Ok((restore, (Py::new(py, self.game())?, self.fluents()?).into_pyobject(py)?))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<groundfrog.State {}>", self.fluents()?.join(" ")))
    }
}
