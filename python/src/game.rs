//! A game: its description, and what evaluates its rules.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use groundfrog::description::{MAX_SOURCE_BYTES, Printer};
use groundfrog::{
    Description, Format, GroundError, GroundGame, GroundOptions, Limits, ParseOptions, RoleId,
    Silent, ground,
};
use groundfrog_check::verify::{VerifyError, VerifyOptions, compare};
use groundfrog_check::{CheckOptions, CheckReport, check, check_text, json};
use groundfrog_knowledge::{AnalysisOptions, survey};
use groundfrog_player::solve::{SolveError, SolveOptions, solve};
use groundfrog_player::strategy::StrategyError;
use groundfrog_reasoner::open::is_imperfect;
use groundfrog_reasoner::simulate::{SimulateOptions, simulate};
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, InterpretedReasoner, Machine, OpenError, OpenLimits,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::beliefs::{BeliefOptions, Step, beliefs};
use crate::calls::{Bounds, caught, from_json, lock, run, run_shown, seconds};
use crate::errors::{self, GroundfrogError, LimitError, of_reasoner};
use crate::state::State;

/// What a game and its states share.
pub(crate) struct Rules {
    pub(crate) description: Description,
    machine: Mutex<Machine>,
    /// The ground rules, if it plays by them.
    ground: Option<Arc<GroundGame>>,
    lanes: OnceLock<BitParallel>,
    pub(crate) roles: Vec<String>,
    fold_case: bool,
    /// What each evaluation of rules with variables may use.
    pub(crate) limits: Limits,
    /// How long a question may take where rules are interpreted.
    time: Option<Duration>,
}

impl Rules {
    /// Puts a question to what evaluates the rules, when those of other threads are answered. By ground rules that takes no time to
    /// speak of; where rules are interpreted it ends after that time, or else that of [`Game`], and at a signal.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        time: Option<Duration>,
        question: impl FnOnce(&mut Machine) -> T + Send,
    ) -> PyResult<T> {
        let (since, time) = (Instant::now(), time.or(self.time));
        let mut machine = lock(py, &self.machine, time)?;
        if self.ground.is_some() {
            return caught(|| question(&mut machine));
        }
        let left = time.map(|it| it.saturating_sub(since.elapsed()));
        let machine: &mut Machine = &mut machine;
        run(py, left, |bounds| {
            bounds.bind(machine, self.limits.clone());
            question(machine)
        })
    }

    /// The number of a role.
    pub(crate) fn role(&self, name: &str) -> PyResult<RoleId> {
        let found = self.roles.iter().position(|role| role == name);
        let roles = self.roles.join("`, `");
        let unknown = || PyValueError::new_err(format!("no role `{name}`: there are `{roles}`"));
        found.map(|role| RoleId(role as u32)).ok_or_else(unknown)
    }

    /// What plays many matches at once.
    pub(crate) fn lanes(&self, py: Python<'_>) -> PyResult<BitParallel> {
        if let Some(lanes) = self.lanes.get() {
            return Ok(lanes.clone());
        }
        let game = self.ground_game()?;
        let lanes = run(py, None, |_| BitParallel::new(game))?
            .map_err(|error| GroundfrogError::new_err(error.to_string()))?;
        Ok(self.lanes.get_or_init(|| lanes).clone())
    }

    pub(crate) fn ground_game(&self) -> PyResult<Arc<GroundGame>> {
        self.ground.clone().ok_or_else(not_ground)
    }

    /// What plays by the ground rules.
    pub(crate) fn reasoner(&self, py: Python<'_>) -> PyResult<GroundReasoner> {
        self.ask(py, None, |machine| machine.ground().cloned())?.ok_or_else(not_ground)
    }
}

fn not_ground() -> PyErr {
    LimitError::new_err("the game has no ground rules within the limits: give `Game` more time")
}

/// A game in GDL, from its text or from a file. Where there are no ground rules after three quarters of `timeout`, or within `max_memory`
/// bytes, the rules with variables are interpreted; each later question about a state may take as long then.
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
        let (name, bytes) = read(py, source)?;
        let time = seconds(timeout)?;
        let options = ParseOptions { fold_case, name, ..ParseOptions::default() };
        let found = run(py, time, |bounds| set_up(&bytes, &options, max_memory, &bounds))?;
        let (description, machine) = found.map_err(|refused| match refused {
            Refused::Late(error) => error,
            Refused::Wrong(text, report) => match findings(py, &report) {
                Ok(findings) => errors::of_description(py, text, &findings),
                Err(error) => error,
            },
        })?;
        let rules = Rules {
            description,
            ground: machine.ground().map(|it| Arc::clone(it.game())),
            lanes: OnceLock::new(),
            roles: machine.role_ids().map(|role| machine.role_text(role)).collect(),
            machine: Mutex::new(machine),
            fold_case,
            limits: OpenLimits { memory: max_memory, ..OpenLimits::default() }.limits(None),
            time,
        };
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
        self.rules.ground.is_some()
    }

    /// The initial state.
    #[getter]
    fn initial(&self, py: Python<'_>) -> PyResult<State> {
        let state = self.rules.ask(py, None, |machine| machine.initial().clone())?;
        Ok(State::new(Arc::clone(&self.rules), state))
    }

    /// The state in which these fluents hold, as KIF.
    fn state(&self, py: Python<'_>, fluents: Vec<Bound<'_, PyString>>) -> PyResult<State> {
        let fluents: Vec<_> = fluents.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        let state = self.rules.ask(py, None, |machine| {
            let mut state = groundfrog_reasoner::State::default();
            for text in fluents {
                let unknown =
                    || PyValueError::new_err(format!("`{text}` is no fluent of this game"));
                state.insert(machine.find_fluent(&text).ok_or_else(unknown)?);
            }
            PyResult::Ok(state)
        })??;
        Ok(State::new(Arc::clone(&self.rules), state))
    }

    /// The fluents of the ground game, as KIF, in the order of observations.
    #[getter]
    fn fluents(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let game = self.rules.ground_game()?;
        let fluents = (0..game.fluents().len() as u32).map(groundfrog_reasoner::FluentId);
        self.rules.ask(py, None, |machine| fluents.map(|it| machine.fluent_text(it)).collect())
    }

    /// Whether roles learn their own percepts only, instead of all moves (GDL-II).
    #[getter]
    pub(crate) fn is_imperfect(&self) -> bool {
        is_imperfect(&self.rules.description)
    }

    /// What the columns of a role's observations mean, as KIF: the fluents; or in a game with percepts its own moves, `(does R M)`, and
    /// its percepts, `(sees R P)`, of the last step, and then the same again for the whole match.
    fn observed(&self, py: Python<'_>, role: &str) -> PyResult<Vec<String>> {
        let number = self.rules.role(role)?;
        if !self.is_imperfect() {
            return self.fluents(py);
        }
        let (moves, percepts) = self.rules.lanes(py)?.observed(number);
        let columns = self.rules.ask(py, None, |machine| -> Vec<String> {
            let moves = moves.into_iter();
            let moves = moves.map(|it| format!("(does {role} {})", machine.move_text(it)));
            let seen = |it| format!("(sees {role} {})", text(machine, &machine.percept(it)));
            moves.chain(percepts.into_iter().map(seen)).collect()
        })?;
        Ok([columns.clone(), columns].concat())
    }

    /// The moves of a role in the ground game, as KIF, in the order of masks.
    fn moves(&self, py: Python<'_>, role: &str) -> PyResult<Vec<String>> {
        let (game, role) = (self.rules.ground_game()?, self.rules.role(role)?);
        let moves = game.moves().iter().zip(0u32..).filter(|it| it.0.role == role);
        let moves = moves.map(|it| groundfrog_reasoner::MoveId(it.1));
        self.rules.ask(py, None, |machine| moves.map(|it| machine.move_text(it)).collect())
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
        let mut tested = self.rules.reasoner(py)?;
        let game = Arc::clone(tested.game());
        let rules = &self.rules;
        let work = |mut bounds: Bounds| {
            let mut oracle = InterpretedReasoner::new(&rules.description, bounds.limits())
                .map_err(|error| match error {
                    OpenError::Evaluation(error) => of_reasoner(&error),
                    OpenError::Description(GroundError::Limit { .. }) => {
                        LimitError::new_err(error.to_string())
                    }
                    _ => GroundfrogError::new_err(error.to_string()),
                })?;
            oracle.set_deadline(bounds.deadline);
            let options = VerifyOptions { playouts, seed, ..VerifyOptions::default() };
            compare(&mut tested, &mut oracle, Some(&game), &options, &mut bounds).map_err(|error| {
                match error {
                    VerifyError::Tested(error) | VerifyError::Oracle(error) => of_reasoner(&error),
                    _ => GroundfrogError::new_err(error.to_string()),
                }
            })
        };
        let found = run_shown(py, seconds(timeout)?, progress, work)??;
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
        let mut lanes = self.rules.lanes(py)?;
        let time = crate::calls::seconds(Some(seconds))?.unwrap_or(Duration::ZERO);
        let work = |mut bounds: Bounds| {
            let options = SimulateOptions { seed, time, ..SimulateOptions::default() };
            simulate(&mut lanes, &options, &mut bounds)
        };
        let found = run_shown(py, None, progress, work)?;
        let found = found.map_err(|error| of_reasoner(&error))?;
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
        };
        let solution = run_shown(py, seconds(timeout)?, progress, work)?;
        let solution = solution.map_err(|error| match error {
            SolveError::Reasoner(error) => of_reasoner(&error),
            SolveError::Build(error) => GroundfrogError::new_err(error.to_string()),
        })?;
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
        let (mut reasoner, rules) = (self.rules.reasoner(py)?, &self.rules);
        let time = seconds(Some(timeout))?.unwrap_or(Duration::ZERO);
        let work = |bounds: Bounds| {
            let options = AnalysisOptions {
                time,
                seed,
                stop: Some(bounds.stop),
                ..AnalysisOptions::default()
            };
            survey(&rules.description, &mut reasoner, &options).map_err(|it| of_reasoner(&it))
        };
        let analysis = run(py, None, work)??;
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

/// Why there is no game.
enum Refused {
    /// The limits are to blame.
    Late(PyErr),
    /// The description is, as the report says.
    Wrong(String, Box<CheckReport>),
}

fn set_up(
    bytes: &[u8],
    options: &ParseOptions,
    memory: Option<u64>,
    bounds: &Bounds,
) -> Result<(Description, Machine), Refused> {
    let checks = || {
        let CheckOptions { limits, allowed } = CheckOptions::default();
        let time = limits.time.min(bounds.left()).or(limits.time);
        CheckOptions { limits: Limits { time, stop: Some(bounds.stop.clone()), ..limits }, allowed }
    };
    let description = Description::parse(bytes, options).map_err(|error| {
        let report = check_text(bytes, options, &checks());
        Refused::Wrong(error.snippets(), Box::new(report))
    })?;
    let patience = bounds.time.map(|it| it / 4);
    let deadline = bounds.deadline.zip(patience).and_then(|it| it.0.checked_sub(it.1));
    let limits = OpenLimits { deadline, memory, stop: Some(bounds.stop.clone()), patience };
    match Machine::new(&description, &limits).map_err(StrategyError::from) {
        Ok(machine) => Ok((description, machine)),
        Err(StrategyError::Reasoner(error)) => Err(Refused::Late(of_reasoner(&error))),
        Err(error) => {
            let report = check(&description, &checks());
            Err(Refused::Wrong(error.to_string(), Box::new(report)))
        }
    }
}

/// The name and the bytes of a description: a text, or else the path of a file.
fn read(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<(String, Vec<u8>)> {
    match (source.cast::<PyString>(), source.extract::<PathBuf>()) {
        (Ok(text), path) if path.is_err() || is_text(&text.to_string_lossy()) => {
            Ok(("<text>".to_owned(), bytes(text)?))
        }
        (_, Ok(path)) => {
            let mut bytes = Vec::new();
            let file = File::open(&path);
            file.and_then(|it| it.take(MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes))
                .map_err(|error| errors::of_file(py, &path, &error))?;
            Ok((path.to_string_lossy().into_owned(), bytes))
        }
        _ => Err(PyTypeError::new_err("a description is a text or the path of a file")),
    }
}

/// Whether that is a description and no path: a path has no parentheses, or it has one line, which ends with `.kif` or `.gdl`.
fn is_text(source: &str) -> bool {
    let line = source.trim_start();
    let begins = line.is_empty() || line.starts_with(['(', ';']) || line.contains('\n');
    begins || line.contains('(') && !line.ends_with(".kif") && !line.ends_with(".gdl")
}

/// A text as UTF-8; halves of characters, which Python's texts may have, are none and are refused by the reader.
pub(crate) fn bytes(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    match text.to_str() {
        Ok(text) => Ok(text.as_bytes().to_vec()),
        Err(_) => text.call_method1("encode", ("utf-8", "surrogatepass"))?.extract(),
    }
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
