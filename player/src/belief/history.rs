//! What a role did and perceived, as a text.

use fxhash::FxHashMap;
use groundfrog::kif::{Diagnostic, NodeId, Sexprs, Span};

use super::{Belief, BeliefMethod};
use crate::strategy::StrategyError;
use crate::text;
use groundfrog_reasoner::Machine;

/// The own move of a step and what the role then perceived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryStep {
    /// The move, as KIF; `None` for `?`, a move that is not known.
    pub own: Option<String>,
    /// The percepts, as KIF.
    pub percepts: Vec<String>,
    /// Where the step stands in the text.
    pub span: Span,
}

/// Reads a history: for each step the own move, or `?` if it is not known, and the list of percepts, as the newer protocol of GDL-II
/// has them. `nil` and `()` are the empty list; what follows `;` in a line is a remark.
///
/// ```
/// use groundfrog_player::belief::read_history;
/// let steps = read_history("(point left) ()\nwait ((empty right)) ; the host\n? nil").expect("three steps");
/// assert_eq!(steps[1].own.as_deref(), Some("wait"));
/// assert_eq!(steps[1].percepts, ["(empty right)"]);
/// assert_eq!(steps[2].own, None);
/// let fault = read_history("wait (empty right) stay").expect_err("a list is missing");
/// assert!(fault.message.contains("no list of percepts"));
/// ```
///
/// # Errors
/// A parenthesis is not closed or closes nothing, or a move has no list of percepts.
pub fn read_history(source: &str) -> Result<Vec<HistoryStep>, Box<Diagnostic>> {
    let trees = text::parse(source).map_err(|it| Box::new(Diagnostic::from(&it)))?;
    let nodes: Vec<NodeId> = trees.roots().collect();
    nodes.chunks(2).map(|step| read_step(source, &trees, step)).collect()
}

fn read_step(
    source: &str,
    trees: &Sexprs,
    step: &[NodeId],
) -> Result<HistoryStep, Box<Diagnostic>> {
    let span = trees.span(step[0]);
    let own = text::compact(span.text(source)).unwrap_or_default();
    let own = (own != "?").then_some(own);
    let list =
        step.get(1).filter(|&&it| trees.is_list(it) || text::is_nil(trees.span(it).text(source)));
    let Some(&list) = list else {
        let span = step.get(1).map_or(span, |&it| trees.span(it));
        let message = "a move has no list of percepts after it";
        let help = "write for each step the own move and then all that was perceived in one list, `()` if nothing was: \
                    `(point left) ()`";
        return Err(Box::new(Diagnostic::error("", message, span).with_help(help)));
    };
    let percepts = text::elements_of(source, trees, list).unwrap_or_default();
    Ok(HistoryStep { own, percepts, span })
}

impl Belief {
    /// Goes on by the steps of a history.
    ///
    /// # Errors
    /// The step, counted from 0, that cannot have happened, and why.
    pub fn observe_history(
        &mut self,
        machine: &mut Machine,
        steps: &[HistoryStep],
    ) -> Result<(), (usize, StrategyError)> {
        for (number, step) in steps.iter().enumerate() {
            let found = step.own.as_deref().map(|text| {
                let unknown = || StrategyError::Turn(format!("`{text}` is no move of the role"));
                machine.find_move(self.role, text).ok_or_else(unknown)
            });
            let own = found.transpose().map_err(|it| (number, it))?;
            let observed = self.observe(machine, own, step.percepts.clone());
            observed.map_err(|it| (number, it))?;
        }
        Ok(())
    }
}

/// A state that a role believes possible.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct BeliefState {
    /// Its probability.
    pub probability: f64,
    /// How many histories lead to it; samples, where the belief is sampled.
    pub histories: u64,
    /// The fluents as KIF, sorted.
    pub state: Vec<String>,
}

/// States, histories and probabilities, which are three different things.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct BeliefSummary {
    /// The role.
    pub role: String,
    /// Steps made.
    pub steps: usize,
    /// Whether all histories are held.
    pub method: BeliefMethod,
    /// Histories, or samples.
    pub histories: u64,
    /// The states that are possible, the most likely first.
    pub states: Vec<BeliefState>,
}

impl Belief {
    /// The states that are possible, each once.
    ///
    /// # Errors
    /// The rules could not be evaluated.
    pub fn summary(&self, machine: &Machine) -> Result<BeliefSummary, StrategyError> {
        let mut numbers = FxHashMap::default();
        let mut states: Vec<BeliefState> = Vec::new();
        for world in self.worlds() {
            let number = match numbers.get(&world.state) {
                Some(&number) => number,
                None => {
                    let state = machine.state_text(&world.state)?;
                    states.push(BeliefState { probability: 0.0, histories: 0, state });
                    numbers.insert(world.state.clone(), states.len() - 1);
                    states.len() - 1
                }
            };
            let found: &mut BeliefState = &mut states[number];
            found.probability += world.weight;
            found.histories = found.histories.saturating_add(world.histories);
        }
        states.sort_by(|one, other| {
            other.probability.total_cmp(&one.probability).then(one.state.cmp(&other.state))
        });
        Ok(BeliefSummary {
            role: machine.role_text(self.role),
            steps: self.steps(),
            method: self.method(),
            histories: states.iter().fold(0, |sum: u64, it| sum.saturating_add(it.histories)),
            states,
        })
    }
}
