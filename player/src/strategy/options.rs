//! What a strategy may use.

use std::sync::Arc;

use groundfrog::Stop;

use crate::belief::Opponents;
use crate::follower::Follower;
use crate::machine::SharedRules;
use crate::search::SearchParts;

/// What a strategy may use.
#[derive(Clone, Debug)]
pub struct StrategyOptions {
    /// Seed of what is drawn at random.
    pub seed: u64,
    /// How many threads may search; 0 takes all processors.
    pub threads: usize,
    /// Whether to go on searching when it is ready, and after an answer, until the next turn or the deadline: others may still prepare or choose.
    pub ponders: bool,
    /// How the other roles are assumed to play, where a role does not see what they do.
    pub opponents: Opponents,
    /// Bytes for ground rules and search together, if that is limited.
    pub memory: Option<u64>,
    /// Asked whether to stop: raised when the match is over while the strategy still works.
    pub stop: Option<Arc<dyn Stop>>,
    /// Who follows the match already and hears of each turn; a strategy without one follows it by itself.
    pub follower: Option<Follower>,
    /// Ground rules, shared with the other players of the match.
    pub rules: SharedRules,
    /// What the search does beyond plain UCT.
    pub parts: SearchParts,
}

impl Default for StrategyOptions {
    /// One thread, 2 GiB, an answer at once where there is no choice.
    fn default() -> Self {
        StrategyOptions {
            seed: 1,
            threads: 1,
            ponders: false,
            opponents: Opponents::default(),
            memory: Some(2 << 30),
            stop: None,
            follower: None,
            rules: SharedRules::default(),
            parts: SearchParts::default(),
        }
    }
}
