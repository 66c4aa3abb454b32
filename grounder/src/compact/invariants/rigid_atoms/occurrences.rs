//! The rules that literals occur in.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};
use groundfrog_engine::rows::{Counts, Rows};

use crate::ticker::Ticker;

/// In which rules each literal occurs.
pub(super) struct FluentOccurrences {
    /// By code of the literal.
    rules: Rows<u32>,
}

impl FluentOccurrences {
    /// The occurrences of the literals of atoms numbered below `atoms`.
    pub(super) fn new(
        rules: &RuleStore,
        atoms: usize,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        let mut counts = Counts::new(2 * atoms);
        for rule in rules.iter() {
            ticker.tick()?;
            rule.body.iter().for_each(|literal| counts.add(literal.code()));
        }
        let mut filling = counts.filling();
        for (number, rule) in (0..).zip(rules.iter()) {
            ticker.tick()?;
            rule.body.iter().for_each(|literal| filling.put(literal.code(), number));
        }
        Ok(FluentOccurrences { rules: filling.finish() })
    }

    pub(super) fn of(&self, literal: GroundLiteral) -> &[u32] {
        self.rules.row(literal.code() as usize)
    }
}
