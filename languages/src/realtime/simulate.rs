//! Matches without a clock: moves come from a script or at random, and time passes from event to event.

use groundfrog::symbols::Symbols;
use groundfrog_reasoner::Random;
use num_bigint::BigInt;
use num_traits::Signed;

use super::{RealTimeError, RealTimeReasoner, Timeline};
use crate::number::{self, Number};
use crate::rules::{self, ScriptFault, ground_term, term_text};
use groundfrog::description::Term;

/// A move of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedMove {
    /// When, in seconds since the beginning.
    pub time: Number,
    /// The number of the role.
    pub role: usize,
    /// The move.
    pub term: Term,
}

/// Reads a script: a list `(TIME ROLE MOVE)` for each move, in any order.
///
/// # Errors
/// A list is no move of a role.
pub fn read_script(
    text: &str,
    reasoner: &mut RealTimeReasoner,
) -> Result<Vec<ScriptedMove>, ScriptFault> {
    let mut moves = Vec::new();
    rules::read_script(text, "expected `(TIME ROLE MOVE)`", |[time, role, chosen]| {
        let time = number::parse(time)
            .filter(|it| !it.is_negative())
            .ok_or_else(|| format!("`{time}` is no time: expected seconds, 0 or more"))?;
        let role = role_of(role, reasoner)?;
        let term = ground_term(chosen, reasoner.symbols());
        let term = term.map_err(|it| format!("`{chosen}`: {it}"))?;
        moves.push(ScriptedMove { time, role, term });
        Ok(())
    })?;
    Ok(moves)
}

/// The number of a role by its name.
///
/// # Errors
/// Nobody has the name; the message lists the roles.
pub fn role_of(name: &str, reasoner: &mut RealTimeReasoner) -> Result<usize, String> {
    let names = role_names(reasoner);
    names
        .iter()
        .position(|it| it == name)
        .ok_or_else(|| format!("nobody plays `{name}`: the roles are {}", names.join(", ")))
}

/// The names of all roles.
pub fn role_names(reasoner: &mut RealTimeReasoner) -> Vec<String> {
    let roles = reasoner.roles().to_vec();
    let symbols: &Symbols = reasoner.symbols();
    roles.iter().map(|it| term_text(it, symbols)).collect()
}

/// Roles that move at random: after each wait, of one to so many steps of time, each makes one of its legal moves.
#[derive(Clone, Debug)]
pub struct RandomRoles {
    random: Random,
    step: Number,
    most: u32,
    /// By role: when it moves next; none for roles that do not.
    next: Vec<Option<Number>>,
}

impl RandomRoles {
    /// All roles but `random` itself.
    pub fn new(timeline: &mut Timeline, seed: u64, step: Number) -> Self {
        let random = timeline.random();
        let roles = timeline.reasoner().roles().len();
        let mut players =
            RandomRoles { random: Random::new(seed), step, most: 10, next: vec![None; roles] };
        for role in (0..roles).filter(|it| Some(*it) != random) {
            players.next[role] = Some(players.wait());
        }
        players
    }

    fn wait(&mut self) -> Number {
        let steps = self.random.below(self.most) + 1;
        &self.step * BigInt::from(steps)
    }

    /// Lets the next role whose turn comes up to a time choose; returns whether there was one.
    fn choose(&mut self, timeline: &mut Timeline, until: &Number) -> Result<bool, RealTimeError> {
        let due = self.next.iter().flatten().min().filter(|it| *it <= until).cloned();
        let Some(due) = due else { return Ok(false) };
        // What expires before is known to all who choose; what expires at the same instant is not.
        while let Some(next) = timeline.next_event().filter(|it| *it < due) {
            timeline.advance_to(&next)?;
        }
        for role in 0..self.next.len() {
            if self.next[role].as_ref() != Some(&due) {
                continue;
            }
            let legal = &timeline.last().situation.legal[role];
            if !legal.is_empty() && !timeline.is_over() {
                let chosen = legal[self.random.below(legal.len() as u32) as usize].clone();
                timeline.add_move(due.clone(), role, chosen);
            }
            let wait = self.wait();
            self.next[role] = Some(&due + wait);
        }
        Ok(true)
    }
}

/// Runs a match until it is over, or to a time. Without anybody who moves at random it also ends when nothing more can happen.
///
/// # Errors
/// The rules cannot be evaluated, or there are too many events.
pub fn run(
    timeline: &mut Timeline,
    mut players: Option<&mut RandomRoles>,
    until: &Number,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), RealTimeError> {
    while !timeline.is_over() && !is_stopped() {
        if let Some(players) = &mut players
            && players.choose(timeline, until)?
        {
            continue;
        }
        match timeline.next_event().filter(|it| it <= until) {
            Some(next) => timeline.advance_to(&next)?,
            None => return Ok(()),
        }
    }
    Ok(())
}
