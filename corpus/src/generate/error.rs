//! Why there is no game for some parameters.

use thiserror::Error;

/// Why a family cannot write a game for the given parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// The family has no parameter of that name.
    #[error("{family} has no parameter `{name}`; it has {known}")]
    UnknownParameter {
        /// The family.
        family: &'static str,
        /// The name that it does not know.
        name: String,
        /// The names that it knows, for the message.
        known: String,
    },
    /// A parameter's value is too small or too large.
    #[error("{family}: {name} must be from {min} to {max}, not {value}")]
    OutOfRange {
        /// The family.
        family: &'static str,
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: u32,
        /// The least value there is.
        min: u32,
        /// The greatest value there is.
        max: u32,
    },
    /// Each value is in its range, but together they make no game.
    #[error("{family}: {reason}")]
    Conflict {
        /// The family.
        family: &'static str,
        /// What does not go together.
        reason: String,
    },
}
