//! What a belief says about states.

use fxhash::FxHashMap;

use super::{Belief, BeliefMethod};
use crate::error::StrategyError;
use crate::machine::Machine;

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
