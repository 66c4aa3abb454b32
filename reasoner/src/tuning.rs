//! The thresholds of the reasoner over ground rules: numbers that decide which of two ways is taken.
//!
//! All were found by trial on the speed of eleven games, and each names one that it matters for. What only protects the memory is no
//! threshold, nor what follows from a representation.

/// Rules of a fluent that hold unless a move prevents them and have a plane each; further ones are evaluated in each step. A plane
/// is a row of words: breakthrough.
pub(crate) const MOST_PLANES: usize = 8;

/// Rules that may stand for a view that holds unless moves are made, since they multiply: breakthrough.
pub(crate) const MOST_SUBSTITUTED_RULES: usize = 8;

/// Literals that such a rule may have: breakthrough.
pub(crate) const LONGEST_SUBSTITUTED: usize = 4;

/// Such views that a rule may read: breakthrough.
pub(crate) const MOST_SUBSTITUTED_VIEWS: usize = 2;

/// Rules of moves that a literal must be in to guard a block of them: speedChess.
pub(crate) const GUARDED_RULES: u32 = 4;

/// Moves of a role that a literal must guard to be taken out of gates: ttcc4_2player.
pub(crate) const GUARDED_MOVES: u32 = 16;

/// One move of a role in so many must be among them: with fewer it changes so seldom that it rather spares changes. checkers.
pub(crate) const GUARDED_PART: u32 = 4;

/// Inputs of a gate out of which a guard is taken if others are left: amazonsSuicide_10x10.
pub(crate) const GUARDED_INPUTS: usize = 4;

/// Depth of terms below which one less is tried after the other, for rules with variables. For games whose terms grow.
pub(crate) const LOW: usize = 4;
