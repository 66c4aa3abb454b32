//! Playing: the operations of the game model, answered from rules.
//!
//! A [`Reasoner`] answers what a player asks of a game (Schiffel & Thielscher, "Representing and reasoning
//! about the rules of general games with imperfect information", 2014; the field's `StateMachine`). There
//! are three:
//!
//! * [`GroundReasoner`] plays a [`GroundGame`](groundfrog::game::GroundGame): it evaluates only what changed
//!   from one state to the next.
//! * [`BitParallel`] plays many random matches of a ground game at once, one in each bit of a word.
//! * [`InterpretedReasoner`] answers from the rules with variables, one state at a time. It is the oracle
//!   for the others, and plays games that cannot be grounded.
//!
//! [`open`] makes one of a description within limits: a [`Machine`].
//!
//! On them stand [`simulate`], random playouts and their speed; [`state_space`], visiting states, and [`expansion`], all joint
//! moves of many states at once; and [`propnet`], propositional networks.
//!
//! Fluents and moves are dense numbers; a state is a bitset of fluents. A match, in which all take the first of their
//! legal moves:
//!
//! ```
//! use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, State, Vocabulary};
//! use groundfrog::{Description, GroundOptions, ParseOptions, RoleId, Silent, ground};
//!
//! let rules = "(role ann) (role bob) (init (heap 3)) (init (turn ann)) (less 3 2) (less 2 1) (less 1 0)
//!     (turns ann bob) (turns bob ann)
//!     (<= (legal ?r take) (true (turn ?r)))
//!     (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
//!     (<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m))
//!     (<= (next (turn ?s)) (true (turn ?r)) (turns ?r ?s))
//!     (<= terminal (true (heap 0)))
//!     (<= (goal ?r 100) (true (heap 0)) (true (turn ?r)))
//!     (<= (goal ?r 0) (role ?r) (not (true (turn ?r))))";
//! let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
//! let game = ground(&description, &GroundOptions::compact(), &mut Silent)?.game;
//! let mut reasoner = GroundReasoner::new(game)?;
//!
//! let roles: Vec<RoleId> = (0..).map(RoleId).take(reasoner.roles().len()).collect();
//! let mut state = reasoner.initial().clone();
//! let (mut next, mut legal, mut turns) = (State::default(), Vec::new(), 0);
//! while !reasoner.is_terminal(&state)? {
//!     let mut moves: Vec<MoveId> = Vec::new();
//!     for &role in &roles {
//!         reasoner.legal_moves(&state, role, &mut legal)?;
//!         moves.push(legal[0]);
//!     }
//!     reasoner.next_state(&state, &moves, &mut next)?;
//!     std::mem::swap(&mut state, &mut next);
//!     turns += 1;
//! }
//! let mut values = Vec::new();
//! reasoner.goal_values(&state, roles[1], &mut values)?;
//! assert_eq!((turns, values), (3, vec![100]), "bob has the turn when the heap is empty");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod bit_parallel;
mod error;
pub(crate) mod ground_rules;
pub(crate) mod interpreted;
pub(crate) mod network;
pub mod open;
mod playouts;
pub mod propnet;
mod random;
mod reasoner;
pub mod simulate;
mod state;
pub mod state_space;
mod tuning;
mod vocabulary;

pub use bit_parallel::{BitParallel, EndAhead, LANES, Lanes, Outlook, Perceived, expansion};
pub use error::{BuildError, ReasonerError};
pub use ground_rules::{GroundReasoner, Playout, PlayoutEnd, Policy, Uniform};
pub use interpreted::InterpretedReasoner;
pub use open::{Machine, OpenError, OpenLimits, Opened};
pub use playouts::{GoalStatistics, PlayoutObserver, PlayoutStatistics, play_on};
pub use random::Random;
pub use reasoner::Reasoner;
pub use state::{State, hash_words};
pub use vocabulary::Case;
pub use vocabulary::Vocabulary;

/// A fluent, numbered from 0. A reasoner over a ground game has the order of
/// [`GroundGame::fluents`](groundfrog::game::GroundGame::fluents); another numbers fluents as it meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FluentId(pub u32);

/// A move of a role, numbered from 0 over all roles. A reasoner over a ground game has the order of
/// [`GroundGame::moves`](groundfrog::game::GroundGame::moves); another numbers moves as it meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveId(pub u32);

/// Something that a role can see (GDL-II), numbered from 0 over all roles as moves are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PerceptId(pub u32);

impl PerceptId {
    /// The percept's number, to index a table that has one entry for each percept.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FluentId {
    /// The fluent's number, to index a table that has one entry for each fluent.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl MoveId {
    /// The move's number, to index a table that has one entry for each move.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
