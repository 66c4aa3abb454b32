//! What follows from the rules of a game in real time.

use groundfrog::description::{Predicate, Term, Terms};
use groundfrog::options::Limits;
use groundfrog::symbols::{Symbol, Symbols};
use smallvec::smallvec;

use super::{Lifetime, RealTimeError, Situation, TimedState, Update, timed_fluent};
use crate::evaluation::{Evaluator, Model};
use crate::number::{self, Number};
use crate::rules::{Rulebook, term_text};

/// The predicates of rtGDL with a meaning in play.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealTimeKeywords {
    pub(super) role: Predicate,
    pub(super) init: Predicate,
    pub(super) true_: Predicate,
    pub(super) expired: Predicate,
    pub(super) does: Predicate,
    pub(super) next: Predicate,
    pub(super) sees: Predicate,
    pub(super) legal: Predicate,
    pub(super) goal: Predicate,
    pub(super) terminal: Predicate,
}

impl RealTimeKeywords {
    pub(super) fn of(book: &mut Rulebook) -> Self {
        let expired = book.intern("expired");
        let names = book.rules.keywords;
        let predicate = |name: Symbol, arity| Predicate { name, arity };
        RealTimeKeywords {
            role: predicate(names.role, 1),
            init: predicate(names.init, 2),
            true_: predicate(names.true_, 2),
            expired: predicate(expired, 1),
            does: predicate(names.does, 2),
            next: predicate(names.next, 2),
            sees: predicate(names.sees, 2),
            legal: predicate(names.legal, 2),
            goal: predicate(names.goal, 2),
            terminal: predicate(names.terminal, 0),
        }
    }

    /// What the course of a match gives.
    pub(super) fn given(&self) -> [Predicate; 3] {
        [self.true_, self.expired, self.does]
    }
}

/// What follows from the rules of a game in real time, evaluated with their variables.
#[derive(Clone, Debug)]
pub struct RealTimeReasoner {
    keywords: RealTimeKeywords,
    symbols: Symbols,
    infinity: Symbol,
    evaluator: Evaluator,
    roles: Vec<Term>,
    initial: TimedState,
    has_percepts: bool,
}

impl RealTimeReasoner {
    /// Prepares a game that [`check`](super::check) has nothing against. Each evaluation may use what the limits allow.
    ///
    /// # Errors
    /// The rules are not stratified, nobody plays, or the first state has a lifetime that is none.
    pub fn new(book: &Rulebook, limits: Limits) -> Result<Self, RealTimeError> {
        let mut book = book.clone();
        let keywords = RealTimeKeywords::of(&mut book);
        let infinity = book.intern("infinity");
        let evaluator = Evaluator::new(&book.rules, &keywords.given(), None, &[], limits)?;
        let symbols = book.rules.symbols;
        let model = evaluator.evaluate(&[], [], &symbols)?;
        let roles: Vec<Term> = model.rows(keywords.role).iter().map(|it| it[0].clone()).collect();
        if roles.is_empty() {
            return Err(RealTimeError::NoRoles);
        }
        let fluents = fluents(model.rows(keywords.init), &symbols)?;
        let has_percepts = book.rules.rules.iter().any(|it| it.head.predicate() == keywords.sees);
        Ok(RealTimeReasoner {
            initial: TimedState { fluents, expired: Vec::new() },
            keywords,
            symbols,
            infinity,
            evaluator,
            roles,
            has_percepts,
        })
    }

    /// The facts of a state.
    fn facts(&mut self, state: &TimedState) -> Vec<(Predicate, Terms)> {
        let RealTimeKeywords { true_, expired, .. } = self.keywords;
        let mut facts = Vec::with_capacity(state.fluents.len() + state.expired.len() + 2);
        for (lifetime, fluent) in &state.fluents {
            let name = match lifetime {
                Lifetime::Infinite => self.infinity,
                Lifetime::Finite(it) => number::to_symbol(it, &mut self.symbols),
            };
            facts.push((true_, smallvec![Term::Constant(name), fluent.clone()]));
        }
        facts.extend(state.expired.iter().map(|it| (expired, smallvec![it.clone()])));
        facts
    }

    /// The names, which grow as times and moves are met.
    pub fn symbols(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The roles, in the order of the rules.
    pub fn roles(&self) -> &[Term] {
        &self.roles
    }

    /// The first state.
    pub fn initial(&self) -> &TimedState {
        &self.initial
    }

    /// What a state allows and is worth.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn situation(&mut self, state: &TimedState) -> Result<Situation, RealTimeError> {
        let facts = self.facts(state);
        let RealTimeKeywords { legal, goal, terminal, .. } = self.keywords;
        let model = self.evaluator.evaluate(&[legal, goal, terminal], facts, &self.symbols)?;
        let mut allowed = vec![Vec::new(); self.roles.len()];
        for (role, term) in of_roles(&model, legal, &self.roles) {
            allowed[role].push(term.clone());
        }
        for moves in &mut allowed {
            moves.sort_by_cached_key(|it| term_text(it, &self.symbols));
        }
        let mut goals = vec![Vec::new(); self.roles.len()];
        for (role, term) in of_roles(&model, goal, &self.roles) {
            if let Term::Constant(name) = term {
                goals[role].extend(self.symbols.name(*name).parse::<i64>().ok());
            }
        }
        goals.iter_mut().for_each(|it| it.sort_unstable());
        let is_terminal = !model.rows(terminal).is_empty();
        Ok(Situation { legal: allowed, is_terminal, goals })
    }

    /// The update at an event, so much time after the one before: u of the paper. Moves are those of roles by number; at most one for a
    /// role. Whether they are legal is for the caller to know.
    ///
    /// # Errors
    /// The rules cannot be evaluated, or derive a lifetime that is none.
    pub fn update(
        &mut self,
        state: &TimedState,
        elapsed: &Number,
        moves: &[(usize, Term)],
    ) -> Result<Update, RealTimeError> {
        let left = state.after(elapsed);
        let mut facts = self.facts(&left);
        for (role, term) in moves {
            facts.push((self.keywords.does, smallvec![self.roles[*role].clone(), term.clone()]));
        }
        let RealTimeKeywords { next, sees, .. } = self.keywords;
        let model = self.evaluator.evaluate(&[next, sees], facts, &self.symbols)?;
        let fluents = fluents(model.rows(next), &self.symbols)?;
        let seen = of_roles(&model, sees, &self.roles);
        let percepts = seen.map(|(role, term)| (role, term.clone())).collect();
        Ok(Update { state: TimedState { fluents, expired: left.expired }, percepts })
    }

    /// Whether any rule says what roles perceive.
    pub fn has_percepts(&self) -> bool {
        self.has_percepts
    }
}

/// The timed fluents of the rows of `init` or `next`.
fn fluents(rows: &[Terms], symbols: &Symbols) -> Result<Vec<(Lifetime, Term)>, RealTimeError> {
    rows.iter().map(|row| timed_fluent(&row[0], &row[1], symbols)).collect()
}

/// The sentences of a predicate about roles.
fn of_roles<'m>(
    model: &'m Model<'_>,
    predicate: Predicate,
    roles: &[Term],
) -> impl Iterator<Item = (usize, &'m Term)> {
    let rows = model.rows(predicate).iter();
    rows.filter_map(move |row| Some((roles.iter().position(|it| *it == row[0])?, &row[1])))
}
