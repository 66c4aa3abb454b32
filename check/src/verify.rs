//! Proof by play: a reasoner against another, or against recorded playouts.
//!
//! [`compare`] plays random matches on two reasoners side by side and compares what they say of every
//! state: legal moves, goals, end, percepts and successor. [`replay`] does the same against reference
//! playouts that were recorded elsewhere ([`Trace`]). The first difference is reported with the smallest
//! state that shows it and, for a ground game, with the rules that should have derived the atom.

pub(crate) mod answers;
mod difference;
mod error;
mod minimise;
#[cfg(feature = "serde")]
mod replay;
mod sides;
#[cfg(feature = "serde")]
mod spelling;
#[cfg(feature = "serde")]
mod trace;

use std::fmt;

pub use difference::{Difference, Subject};
pub use error::VerifyError;
#[cfg(feature = "serde")]
pub use replay::replay;
#[cfg(feature = "serde")]
pub use trace::{Trace, TraceError, TraceFault, TracePosition};

use groundfrog::game::GroundGame;
use groundfrog_reasoner::{MoveId, PlayoutObserver, Random, Reasoner, ReasonerError, State};
use sides::Sides;

/// How to compare two reasoners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Random matches.
    pub playouts: u64,
    /// Seed of the choices.
    pub seed: u64,
    /// Joint moves after which a match is given up.
    pub max_length: u32,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions { playouts: 10, seed: 1, max_length: 1000 }
    }
}

/// What was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VerifyReport {
    /// Matches compared completely.
    pub playouts: u64,
    /// States compared.
    pub states: u64,
    /// Matches that were given up after [`VerifyOptions::max_length`] joint moves.
    pub capped: u64,
    /// Matches that ended since a role had no legal move in a state that is not terminal.
    pub stuck: u64,
    /// The first difference; nothing was compared after it.
    pub difference: Option<Difference>,
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} playouts, {} states compared", self.playouts, self.states)?;
        if self.capped > 0 {
            write!(out, ", {} given up at the cap", self.capped)?;
        }
        if self.stuck > 0 {
            write!(out, ", {} stuck without a legal move", self.stuck)?;
        }
        match &self.difference {
            Some(difference) => write!(out, "\n{difference}"),
            None => write!(out, ", no difference"),
        }
    }
}

/// Plays random matches on both reasoners and compares every state, until the observer stops it. `game` is where the tested reasoner's
/// rules come from, to show those that a difference is about.
///
/// # Errors
/// One of the reasoners has no answer.
pub fn compare(
    tested: &mut dyn Reasoner,
    oracle: &mut dyn Reasoner,
    game: Option<&GroundGame>,
    options: &VerifyOptions,
    observer: &mut dyn PlayoutObserver,
) -> Result<VerifyReport, VerifyError> {
    let mut report = VerifyReport::default();
    let mut sides = Sides::new(tested, oracle);
    match matches(&mut sides, game, options, observer, &mut report) {
        // An evaluation was stopped.
        Err(_) if observer.is_stopped() => Ok(report),
        played => played.map(|()| report),
    }
}

fn matches(
    sides: &mut Sides<'_>,
    game: Option<&GroundGame>,
    options: &VerifyOptions,
    observer: &mut dyn PlayoutObserver,
    report: &mut VerifyReport,
) -> Result<(), VerifyError> {
    let mut random = Random::new(options.seed);
    if let Some(difference) = sides.at_start()? {
        report.difference = Some(difference.with_rules(game));
        return Ok(());
    }
    for playout in 0..options.playouts {
        if observer.is_stopped() {
            break;
        }
        let mut state = sides.oracle.initial().clone();
        let mut length = 0;
        loop {
            report.states += 1;
            if let Some(difference) = sides.at_state(&state)? {
                let found = minimise::state(sides, &state, None, difference)?;
                report.difference = Some(found.with_rules(game));
                return Ok(());
            }
            if sides.oracle.is_terminal(&state).map_err(VerifyError::Oracle)? {
                break;
            }
            let moves = choose(sides.oracle, &state, &mut random).map_err(VerifyError::Oracle)?;
            let Some(moves) = moves else {
                report.stuck += 1;
                break;
            };
            if length >= options.max_length {
                report.capped += 1;
                break;
            }
            if let Some(difference) = sides.at_step(&state, &moves)? {
                let found = minimise::state(sides, &state, Some(&moves), difference)?;
                report.difference = Some(found.with_rules(game));
                return Ok(());
            }
            let mut next = State::default();
            let result = sides.oracle.next_state(&state, &moves, &mut next);
            result.map_err(VerifyError::Oracle)?;
            state = next;
            length += 1;
        }
        report.playouts += 1;
        observer.played(playout + 1, Some(options.playouts));
    }
    Ok(())
}

/// A random move for each role; `None` if a role has none.
fn choose(
    reasoner: &mut dyn Reasoner,
    state: &State,
    random: &mut Random,
) -> Result<Option<Vec<MoveId>>, ReasonerError> {
    let (mut made, mut legal) = (Vec::new(), Vec::new());
    for role in reasoner.role_ids() {
        reasoner.legal_moves(state, role, &mut legal)?;
        if legal.is_empty() {
            return Ok(None);
        }
        made.push(legal[random.below(legal.len() as u32) as usize]);
    }
    Ok(Some(made))
}
