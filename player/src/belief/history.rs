//! What a role did and perceived, as a text.

use groundfrog::kif::{Diagnostic, NodeId, Sexprs, Span};

use crate::error::StrategyError;
use crate::machine::Machine;
use crate::text;

use super::Belief;

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
