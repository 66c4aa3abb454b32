//! Why nothing could be compared.

use groundfrog_reasoner::ReasonerError;

/// Why nothing could be compared any further. A difference is no error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The reasoner that is tested has no answer.
    #[error("the tested reasoner: {0}")]
    Tested(ReasonerError),
    /// The oracle has no answer.
    #[error("the oracle: {0}")]
    Oracle(ReasonerError),
    /// A trace speaks of roles that the game does not have.
    #[error("the trace has {trace} roles, the game has {game}")]
    Roles {
        /// In the trace.
        trace: usize,
        /// In the game.
        game: usize,
    },
}
