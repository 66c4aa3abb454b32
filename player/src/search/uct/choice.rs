//! Which move a search chooses, and what it says of it.

use std::cmp::Ordering;

use groundfrog_reasoner::{MoveId, Random};

use crate::position::Position;
use crate::search::proof::{Proof, SLIGHT};
use crate::search::stage_game::drawn;
use crate::search::tree::Tree;
use crate::strategy::{CandidateMove, Decision, Past, StrategyError, ValueParts};

/// A mean that is not higher by more than this is no reason to give up what is sure.
const HOPE: f64 = 1.0;
/// A move that play came back from is worth half as much each time, but not less than that part.
const MOST_HALVINGS: i32 = 3;

/// The legal moves of a role in a position, and what it did before.
pub(super) struct Choices {
    pub(super) legal: Vec<MoveId>,
    /// What it has chosen there before in the match.
    before: Vec<MoveId>,
}

impl Choices {
    pub(super) fn of(position: &mut Position, past: &Past) -> Result<Self, StrategyError> {
        let legal = position.legal()?.moves;
        let texts = past.chosen(position);
        let mut before = Vec::new();
        for &it in legal.iter().filter(|_| !texts.is_empty()) {
            let text = position.machine().move_text(it);
            before.extend(texts.iter().filter(|chosen| **chosen == text).map(|_| it));
        }
        Ok(Choices { legal, before })
    }
}

/// What is known of the moves in the root, and which is chosen.
pub(super) struct Choice {
    /// By move: how often it was tried, and the sum of values.
    pub(super) tried: Vec<(u64, f64)>,
    /// By move: what is proven of it.
    proofs: Vec<Proof>,
    /// By move: what it is worth if the answer to it is random.
    at_random: Vec<f64>,
    /// By move: how often it was made in this state before in the match.
    made: Vec<i32>,
    /// The most that is sure, and the most that any move may still be worth.
    bounds: (f64, f64),
    /// The least and the greatest goal value of the rules.
    range: (f64, f64),
    pub(super) chosen: usize,
}

impl Choice {
    /// What is known of the moves of a role in a root.
    pub(super) fn new(tree: &Tree, root: u32, role: usize, choices: &Choices) -> Self {
        let Choices { legal, before } = choices;
        let mut tried: Vec<(u64, f64)> = vec![(0, 0.0); legal.len()];
        for one in tree.nodes[root as usize].moves.get(role).into_iter().flatten() {
            if let Ok(index) = legal.binary_search(&one.it) {
                tried[index] = (u64::from(one.visits), one.sum);
            }
        }
        let range = tree.range[role];
        let mut proofs = tree.proofs_of_moves(root, role);
        // Not all moves are tried where there are very many.
        proofs.resize(legal.len(), Proof::open(range));
        let low = proofs.iter().map(|it| it.low).fold(range.0, f64::max);
        let high = proofs.iter().map(|it| it.high).fold(range.0, f64::max);
        let at_random = (0..legal.len()).map(|it| tree.worth_at_random(root, role, it)).collect();
        let times = |it: &MoveId| before.iter().filter(|made| *made == it).count() as i32;
        let made = legal.iter().map(times).collect();
        let bounds = (low, high);
        let mut choice = Choice { tried, proofs, at_random, made, bounds, range, chosen: 0 };
        choice.chosen = choice.choose();
        choice
    }

    pub(super) fn mean(&self, it: usize) -> Option<f64> {
        let (visits, sum) = self.tried[it];
        (visits > 0).then(|| sum / visits as f64)
    }

    /// What a move is worth, if that is proven.
    fn proven(&self, it: usize) -> Option<f64> {
        Some(self.proofs[it]).filter(Proof::is_decided).map(|it| it.low)
    }

    /// Whether no move can be better than what is sure.
    pub(super) fn is_decided(&self) -> bool {
        self.bounds.0 >= self.bounds.1 - SLIGHT
    }

    fn came_back(&self) -> bool {
        self.made.iter().any(|&it| it > 0)
    }

    /// Whether play has come back, so that what is sure is taken.
    fn insists(&self) -> bool {
        self.came_back() && self.bounds.0 > self.range.0 + SLIGHT
    }

    fn choose(&self) -> usize {
        let (low, high) = self.bounds;
        let places = 0..self.proofs.len();
        let sure = places.clone().filter(|&it| self.proofs[it].low >= low - SLIGHT);
        let soonest = sure.max_by(|&one, &other| self.compare(one, other)).unwrap_or(0);
        if self.is_decided() || self.insists() {
            return soonest;
        }
        let (came_back, is_sure) = (self.came_back(), low > self.range.0 + SLIGHT);
        let worth = |it: usize| {
            let Proof { low, high, .. } = self.proofs[it];
            let mean = self.mean(it).map_or(f64::NEG_INFINITY, |mean| mean.clamp(low, high));
            // What play came back from is no progress.
            mean / f64::from(1 << self.made[it].min(MOST_HALVINGS))
        };
        let tried = |it: usize| if came_back { 0 } else { self.tried[it].0 };
        let is_good = |it: &usize| self.proofs[*it].high > low || high <= low;
        let chosen = places.filter(is_good).max_by(|&one, &other| {
            (tried(one).cmp(&tried(other)))
                .then(worth(one).total_cmp(&worth(other)))
                .then(self.made[other].cmp(&self.made[one]))
                .then(other.cmp(&one))
        });
        match chosen {
            Some(chosen) if !is_sure || self.mean(chosen).is_some_and(|it| it > low + HOPE) => {
                chosen
            }
            _ => soonest,
        }
    }

    /// Of moves by which the same is sure the one that has it sooner, or is lost later. Where all is proven but no win, others may still err: the
    /// move after which they do so most easily, unless play has come back.
    fn compare(&self, one: usize, other: usize) -> Ordering {
        let by_proof = self.proofs[one].preference(&self.proofs[other], self.range);
        let by_hope = self.at_random[one].total_cmp(&self.at_random[other]);
        let is_between =
            self.bounds.0 > self.range.0 + SLIGHT && self.bounds.0 < self.range.1 - SLIGHT;
        let order = match self.is_decided() && is_between && !self.came_back() {
            true => by_hope.then(by_proof),
            false => by_proof.then(by_hope),
        };
        order.then(self.tried[one].0.cmp(&self.tried[other].0)).then(other.cmp(&one))
    }
}

/// The decision that a search has come to. Where several choose at once, a move drawn from the mean strategy, so that others cannot
/// tell which.
pub(super) fn decide(
    position: &mut Position,
    tree: &Tree,
    root: u32,
    choices: &Choices,
    random: &mut Random,
) -> Decision {
    let role = position.role().index();
    let choice = Choice::new(tree, root, role, choices);
    let legal = &choices.legal;
    let mixed = tree.stage.as_ref().map(|(_, stage)| stage.mean(role));
    let is_open = mixed.filter(|_| !choice.is_decided() && !choice.insists());
    let mixed = is_open.filter(|mean| mean.len() == legal.len() && legal.len() > 1);
    let chosen = mixed.map_or(choice.chosen, |mean| drawn(&mean, random));
    let Proof { low: lower, high: upper, .. } = choice.proofs[chosen];
    // Where others choose, it is what they leave that is proven.
    let of_root = Some(tree.proof(root, role)).filter(Proof::is_decided).map(|it| it.low);
    let proven = of_root.is_some() || choice.is_decided() && lower >= choice.bounds.1 - SLIGHT;
    let parts = ValueParts { playouts: choice.mean(chosen), lower, upper };
    let line = tree.line(root);
    let machine = position.machine();
    let mut candidates: Vec<CandidateMove> = (0..legal.len())
        .map(|place| CandidateMove {
            action: machine.move_text(legal[place]),
            visits: choice.tried[place].0,
            value: choice.proven(place).or_else(|| choice.mean(place)),
            proven: choice.proven(place).is_some(),
        })
        .collect();
    candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
    Decision {
        action: machine.move_text(legal[chosen]),
        method: "uct".into(),
        value: of_root.or_else(|| choice.proven(chosen)).or_else(|| choice.mean(chosen)),
        proven,
        nodes: tree.nodes.len() as u64,
        line: line
            .iter()
            .map(|moves| moves.iter().map(|&it| machine.move_text(it)).collect())
            .collect(),
        candidates,
        memory: tree.bytes,
        parts: Some(parts),
        ..Decision::default()
    }
}
