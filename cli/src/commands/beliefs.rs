//! `groundfrog beliefs`.

use std::fs;
use std::io::{self, Write};

use groundfrog::kif::Diagnostic;
use groundfrog_player::belief::{
    Belief, BeliefLimits, BeliefMethod, BeliefSummary, HistoryStep, read_history,
};
use groundfrog_player::strategy::StrategyError;
use groundfrog_reasoner::{Case, GroundReasoner, Machine};
use serde::Serialize;

use super::Session;
use crate::arguments::BeliefsArguments;
use crate::failure::Failure;

/// What a role believes. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct BeliefsReport<'run> {
    game: String,
    #[serde(flatten)]
    summary: &'run BeliefSummary,
}

/// Says which states a role believes possible.
pub(crate) fn work(arguments: &BeliefsArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let path = &arguments.history;
    let history = fs::read_to_string(path).map_err(|it| Failure::io("cannot read", path, it))?;
    let in_history = |diagnostic: Box<Diagnostic>| Failure::Plan {
        diagnostic,
        name: path.to_string_lossy().into_owned(),
        text: history.clone(),
    };
    let steps = read_history(&history).map_err(in_history)?;
    let description = session.read(&arguments.game.input)?;
    let game = session.playable(&description, &arguments.game.grounding)?;
    let reasoner = session.compiled(&game, GroundReasoner::new)?;
    let mut machine = Machine::Ground(Box::new(reasoner));
    let role = match &arguments.role {
        Some(name) => machine.find_role(name, Case::Folded),
        None => machine.role_ids().find(|&it| Some(it) != machine.chance_role()),
    };
    let Some(role) = role else {
        let names: Vec<String> = machine.role_ids().map(|it| machine.role_text(it)).collect();
        let message = match &arguments.role {
            Some(name) => format!("there is no role `{name}`: take {}", names.join(", ")),
            None => "there is no role but `random`".to_owned(),
        };
        return Err(Failure::Usage(message));
    };
    let limits = BeliefLimits { exact: arguments.most, ..BeliefLimits::of(&machine) };
    if let Some((role, action)) = arguments.opponents.unknown(&mut machine) {
        return Err(Failure::Usage(format!(
            "--opponents: the game has no move `{action}` of `{role}`"
        )));
    }
    let mut belief = Belief::new(&mut machine, role, &arguments.opponents, limits, arguments.seed);
    for step in &steps {
        supervisor.check()?;
        let observed = belief.observe_history(&mut machine, std::slice::from_ref(step));
        observed.map_err(|(_, error)| match error {
            StrategyError::Reasoner(error) => Failure::Reasoner(error),
            error => in_history(impossible(step, &error)),
        })?;
    }
    let summary = belief.summary(&machine).map_err(|it| Failure::Game(it.to_string()))?;
    let report = BeliefsReport {
        game: arguments.game.input.game.to_string_lossy().into_owned(),
        summary: &summary,
    };
    session.report(&arguments.format, &report, |out| write_text(&summary, arguments.show, out))
}

/// A step that no history has.
fn impossible(step: &HistoryStep, error: &StrategyError) -> Box<Diagnostic> {
    let message = match error {
        StrategyError::Turn(fault) => fault.clone(),
        other => other.to_string(),
    };
    Box::new(Diagnostic::error("", message, step.span).with_help(
        "each step has the own move and all percepts of that step, in the order in which they happened",
    ))
}

fn write_text(summary: &BeliefSummary, show: usize, out: &mut dyn Write) -> io::Result<()> {
    let (histories, method) = match summary.method {
        BeliefMethod::Exact => ("histories", "exact"),
        BeliefMethod::Sampled => ("samples", "sampled: there are too many histories"),
    };
    writeln!(out, "{} after {} steps ({method})", summary.role, summary.steps)?;
    writeln!(out, "states: {}, {histories}: {}", summary.states.len(), summary.histories)?;
    writeln!(out, "probability  {histories}  state")?;
    for state in summary.states.iter().take(show) {
        let width = histories.len();
        let texts = state.state.join(" ");
        writeln!(out, "{:>11.6}  {:>width$}  {texts}", state.probability, state.histories)?;
    }
    if summary.states.len() > show {
        writeln!(out, "and {} more states: see `--show`", summary.states.len() - show)?;
    }
    Ok(())
}
