//! UCT (Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", 2006).

use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog::Description;
use groundfrog_reasoner::{MoveId, Random, State};

use super::tree::Tree;
use crate::machine::{MachineLimits, machine};
use crate::position::Position;
use crate::strategy::{CandidateMove, Decision, Strategy, StrategyError, StrategyOptions, Turn};

/// Searches the graph of the states that it meets, from turn to turn. Where a role does not see the state, each way down
/// begins at one of those that agree with what it saw.
pub struct Uct {
    description: Arc<Description>,
    role: String,
    options: StrategyOptions,
    random: Random,
    search: Option<(Position, Tree)>,
    /// Ways down the tree that a decision may take: `None` lets the time alone decide.
    most: Option<u64>,
}

impl Uct {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let random = Random::new(options.seed);
        let role = role.to_owned();
        Uct { description, role, options, random, search: None, most: None }
    }

    /// Lets each decision take so many ways down the tree at most, so that it does not depend on the time.
    pub fn with_most(self, most: u64) -> Self {
        Uct { most: Some(most), ..self }
    }

    /// The position, if the match was prepared for.
    pub(super) fn position(&mut self) -> Option<&mut Position> {
        self.search.as_mut().map(|it| &mut it.0)
    }

    fn not_set_up() -> StrategyError {
        StrategyError::Game("it is not set up".into())
    }
}

impl Strategy for Uct {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        let now = Instant::now();
        let limits = MachineLimits {
            deadline: Some(now + deadline.saturating_duration_since(now) / 2),
            memory: self.options.memory,
            stop: self.options.stop.clone(),
        };
        let machine = machine(&self.description, &limits)?;
        // Half of the memory is for the rules.
        let tree = Tree::new(&machine, self.options.memory.map_or(1 << 31, |it| it / 2));
        self.search = Some((Position::new(machine, &self.role, self.options.seed)?, tree));
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let (position, tree) = self.search.as_mut().ok_or_else(Self::not_set_up)?;
        let legal = position.legal()?;
        if legal.is_empty() {
            return Err(StrategyError::NoMove { role: self.role.clone() });
        }
        let states: Vec<State> = position.states().to_vec();
        tree.keep(&states);
        tree.playouts = 0;
        let roots: Vec<u32> = states.iter().filter_map(|it| tree.node(it, true)).collect();
        // A step of rules with variables may take long: what was seen of it is kept free before the deadline.
        let (mut longest, mut ways) = (Duration::ZERO, 0_u64);
        let role = position.role().index();
        while legal.len() > 1 && self.most.is_none_or(|it| ways < it) {
            let begin = Instant::now();
            if self.most.is_none() && begin + longest >= deadline {
                break;
            }
            let until = deadline;
            let timed = self.most.is_none();
            let on_time = move || !timed || Instant::now() < until;
            let root = roots[self.random.below(roots.len() as u32) as usize];
            let machine = position.machine();
            if !tree.simulate(root, machine, &mut self.random, &on_time)? {
                break;
            }
            longest = longest.max(begin.elapsed()).min(Duration::from_millis(20));
            ways += 1;
            let bounds = &tree.nodes[root as usize].bounds;
            if roots.len() == 1 && bounds[role].0 == bounds[role].1 {
                break;
            }
        }
        Ok(decide(position, tree, &roots, &legal))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.search.as_mut().ok_or_else(Self::not_set_up)?.0.observe(turn)
    }
}

/// The move that was tried most, of those that are not proven to be worse than another.
fn decide(position: &mut Position, tree: &Tree, roots: &[u32], legal: &[MoveId]) -> Decision {
    let role = position.role().index();
    let mut tried: Vec<(u64, f64)> = vec![(0, 0.0); legal.len()];
    for &root in roots {
        let moves = tree.nodes[root as usize].moves.get(role);
        for one in moves.into_iter().flatten() {
            if let Ok(index) = legal.binary_search(&one.it) {
                tried[index].0 += u64::from(one.visits);
                tried[index].1 += one.sum;
            }
        }
    }
    let known = |index: usize| match roots {
        [root] => tree.bounds_of(*root, role, index),
        _ => (0.0, 100.0),
    };
    let lower = (0..legal.len()).map(|it| known(it).0).fold(0.0, f64::max);
    let mean = |it: usize| (tried[it].0 > 0).then(|| tried[it].1 / tried[it].0 as f64);
    let worth =
        |it: usize| mean(it).map_or(f64::NEG_INFINITY, |mean| mean.clamp(known(it).0, known(it).1));
    let good = (0..legal.len()).filter(|&it| known(it).1 >= lower);
    // A move that is proven to be best comes before one that only seems so.
    let rank = |it: usize| {
        (
            lower > 0.0 && known(it).0 >= lower && lower >= best_upper(legal.len(), &known),
            tried[it].0,
        )
    };
    let chosen = good.max_by(|&one, &other| {
        rank(one).cmp(&rank(other)).then(worth(one).total_cmp(&worth(other))).then(other.cmp(&one))
    });
    let chosen = chosen.unwrap_or(0);
    let bounds = known(chosen);
    let proven = bounds.0 == bounds.1 && bounds.0 >= best_upper(legal.len(), &known);
    let line = match roots {
        [root] => tree.line(*root),
        _ => Vec::new(),
    };
    let machine = position.machine();
    let mut candidates: Vec<CandidateMove> = (0..legal.len())
        .map(|it| CandidateMove {
            action: machine.move_text(legal[it]),
            visits: tried[it].0,
            value: mean(it),
        })
        .collect();
    candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
    Decision {
        action: machine.move_text(legal[chosen]),
        method: "uct".into(),
        value: if proven { Some(bounds.0) } else { mean(chosen) },
        proven,
        nodes: tree.nodes.len() as u64,
        playouts: tree.playouts,
        line: line
            .iter()
            .map(|moves| moves.iter().map(|&it| machine.move_text(it)).collect())
            .collect(),
        candidates,
        memory: tree.bytes,
    }
}

/// The most that any move may still be worth.
fn best_upper(moves: usize, known: &dyn Fn(usize) -> (f64, f64)) -> f64 {
    (0..moves).map(|it| known(it).1).fold(0.0, f64::max)
}
