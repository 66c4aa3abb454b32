//! The operations of the game model.

use crate::{MoveId, PerceptId, Random, ReasonerError, State, Vocabulary, vocabulary as checks};
use groundfrog::description::Term;
use groundfrog::game::RoleId;

/// Answers what a player asks of a game.
///
/// Questions about a state take `&mut self`, since a reasoner keeps what it has computed of the last
/// state it was called with; the answers depend on the arguments alone. States are the reasoner's own:
/// [`Vocabulary::check_state`] says how others are found out, and [`Vocabulary::import_state`] translates them.
///
/// The examples play two games of `groundfrog_corpus`: nim with heaps of 1, 3, 5 and 7, and cards that are dealt by chance.
pub trait Reasoner: Vocabulary {
    /// The initial state.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// let nim = GroundReasoner::of_text(rules)?;
    /// assert_eq!(nim.roles().len(), 2);
    /// assert_eq!(nim.state_text(nim.initial())?[..2], ["(control first)", "(heap a 1)"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn initial(&self) -> &State;

    /// The moves that are legal for a role, ascending; `moves` is replaced.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let (start, second) = (nim.initial().clone(), nim.role_ids().nth(1).ok_or("two roles")?);
    /// let mut moves = Vec::new();
    /// nim.legal_moves(&start, second, &mut moves)?;
    /// assert_eq!(moves.iter().map(|&it| nim.move_text(it)).collect::<Vec<_>>(), ["noop"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReasonerError::UnknownRole`], those of [`Vocabulary::check_state`]; and where rules with variables are evaluated,
    /// [`ReasonerError::Evaluation`] and [`ReasonerError::Forms`].
    fn legal_moves(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError>;

    /// Whether the match is over.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Reasoner, State, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let last = nim.find_fluent("(heap a 1)").ok_or("a fluent")?;
    /// assert!(!nim.is_terminal(&State::of([last]))?);
    /// assert!(nim.is_terminal(&State::default())?, "nothing is left to take");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reasoner::legal_moves`].
    fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonerError>;

    /// All values that the state has for a role, ascending; `values` is replaced. A value that is not an
    /// integer is left out. [`Reasoner::goal`] is for states that have just one.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let (start, first) = (nim.initial().clone(), nim.role_ids().next().ok_or("a role")?);
    /// let mut values = vec![7];
    /// nim.goal_values(&start, first, &mut values)?;
    /// assert_eq!(values, [0], "who is to move has not taken the last object");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reasoner::legal_moves`].
    fn goal_values(
        &mut self,
        state: &State,
        role: RoleId,
        values: &mut Vec<i64>,
    ) -> Result<(), ReasonerError>;

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

    /// The successor of a state, one move for each role in the order of the roles. [`Reasoner::advance`] does the same in place.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Reasoner, ReasonerError, State, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let (start, mut next) = (nim.initial().clone(), State::default());
    /// let [first, second] = [0, 1].map(groundfrog::RoleId);
    /// let clear = nim.find_move(first, "(reduce a 0)").ok_or("a move")?;
    /// let noop = nim.find_move(second, "noop").ok_or("a move")?;
    /// nim.next_state(&start, &[clear, noop], &mut next)?;
    /// assert_eq!(nim.state_text(&next)?[..2], ["(control second)", "(heap a 0)"]);
    /// let again = nim.next_state(&next.clone(), &[clear, noop], &mut next);
    /// assert!(matches!(again, Err(ReasonerError::IllegalMove { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A move is missing, is of another role or is not legal; and as [`Reasoner::legal_moves`].
    fn next_state(
        &mut self,
        state: &State,
        moves: &[MoveId],
        next: &mut State,
    ) -> Result<(), ReasonerError>;

    /// Makes moves, one for each role, in a state. After an error the state is what it was.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Random, Reasoner};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let (mut state, mut random, mut moves) = (nim.initial().clone(), Random::new(3), Vec::new());
    /// nim.random_joint_move(&state, &mut random, &mut moves)?;
    /// nim.advance(&mut state, &moves)?;
    /// while !nim.is_terminal(&state)? {
    ///     nim.random_joint_move(&state, &mut random, &mut moves)?;
    ///     nim.advance_unchecked(&mut state, &moves)?; // just chosen among those that are legal
    /// }
    /// let [first, second] = [0, 1].map(groundfrog::RoleId);
    /// assert_eq!(nim.goal(&state, first)? + nim.goal(&state, second)?, 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reasoner::next_state`].
    fn advance(&mut self, state: &mut State, moves: &[MoveId]) -> Result<(), ReasonerError> {
        let mut next = State::default();
        self.next_state(state, moves, &mut next)?;
        *state = next;
        Ok(())
    }

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

    /// A move for each role, each chosen evenly among those that are legal; `moves` is replaced. Returns the first role that has none, if
    /// there is one.
    ///
    /// # Errors
    /// As [`Reasoner::legal_moves`].
    fn random_joint_move(
        &mut self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<MoveId>,
    ) -> Result<Option<RoleId>, ReasonerError> {
        let mut legal = Vec::new();
        moves.clear();
        for role in self.role_ids() {
            self.legal_moves(state, role, &mut legal)?;
            if legal.is_empty() {
                return Ok(Some(role));
            }
            moves.push(legal[random.below(legal.len() as u32) as usize]);
        }
        Ok(None)
    }

    /// What each role sees when these moves are made in a state (GDL-II), by role, ascending; `seen` is replaced.
    ///
    /// ```
    /// # use groundfrog_reasoner::{Case, GroundReasoner, Random, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("card_draw").expect("a game").text;
    /// let mut cards = GroundReasoner::of_text(rules)?;
    /// let (start, mut moves, mut seen) = (cards.initial().clone(), Vec::new(), Vec::new());
    /// cards.random_joint_move(&start, &mut Random::new(1), &mut moves)?;
    /// cards.perceive(&start, &moves, &mut seen)?;
    /// let alma = cards.find_role("alma", Case::Exact).ok_or("a role")?;
    /// let [card] = seen[alma.index()][..] else { return Err("one card".into()) };
    /// assert_eq!(cards.percepts(&start, &moves)?[alma.index()], [cards.percept(card)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reasoner::next_state`].
    fn perceive(
        &mut self,
        state: &State,
        moves: &[MoveId],
        seen: &mut Vec<Vec<PerceptId>>,
    ) -> Result<(), ReasonerError>;

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
        checks::sort_by_text(&mut percepts, self.symbols());
        Ok(percepts)
    }

    /// The moves that chance can make in a state, each with its probability: all legal ones alike. Empty if there is no
    /// chance player, or it has no legal move.
    ///
    /// ```
    /// # use groundfrog_reasoner::{GroundReasoner, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("card_draw").expect("a game").text;
    /// let mut cards = GroundReasoner::of_text(rules)?;
    /// let start = cards.initial().clone();
    /// assert_eq!(cards.chance_role().map(|it| cards.role_text(it)).as_deref(), Some("random"));
    /// let deals = cards.chance_moves(&start)?;
    /// assert!(deals.iter().all(|it| it.1 == 1.0 / 6.0), "three cards for one, two for the other");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
}
