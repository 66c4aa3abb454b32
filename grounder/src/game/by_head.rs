//! The rules of each atom.

use super::{AtomId, GroundGame};

/// The rules of a [`GroundGame`], found by their heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesByHead {
    /// By atom: where its rules begin; one more entry at the end.
    starts: Vec<u32>,
    rules: Vec<u32>,
}

impl RulesByHead {
    /// Sorts the rules of a game by their heads, in linear time.
    pub fn new(game: &GroundGame) -> Self {
        let heads = game.rules().heads();
        let mut starts = vec![0u32; game.atom_count() + 1];
        for &head in heads {
            starts[head as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut rules = vec![0; heads.len()];
        // From the end of each atom's range to its start, so that rules stay in order.
        for (rule, &head) in heads.iter().enumerate().rev() {
            let place = &mut starts[head as usize];
            *place -= 1;
            rules[*place as usize] = rule as u32;
        }
        RulesByHead { starts, rules }
    }

    /// The numbers of the rules with a head, ascending, for [`RuleStore::rule`](super::RuleStore::rule).
    ///
    /// # Panics
    /// If the atom is not one of the game.
    #[inline]
    pub fn rules(&self, head: AtomId) -> &[u32] {
        let start = self.starts[head.index()] as usize;
        &self.rules[start..self.starts[head.index() + 1] as usize]
    }

    /// Whether an atom is the head of a rule.
    pub fn has_rules(&self, head: AtomId) -> bool {
        !self.rules(head).is_empty()
    }
}
