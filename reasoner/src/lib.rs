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
//! [`Play`] begins with an interpreted reasoner and goes on with a ground one when that is ready.
//!
//! On them stand [`check`], what is wrong with a description; [`verify`], ground rules against rules with variables;
//! [`simulate`], random playouts and their speed; and [`propnet`], propositional networks.
//!
//! Fluents and moves are dense numbers; a state is a bitset of fluents. A match, in which all take the first of their
//! legal moves:
//!
//! ```
//! use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, State};
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
pub mod check;
pub(crate) mod dependencies;
mod error;
pub(crate) mod ground_rules;
mod hybrid;
pub(crate) mod interpreted;
mod moves;
mod playouts;
pub mod propnet;
mod random;
pub mod simulate;
mod state;
mod text;
pub mod verify;

pub use bit_parallel::{BitParallel, LANES, Lanes};
pub use error::{BuildError, ReasonerError};
pub use ground_rules::{GroundReasoner, Playout, PlayoutEnd, Policy, Uniform};
pub use hybrid::{NotGround, Play, UnreachableState};
pub use interpreted::{InterpretError, InterpretedReasoner};
pub use playouts::{GoalStatistics, PlayoutObserver, PlayoutStatistics};
pub use random::Random;
pub use state::{CompactState, State, zobrist_key};
pub use text::Case;

use groundfrog::description::{Printer, Term};
use groundfrog::game::RoleId;
use groundfrog::symbols::Symbols;

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

/// Answers what a player asks of a game.
///
/// Questions about a state take `&mut self`, since a reasoner keeps what it has computed of the last
/// state it was asked about; the answers depend on the arguments alone.
pub trait Reasoner {
    /// The names that terms are written in.
    fn symbols(&self) -> &Symbols;

    /// The roles, in the order of the description; a [`RoleId`] is a position in it.
    fn roles(&self) -> &[Term];

    /// The initial state.
    fn initial(&self) -> &State;

    /// The moves that are legal for a role, ascending; `moves` is replaced.
    ///
    /// # Errors
    /// [`ReasonerError::UnknownRole`] and [`ReasonerError::ForeignState`]; and where rules with variables are evaluated,
    /// [`ReasonerError::Evaluation`] and [`ReasonerError::Forms`].
    fn legal_moves(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError>;

    /// Whether the match is over.
    ///
    /// # Errors
    /// As [`Reasoner::legal_moves`].
    fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonerError>;

    /// All values that the state has for a role, ascending; `values` is replaced. A value that is not an
    /// integer is left out.
    ///
    /// # Errors
    /// As [`Reasoner::legal_moves`].
    fn goal_values(
        &mut self,
        state: &State,
        role: RoleId,
        values: &mut Vec<i64>,
    ) -> Result<(), ReasonerError>;

    /// The successor of a state, one move for each role in the order of the roles.
    ///
    /// # Errors
    /// A move is missing, is of another role or is not legal; and as [`Reasoner::legal_moves`].
    fn next_state(
        &mut self,
        state: &State,
        moves: &[MoveId],
        next: &mut State,
    ) -> Result<(), ReasonerError>;

    /// What each role sees when these moves are made in a state (GDL-II), by role, ascending; `seen` is replaced.
    ///
    /// # Errors
    /// As [`Reasoner::next_state`].
    fn perceive(
        &mut self,
        state: &State,
        moves: &[MoveId],
        seen: &mut Vec<Vec<PerceptId>>,
    ) -> Result<(), ReasonerError>;

    /// The term `p` of `(sees r p)`.
    ///
    /// # Panics
    /// If the percept is not one of this reasoner.
    fn percept(&self, percept: PerceptId) -> Term;

    /// How many fluents the reasoner has; one that numbers fluents as it meets them has those that it has met.
    fn fluent_count(&self) -> usize;

    /// The fluent that is written so, with any white space. A reasoner that numbers fluents as it meets them takes any term
    /// over names of the description.
    fn read_fluent(&mut self, text: &str, case: Case) -> Option<FluentId>;

    /// The move of a role that is written so, with any white space.
    fn read_move(&mut self, role: RoleId, text: &str, case: Case) -> Option<MoveId>;

    /// Makes moves that are known to be legal, one for each role, in a state. What moves do that are not legal is not
    /// defined; [`Reasoner::advance`] checks them.
    ///
    /// # Errors
    /// As [`Reasoner::legal_moves`]; a reasoner may check the moves all the same.
    ///
    /// # Panics
    /// If a move is not one of this reasoner.
    fn advance_unchecked(
        &mut self,
        state: &mut State,
        moves: &[MoveId],
    ) -> Result<(), ReasonerError> {
        self.advance(state, moves)
    }

    /// Makes moves, one for each role, in a state. After an error the state is what it was.
    ///
    /// # Errors
    /// As [`Reasoner::next_state`].
    fn advance(&mut self, state: &mut State, moves: &[MoveId]) -> Result<(), ReasonerError> {
        let mut next = State::default();
        self.next_state(state, moves, &mut next)?;
        *state = next;
        Ok(())
    }

    /// A move for each role, each chosen evenly among those that are legal; `moves` is replaced.
    ///
    /// # Errors
    /// [`ReasonerError::NoLegalMove`], and as [`Reasoner::legal_moves`].
    fn random_joint_move(
        &mut self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        let mut legal = Vec::new();
        moves.clear();
        for role in self.role_ids() {
            self.legal_moves(state, role, &mut legal)?;
            if legal.is_empty() {
                return Err(ReasonerError::NoLegalMove { role: self.role_text(role) });
            }
            moves.push(legal[random.below(legal.len() as u32) as usize]);
        }
        Ok(())
    }

    /// [`Reasoner::read_fluent`] where case counts.
    fn find_fluent(&mut self, text: &str) -> Option<FluentId> {
        self.read_fluent(text, Case::Exact)
    }

    /// [`Reasoner::read_move`] where case counts.
    fn find_move(&mut self, role: RoleId, text: &str) -> Option<MoveId> {
        self.read_move(role, text, Case::Exact)
    }

    /// The role that is written so, with any white space.
    fn find_role(&self, text: &str, case: Case) -> Option<RoleId> {
        let text = text::normal(text)?;
        let exact = self.role_ids().find(|&it| self.role_text(it) == text);
        if exact.is_some() || case == Case::Exact {
            return exact;
        }
        let mut alike =
            self.role_ids().filter(|&it| self.role_text(it).eq_ignore_ascii_case(&text));
        alike.next().filter(|_| alike.next().is_none())
    }

    /// The chance player of GDL-II: the role that is called `random`, if there is one.
    fn chance_role(&self) -> Option<RoleId> {
        self.find_role("random", Case::Folded)
    }

    /// The moves that chance can make in a state, each with its probability: all legal ones alike. Empty if there is no
    /// chance player, or it has no legal move.
    ///
    /// # Errors
    /// As [`Reasoner::legal_moves`].
    fn chance_moves(&mut self, state: &State) -> Result<Vec<(MoveId, f64)>, ReasonerError> {
        let mut legal = Vec::new();
        if let Some(role) = self.chance_role() {
            self.legal_moves(state, role, &mut legal)?;
        }
        let probability = 1.0 / legal.len().max(1) as f64;
        Ok(legal.into_iter().map(|it| (it, probability)).collect())
    }

    /// The state of another reasoner of the game, with the fluents numbered as they are here.
    ///
    /// # Errors
    /// [`ReasonerError::ForeignState`] if the state is not one of the other reasoner, [`ReasonerError::UnknownFluent`] if
    /// a fluent that holds is not known here.
    fn import_state(&mut self, from: &dyn Reasoner, state: &State) -> Result<State, ReasonerError> {
        moves::check_state(state, from.fluent_count())?;
        let mut own = State::default();
        for fluent in state.fluents() {
            let text = from.fluent_text(fluent);
            match self.find_fluent(&text) {
                Some(number) => own.insert(number),
                None => return Err(ReasonerError::UnknownFluent { text }),
            }
        }
        Ok(own)
    }

    /// What each role sees when these moves are made in a state (GDL-II), by role, sorted as text.
    ///
    /// # Errors
    /// As [`Reasoner::next_state`].
    fn percepts(
        &mut self,
        state: &State,
        moves: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, ReasonerError> {
        let mut seen = Vec::new();
        self.perceive(state, moves, &mut seen)?;
        let mut percepts: Vec<Vec<Term>> =
            seen.iter().map(|it| it.iter().map(|&it| self.percept(it)).collect()).collect();
        moves::sort_by_text(&mut percepts, self.symbols());
        Ok(percepts)
    }

    /// The term `f` of a fluent `(true f)`.
    ///
    /// # Panics
    /// If the fluent is not one of this reasoner.
    fn fluent(&self, fluent: FluentId) -> Term;

    /// Who makes a move, and the term `m` of `(does r m)`.
    ///
    /// # Panics
    /// If the move is not one of this reasoner.
    fn move_term(&self, it: MoveId) -> (RoleId, Term);

    /// The only value that the state has for a role.
    ///
    /// # Errors
    /// [`ReasonerError::NoGoal`], [`ReasonerError::ManyGoals`], and as [`Reasoner::legal_moves`].
    fn goal(&mut self, state: &State, role: RoleId) -> Result<i64, ReasonerError> {
        let mut values = Vec::new();
        self.goal_values(state, role, &mut values)?;
        match values[..] {
            [value] => Ok(value),
            [] => Err(ReasonerError::NoGoal { role: self.role_text(role) }),
            _ => Err(ReasonerError::ManyGoals { role: self.role_text(role), values }),
        }
    }

    /// The fluents that hold in a state, as KIF, sorted.
    fn state_text(&self, state: &State) -> Vec<String> {
        let mut texts: Vec<String> = state.fluents().map(|it| self.fluent_text(it)).collect();
        texts.sort_unstable();
        texts
    }

    /// A fluent as KIF.
    fn fluent_text(&self, fluent: FluentId) -> String {
        Printer::new(self.symbols()).term(&self.fluent(fluent)).to_string()
    }

    /// A move as KIF, without its role.
    fn move_text(&self, it: MoveId) -> String {
        Printer::new(self.symbols()).term(&self.move_term(it).1).to_string()
    }

    /// A role as KIF.
    fn role_text(&self, role: RoleId) -> String {
        let name = |it| Printer::new(self.symbols()).term(it).to_string();
        self.roles().get(role.index()).map_or_else(|| format!("role {}", role.0), name)
    }

    /// All roles.
    fn role_ids(&self) -> std::iter::Map<std::ops::Range<u32>, fn(u32) -> RoleId> {
        (0..self.roles().len() as u32).map(RoleId)
    }
}
