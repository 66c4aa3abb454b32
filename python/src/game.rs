//! A game: its description, and what evaluates its rules.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use groundfrog::description::Printer;
use groundfrog::{
    Description, Format, GroundError, GroundGame, GroundOptions, ParseOptions, RoleId, Silent,
    ground,
};
use groundfrog_check::verify::{VerifyOptions, compare};
use groundfrog_check::{CheckOptions, CheckReport, check, check_text, json};
use groundfrog_knowledge::{AnalysisOptions, survey};
use groundfrog_player::machine::{Machine, MachineLimits, is_imperfect, machine};
use groundfrog_player::solve::{SolveOptions, solve};
use groundfrog_reasoner::simulate::{SimulateOptions, simulate};
use groundfrog_reasoner::{BitParallel, GroundReasoner, InterpretedReasoner};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::beliefs::{BeliefOptions, Step, beliefs};
use crate::calls::{Bounds, from_json, run, run_shown, seconds};
use crate::errors::{self, GroundfrogError, LimitError};
use crate::state::State;

/// What a game and its states share.
pub(crate) struct Rules {
    pub(crate) description: Description,
    pub(crate) machine: Mutex<Machine>,
    lanes: OnceLock<BitParallel>,
    pub(crate) roles: Vec<String>,
    fold_case: bool,
}

impl Rules {
    /// What evaluates the rules, for one question at a time.
    pub(crate) fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a role.
    pub(crate) fn role(&self, name: &str) -> PyResult<RoleId> {
        let found = self.roles.iter().position(|role| role == name);
        let roles = self.roles.join("`, `");
        let unknown = || PyValueError::new_err(format!("no role `{name}`: there are `{roles}`"));
        found.map(|role| RoleId(role as u32)).ok_or_else(unknown)
    }

    /// What plays many matches at once.
    pub(crate) fn lanes(&self) -> PyResult<BitParallel> {
        if let Some(lanes) = self.lanes.get() {
            return Ok(lanes.clone());
        }
        let lanes = BitParallel::new(self.ground_game()?)
            .map_err(|error| GroundfrogError::new_err(error.to_string()))?;
        Ok(self.lanes.get_or_init(|| lanes).clone())
    }

    fn ground_game(&self) -> PyResult<Arc<GroundGame>> {
        let machine = self.machine();
        let game = machine.ground().map(|reasoner| Arc::clone(reasoner.game()));
        let advice = "the game has no ground rules within the limits: give `Game` more time";
        game.ok_or_else(|| LimitError::new_err(advice))
    }
}

/// A game in GDL, from its text or from a file.
#[pyclass(module = "groundfrog", frozen, weakref)]
pub(crate) struct Game {
    pub(crate) rules: Arc<Rules>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (source, *, fold_case=false, timeout=None, max_memory=None))]
    fn new(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        fold_case: bool,
        timeout: Option<f64>,
        max_memory: Option<u64>,
    ) -> PyResult<Self> {
        let (name, bytes) = read(source)?;
        let options = ParseOptions { fold_case, name, ..ParseOptions::default() };
        let description = match Description::parse(&bytes, &options) {
            Ok(description) => description,
            Err(error) => {
                let report = check_text(&bytes, &options, &CheckOptions::default());
                return Err(errors::of_description(py, error.snippets(), &findings(py, &report)?));
            }
        };
        let set_up = |bounds: Bounds| {
            let limits = MachineLimits {
                deadline: bounds.deadline,
                memory: max_memory,
                stop: Some(bounds.stop),
            };
            machine(&description, &limits)
        };
        let machine = match run(py, seconds(timeout)?, set_up)? {
            Ok(machine) => machine,
            Err(error) => {
                let report = check(&description, &CheckOptions::default());
                return Err(errors::of_description(py, error.to_string(), &findings(py, &report)?));
            }
        };
        let roles = machine.role_ids().map(|role| machine.role_text(role)).collect();
        let (machine, lanes) = (Mutex::new(machine), OnceLock::new());
        let rules = Rules { description, machine, lanes, roles, fold_case };
        Ok(Game { rules: Arc::new(rules) })
    }

    /// The text of the description.
    #[getter]
    fn text(&self) -> &str {
        &self.rules.description.source
    }

    /// The roles, in the order of the description.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.rules.roles.clone()
    }

    /// Whether matches are played by ground rules; otherwise the rules with variables are interpreted.
    #[getter]
    fn is_ground(&self) -> bool {
        self.rules.machine().ground().is_some()
    }

    /// The initial state.
    #[getter]
    fn initial(&self) -> State {
        let state = self.rules.machine().initial().clone();
        State::new(Arc::clone(&self.rules), state)
    }

    /// The state in which these fluents hold, as KIF.
    fn state(&self, fluents: Vec<String>) -> PyResult<State> {
        let mut state = groundfrog_reasoner::State::default();
        let mut machine = self.rules.machine();
        for text in fluents {
            let unknown = || PyValueError::new_err(format!("`{text}` is no fluent of this game"));
            state.insert(machine.find_fluent(&text).ok_or_else(unknown)?);
        }
        drop(machine);
        Ok(State::new(Arc::clone(&self.rules), state))
    }

    /// The fluents of the ground game, as KIF, in the order of observations.
    #[getter]
    fn fluents(&self) -> PyResult<Vec<String>> {
        let game = self.rules.ground_game()?;
        let machine = self.rules.machine();
        let fluents = 0..game.fluents().len() as u32;
        Ok(fluents.map(|it| machine.fluent_text(groundfrog_reasoner::FluentId(it))).collect())
    }

    /// Whether roles learn their own percepts only, instead of all moves (GDL-II).
    #[getter]
    pub(crate) fn is_imperfect(&self) -> bool {
        is_imperfect(&self.rules.description)
    }

    /// What the columns of a role's observations mean, as KIF: the fluents; or in a game with percepts its own moves, `(does R M)`, and
    /// its percepts, `(sees R P)`, of the last step, and then the same again for the whole match.
    fn observed(&self, role: &str) -> PyResult<Vec<String>> {
        let number = self.rules.role(role)?;
        if !self.is_imperfect() {
            return self.fluents();
        }
        let play = self.rules.lanes()?;
        let (moves, percepts) = play.observed(number);
        let machine = self.rules.machine();
        let moves = moves.into_iter().map(|it| format!("(does {role} {})", machine.move_text(it)));
        let percepts = percepts
            .into_iter()
            .map(|it| format!("(sees {role} {})", text(&machine, &machine.percept(it))));
        let columns: Vec<String> = moves.chain(percepts).collect();
        Ok([columns.clone(), columns].concat())
    }

    /// The moves of a role in the ground game, as KIF, in the order of masks.
    fn moves(&self, role: &str) -> PyResult<Vec<String>> {
        let (game, role) = (self.rules.ground_game()?, self.rules.role(role)?);
        let machine = self.rules.machine();
        let moves = game.moves().iter().zip(0u32..).filter(|it| it.0.role == role);
        Ok(moves.map(|it| machine.move_text(groundfrog_reasoner::MoveId(it.1))).collect())
    }

    /// What is wrong with the description, and which fragment of GDL it is: the report of `groundfrog check --format json`
    /// for one file.
    #[pyo3(signature = (*, timeout=5.0))]
    fn check<'py>(&self, py: Python<'py>, timeout: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        let rules = &self.rules;
        let work = |bounds: Bounds| {
            let options = CheckOptions { limits: bounds.limits(), ..CheckOptions::default() };
            check(&rules.description, &options)
        };
        report(py, &run(py, seconds(timeout)?, work)?)
    }

    /// The findings of `check`: a list of dictionaries with `code`, `severity`, `message`, `help` and `labels`, the places.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.check(py, Some(5.0))?.get_item("diagnostics")
    }

    /// The ground rules in a format of `groundfrog ground`: `kif`, `canonical`, `asp`, `aspif`, `json` or `summary`.
    #[pyo3(signature = (format="kif", *, flat=false, timeout=None))]
    fn ground(
        &self,
        py: Python<'_>,
        format: &str,
        flat: bool,
        timeout: Option<f64>,
    ) -> PyResult<String> {
        let format: Format = format.parse().map_err(|error: groundfrog::emit::UnknownFormat| {
            PyValueError::new_err(error.to_string())
        })?;
        let rules = &self.rules;
        let work = |bounds: Bounds| {
            let limits = bounds.limits();
            let options = if flat { GroundOptions::flat() } else { GroundOptions::compact() };
            let game =
                ground(&rules.description, &GroundOptions { limits, ..options }, &mut Silent)?.game;
            let mut text = Vec::new();
            groundfrog::emit::write(&game, format, &mut text)
                .map_err(|error| error.to_string())
                .ok();
            Ok(String::from_utf8_lossy(&text).into_owned())
        };
        run(py, seconds(timeout)?, work)?.map_err(|error: GroundError| match error {
            GroundError::Limit { .. } => LimitError::new_err(error.to_string()),
            _ => GroundfrogError::new_err(error.to_string()),
        })
    }

    /// Compares the ground rules with the rules that they come from on random matches: `playouts`, fewer than asked for where time
    /// ran out, `states`, and the first `difference` as text or None. `progress` is called with the playouts that are done and with
    /// all of them, or is a bar of `tqdm`.
    #[pyo3(signature = (*, playouts=10, seed=1, timeout=None, progress=None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        playouts: u64,
        seed: u64,
        timeout: Option<f64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = self.rules.ground_game()?;
        let rules = &self.rules;
        let work = |mut bounds: Bounds| {
            let mut oracle = InterpretedReasoner::new(&rules.description, bounds.limits())
                .map_err(|error| error.to_string())?;
            let mut tested =
                GroundReasoner::new(Arc::clone(&game)).map_err(|error| error.to_string())?;
            let options = VerifyOptions { playouts, seed, ..VerifyOptions::default() };
            compare(&mut tested, &mut oracle, Some(&game), &options, &mut bounds)
                .map_err(|error| error.to_string())
        };
        let found = run_shown(py, seconds(timeout)?, progress, work)?;
        let found = found.map_err(GroundfrogError::new_err)?;
        let difference = found.difference.map(|difference| difference.to_string());
        let json = serde_json::json!({
            "playouts": found.playouts, "states": found.states, "difference": difference,
        });
        from_json(py, &json.to_string())
    }

    /// Plays random matches for some seconds: `playouts`, `states`, `playouts_per_second`, `states_per_second`, and `goals`,
    /// the mean goal by role.
    #[pyo3(signature = (*, seconds=1.0, seed=1, progress=None))]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        seconds: f64,
        seed: u64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut lanes = self.rules.lanes()?;
        let time = crate::calls::seconds(Some(seconds))?.unwrap_or(Duration::ZERO);
        let work = |mut bounds: Bounds| {
            let options = SimulateOptions { seed, time, ..SimulateOptions::default() };
            simulate(&mut lanes, &options, &mut bounds).map_err(|error| error.to_string())
        };
        let found = run_shown(py, None, progress, work)?.map_err(GroundfrogError::new_err)?;
        let means = found.statistics.goals.iter().map(|goals| goals.mean());
        let goals: serde_json::Map<String, serde_json::Value> =
            self.rules.roles.iter().cloned().zip(means.map(Into::into)).collect();
        let json = serde_json::json!({
            "playouts": found.statistics.playouts,
            "states": found.statistics.states,
            "playouts_per_second": found.playouts_per_second(),
            "states_per_second": found.states_per_second(),
            "goals": goals,
        });
        from_json(py, &json.to_string())
    }

    /// The value of the game for each role, as `groundfrog solve --format json` has it. `progress` hears of positions.
    #[pyo3(signature = (*, timeout=None, max_memory=1 << 30, progress=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        timeout: Option<f64>,
        max_memory: u64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = self.rules.ground_game()?;
        let work = |bounds: Bounds| {
            let options = SolveOptions {
                deadline: bounds.deadline,
                stop: Some(bounds.stop.clone()),
                memory: max_memory,
                ..SolveOptions::default()
            };
            solve(game, &options, |positions| bounds.reached(positions, None))
                .map_err(|error| error.to_string())
        };
        let solution = run_shown(py, seconds(timeout)?, progress, work)?;
        let solution = solution.map_err(GroundfrogError::new_err)?;
        let mut json = serde_json::to_value(&solution)
            .map_err(|error| GroundfrogError::new_err(error.to_string()))?;
        json["decided"] = solution.is_decided().into();
        from_json(py, &json.to_string())
    }

    /// What is true of the game, as `groundfrog analyse --format json` has it.
    #[pyo3(signature = (*, timeout=1.0, seed=1))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        timeout: f64,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (game, rules) = (self.rules.ground_game()?, &self.rules);
        let time = seconds(Some(timeout))?.unwrap_or(Duration::ZERO);
        let work = |bounds: Bounds| {
            let mut reasoner = GroundReasoner::new(game).map_err(|error| error.to_string())?;
            let options = AnalysisOptions {
                time,
                seed,
                stop: Some(bounds.stop),
                ..AnalysisOptions::default()
            };
            survey(&rules.description, &mut reasoner, &options).map_err(|error| error.to_string())
        };
        let analysis = run(py, None, work)?.map_err(GroundfrogError::new_err)?;
        let json = serde_json::to_string(&analysis)
            .map_err(|error| GroundfrogError::new_err(error.to_string()))?;
        from_json(py, &json)
    }

    /// What a role can know after a history, a list with a pair for each step: its own move, or None if that is not known, and
    /// the list of its percepts. As `groundfrog beliefs --format json`: `states`, the most likely first, each with a `probability`;
    /// and `worlds`, each with a `probability` and in `moves` one history that leads there, joint moves in the order of the roles.
    /// A belief with more than `most` joint moves in a step is sampled.
    #[pyo3(signature = (role, history, *, opponents="", most=None, seed=1, timeout=None))]
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    fn beliefs<'py>(
        &self,
        py: Python<'py>,
        role: &str,
        history: Vec<Step>,
        opponents: &str,
        most: Option<usize>,
        seed: u64,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = BeliefOptions { opponents, most, seed, time: seconds(timeout)? };
        beliefs(py, &self.rules, role, history, &options)
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// A game does not change: it is its own copy.
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let restore = py.import("groundfrog")?.getattr("_restore_game")?;
        let rules = &slf.get().rules;
        Ok((restore, (rules.description.source.to_string(), rules.fold_case).into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        format!(
            "<groundfrog.Game {}: {}>",
            self.rules.description.name,
            self.rules.roles.join(", ")
        )
    }
}

impl Game {
    /// The ground game, for lanes.
    pub(crate) fn ground_game(&self) -> PyResult<Arc<GroundGame>> {
        self.rules.ground_game()
    }
}

/// The name and the bytes of a description: a text that has a parenthesis, or else a path.
fn read(source: &Bound<'_, PyAny>) -> PyResult<(String, Vec<u8>)> {
    if let Ok(text) = source.extract::<String>()
        && text.contains('(')
    {
        return Ok(("<text>".to_owned(), text.into_bytes()));
    }
    let advice = "a description is a text or the path of a file";
    let path: PathBuf = source.extract().map_err(|_| PyTypeError::new_err(advice))?;
    let bytes = std::fs::read(&path)?;
    Ok((path.to_string_lossy().into_owned(), bytes))
}

/// A report of `check` as a dictionary.
pub(crate) fn report<'py>(py: Python<'py>, report: &CheckReport) -> PyResult<Bound<'py, PyAny>> {
    let mut text = Vec::new();
    json::write(std::slice::from_ref(report), &mut text)?;
    from_json(py, &String::from_utf8_lossy(&text))?.get_item("files")?.get_item(0)
}

fn findings<'py>(py: Python<'py>, found: &CheckReport) -> PyResult<Bound<'py, PyAny>> {
    report(py, found)?.get_item("diagnostics")
}

/// A term as KIF.
pub(crate) fn text(machine: &Machine, term: &groundfrog::Term) -> String {
    Printer::new(machine.symbols()).term(term).to_string()
}
