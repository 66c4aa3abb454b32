//! What a player learns of a turn.

/// What happened in one turn of a match, as far as a player learns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The moves of all roles, in the order of the roles, as KIF.
    Moves(Vec<String>),
    /// In GDL-II: the own move that counted, if that is reported, and what the role perceives, as KIF.
    Percepts {
        /// The move that was made for the role; `None` in the older form of the protocol, which does not tell.
        own: Option<String>,
        /// What the role perceives.
        percepts: Vec<String>,
    },
}
