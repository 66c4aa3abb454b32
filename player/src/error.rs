//! Why a match cannot be followed or played.

use groundfrog_reasoner::ReasonerError;

/// Why a strategy cannot go on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StrategyError {
    /// The description cannot be played, not even by interpreting its rules.
    #[error("the game cannot be played: {0}")]
    Game(String),
    /// The description has no such role.
    #[error("the game has no role `{0}`")]
    Role(String),
    /// The role has no legal move, or the match is over.
    #[error("`{role}` has no legal move")]
    NoMove {
        /// The role.
        role: String,
    },
    /// What is reported cannot have happened.
    #[error("turn cannot be followed: {0}")]
    Turn(String),
    /// The rules could not be evaluated.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}

impl StrategyError {
    /// Whether time ran out, or a stop flag was raised.
    pub fn is_late(&self) -> bool {
        matches!(self, StrategyError::Reasoner(error) if error.is_late())
    }
}
