//! What the numbers of a reasoner stand for: text and look-up.

use super::{Case, FluentId, MoveId, PerceptId, ReasonerError, State, moves as checks, text};
use groundfrog::description::{Printer, Term};
use groundfrog::game::RoleId;
use groundfrog::symbols::Symbols;

/// What the fluents, moves and percepts of a reasoner are called: from numbers to terms and text, and back.
///
/// States are the reasoner's own: [`Vocabulary::check_state`] says how others are found out, and [`Vocabulary::import_state`]
/// translates them. The examples play nim with heaps of 1, 3, 5 and 7.
pub trait Vocabulary {
    /// The names that terms are written in.
    fn symbols(&self) -> &Symbols;

    /// The roles, in the order of the description; a [`RoleId`] is a position in it.
    fn roles(&self) -> &[Term];

    /// How many fluents the reasoner has; one that numbers fluents as it meets them has those that it has met.
    fn fluent_count(&self) -> usize;

    /// Checks that a state is one of this reasoner, as every operation does that takes a state: its fluents have numbers here.
    /// In builds with debug assertions a state of another reasoner is found also where all its numbers are in use here but stand
    /// for other fluents. Reasoners of the same [`GroundGame`](groundfrog::game::GroundGame) number fluents alike.
    ///
    /// ```
    /// # use groundfrog_reasoner::{FluentId, GroundReasoner, ReasonerError, State, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let nim = GroundReasoner::of_text(rules)?;
    /// let foreign = nim.check_state(&State::of([FluentId(1000)]));
    /// assert!(matches!(foreign, Err(ReasonerError::ForeignState { number: 1000, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReasonerError::ForeignState`] and, with debug assertions, [`ReasonerError::StateOfAnother`].
    fn check_state(&self, state: &State) -> Result<(), ReasonerError> {
        checks::check_state(state, self.fluent_count())
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

    /// The term `p` of `(sees r p)`.
    ///
    /// # Panics
    /// If the percept is not one of this reasoner.
    fn percept(&self, percept: PerceptId) -> Term;

    /// The fluent that is written so, with any white space. A reasoner that numbers fluents as it meets them takes any term
    /// over names of the description.
    fn read_fluent(&mut self, text: &str, case: Case) -> Option<FluentId>;

    /// The move of a role that is written so, with any white space.
    ///
    /// ```
    /// # use groundfrog_reasoner::{Case, GroundReasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// let first = nim.find_role(" first ", Case::Exact).ok_or("a role")?;
    /// let reduce = nim.read_move(first, "( REDUCE d\n 2 )", Case::Folded).ok_or("a move")?;
    /// assert_eq!(nim.move_text(reduce), "(reduce d 2)");
    /// assert_eq!(nim.find_move(first, "(REDUCE d 2)"), None, "case counts");
    /// assert_eq!(nim.move_term(reduce).0, first);
    /// let heap = nim.read_fluent("(Heap D 7)", Case::Folded).ok_or("a fluent")?;
    /// assert_eq!(nim.fluent_text(heap), "(heap d 7)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read_move(&mut self, role: RoleId, text: &str, case: Case) -> Option<MoveId>;

    /// [`Vocabulary::read_fluent`] where case counts.
    fn find_fluent(&mut self, text: &str) -> Option<FluentId> {
        self.read_fluent(text, Case::Exact)
    }

    /// [`Vocabulary::read_move`] where case counts.
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
        text::only(self.role_ids().filter(|&it| self.role_text(it).eq_ignore_ascii_case(&text)))
    }

    /// The chance player of GDL-II: the role that is called `random`, if there is one.
    fn chance_role(&self) -> Option<RoleId> {
        self.find_role("random", Case::Folded)
    }

    /// All roles.
    fn role_ids(&self) -> std::iter::Map<std::ops::Range<u32>, fn(u32) -> RoleId> {
        (0..self.roles().len() as u32).map(RoleId)
    }

    /// A role as KIF.
    fn role_text(&self, role: RoleId) -> String {
        let name = |it| Printer::new(self.symbols()).term(it).to_string();
        self.roles().get(role.index()).map_or_else(|| format!("role {}", role.0), name)
    }

    /// A fluent as KIF.
    ///
    /// # Panics
    /// If the fluent is not one of this reasoner.
    fn fluent_text(&self, fluent: FluentId) -> String {
        Printer::new(self.symbols()).term(&self.fluent(fluent)).to_string()
    }

    /// A move as KIF, without its role.
    ///
    /// # Panics
    /// If the move is not one of this reasoner.
    fn move_text(&self, it: MoveId) -> String {
        Printer::new(self.symbols()).term(&self.move_term(it).1).to_string()
    }

    /// The fluents that hold in a state, as KIF, sorted.
    ///
    /// # Errors
    /// As [`Vocabulary::check_state`].
    fn state_text(&self, state: &State) -> Result<Vec<String>, ReasonerError> {
        self.check_state(state)?;
        let mut texts: Vec<String> = state.fluents().map(|it| self.fluent_text(it)).collect();
        texts.sort_unstable();
        Ok(texts)
    }

    /// The state of another reasoner of the game, with the fluents numbered as they are here.
    ///
    /// ```
    /// # use groundfrog::{Description, Limits, ParseOptions};
    /// # use groundfrog_reasoner::{GroundReasoner, InterpretedReasoner, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let mut nim = GroundReasoner::of_text(rules)?;
    /// # let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
    /// let mut oracle = InterpretedReasoner::new(&description, Limits::default())?;
    /// let there = oracle.import_state(&nim, nim.initial())?;
    /// assert_eq!(there, *oracle.initial());
    /// assert_eq!(nim.import_state(&oracle, &there)?, *nim.initial());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Vocabulary::check_state`] of the other reasoner; [`ReasonerError::UnknownFluent`] if a fluent that holds is not
    /// known here.
    fn import_state(
        &mut self,
        from: &dyn Vocabulary,
        state: &State,
    ) -> Result<State, ReasonerError> {
        from.check_state(state)?;
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
}
