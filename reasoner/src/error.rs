//! What can go wrong when playing.

use groundfrog_engine::{EngineError, Exceeded, Limit};

/// Why a reasoner has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReasonerError {
    /// The joint move does not have one move for each role.
    #[error("{given} moves were given for {roles} roles{}", .missing.as_ref().map_or_else(String::new, |role| format!(": none for `{role}`")))]
    MoveCount {
        /// How many moves were given.
        given: usize,
        /// How many roles there are.
        roles: usize,
        /// The first role without a move, if one is missing.
        missing: Option<String>,
    },
    /// A move number that the reasoner does not know.
    #[error("move number {number} is not known for `{role}`")]
    UnknownMove {
        /// Whose turn it was to give a move.
        role: String,
        /// The number.
        number: u32,
    },
    /// A move stands where that of another role belongs.
    #[error("`{text}` is a move of `{owner}` and was given for `{role}`")]
    WrongRole {
        /// Whose move was expected.
        role: String,
        /// Whose move it is.
        owner: String,
        /// The move.
        text: String,
    },
    /// A move is not legal in the state.
    #[error("`{text}` is not legal for `{role}` in this state")]
    IllegalMove {
        /// Whose move it is.
        role: String,
        /// The move.
        text: String,
    },
    /// The game has no such role.
    #[error("there is no role number {number}; there are {roles} roles")]
    UnknownRole {
        /// The number.
        number: u32,
        /// How many roles there are.
        roles: usize,
    },
    /// A state has a fluent that the reasoner does not have: it is one of another reasoner.
    #[error(
        "fluent number {number} holds in the state, and the reasoner has {fluents}: it is a state of another reasoner; `import_state` translates it"
    )]
    ForeignState {
        /// The number.
        number: u32,
        /// How many fluents the reasoner has.
        fluents: usize,
    },
    /// The numbers of a state fit and stand for other fluents: it is one of another reasoner. Only builds with debug assertions
    /// find that.
    #[error(
        "the state is one of another reasoner, where its numbers stand for other fluents; `import_state` translates it"
    )]
    StateOfAnother,
    /// A fluent of a state that is imported is not known here.
    #[error("`{text}` holds in the state and is no fluent of this reasoner")]
    UnknownFluent {
        /// The fluent.
        text: String,
    },
    /// More states or joint moves were given than there are lanes.
    #[error("states or moves were given for {given} lanes, of which there are {lanes}")]
    TooManyLanes {
        /// For how many lanes they were given.
        given: usize,
        /// How many lanes there are.
        lanes: usize,
    },
    /// A role cannot move in a state that is not terminal.
    #[error("`{role}` has no legal move in a state that is not terminal")]
    NoLegalMove {
        /// The role.
        role: String,
    },
    /// The state has no value for a role.
    #[error("the state has no goal value for `{role}`")]
    NoGoal {
        /// The role.
        role: String,
    },
    /// The state has several values for a role.
    #[error("the state has more than one goal value for `{role}`: {values:?}")]
    ManyGoals {
        /// The role.
        role: String,
        /// The values, ascending.
        values: Vec<i64>,
    },
    /// Rules with variables could not be evaluated in a state.
    #[error("the rules could not be evaluated: {0}")]
    Evaluation(#[from] EngineError),
    /// The terms of a state take forms that exceed the limits.
    #[error("the rules could not be evaluated: {0}")]
    Forms(String),
}

impl From<Exceeded> for ReasonerError {
    fn from(exceeded: Exceeded) -> Self {
        EngineError::from(exceeded).into()
    }
}

impl ReasonerError {
    /// Whether time ran out, or a stop flag was raised: the question may still have an answer.
    pub fn is_late(&self) -> bool {
        let limit = match self {
            ReasonerError::Evaluation(EngineError::Limit(exceeded)) => exceeded.limit,
            _ => return false,
        };
        matches!(limit, Limit::Time | Limit::Cancelled)
    }

    /// Whether time, memory or another limit ran out, or a stop flag was raised: nothing is decided.
    pub fn is_limit(&self) -> bool {
        matches!(self, ReasonerError::Evaluation(EngineError::Limit(_)) | ReasonerError::Forms(_))
    }
}

/// Why a game cannot be compiled for a reasoner.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// An atom depends on its own negation.
    #[error("`{}` depends on its own negation: {}", .cycle.first().map_or("", String::as_str), .cycle.join(" <- "))]
    NegativeCycle {
        /// The atoms of one such cycle.
        cycle: Vec<String>,
    },
    /// `legal` or `terminal` depends on the moves that are made.
    #[error(
        "`{atom}` depends on the moves that are made, which are not known yet when it is needed"
    )]
    DependsOnMoves {
        /// The atom.
        atom: String,
    },
    /// The game has no roles.
    #[error("the game has no roles")]
    NoRoles,
}
