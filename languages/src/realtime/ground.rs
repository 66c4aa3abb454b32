//! The reasoner over ground rules: fluents and moves are ground, lifetimes stay symbolic.
//!
//! There are as many lifetimes as instants, but rules only pass them on: `(<= (next ?t timer) (true ?t timer))` is ground but for
//! `?t`, whatever its value. [`sorts`] finds out which arguments are lifetimes. Where one flows into a fluent or a move, as a lap time
//! does, the game is not ground, and is played by [`InterpretedRealTime`](super::InterpretedRealTime).

mod instances;
mod sorts;

use fxhash::FxHashMap;
use groundfrog::description::Term;
use groundfrog::kif::Span;
use groundfrog::options::Limits;
use groundfrog::symbols::Symbols;
use smallvec::SmallVec;

use super::interpreted::RealTimeKeywords;
use super::{
    InterpretedRealTime, Lifetime, RealTimeError, RealTimeReasoner, Situation, TimedState, Update,
    role_number, sort_moves,
};
use crate::evaluation::EvaluationError;
use crate::number::Number;
use crate::rules::Rulebook;
use instances::{GroundRules, Instance, Slot};

/// Why a game is not ground.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct NotGroundable {
    /// The reason, in a sentence without its end.
    pub reason: String,
    /// The place of what is to blame, if something is.
    pub span: Span,
}

/// The lifetimes that an atom holds with; one empty tuple where it has none and holds.
type Tuples = SmallVec<[SmallVec<[Lifetime; 1]>; 1]>;

/// Plays a game in real time by ground rules.
#[derive(Clone, Debug)]
pub struct GroundRealTime {
    symbols: Symbols,
    roles: Vec<Term>,
    initial: TimedState,
    has_percepts: bool,
    rules: GroundRules,
    /// What atoms hold with before anything is given, and at present.
    fixed: Vec<Tuples>,
    now: Vec<Tuples>,
}

impl GroundRealTime {
    /// Grounds a game that [`check`](super::check) has nothing against.
    ///
    /// # Errors
    /// A lifetime flows into a fluent or a move, or there are too many instances.
    pub fn new(book: &Rulebook, limits: Limits) -> Result<Self, NotGroundable> {
        let failed = |error: RealTimeError| NotGroundable {
            reason: error.to_string(),
            span: Span::default(),
        };
        let interpreted = InterpretedRealTime::new(book, limits.clone()).map_err(failed)?;
        let mut book = book.clone();
        let keywords = RealTimeKeywords::of(&mut book);
        let sorts = sorts::infer(&book.rules, &keywords)?;
        let rules = GroundRules::new(&book, &keywords, &sorts, &limits)?;
        let mut fixed = vec![Tuples::new(); rules.atoms];
        rules.fixed.iter().for_each(|(atom, tuple)| fixed[*atom as usize].push(tuple.clone()));
        Ok(GroundRealTime {
            roles: interpreted.roles().to_vec(),
            initial: interpreted.initial().clone(),
            has_percepts: interpreted.has_percepts(),
            symbols: book.rules.symbols,
            now: fixed.clone(),
            fixed,
            rules,
        })
    }

    /// How many ground rules there are.
    pub fn rule_count(&self) -> usize {
        self.rules.on_event.iter().chain(&self.rules.on_state).map(|it| it.rules.len()).sum()
    }

    /// Gives the facts of a state.
    fn enter(&mut self, state: &TimedState) {
        self.now.clone_from(&self.fixed);
        for (lifetime, fluent) in &state.fluents {
            if let Some(&atom) = self.rules.fluents.get(fluent) {
                add(&mut self.now[atom as usize], [lifetime.clone()].into_iter().collect());
            }
        }
        for fluent in &state.expired {
            if let Some(&atom) = self.rules.expired.get(fluent) {
                add(&mut self.now[atom as usize], SmallVec::new());
            }
        }
    }
}

/// Adds a tuple that may be there already; returns whether it is new.
fn add(tuples: &mut Tuples, tuple: SmallVec<[Lifetime; 1]>) -> bool {
    let is_new = !tuples.contains(&tuple);
    if is_new {
        tuples.push(tuple);
    }
    is_new
}

/// Rules whose heads depend on each other, or on what is evaluated before.
#[derive(Clone, Debug)]
struct Layer {
    rules: Vec<Instance>,
    is_recursive: bool,
}

impl Layer {
    fn evaluate(&self, now: &mut [Tuples]) {
        loop {
            let mut has_grown = false;
            for rule in &self.rules {
                let mut found = Tuples::new();
                rule.heads(now, &mut found);
                for tuple in found {
                    has_grown |= add(&mut now[rule.head as usize], tuple);
                }
            }
            if !has_grown || !self.is_recursive {
                return;
            }
        }
    }
}

impl Instance {
    /// What the head holds with.
    fn heads(&self, now: &[Tuples], found: &mut Tuples) {
        if self.positive.iter().any(|(atom, _)| now[*atom as usize].is_empty()) {
            return;
        }
        let mut values: SmallVec<[Option<Lifetime>; 4]> = SmallVec::new();
        values.resize(self.variables, None);
        self.join(&self.positive, now, &mut values, found);
    }

    fn join(
        &self,
        rest: &[(u32, SmallVec<[Slot; 1]>)],
        now: &[Tuples],
        values: &mut SmallVec<[Option<Lifetime>; 4]>,
        found: &mut Tuples,
    ) {
        let Some(((atom, slots), rest)) = rest.split_first() else {
            let value = |slot: &Slot| match slot {
                Slot::Value(it) => it.clone(),
                Slot::Variable(it) => values[*it].clone().expect("rules are safe"),
            };
            let holds = |(atom, slots): &(u32, SmallVec<[Slot; 1]>)| {
                now[*atom as usize].contains(&slots.iter().map(value).collect())
            };
            let differ = self.distinct.iter().all(|(one, other)| value(one) != value(other));
            if differ && !self.negative.iter().any(holds) {
                found.push(self.slots.iter().map(value).collect());
            }
            return;
        };
        for tuple in &now[*atom as usize] {
            let before = values.clone();
            let matches = slots.iter().zip(tuple).all(|(slot, lifetime)| match slot {
                Slot::Value(it) => it == lifetime,
                Slot::Variable(it) => {
                    let value = values[*it].get_or_insert_with(|| lifetime.clone());
                    value == lifetime
                }
            });
            if matches {
                self.join(rest, now, values, found);
            }
            *values = before;
        }
    }
}

impl RealTimeReasoner for GroundRealTime {
    fn symbols(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    fn roles(&self) -> &[Term] {
        &self.roles
    }

    fn initial(&self) -> &TimedState {
        &self.initial
    }

    fn situation(&mut self, state: &TimedState) -> Result<Situation, RealTimeError> {
        self.enter(state);
        let GroundRealTime { rules, now, roles, symbols, .. } = self;
        rules.on_state.iter().for_each(|it| it.evaluate(now));
        let mut situation = Situation {
            legal: vec![Vec::new(); roles.len()],
            is_terminal: rules.terminal.is_some_and(|it| !now[it as usize].is_empty()),
            goals: vec![Vec::new(); roles.len()],
        };
        let holds = |atom: u32| !now[atom as usize].is_empty();
        for (_, role, term) in rules.legal.iter().filter(|it| holds(it.0)) {
            if let Some(role) = role_number(roles, role) {
                situation.legal[role].push(term.clone());
            }
        }
        for (_, role, term) in rules.goals.iter().filter(|it| holds(it.0)) {
            if let (Some(role), Term::Constant(name)) = (role_number(roles, role), term) {
                situation.goals[role].extend(symbols.name(*name).parse::<i64>().ok());
            }
        }
        sort_moves(&mut situation.legal, symbols);
        situation.goals.iter_mut().for_each(|it| it.sort_unstable());
        Ok(situation)
    }

    fn update(
        &mut self,
        state: &TimedState,
        elapsed: &Number,
        moves: &[(usize, Term)],
    ) -> Result<Update, RealTimeError> {
        let left = state.after(elapsed);
        self.enter(&left);
        let GroundRealTime { rules, now, roles, .. } = self;
        for (role, term) in moves {
            if let Some(&atom) = rules.moves.get(&(roles[*role].clone(), term.clone())) {
                add(&mut now[atom as usize], SmallVec::new());
            }
        }
        rules.on_event.iter().for_each(|it| it.evaluate(now));
        let mut fluents = Vec::new();
        for (atom, fluent) in &rules.next {
            let tuples = now[*atom as usize].iter();
            fluents.extend(tuples.map(|it| (it[0].clone(), fluent.clone())));
        }
        let seen = rules.sees.iter().filter(|it| !now[it.0 as usize].is_empty());
        let percepts = seen
            .filter_map(|(_, role, term)| Some((role_number(roles, role)?, term.clone())))
            .collect();
        Ok(Update { state: TimedState { fluents, expired: left.expired }, percepts })
    }

    fn has_percepts(&self) -> bool {
        self.has_percepts
    }
}

impl From<EvaluationError> for NotGroundable {
    fn from(error: EvaluationError) -> Self {
        NotGroundable { reason: error.to_string(), span: Span::default() }
    }
}

/// Atoms by what they are about.
type Named = FxHashMap<Term, u32>;
