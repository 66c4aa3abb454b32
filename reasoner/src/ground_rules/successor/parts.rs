//! What is known of transients when all rules are compiled.

use super::ViewRule;
use crate::network::code::Code;
use groundfrog_engine::rows::Rows;

/// The first node of views until all gates are known.
pub(super) const PROVISIONAL: u32 = 1 << 30;

/// What is known of transients when all rules are compiled.
pub(super) struct Parts<'run> {
    pub(super) moves: u32,
    pub(super) words: usize,
    pub(super) levels: &'run [u32],
    pub(super) conditions: &'run Rows<Code>,
    pub(super) bodies: &'run Rows<Code>,
    pub(super) view_rules: &'run [ViewRule],
    /// Pairs of a transient and a bit, a group, a rule.
    pub(super) strikes: &'run [(u32, u32)],
    pub(super) groups: &'run [(u32, u32)],
    pub(super) triggered: &'run [(u32, u32)],
    /// Pairs of a level and a rule.
    pub(super) untriggered: &'run [(u32, u32)],
}
