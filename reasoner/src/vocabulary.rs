//! What the numbers of a reasoner stand for: text and look-up, and the errors of roles, moves and states that are not its own.

use groundfrog::description::{Printer, Term, Terms};
use groundfrog::game::RoleId;
use groundfrog::kif::{DEFAULT_NESTING, NodeId, Sexprs};
use groundfrog::rules::compound;
use groundfrog::symbols::{Symbol, Symbols};

use crate::{FluentId, MoveId, PerceptId, ReasonerError, State};

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
        check_state(state, self.fluent_count())
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
        let text = normal(text)?;
        let exact = self.role_ids().find(|&it| self.role_text(it) == text);
        if exact.is_some() || case == Case::Exact {
            return exact;
        }
        only(self.role_ids().filter(|&it| self.role_text(it).eq_ignore_ascii_case(&text)))
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

/// Whether upper and lower case are different letters, where text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// They are different.
    #[default]
    Exact,
    /// What is written exactly so comes first; else ASCII letters are alike, if just one name is meant then.
    Folded,
}

/// The term that a text stands for; `None` if it is no term or has a name that is not known.
pub(super) fn term(text: &str, symbols: &Symbols, case: Case) -> Option<Term> {
    let trees = Sexprs::parse(text, DEFAULT_NESTING).ok()?;
    of_node(only(trees.roots())?, &trees, text, symbols, case)
}

/// A term with a single space between its parts; `None` if it is no term.
pub(super) fn normal(text: &str) -> Option<String> {
    let trees = Sexprs::parse(text, DEFAULT_NESTING).ok()?;
    let mut normal = String::with_capacity(text.len());
    write(only(trees.roots())?, &trees, text, &mut normal);
    Some(normal)
}

/// The only one of all, if there is just one.
pub(super) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

fn write(node: NodeId, trees: &Sexprs, text: &str, normal: &mut String) {
    if !trees.is_list(node) {
        return normal.push_str(trees.span(node).text(text));
    }
    normal.push('(');
    for (index, child) in trees.children(node).enumerate() {
        if index > 0 {
            normal.push(' ');
        }
        write(child, trees, text, normal);
    }
    normal.push(')');
}

fn symbol(name: &str, symbols: &Symbols, case: Case) -> Option<Symbol> {
    let exact = symbols.get(name);
    if exact.is_some() || case == Case::Exact {
        return exact;
    }
    only(symbols.iter().filter(|it| it.1.eq_ignore_ascii_case(name)).map(|it| it.0))
}

fn of_node(
    node: NodeId,
    trees: &Sexprs,
    text: &str,
    symbols: &Symbols,
    case: Case,
) -> Option<Term> {
    if !trees.is_list(node) {
        return symbol(trees.span(node).text(text), symbols, case).map(Term::Constant);
    }
    let mut children = trees.children(node);
    let functor = symbol(trees.span(children.next()?).text(text), symbols, case)?;
    let arguments: Option<Terms> =
        children.map(|it| of_node(it, trees, text, symbols, case)).collect();
    Some(compound(functor, arguments?))
}

/// Checks that there is such a role.
pub(super) fn check_role(role: RoleId, roles: usize) -> Result<(), ReasonerError> {
    if role.index() < roles {
        return Ok(());
    }
    Err(ReasonerError::UnknownRole { number: role.0, roles })
}

/// Checks that a state has no fluent that the reasoner does not have.
#[inline]
pub(super) fn check_state(state: &State, fluents: usize) -> Result<(), ReasonerError> {
    if state.words().len() * 64 <= fluents {
        return Ok(());
    }
    match state.last() {
        Some(last) if last.index() >= fluents => {
            Err(ReasonerError::ForeignState { number: last.0, fluents })
        }
        _ => Ok(()),
    }
}

/// Checks that there is one move for each role.
pub(super) fn check_count(
    reasoner: &dyn Vocabulary,
    moves: &[MoveId],
) -> Result<(), ReasonerError> {
    let roles = reasoner.roles().len();
    if moves.len() == roles {
        return Ok(());
    }
    let missing = (moves.len() < roles).then(|| reasoner.role_text(RoleId(moves.len() as u32)));
    Err(ReasonerError::MoveCount { given: moves.len(), roles, missing })
}

/// Checks that a move stands where its role's belongs.
pub(super) fn check_owner(
    reasoner: &dyn Vocabulary,
    it: MoveId,
    role: RoleId,
    owner: RoleId,
) -> Result<(), ReasonerError> {
    if owner == role {
        return Ok(());
    }
    Err(ReasonerError::WrongRole {
        role: reasoner.role_text(role),
        owner: reasoner.role_text(owner),
        text: reasoner.move_text(it),
    })
}

/// A move that the reasoner does not have.
pub(super) fn unknown_move(reasoner: &dyn Vocabulary, role: RoleId, it: MoveId) -> ReasonerError {
    ReasonerError::UnknownMove { role: reasoner.role_text(role), number: it.0 }
}

/// A move that is not legal in the present state.
pub(super) fn illegal_move(reasoner: &dyn Vocabulary, role: RoleId, it: MoveId) -> ReasonerError {
    ReasonerError::IllegalMove { role: reasoner.role_text(role), text: reasoner.move_text(it) }
}

/// Puts what each role sees in the order of its text.
pub(super) fn sort_by_text(percepts: &mut [Vec<Term>], symbols: &Symbols) {
    let printer = Printer::new(symbols);
    percepts.iter_mut().for_each(|it| it.sort_by_cached_key(|it| printer.term(it).to_string()));
}
