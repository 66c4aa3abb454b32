//! What was reported of a match, and what is known of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{RulesKind, lock};
use crate::position::Position;
use crate::seat_thread::Unanswered;
use crate::strategy::StrategyError;
use crate::strategy::Turn;
use crate::text;

/// What is known of a state of the match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// How many turns have been looked at, whether or not they can be followed.
    pub(crate) seen: usize,
    /// The own role as the description writes it, once the game is set up.
    pub(crate) role: Option<String>,
    /// The own legal moves, [`MOST_LISTED`](crate::position::MOST_LISTED) of them at most, and how long it took to find them.
    pub(crate) legal: Option<Vec<String>>,
    pub(crate) took: Duration,
    /// Whether the last moves were written in another case than the description has.
    pub(crate) folded: bool,
    /// Why the last turn cannot be followed, or nothing reported at all.
    pub(crate) fault: Option<Unanswered>,
}

/// The turns so far, and what the threads have found.
pub(super) struct Log {
    pub(super) turns: Vec<Turn>,
    /// The latest state that is known.
    known: Known,
    pub(super) position: Option<Arc<Mutex<Position>>>,
    /// Whether that is by ground rules.
    pub(super) is_ground: bool,
    /// The threads that are at work, and why the first one ended that did.
    at_work: Vec<RulesKind>,
    ended_by: Option<Unanswered>,
    /// The legal moves in the latest states that are known, with the number of turns before each: one for each player, as
    /// the next turn of a player who chooses alone is like its last one.
    earlier: Vec<(usize, Vec<String>)>,
    /// The place of the own role, and how many roles have players.
    role: usize,
    players: usize,
}

impl Log {
    pub(super) fn new(at_work: &[RulesKind]) -> Self {
        Log {
            turns: Vec::new(),
            known: Known::default(),
            position: None,
            is_ground: false,
            at_work: at_work.to_vec(),
            ended_by: None,
            earlier: Vec::new(),
            role: 0,
            players: 1,
        }
    }

    /// What is known of the present state, or that nothing will be.
    pub(super) fn present(&self) -> Option<Known> {
        if self.position.is_some() && self.known.seen == self.turns.len() {
            return Some(self.known.clone());
        }
        let lost = || Known { legal: None, fault: self.ended_by.clone(), ..self.known.clone() };
        self.at_work.is_empty().then(lost)
    }

    /// Once the ground rules are in use or nobody grounds any more: why the game cannot be played, if it cannot.
    pub(super) fn outcome(&self) -> Option<Option<StrategyError>> {
        if self.at_work.is_empty() {
            return Some(self.ended_by.clone().map(StrategyError::from));
        }
        (self.is_ground || !self.at_work.contains(&RulesKind::Ground)).then_some(None)
    }

    /// Takes what is known of a state, unless it is an earlier one than the latest. Says whether it was taken.
    pub(super) fn note(&mut self, known: &Known, position: &Arc<Mutex<Position>>) -> bool {
        if self.position.is_none() {
            let mut position = lock(position);
            self.role = position.role().index();
            let machine = position.machine();
            let chance = usize::from(machine.chance_role().is_some());
            self.players = (machine.roles().len() - chance).max(1);
        }
        let class = known.seen % self.players;
        let slot = self.earlier.iter_mut().find(|it| it.0 % self.players == class);
        let legal = known.legal.clone().filter(|it| !it.is_empty()).unwrap_or_default();
        match slot {
            Some(slot) if slot.0 <= known.seen => *slot = (known.seen, legal),
            Some(_) => {}
            None => self.earlier.push((known.seen, legal)),
        }
        if self.position.is_some() && known.seen < self.known.seen {
            return false;
        }
        self.known = known.clone();
        self.position = Some(Arc::clone(position));
        true
    }

    /// A thread has ended.
    pub(super) fn end(&mut self, rules: RulesKind, fault: Option<Unanswered>) {
        self.at_work.retain(|&it| it != rules);
        self.ended_by = self.ended_by.take().or(fault);
        // Whatever the rules are evaluated by, there is no such role.
        if matches!(self.ended_by, Some(Unanswered::Failed(StrategyError::Role(_)))) {
            self.at_work.clear();
        }
    }

    /// Moves that are legal now; if that is not known, those that were when it was last the same player's turn.
    pub(super) fn candidates(&self) -> Vec<String> {
        let now = self.turns.len();
        if let (true, Some(legal)) = (self.known.seen == now, &self.known.legal) {
            return legal.clone();
        }
        let is_alike = |it: &&(usize, _)| it.0 % self.players == now % self.players;
        let Some((_, legal)) = self.earlier.iter().find(is_alike) else { return Vec::new() };
        let made: Vec<String> = self.turns.iter().filter_map(|it| self.own_move(it)).collect();
        let is_new = |it: &&String| !made.contains(&it.to_lowercase());
        let new: Vec<String> = legal.iter().filter(is_new).cloned().collect();
        if new.is_empty() { legal.clone() } else { new }
    }

    /// The legal moves of the latest state that is known.
    pub(super) fn latest(&self) -> Vec<String> {
        self.known.legal.clone().unwrap_or_default()
    }

    /// The own move of a turn, in lower case.
    fn own_move(&self, turn: &Turn) -> Option<String> {
        let own = match turn {
            Turn::Moves(moves) => moves.get(self.role)?,
            Turn::Percepts { own, .. } => own.as_ref()?,
        };
        Some(text::compact(own)?.to_lowercase())
    }
}
