//! Rules that have become the same because literals were dropped.

use fxhash::FxHashSet;
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::pulse::Pulse;

/// The heads of rules that have lost literals.
#[derive(Default)]
pub(super) struct Shortened {
    heads: FxHashSet<u32>,
}

impl Shortened {
    pub(super) fn note(&mut self, head: u32) {
        self.heads.insert(head);
    }

    /// Keeps the first of equal rules. Only rules with the noted heads are looked at.
    pub(super) fn remove_duplicates(
        &self,
        rules: &mut RuleStore,
        pulse: &mut Pulse<'_>,
    ) -> Result<(), Exceeded> {
        if self.heads.is_empty() {
            return Ok(());
        }
        let mut seen: FxHashSet<(u32, Box<[GroundLiteral]>)> = FxHashSet::default();
        rules.retain(|head, body| {
            if !pulse.beat() {
                return None;
            }
            if self.heads.contains(&head) {
                let mut sorted: Box<[GroundLiteral]> = (&*body).into();
                sorted.sort_unstable();
                if !seen.insert((head, sorted)) {
                    return None;
                }
            }
            Some(body.len())
        });
        pulse.finish()
    }
}
