//! rtGDL, the language of real-time games (Kowalski & Kisielewicz, "Towards a Real-time Game Description Language", ICAART 2016).
//!
//! A state is a set of fluents with lifetimes. It changes at *events* only: when a role moves, or when a lifetime ends. At an event, e
//! after the one before, what is left of each lifetime is e less, and what has none left has just *expired*; the next state is what
//! `next` derives from that and from the moves made.
//!
//! * [`RealTimeReasoner`]: what follows from a state.
//! * [`Timeline`]: the events of a match, which a message that comes late takes back to the time that it speaks of.
//! * [`simulate`]: matches without a clock. [`manager`] and [`player`]: matches by the clock, over the network.
//! * [`translate`](mod@translate): games of GDL as games of rtGDL.

mod check;
pub mod manager;
pub mod player;
mod reasoner;
pub mod simulate;
mod timeline;
pub mod translate;

use std::fmt;

use groundfrog::description::Term;
use groundfrog::symbols::Symbols;

use crate::evaluation::EvaluationError;
use crate::number::{self, Number};
use crate::rules::term_text;

pub use check::check;
pub use reasoner::RealTimeReasoner;
pub use timeline::{Event, Idle, Timeline};

/// How long something is still true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lifetime {
    /// So many seconds, more than none.
    Finite(Number),
    /// For ever, unless an event does not carry it over.
    Infinite,
}

impl Lifetime {
    /// The lifetime that a constant stands for: a number above 0, or `infinity`.
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "infinity" => Some(Lifetime::Infinite),
            _ => number::parse(name)
                .filter(|it| *it > Number::from_integer(0.into()))
                .map(Lifetime::Finite),
        }
    }

    /// What is left of it after some time; none if it has ended by then.
    pub fn after(&self, elapsed: &Number) -> Option<Lifetime> {
        match self {
            Lifetime::Infinite => Some(Lifetime::Infinite),
            Lifetime::Finite(it) if it > elapsed => Some(Lifetime::Finite(it - elapsed)),
            Lifetime::Finite(_) => None,
        }
    }
}

impl fmt::Display for Lifetime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lifetime::Finite(it) => out.write_str(&number::text(it)),
            Lifetime::Infinite => out.write_str("infinity"),
        }
    }
}

/// What is true, for how long, and what has expired at the event that led here. `terminal`, `legal` and `goal` see both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedState {
    /// Fluents with their lifetimes; the same fluent may be there with several.
    pub fluents: Vec<(Lifetime, Term)>,
    /// What expired at the last event, each once.
    pub expired: Vec<Term>,
}

impl TimedState {
    /// The time until something expires, if anything does.
    pub fn next_expiry(&self) -> Option<&Number> {
        let finite = self.fluents.iter().filter_map(|(lifetime, _)| match lifetime {
            Lifetime::Finite(it) => Some(it),
            Lifetime::Infinite => None,
        });
        finite.min()
    }

    /// The fluents that are there with several lifetimes.
    pub fn repeated(&self) -> Vec<&Term> {
        let mut found: Vec<&Term> = Vec::new();
        for (position, (_, fluent)) in self.fluents.iter().enumerate() {
            let is_again = self.fluents[..position].iter().any(|it| it.1 == *fluent);
            if is_again && !found.contains(&fluent) {
                found.push(fluent);
            }
        }
        found
    }

    /// What is left after some time without an event, and what expires at its end: μ and S_exp of the paper.
    pub fn after(&self, elapsed: &Number) -> TimedState {
        let mut left = TimedState::default();
        for (lifetime, fluent) in &self.fluents {
            match lifetime.after(elapsed) {
                Some(lifetime) => left.fluents.push((lifetime, fluent.clone())),
                None if !left.expired.contains(fluent) => left.expired.push(fluent.clone()),
                None => {}
            }
        }
        left
    }

    /// The fluents as text, sorted: `(true 0.7 timer)` and `(expired timer)`.
    pub fn texts(&self, symbols: &Symbols) -> Vec<String> {
        let fluents = self.fluents.iter();
        let mut texts: Vec<String> =
            fluents.map(|(t, f)| format!("(true {t} {})", term_text(f, symbols))).collect();
        texts.extend(self.expired.iter().map(|it| format!("(expired {})", term_text(it, symbols))));
        texts.sort();
        texts
    }
}

/// What a state allows and is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// By role: the legal moves.
    pub legal: Vec<Vec<Term>>,
    /// Whether the match is over.
    pub is_terminal: bool,
    /// By role: the goal values that hold, ascending.
    pub goals: Vec<Vec<i64>>,
}

/// What an event leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// The new state, with what has expired.
    pub state: TimedState,
    /// What roles perceive at the event, by the number of the role.
    pub percepts: Vec<(usize, Term)>,
}

/// Why a game in real time cannot be played, or not be played on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RealTimeError {
    /// Rules cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Nobody plays.
    #[error("the game has no roles")]
    NoRoles,
    /// A lifetime is none.
    #[error("the lifetime of `{fluent}` is `{lifetime}`: expected a number above 0, or `infinity`")]
    Lifetime {
        /// The fluent.
        fluent: String,
        /// What stands for its lifetime.
        lifetime: String,
    },
    /// The role `random` moves again and again without any time passing.
    #[error("`random` has moved {0} times at one instant and still has a move")]
    Restless(usize),
    /// More events than a match may have.
    #[error("the match has more than {0} events")]
    Events(usize),
}

/// The lifetime and the fluent of two arguments of `init` or `next`.
fn timed_fluent(
    lifetime: &Term,
    fluent: &Term,
    symbols: &Symbols,
) -> Result<(Lifetime, Term), RealTimeError> {
    let read = match lifetime {
        Term::Constant(name) => Lifetime::of_name(symbols.name(*name)),
        Term::Variable(_) | Term::Compound(_) => None,
    };
    match read {
        Some(lifetime) => Ok((lifetime, fluent.clone())),
        None => Err(RealTimeError::Lifetime {
            fluent: term_text(fluent, symbols),
            lifetime: term_text(lifetime, symbols),
        }),
    }
}
