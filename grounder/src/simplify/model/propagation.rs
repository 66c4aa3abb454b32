//! What is known of an atom followed to the rules that it occurs in, and from these to their heads.
//!
//! An atom is impossible when each of its rules has a literal that never holds, and certain when all literals of one hold.
//! This decides chains of negations in one go, where what is certain and what is possible would have to take turns for each
//! link. It does not see that atoms only support each other: that is left to the turns.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};
use groundfrog_engine::rows::{Counts, Rows};

use super::{ALWAYS, NEVER, WAITS, of};
use crate::ticker::Ticker;

/// Where atoms occur.
pub(super) struct Propagation {
    /// By code of a literal: the rules in whose bodies it is.
    occurrences: Rows<u32>,
}

impl Propagation {
    /// For rules about so many atoms.
    pub(super) fn new(rules: &RuleStore, atoms: usize) -> Self {
        let mut counts = Counts::new(2 * atoms);
        rules.literals().iter().for_each(|it| counts.add(it.code()));
        let mut filling = counts.filling();
        for (number, rule) in (0..).zip(rules.iter()) {
            rule.body.iter().for_each(|it| filling.put(it.code(), number));
        }
        Propagation { occurrences: filling.finish() }
    }

    /// Decides atoms as far as that follows from those that are decided. Returns how many are certain that were not.
    pub(super) fn run(
        &self,
        known: &mut [u8],
        rules: &RuleStore,
        ticker: &mut Ticker<'_>,
    ) -> Result<usize, Exceeded> {
        // By rule: how many of its literals are not known to hold.
        let mut missing: Vec<u32> = Vec::with_capacity(rules.len());
        let mut fails: Vec<bool> = Vec::with_capacity(rules.len());
        // By atom: how many of its rules may hold.
        let mut supports = vec![0u32; known.len() / 2];
        for rule in rules.iter() {
            ticker.tick()?;
            let of_literal = |it: &GroundLiteral| known[it.code() as usize];
            missing.push(rule.body.iter().filter(|it| of_literal(it) & ALWAYS == 0).count() as u32);
            fails.push(rule.body.iter().any(|it| of_literal(it) & NEVER != 0));
            supports[rule.head as usize] += u32::from(!fails[fails.len() - 1]);
        }
        // Atoms that have been decided, and whether they hold; each once.
        let mut decided: Vec<(u32, bool)> = Vec::new();
        let decide = |known: &mut [u8], decided: &mut Vec<(u32, bool)>, atom: u32, holds: bool| {
            let pair = of(known, atom);
            if pair[0] & WAITS != 0 {
                *pair = if holds { [ALWAYS, NEVER] } else { [NEVER, ALWAYS] };
                decided.push((atom, holds));
            }
        };
        for (number, &head) in rules.heads().iter().enumerate() {
            if missing[number] == 0 {
                decide(known, &mut decided, head, true);
            } else if supports[head as usize] == 0 {
                decide(known, &mut decided, head, false);
            }
        }
        let mut certain = 0;
        while let Some((atom, holds)) = decided.pop() {
            certain += usize::from(holds);
            let (now_holds, now_fails) =
                (2 * atom + u32::from(!holds), 2 * atom + u32::from(holds));
            for &rule in self.occurrences.row(now_holds as usize) {
                missing[rule as usize] -= 1;
                if missing[rule as usize] == 0 {
                    decide(known, &mut decided, rules.heads()[rule as usize], true);
                }
            }
            for &rule in self.occurrences.row(now_fails as usize) {
                if !std::mem::replace(&mut fails[rule as usize], true) {
                    let head = rules.heads()[rule as usize];
                    supports[head as usize] -= 1;
                    if supports[head as usize] == 0 {
                        decide(known, &mut decided, head, false);
                    }
                }
            }
            ticker.tick()?;
        }
        Ok(certain)
    }
}

#[cfg(test)]
mod tests {
    use groundfrog_engine::Budget;

    use super::super::Model;
    use super::*;

    const ATOMS: u32 = 24;
    const OPEN: u32 = 4;

    fn known(rules: &RuleStore, most_turns: usize) -> Vec<u8> {
        let budget = Budget::unlimited();
        let mut ticker = Ticker::new(&budget, 0);
        let is_open = |atom| atom < OPEN;
        Model::with_turns(rules, ATOMS as usize, is_open, most_turns, &mut ticker)
            .expect("no limit")
            .known
    }

    #[test]
    fn propagation_changes_nothing_that_turns_find() {
        let mut seed = 1u64;
        let mut random = |below: u32| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % u64::from(below)) as u32
        };
        let mut decided = 0;
        for _ in 0..500 {
            let mut rules = RuleStore::default();
            for _ in 0..40 {
                let head = OPEN + random(ATOMS - OPEN);
                let length = random(4);
                let body: Vec<GroundLiteral> = (0..length)
                    .map(|_| GroundLiteral::new(random(ATOMS), random(2) == 0))
                    .filter(|it| it.is_negated() || it.atom() != head)
                    .collect();
                rules.push(head, &body);
            }
            let (with, without) = (known(&rules, 1), known(&rules, usize::MAX));
            decided += without.iter().filter(|&&it| it & ALWAYS != 0).count();
            assert_eq!(with, without, "{rules:?}");
        }
        assert!(decided > 1000, "{decided} literals hold in all");
    }
}
