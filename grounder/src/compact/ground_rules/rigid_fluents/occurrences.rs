//! The rules that literals occur in.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::pulse::Pulse;

/// In which rules each literal occurs, in compressed sparse rows.
pub(super) struct Occurrences {
    /// By literal: where its rules end; they begin where those of the literal before end.
    ends: Vec<u32>,
    rules: Vec<u32>,
}

impl Occurrences {
    /// The occurrences of the literals of atoms numbered below `atoms`.
    pub(super) fn new(
        rules: &RuleStore,
        atoms: usize,
        pulse: &mut Pulse<'_>,
    ) -> Result<Self, Exceeded> {
        // Counts, then where the rules of each literal begin, then where they end.
        let mut offsets = vec![0u32; 2 * atoms];
        for rule in rules.iter().take_while(|_| pulse.beat()) {
            rule.body.iter().for_each(|literal| offsets[literal.code() as usize] += 1);
        }
        pulse.finish()?;
        let mut count = 0;
        for offset in &mut offsets {
            count += std::mem::replace(offset, count);
        }
        let mut of = vec![0u32; count as usize];
        for (number, rule) in (0..).zip(rules.iter()).take_while(|_| pulse.beat()) {
            for literal in rule.body {
                let next = &mut offsets[literal.code() as usize];
                of[*next as usize] = number;
                *next += 1;
            }
        }
        pulse.finish()?;
        Ok(Occurrences { ends: offsets, rules: of })
    }

    pub(super) fn of(&self, literal: GroundLiteral) -> &[u32] {
        let code = literal.code() as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.rules[start as usize..self.ends[code] as usize]
    }
}
