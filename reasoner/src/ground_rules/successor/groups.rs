//! Rules of the next state with the same trigger and condition.

use groundfrog_engine::rows::Rows;
use std::hash::{Hash, Hasher};

use fxhash::{FxHashMap, FxHasher};

use crate::network::code::Code;

const NONE: u32 = u32::MAX;

/// Conditional groups, found by trigger and condition.
#[derive(Default)]
pub(super) struct Groups {
    pub(super) conditions: Rows<Code>,
    triggers: Vec<u32>,
    /// By hash: the latest group; and by group: the one before with the same hash.
    latest: FxHashMap<u64, u32>,
    before: Vec<u32>,
}

impl Groups {
    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.before.len()
    }

    /// The group of a trigger and a condition, and whether it is new.
    pub(super) fn intern(&mut self, trigger: u32, condition: &[Code]) -> (u32, bool) {
        let mut hasher = FxHasher::default();
        (trigger, condition).hash(&mut hasher);
        let next = self.before.len() as u32;
        let latest = self.latest.entry(hasher.finish()).or_insert(NONE);
        let mut group = *latest;
        while group != NONE {
            let same = self.triggers[group as usize] == trigger
                && self.conditions.row(group as usize) == condition;
            if same {
                return (group, false);
            }
            group = self.before[group as usize];
        }
        self.before.push(std::mem::replace(latest, next));
        self.triggers.push(trigger);
        self.conditions.push(condition.iter().copied());
        (next, true)
    }
}
