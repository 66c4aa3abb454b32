//! The trees of all roles.

use fxhash::FxHashMap;
use groundfrog::RoleId;
use groundfrog_reasoner::{MoveId, Random};

use crate::search::BEST;

/// How much is explored, for values from 0 to 1.
const EXPLORATION: f64 = 0.7;
/// About how many bytes a node takes that has two moves.
const NODE_BYTES: u64 = 128;

/// What is known of a move in an information set.
#[derive(Clone, Copy, Debug)]
struct MoveStatistics {
    it: MoveId,
    /// How often it could be made.
    available: u32,
    visits: u32,
    /// The sum of the values for the role, from 0 to 1 each.
    sum: f64,
    /// The sum of how many moves it took from where the iterations began.
    length: u64,
}

/// A move that was made in an information set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    role: RoleId,
    key: u64,
    pub(super) made: MoveId,
    /// Whether the information set was met for the first time.
    pub(super) is_new: bool,
}

/// The trees, as tables from roles and what they know to what is known of their moves.
pub(super) struct Trees {
    nodes: FxHashMap<(RoleId, u64), Vec<MoveStatistics>>,
    most: u64,
}

impl Trees {
    /// With so many bytes at most.
    pub(super) fn new(bytes: u64) -> Self {
        Trees { nodes: FxHashMap::default(), most: (bytes / NODE_BYTES).max(1) }
    }

    /// How many information sets there are.
    pub(super) fn len(&self) -> u64 {
        self.nodes.len() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        self.len() * NODE_BYTES
    }

    /// Begins anew.
    pub(super) fn forget(&mut self) {
        self.nodes.clear();
    }

    /// Begins anew where there is no room for much more.
    pub(super) fn forget_if_full(&mut self) {
        if self.len() > self.most / 2 {
            self.nodes.clear();
        }
    }

    /// How often a move was made in an information set, and its mean value from 0 to 100.
    pub(super) fn statistics(&self, role: RoleId, key: u64, it: MoveId) -> (u64, Option<f64>) {
        let moves = self.nodes.get(&(role, key));
        let found = moves.and_then(|moves| moves.iter().find(|one| one.it == it));
        let mean = |it: &MoveStatistics| it.sum / f64::from(it.visits) * BEST;
        found.map_or((0, None), |it| (it.visits.into(), (it.visits > 0).then(|| mean(it))))
    }

    /// Chooses among legal moves: one that was never made, or else the one with the highest upper confidence bound, where the
    /// term of exploration counts how often the move was available.
    pub(super) fn select(
        &mut self,
        role: RoleId,
        key: u64,
        legal: &[MoveId],
        random: &mut Random,
    ) -> Visit {
        let has_room = self.len() < self.most;
        let Some(moves) = (match has_room {
            true => Some(self.nodes.entry((role, key)).or_default()),
            false => self.nodes.get_mut(&(role, key)),
        }) else {
            let made = legal[random.below(legal.len() as u32) as usize];
            return Visit { role, key, made, is_new: true };
        };
        let is_new = moves.is_empty();
        let (mut best, mut made, mut alike) = (f64::NEG_INFINITY, legal[0], 0);
        for &it in legal {
            let number = moves.iter().position(|one| one.it == it).unwrap_or_else(|| {
                moves.push(MoveStatistics { it, available: 0, visits: 0, sum: 0.0, length: 0 });
                moves.len() - 1
            });
            let one = &mut moves[number];
            one.available += 1;
            let bound = match one.visits {
                0 => f64::INFINITY,
                visits => {
                    let visits = f64::from(visits);
                    let width = (f64::from(one.available).ln() / visits).sqrt();
                    one.sum / visits + EXPLORATION * width
                }
            };
            // Of equal ones any, each as likely.
            alike = if bound > best { 1 } else { alike + u32::from(bound >= best) };
            if bound > best || (bound >= best && random.below(alike) == 0) {
                (best, made) = (bound, it);
            }
        }
        Visit { role, key, made, is_new }
    }

    /// How many moves it took on average to come to an end by a move in an information set that search began in.
    pub(super) fn length(&self, role: RoleId, key: u64, it: MoveId) -> f64 {
        let moves = self.nodes.get(&(role, key));
        let found = moves.and_then(|moves| moves.iter().find(|one| one.it == it));
        found.map_or(f64::INFINITY, |it| it.length as f64 / f64::from(it.visits.max(1)))
    }

    /// Adds what came of some moves, by role, from 0 to 100, after so many moves.
    pub(super) fn add(&mut self, visits: &[Visit], values: &[f64], length: u32) {
        for visit in visits {
            let moves = self.nodes.get_mut(&(visit.role, visit.key));
            let found = moves.and_then(|it| it.iter_mut().find(|one| one.it == visit.made));
            if let Some(found) = found {
                found.visits += 1;
                found.sum += values[visit.role.index()] / BEST;
                found.length += u64::from(length);
            }
        }
    }
}
