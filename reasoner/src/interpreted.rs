//! The reasoner over rules with variables: one state at a time, through the engine.
//!
//! The rules are evaluated by strata with the state and the moves as facts: first what is static, once;
//! then, state by state, what depends on the state alone; then what depends on the moves. It is slow, and
//! independent of everything that grounding decides: the oracle for ground games, and the way to play a
//! game that cannot be grounded. Fluents and moves are numbered as they are met, and terms may grow from
//! state to state up to the limit on their depth.

mod rules;
mod sentences;
mod specialised;
mod stages;

use std::hash::Hash;
use web_time::Instant;

use fxhash::FxHashMap;
use groundfrog_engine::Budget;

use crate::state::Numbering;
use crate::vocabulary::{
    check_count, check_owner, check_role, check_state, illegal_move, unknown_move,
};
use crate::{
    BuildError, Case, FluentId, MoveId, OpenError, PerceptId, Reasoner, ReasonerError, State,
    Vocabulary, vocabulary,
};
use groundfrog::description::{Description, Predicate, Term};
use groundfrog::game::RoleId;
use groundfrog::options::{Domains, Limits};
use groundfrog::prepare::{Prepared, prepare_within};
use groundfrog::symbols::Symbols;
use rules::CompiledRules;
use sentences::{Listing, Seed};

/// Terms numbered as they are met.
#[derive(Clone, Debug)]
struct Numbered<T> {
    items: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { items: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn number(&mut self, item: T) -> u32 {
        let next = self.items.len() as u32;
        *self.numbers.entry(item).or_insert_with_key(|item| {
            self.items.push(item.clone());
            next
        })
    }
}

/// Plays a game by its rules with variables.
#[derive(Clone, Debug)]
pub struct InterpretedReasoner {
    prepared: Prepared,
    limits: Limits,
    /// No evaluation goes on behind it.
    deadline: Option<Instant>,
    compiled: CompiledRules,
    fluent_seeds: Vec<Seed>,
    move_seeds: Vec<Seed>,
    roles: Vec<Term>,
    role_numbers: FxHashMap<Term, RoleId>,
    /// Bytes of the terms that are numbered, about.
    listed: u64,
    fluents: Numbered<Term>,
    numbering: Numbering,
    moves: Numbered<(RoleId, Term)>,
    percepts: Numbered<(RoleId, Term)>,
    initial: State,
    /// The state that the tables belong to.
    entered: Option<State>,
    /// Whether they hold what only goals and percepts need of the state.
    is_judged: bool,
    /// The legal moves of that state, by role, ascending.
    legal: Vec<Vec<MoveId>>,
}

/// The number of a sentence about nobody who plays.
const NOBODY: u32 = u32::MAX;

impl InterpretedReasoner {
    /// Prepares a description. Each evaluation may use what `limits` allows.
    ///
    /// # Errors
    /// Faults of the description, among them legal moves, goals and an end that depend on moves, or static rules that
    /// exceed the limits.
    pub fn new(description: &Description, limits: Limits) -> Result<Self, OpenError> {
        let budget = limits.budget();
        let mut prepared = prepare_within(description, Domains::OneStep, &budget)?;
        prepared.warnings.clear();
        let keywords = prepared.rules.keywords;
        budget.check(0, 0).map_err(ReasonerError::from)?;
        let compiled = CompiledRules::new(&prepared, &[], &[], limits.term_depth, &budget)?;
        let unary = |name| Predicate { name, arity: 1 };
        let mut listed = 0;
        let mut only = |name| -> Result<Vec<Term>, ReasonerError> {
            let mut listing = Listing::new(&budget, compiled.tables.bytes(), &mut listed);
            let mut terms = Vec::new();
            for arguments in compiled.sentences(unary(name)) {
                listing.step()?;
                listing.keep(&arguments);
                terms.extend(arguments);
            }
            Ok(terms)
        };
        let roles = only(keywords.role)?;
        if roles.is_empty() {
            return Err(BuildError::NoRoles.into());
        }
        let init = only(keywords.init)?;
        let role_numbers = (0..).map(RoleId);
        let role_numbers = roles.iter().cloned().zip(role_numbers).collect();
        let mut reasoner = InterpretedReasoner {
            legal: vec![Vec::new(); roles.len()],
            prepared,
            limits,
            deadline: None,
            compiled,
            fluent_seeds: Vec::new(),
            move_seeds: Vec::new(),
            roles,
            role_numbers,
            listed,
            fluents: Numbered::default(),
            numbering: Numbering::default(),
            moves: Numbered::default(),
            percepts: Numbered::default(),
            initial: State::default(),
            entered: None,
            is_judged: false,
        };
        let numbers = init.into_iter().map(|it| FluentId(reasoner.fluents.number(it)));
        reasoner.initial = State::of(numbers.collect::<Vec<_>>());
        reasoner.note_fluents();
        reasoner.numbering.sign(&mut reasoner.initial);
        Ok(reasoner)
    }

    /// Lets the numbering know of the fluents that were met.
    fn note_fluents(&mut self) {
        self.numbering.update(&self.fluents.items, &self.prepared.rules.symbols);
    }

    /// Lets no evaluation go on behind a deadline: it then ends with an error of which
    /// [`ReasonerError::is_late`]. Without one, only the time of the limits counts, for each evaluation.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Each evaluation may use what `limits` allows.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn budget(&self) -> Budget {
        self.limits.budget().with_deadline(self.deadline)
    }

    fn recompile(&mut self) -> Result<(), ReasonerError> {
        self.compiled = CompiledRules::new(
            &self.prepared,
            &self.fluent_seeds,
            &self.move_seeds,
            self.limits.term_depth,
            &self.budget(),
        )?;
        Ok(())
    }

    /// Makes a state the one that the tables belong to.
    fn enter(&mut self, state: &State) -> Result<(), ReasonerError> {
        self.check_state(state)?;
        if self.entered.as_ref() == Some(state) {
            return Ok(());
        }
        self.entered = None;
        let budget = self.budget();
        budget.check(0, 0)?;
        self.is_judged = false;
        let numbers = || state.fluents().map(|it| it.0);
        while !self.compiled.enter(numbers(), &self.fluents.items, &budget)? {
            let seeds = numbers().map(|it| vec![self.fluents.items[it as usize].clone()]);
            self.fluent_seeds.extend(self.compiled.base.unknown(seeds));
            self.recompile()?;
        }
        self.legal.iter_mut().for_each(Vec::clear);
        let InterpretedReasoner { compiled, role_numbers, moves, legal, listed, .. } = self;
        let mut found = Vec::new();
        compiled.legal.numbers(
            (&compiled.tables, &compiled.forms),
            Listing::new(&budget, compiled.tables.bytes(), listed),
            |it| of_role(role_numbers, it).map_or(NOBODY, |it| moves.number(it)),
            |number| found.extend(Some(number).filter(|&it| it != NOBODY)),
        )?;
        for number in found {
            legal[moves.items[number as usize].0.index()].push(MoveId(number));
        }
        for moves in &mut self.legal {
            moves.sort_unstable();
            moves.dedup();
        }
        self.entered = Some(state.clone());
        Ok(())
    }

    /// Computes what depends on the state alone and is needed by goals and percepts only.
    fn judge(&mut self) -> Result<(), ReasonerError> {
        if !self.is_judged {
            // Tables that were cut short are of no use.
            let entered = self.entered.take();
            self.compiled.judge(&self.budget())?;
            self.entered = entered;
            self.is_judged = true;
        }
        Ok(())
    }

    /// Checks a joint move and computes what depends on it.
    fn make(&mut self, state: &State, moves: &[MoveId]) -> Result<(), ReasonerError> {
        self.enter(state)?;
        check_count(self, moves)?;
        for (role, &it) in moves.iter().enumerate() {
            let role = RoleId(role as u32);
            let Some(&(owner, _)) = self.moves.items.get(it.index()) else {
                return Err(unknown_move(self, role, it));
            };
            check_owner(self, it, role, owner)?;
            if self.legal[role.index()].binary_search(&it).is_err() {
                return Err(illegal_move(self, role, it));
            }
        }
        let budget = self.budget();
        loop {
            let InterpretedReasoner { compiled, roles, moves: known, .. } = self;
            let made = |made: &MoveId| {
                let (role, term) = &known.items[made.index()];
                (made.0, [&roles[role.index()], term])
            };
            if compiled.make(moves.iter().map(made), &budget)? {
                return Ok(());
            }
            let seeds = moves.iter().map(|it| made(it).1.map(Term::clone).to_vec());
            self.move_seeds.extend(compiled.input.unknown(seeds));
            self.recompile()?;
            self.entered = None;
            self.enter(state)?;
        }
    }
}

/// Takes a sentence about a role apart; `None` if it is about somebody else.
fn of_role(roles: &FxHashMap<Term, RoleId>, mut arguments: Vec<Term>) -> Option<(RoleId, Term)> {
    let term = arguments.pop()?;
    Some((*roles.get(arguments.first()?)?, term))
}

impl Vocabulary for InterpretedReasoner {
    fn symbols(&self) -> &Symbols {
        &self.prepared.rules.symbols
    }

    fn roles(&self) -> &[Term] {
        &self.roles
    }

    fn percept(&self, percept: PerceptId) -> Term {
        self.percepts.items[percept.index()].1.clone()
    }

    fn fluent_count(&self) -> usize {
        self.fluents.items.len()
    }

    fn check_state(&self, state: &State) -> Result<(), ReasonerError> {
        self.numbering.check(state)?;
        check_state(state, self.fluents.items.len())
    }

    fn read_fluent(&mut self, text: &str, case: Case) -> Option<FluentId> {
        let term = vocabulary::term(text, self.symbols(), case)?;
        let number = self.fluents.number(term);
        self.note_fluents();
        Some(FluentId(number))
    }

    fn read_move(&mut self, role: RoleId, text: &str, case: Case) -> Option<MoveId> {
        check_role(role, self.roles.len()).ok()?;
        let term = vocabulary::term(text, self.symbols(), case)?;
        Some(MoveId(self.moves.number((role, term))))
    }

    fn fluent(&self, fluent: FluentId) -> Term {
        self.fluents.items[fluent.index()].clone()
    }

    fn move_term(&self, it: MoveId) -> (RoleId, Term) {
        self.moves.items[it.index()].clone()
    }
}

impl Reasoner for InterpretedReasoner {
    fn initial(&self) -> &State {
        &self.initial
    }

    fn legal_moves(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        check_role(role, self.roles.len())?;
        self.enter(state)?;
        moves.clone_from(&self.legal[role.index()]);
        Ok(())
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonerError> {
        self.enter(state)?;
        let terminal = Predicate { name: self.prepared.rules.keywords.terminal, arity: 0 };
        Ok(self.compiled.has_any(terminal))
    }

    fn goal_values(
        &mut self,
        state: &State,
        role: RoleId,
        values: &mut Vec<i64>,
    ) -> Result<(), ReasonerError> {
        check_role(role, self.roles.len())?;
        self.enter(state)?;
        self.judge()?;
        let goal = Predicate { name: self.prepared.rules.keywords.goal, arity: 2 };
        let budget = self.budget();
        let mut listing = Listing::new(&budget, self.compiled.tables.bytes(), &mut self.listed);
        let symbols = &self.prepared.rules.symbols;
        values.clear();
        for sentence in self.compiled.sentences(goal) {
            listing.step()?;
            if let Some((owner, Term::Constant(name))) = of_role(&self.role_numbers, sentence)
                && owner == role
            {
                values.extend(symbols.name(name).parse::<i64>().ok());
            }
        }
        values.sort_unstable();
        values.dedup();
        Ok(())
    }

    fn next_state(
        &mut self,
        state: &State,
        moves: &[MoveId],
        next: &mut State,
    ) -> Result<(), ReasonerError> {
        self.make(state, moves)?;
        next.copy_from(&[]);
        let budget = self.budget();
        let InterpretedReasoner { compiled, fluents, listed, .. } = self;
        compiled.next.numbers(
            (&compiled.tables, &compiled.forms),
            Listing::new(&budget, compiled.tables.bytes(), listed),
            |mut it| fluents.number(it.pop().expect("`next` has one argument")),
            |number| next.insert(FluentId(number)),
        )?;
        self.note_fluents();
        self.numbering.sign(next);
        Ok(())
    }

    fn perceive(
        &mut self,
        state: &State,
        moves: &[MoveId],
        seen: &mut Vec<Vec<PerceptId>>,
    ) -> Result<(), ReasonerError> {
        self.make(state, moves)?;
        // What is perceived of the state, whatever the moves, is among what is not needed to play on.
        self.judge()?;
        let budget = self.budget();
        self.compiled.perceive(&budget)?;
        let sees = Predicate { name: self.prepared.rules.keywords.sees, arity: 2 };
        seen.iter_mut().for_each(Vec::clear);
        seen.resize(self.roles.len(), Vec::new());
        let mut listing = Listing::new(&budget, self.compiled.tables.bytes(), &mut self.listed);
        for sentence in self.compiled.sentences(sees) {
            listing.step()?;
            let Some((role, term)) = of_role(&self.role_numbers, sentence) else { continue };
            listing.keep(std::slice::from_ref(&term));
            seen[role.index()].push(PerceptId(self.percepts.number((role, term))));
        }
        for percepts in seen {
            percepts.sort_unstable();
            percepts.dedup();
        }
        Ok(())
    }
}
