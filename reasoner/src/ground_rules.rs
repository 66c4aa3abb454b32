//! The reasoner over ground rules.
//!
//! Rules are compiled once. Views that depend on the state alone are a network of gates that is updated by
//! changes (`network`), so a step costs what it changes; views that depend on moves are triggered by the
//! moves made (`successor`); goals and percepts are evaluated by a pass over their gates when they are
//! needed (`forward`). Nothing is allocated from step to step.

mod compile;
mod counters;
mod guards;
mod legal;
mod playout;
mod recursion;
mod successor;
mod transients;

use std::sync::Arc;

use fxhash::FxHashMap;
use groundfrog::description::{Description, ParseOptions, Term};
use groundfrog::error::GroundError;
use groundfrog::game::{GroundGame, RoleId};
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog::symbols::Symbols;
use groundfrog_engine::observe::{Observer, Silent};

use crate::state::{Numbering, bits};
use crate::vocabulary::{
    check_count, check_owner, check_role, check_state, illegal_move, unknown_move,
};
use crate::{
    BuildError, Case, FluentId, MoveId, OpenError, PerceptId, Random, Reasoner, ReasonerError,
    State, Vocabulary, vocabulary,
};
use compile::Compiled;
use counters::Activity;
pub use playout::{Playout, PlayoutEnd, Policy, Uniform};
use successor::Scratch;

/// Plays a ground game. A clone shares the compiled rules and has a state of its own.
#[derive(Clone, Debug)]
pub struct GroundReasoner {
    game: Arc<GroundGame>,
    compiled: Arc<Compiled>,
    numbering: Numbering,
    initial: State,
    /// The state that `activity` belongs to.
    state: Vec<u64>,
    activity: Activity,
    scratch: Scratch,
    /// Room for the legal moves of a role.
    legal: Vec<u64>,
    /// Whether the gates of goals have been evaluated in this state.
    goals_known: bool,
    /// Room for the moves and the goal values of a playout.
    made: Vec<MoveId>,
    goals: Vec<i64>,
    /// Made when first needed.
    names: Option<Arc<Names>>,
}

/// Fluents and moves by their texts.
#[derive(Debug)]
struct Names {
    fluents: FxHashMap<String, FluentId>,
    moves: FxHashMap<(RoleId, String), MoveId>,
}

impl GroundReasoner {
    /// Reads a description, grounds it as [`GroundOptions::default`] says, and compiles the rules. For other options there is
    /// [`GroundReasoner::of_description`].
    ///
    /// ```
    /// use groundfrog_reasoner::{GroundReasoner, Reasoner};
    /// let rules = "(role ann) (legal ann stop) (<= (next over) (does ann stop)) (<= terminal (true over)) (goal ann 100)";
    /// let mut reasoner = GroundReasoner::of_text(rules)?;
    /// let start = reasoner.initial().clone();
    /// assert!(!reasoner.is_terminal(&start)?);
    /// assert!(GroundReasoner::of_text("(role ann").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The text is no description, or one that cannot be ground or compiled.
    pub fn of_text(rules: &str) -> Result<Self, OpenError> {
        let description = Description::parse(rules.as_bytes(), &ParseOptions::default());
        let description = description.map_err(GroundError::from)?;
        Self::of_description(&description, &GroundOptions::default(), &mut Silent)
    }

    /// Grounds a description and compiles the rules.
    ///
    /// # Errors
    /// It cannot be ground or compiled.
    pub fn of_description(
        description: &Description,
        options: &GroundOptions,
        observer: &mut dyn Observer,
    ) -> Result<Self, OpenError> {
        Ok(GroundReasoner::new(ground(description, options, observer)?.game)?)
    }

    /// Compiles the rules of a game.
    ///
    /// # Errors
    /// Rules that are not stratified even as ground rules, legal moves that depend on moves, no roles.
    pub fn new(game: impl Into<Arc<GroundGame>>) -> Result<Self, BuildError> {
        let game = game.into();
        let (compiled, activity) = Compiled::new(&game)?;
        let first = game.fluents().next().map_or(0, |it| it.0);
        let numbering = Numbering::of_game(&game);
        let mut initial = State::of(game.init().iter().map(|it| FluentId(it.0 - first)));
        numbering.sign(&mut initial);
        let words = game.fluents().len().div_ceil(64);
        let roles = 0..game.roles().len();
        let legal = vec![0; roles.map(|it| compiled.legal.words(it)).max().unwrap_or(0)];
        let mut reasoner = GroundReasoner {
            scratch: compiled.successor.scratch(),
            game,
            compiled: Arc::new(compiled),
            numbering,
            initial,
            state: vec![0; words],
            activity,
            legal,
            goals_known: false,
            made: Vec::new(),
            goals: Vec::new(),
            names: None,
        };
        let start = reasoner.initial.clone();
        reasoner.visit(&start);
        Ok(reasoner)
    }

    /// The game that is played.
    pub fn game(&self) -> &Arc<GroundGame> {
        &self.game
    }

    /// Gates of the network, and all gates with those of goals and percepts.
    pub fn gate_counts(&self) -> (usize, usize) {
        (self.compiled.hot, self.compiled.gates.len())
    }

    fn names(&mut self) -> Arc<Names> {
        if let Some(names) = &self.names {
            return Arc::clone(names);
        }
        let fluents = (0..self.game.fluents().len() as u32).map(FluentId);
        let moves = (0..self.game.moves().len() as u32).map(MoveId);
        let fluents: FxHashMap<String, FluentId> =
            fluents.map(|it| (self.fluent_text(it), it)).collect();
        let moves: FxHashMap<(RoleId, String), MoveId> = moves
            .map(|it| ((self.game.moves()[it.index()].role, self.move_text(it)), it))
            .collect();
        let names = Arc::new(Names { fluents, moves });
        self.names = Some(Arc::clone(&names));
        names
    }

    /// Makes a state the present one, if it is one of this reasoner.
    #[inline]
    fn enter_checked(&mut self, state: &State) -> Result<(), ReasonerError> {
        self.check_state(state)?;
        self.visit(state);
        Ok(())
    }

    /// Makes a state the present one, unchecked, for exploring state spaces, as the questions about it that follow.
    pub fn visit(&mut self, state: &State) {
        let words = state.words();
        let mut same = true;
        for (index, own) in self.state.iter_mut().enumerate() {
            let given = words.get(index).copied().unwrap_or(0);
            let mut changes = *own ^ given;
            if changes == 0 {
                continue;
            }
            same = false;
            *own = given;
            while changes != 0 {
                let fluent = index as u32 * 64 + changes.trailing_zeros();
                changes &= changes - 1;
                self.compiled.counters.flip(&mut self.activity, fluent);
            }
        }
        if !same {
            self.compiled.counters.propagate(&mut self.activity);
            self.goals_known = false;
        }
    }

    /// Computes the successor of the present state.
    #[inline]
    fn write_next(&mut self, moves: &[MoveId], next: &mut State) {
        self.compute_next(moves);
        next.copy_from(&self.scratch.next);
        self.numbering.sign(next);
    }

    #[inline]
    fn compute_next(&mut self, moves: &[MoveId]) {
        let made = moves.iter().map(|it| it.0);
        let successor = &self.compiled.successor;
        successor.advance(&self.state, made, &mut self.activity, &mut self.scratch);
    }

    /// Makes the successor that was computed last the present state.
    fn step(&mut self) {
        for (index, own) in self.state.iter_mut().enumerate() {
            let next = self.scratch.next[index];
            let mut changes = *own ^ next;
            *own = next;
            while changes != 0 {
                let fluent = index as u32 * 64 + changes.trailing_zeros();
                changes &= changes - 1;
                self.compiled.counters.flip(&mut self.activity, fluent);
            }
        }
        self.compiled.counters.propagate(&mut self.activity);
        self.goals_known = false;
    }

    /// Checks a joint move in the present state.
    fn check(&mut self, moves: &[MoveId]) -> Result<(), ReasonerError> {
        check_count(self, moves)?;
        for (role, &it) in moves.iter().enumerate() {
            let role = RoleId(role as u32);
            let Some(found) = self.game.moves().get(it.index()) else {
                return Err(unknown_move(self, role, it));
            };
            check_owner(self, it, role, found.role)?;
            let bit = self.compiled.legal.bits[it.index()];
            self.compiled.legal.collect(role.index(), &self.activity, &mut self.legal);
            if self.legal[bit as usize / 64] >> (bit % 64) & 1 == 0 {
                return Err(illegal_move(self, role, it));
            }
        }
        Ok(())
    }

    /// The goal values of a role in the present state, ascending; `values` is replaced.
    pub fn goals_here(&mut self, role: RoleId, values: &mut Vec<i64>) {
        self.know_goals();
        values.clear();
        for goal in &self.compiled.goals {
            if goal.role == role && self.compiled.holds(goal.code, &self.activity) {
                values.extend(goal.value);
            }
        }
        values.sort_unstable();
        values.dedup();
    }

    fn know_goals(&mut self) {
        if !std::mem::replace(&mut self.goals_known, true) {
            let compiled = &self.compiled;
            compile::evaluate(
                &compiled.gates,
                compiled.hot..compiled.cold,
                &mut self.activity.values,
            );
        }
    }

    /// Whether the present state is terminal.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.compiled.holds(self.compiled.terminal, &self.activity)
    }

    /// The moves that are legal for a role in the present state; `moves` is replaced.
    pub fn moves_here(&mut self, role: usize, moves: &mut Vec<MoveId>) {
        moves.clear();
        let legal = &self.compiled.legal;
        legal.collect(role, &self.activity, &mut self.legal);
        let words = &self.legal[..legal.words(role)];
        moves.extend(bits(words).map(|bit| legal.move_at(role, bit)));
    }

    /// The successor of the present state, which stays the present one, for legal moves.
    pub fn after(&mut self, moves: &[MoveId]) -> &[u64] {
        self.compute_next(moves);
        &self.scratch.next
    }
}

impl Vocabulary for GroundReasoner {
    fn symbols(&self) -> &Symbols {
        self.game.symbols()
    }

    fn roles(&self) -> &[Term] {
        self.game.roles()
    }

    fn percept(&self, percept: PerceptId) -> Term {
        self.compiled.percepts[percept.index()].term.clone()
    }

    fn fluent_count(&self) -> usize {
        self.game.fluents().len()
    }

    fn check_state(&self, state: &State) -> Result<(), ReasonerError> {
        self.numbering.check(state)?;
        check_state(state, self.game.fluents().len())
    }

    fn read_fluent(&mut self, text: &str, case: Case) -> Option<FluentId> {
        let (names, text) = (self.names(), vocabulary::normal(text)?);
        let exact = names.fluents.get(&text).copied();
        if exact.is_some() || case == Case::Exact {
            return exact;
        }
        vocabulary::only(
            names.fluents.iter().filter(|it| it.0.eq_ignore_ascii_case(&text)).map(|it| *it.1),
        )
    }

    fn read_move(&mut self, role: RoleId, text: &str, case: Case) -> Option<MoveId> {
        let (names, key) = (self.names(), (role, vocabulary::normal(text)?));
        let exact = names.moves.get(&key).copied();
        if exact.is_some() || case == Case::Exact {
            return exact;
        }
        let is_alike =
            |it: &(&(RoleId, String), _)| it.0.0 == role && it.0.1.eq_ignore_ascii_case(&key.1);
        vocabulary::only(names.moves.iter().filter(is_alike).map(|it| *it.1))
    }

    fn fluent(&self, fluent: FluentId) -> Term {
        let first = self.game.fluents().next().map_or(0, |it| it.0);
        let atom = self.game.atom(groundfrog::game::AtomId(first + fluent.0));
        atom.arguments().pop().expect("`true` has one argument")
    }

    fn move_term(&self, it: MoveId) -> (RoleId, Term) {
        let found = self.game.moves()[it.index()];
        let mut arguments = self.game.atom(found.does).arguments();
        (found.role, arguments.pop().expect("`does` has two arguments"))
    }
}

impl Reasoner for GroundReasoner {
    fn initial(&self) -> &State {
        &self.initial
    }

    fn legal_moves(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        check_role(role, self.game.roles().len())?;
        self.enter_checked(state)?;
        self.moves_here(role.index(), moves);
        moves.sort_unstable();
        Ok(())
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonerError> {
        self.enter_checked(state)?;
        Ok(self.is_over())
    }

    fn goal_values(
        &mut self,
        state: &State,
        role: RoleId,
        values: &mut Vec<i64>,
    ) -> Result<(), ReasonerError> {
        check_role(role, self.game.roles().len())?;
        self.enter_checked(state)?;
        self.goals_here(role, values);
        Ok(())
    }

    fn next_state(
        &mut self,
        state: &State,
        moves: &[MoveId],
        next: &mut State,
    ) -> Result<(), ReasonerError> {
        self.enter_checked(state)?;
        self.check(moves)?;
        self.write_next(moves, next);
        Ok(())
    }

    fn advance(&mut self, state: &mut State, moves: &[MoveId]) -> Result<(), ReasonerError> {
        self.enter_checked(state)?;
        self.check(moves)?;
        self.write_next(moves, state);
        Ok(())
    }

    fn advance_unchecked(
        &mut self,
        state: &mut State,
        moves: &[MoveId],
    ) -> Result<(), ReasonerError> {
        self.enter_checked(state)?;
        self.write_next(moves, state);
        Ok(())
    }

    fn random_joint_move(
        &mut self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<MoveId>,
    ) -> Result<Option<RoleId>, ReasonerError> {
        self.enter_checked(state)?;
        moves.clear();
        moves.resize(self.game.roles().len(), MoveId(0));
        Ok(self.choose(moves, random))
    }

    fn perceive(
        &mut self,
        state: &State,
        moves: &[MoveId],
        seen: &mut Vec<Vec<PerceptId>>,
    ) -> Result<(), ReasonerError> {
        self.enter_checked(state)?;
        self.check(moves)?;
        let compiled = &self.compiled;
        let values = &mut self.activity.values;
        let first = self.game.fluents().len();
        moves.iter().for_each(|it| values[first + it.index()] = 1);
        compile::evaluate(&compiled.gates, compiled.hot..compiled.gates.len(), values);
        seen.iter_mut().for_each(Vec::clear);
        seen.resize(self.game.roles().len(), Vec::new());
        for (number, percept) in (0..).zip(&compiled.percepts) {
            if compiled.holds(percept.code, &self.activity) {
                seen[percept.role.index()].push(PerceptId(number));
            }
        }
        moves.iter().for_each(|it| self.activity.values[first + it.index()] = 0);
        self.goals_known = false;
        Ok(())
    }
}
