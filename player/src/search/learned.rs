//! What states are worth by their fluents, learned in the start clock and mixed into the values of leaves.

use groundfrog::RoleId;
use groundfrog_reasoner::State;
use smallvec::SmallVec;

use super::BEST;
use super::evaluation::{Evaluation, SCALE};
use crate::clock::Until;
use crate::machine::Machine;
use crate::solve::position::Rules;
use crate::strategy::StrategyError;

/// The share of a leaf's value that is learned, where the evaluation explains all; less in proportion where it explains less.
const SHARE: f64 = 1.0;
/// The share is not greater.
const MOST: f64 = 0.4;

/// What states are worth to each role.
#[derive(Clone, Debug)]
pub(super) struct Learned {
    /// By role: what fluents are worth, and its share in the value of a leaf.
    roles: Vec<(Evaluation, f64)>,
}

impl Learned {
    /// Learns from random playouts; `None` where rules are interpreted.
    pub(super) fn learn(
        machine: &Machine,
        seed: u64,
        until: &Until,
    ) -> Result<Option<Self>, StrategyError> {
        let Some(rules) = machine.ground() else { return Ok(None) };
        let mut rules = Rules::of(rules.clone());
        let mut roles = Vec::new();
        let count = machine.roles().len() as u32;
        for role in 0..count {
            let part = until.part(count - role);
            let (evaluation, likeness) = Evaluation::learn(&mut rules, RoleId(role), seed, &part)?;
            roles.push((evaluation, (likeness.explained * SHARE).clamp(0.0, MOST)));
        }
        Ok(Some(Learned { roles }))
    }

    /// What a state is worth, by role.
    pub(super) fn of(&self, state: &State) -> SmallVec<[f64; 2]> {
        let value = |it: &(Evaluation, f64)| f64::from(it.0.of(state)) / f64::from(SCALE);
        self.roles.iter().map(|it| value(it).clamp(0.0, BEST)).collect()
    }

    /// Mixes what was learned of a leaf into its values.
    pub(super) fn mix(&self, learned: &[f64], values: &mut [f64]) {
        for ((value, learned), role) in values.iter_mut().zip(learned).zip(&self.roles) {
            *value += role.1 * (learned - *value);
        }
    }
}
