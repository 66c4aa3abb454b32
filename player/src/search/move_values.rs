//! What moves are worth wherever they are made: move-average sampling (Finnsson & Björnsson, "Simulation-based approach to general game
//! playing", 2008), and all moves as first (Gelly & Silver, "Monte-Carlo tree search and rapid action value estimation", 2011).

use std::sync::Arc;

use groundfrog_reasoner::{BitParallel, MoveId};

use super::BEST;

/// Goal points by which a move must be worth more to be made twice as often in playouts.
const DOUBLING: f32 = 5.0;
/// The powers of two of weights: that of a move which is worth what others are, and the greatest.
const POWERS: (f32, f32) = (4.0, 10.0);
/// Leaves that a move counts as seen in with the value of all others.
const PRIOR: f32 = 2.0;
/// What is left of what was seen when the match goes on.
const KEPT: f32 = 0.4;

/// A move that playouts from a leaf have made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MadeMove {
    pub(super) it: MoveId,
    /// The share of the playouts that made it.
    pub(super) share: f32,
    /// The mean goal of its role over them, times the share.
    pub(super) sum: f32,
}

/// The moves that playouts in lanes have made, by leaf. `each` lanes are of one leaf, and `goals` are by role and lane.
pub(super) fn moves_in_lanes(
    lanes: &BitParallel,
    leaves: usize,
    each: usize,
) -> Vec<Vec<MadeMove>> {
    let mut made: Vec<Vec<MadeMove>> = vec![Vec::new(); leaves];
    let one = 1.0 / each as f32;
    for (number, known) in lanes.game().moves().iter().enumerate() {
        let it = MoveId(number as u32);
        let goals = lanes.final_goals(known.role);
        for lane in lanes.lanes_with_move(it) {
            let Some(moves) = made.get_mut(lane / each) else { break };
            let goal = goals[lane].map_or(BEST as f32 / 2.0, |it| it as f32);
            match moves.last_mut().filter(|last| last.it == it) {
                Some(last) => (last.share, last.sum) = (last.share + one, last.sum + goal * one),
                None => moves.push(MadeMove { it, share: one, sum: goal * one }),
            }
        }
    }
    made
}

/// How often, and with what sum of goals.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    share: f32,
    sum: f32,
}

impl Seen {
    fn add(&mut self, made: &MadeMove) {
        self.share += made.share;
        self.sum += made.sum;
    }
}

/// What moves of a ground game were worth in playouts, wherever they were made.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveValues {
    /// By move: whose it is.
    roles: Vec<u32>,
    by_move: Vec<Seen>,
    by_role: Vec<Seen>,
}

impl MoveValues {
    /// Nothing is known, of moves of these roles.
    pub(super) fn new(roles: Vec<u32>) -> Self {
        let count = roles.iter().max().map_or(0, |&it| it as usize + 1);
        MoveValues {
            by_move: vec![Seen::default(); roles.len()],
            by_role: vec![Seen::default(); count],
            roles,
        }
    }

    /// Whether no move has a number of its own.
    pub(super) fn is_empty(&self) -> bool {
        self.by_move.is_empty()
    }

    pub(super) fn learn(&mut self, made: &[MadeMove]) {
        for it in made {
            self.by_move[it.it.index()].add(it);
            self.by_role[self.roles[it.it.index()] as usize].add(it);
        }
    }

    /// The match goes on: what was seen counts less.
    pub(super) fn fade(&mut self) {
        for seen in self.by_move.iter_mut().chain(&mut self.by_role) {
            seen.share *= KEPT;
            seen.sum *= KEPT;
        }
    }

    /// How much more a move is worth than others of its role, in goal points.
    pub(super) fn advantage(&self, it: MoveId) -> f32 {
        let Some(seen) = self.by_move.get(it.index()) else { return 0.0 };
        let all = self.by_role[self.roles[it.index()] as usize];
        let mean = if all.share > 0.0 { all.sum / all.share } else { 0.0 };
        (seen.sum - mean * seen.share) / (seen.share + PRIOR)
    }

    /// By move: to which power of two it is to be made in playouts.
    pub(super) fn powers(&self) -> Arc<[u8]> {
        let power = |number: usize| {
            let more = self.advantage(MoveId(number as u32)) / DOUBLING;
            (POWERS.0 + more).round().clamp(0.0, POWERS.1) as u8
        };
        (0..self.by_move.len()).map(power).collect()
    }
}

/// The moves that were made below a node in one way and its playouts, by move.
#[derive(Clone, Debug, Default)]
pub(super) struct MadeBelow {
    by_move: Vec<Seen>,
    touched: Vec<MoveId>,
}

impl MadeBelow {
    /// Forgets the way before.
    pub(super) fn clear(&mut self) {
        for it in self.touched.drain(..) {
            self.by_move[it.index()] = Seen::default();
        }
    }

    pub(super) fn add(&mut self, made: &MadeMove) {
        let number = made.it.index();
        if self.by_move.len() <= number {
            self.by_move.resize(number + 1, Seen::default());
        }
        if self.by_move[number].share == 0.0 {
            self.touched.push(made.it);
        }
        self.by_move[number].add(made);
    }

    /// How often a move was made, and with what sum of goals.
    pub(super) fn of(&self, it: MoveId) -> (f32, f32) {
        self.by_move.get(it.index()).map_or((0.0, 0.0), |it| (it.share, it.sum))
    }
}
