//! The rules that literals occur in.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};
use groundfrog_engine::rows::{Counts, Rows};

use crate::pulse::Pulse;

/// In which rules each literal occurs.
pub(super) struct Occurrences {
    /// By code of the literal.
    rules: Rows<u32>,
}

impl Occurrences {
    /// The occurrences of the literals of atoms numbered below `atoms`.
    pub(super) fn new(
        rules: &RuleStore,
        atoms: usize,
        pulse: &mut Pulse<'_>,
    ) -> Result<Self, Exceeded> {
        let mut counts = Counts::new(2 * atoms);
        for rule in rules.iter().take_while(|_| pulse.beat()) {
            rule.body.iter().for_each(|literal| counts.add(literal.code()));
        }
        pulse.finish()?;
        let mut filling = counts.filling();
        for (number, rule) in (0..).zip(rules.iter()).take_while(|_| pulse.beat()) {
            rule.body.iter().for_each(|literal| filling.put(literal.code(), number));
        }
        pulse.finish()?;
        Ok(Occurrences { rules: filling.finish() })
    }

    pub(super) fn of(&self, literal: GroundLiteral) -> &[u32] {
        self.rules.row(literal.code() as usize)
    }
}
