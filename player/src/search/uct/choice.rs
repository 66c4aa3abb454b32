//! Which move a search chooses, and what it says of it.

use groundfrog_reasoner::{MoveId, Random};

use crate::position::Position;
use crate::search::BEST;
use crate::search::stage_game::drawn;
use crate::search::tree::Tree;
use crate::strategy::{CandidateMove, Decision, ValueParts};

/// What is known of the moves in the root, and which is chosen.
pub(super) struct Choice {
    /// By move: how often it was tried, and the sum of values.
    pub(super) tried: Vec<(u64, f64)>,
    /// By move: what is proven of it.
    bounds: Vec<(f64, f64)>,
    /// By move: what it is worth if the answer to it is random.
    at_random: Vec<f64>,
    /// The most that any move may still be worth.
    top: f64,
    pub(super) chosen: usize,
}

impl Choice {
    /// The move that was tried most, of those that are not proven to be worse than another.
    pub(super) fn new(tree: &Tree, root: u32, role: usize, legal: &[MoveId]) -> Self {
        let mut tried: Vec<(u64, f64)> = vec![(0, 0.0); legal.len()];
        for one in tree.nodes[root as usize].moves.get(role).into_iter().flatten() {
            if let Ok(index) = legal.binary_search(&one.it) {
                tried[index] = (u64::from(one.visits), one.sum);
            }
        }
        let bounds: Vec<(f64, f64)> =
            (0..legal.len()).map(|it| tree.bounds_of(root, role, it)).collect();
        let top = bounds.iter().map(|it| it.1).fold(0.0, f64::max);
        let at_random = (0..legal.len()).map(|it| tree.worth_at_random(root, role, it)).collect();
        let mut choice = Choice { tried, bounds, at_random, top, chosen: 0 };
        choice.chosen = choice.choose();
        choice
    }

    pub(super) fn mean(&self, it: usize) -> Option<f64> {
        let (visits, sum) = self.tried[it];
        (visits > 0).then(|| sum / visits as f64)
    }

    fn choose(&self) -> usize {
        let known = &self.bounds;
        let lower = known.iter().map(|it| it.0).fold(0.0, f64::max);
        let worth = |place: usize| {
            self.mean(place)
                .map_or(f64::NEG_INFINITY, |mean| mean.clamp(known[place].0, known[place].1))
        };
        let good = (0..known.len()).filter(|&it| known[it].1 >= lower);
        // A move that is proven to be best comes before one that only seems so.
        let is_best = |it: usize| lower > 0.0 && known[it].0 >= lower && lower >= self.top;
        // Where all is proven but no win, others may still err: the move after which they do so most easily.
        let is_decided = lower >= self.top && lower < BEST;
        let hope = |it: usize| if is_decided { self.at_random[it] } else { 0.0 };
        let chosen = good.max_by(|&one, &other| {
            (is_best(one).cmp(&is_best(other)))
                .then(hope(one).total_cmp(&hope(other)))
                .then(self.tried[one].0.cmp(&self.tried[other].0))
                .then(worth(one).total_cmp(&worth(other)))
                .then(other.cmp(&one))
        });
        chosen.unwrap_or(0)
    }
}

/// The decision that a search has come to. Where several choose at once, a move drawn from the mean strategy, so that others cannot
/// tell which.
pub(super) fn decide(
    position: &mut Position,
    tree: &Tree,
    root: u32,
    legal: &[MoveId],
    random: &mut Random,
) -> Decision {
    let role = position.role().index();
    let choice = Choice::new(tree, root, role, legal);
    let mixed = tree.stage.as_ref().map(|(_, stage)| stage.mean(role));
    let mixed = mixed.filter(|mean| mean.len() == legal.len() && legal.len() > 1);
    let chosen = mixed.map_or(choice.chosen, |mean| drawn(&mean, random));
    let bounds = choice.bounds[chosen];
    let proven = bounds.0 == bounds.1 && bounds.0 >= choice.top;
    let (lower, upper) = bounds;
    let parts = ValueParts { playouts: choice.mean(chosen), lower, upper };
    let line = tree.line(root);
    let machine = position.machine();
    let mut candidates: Vec<CandidateMove> = (0..legal.len())
        .map(|place| CandidateMove {
            action: machine.move_text(legal[place]),
            visits: choice.tried[place].0,
            value: choice.mean(place),
        })
        .collect();
    candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
    Decision {
        action: machine.move_text(legal[chosen]),
        method: "uct".into(),
        value: if proven { Some(bounds.0) } else { choice.mean(chosen) },
        proven,
        nodes: tree.nodes.len() as u64,
        playouts: 0,
        line: line
            .iter()
            .map(|moves| moves.iter().map(|&it| machine.move_text(it)).collect())
            .collect(),
        candidates,
        memory: tree.bytes,
        explanation: String::new(),
        parts: Some(parts),
    }
}
