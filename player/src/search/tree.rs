//! The states that a search has met, and what it knows of them.
//!
//! A state that is met again is the same node. Each role counts its own moves (decoupled selection), so that states in which
//! several choose at once need no table over joint moves. Values that are proven are passed up: a role takes no
//! move that is proven worse than another, and the others count on that.

use fxhash::FxHashMap;
use groundfrog::RoleId;
use groundfrog_reasoner::{MoveId, Random, State};

use crate::machine::Machine;
use crate::strategy::StrategyError;

/// How much a move that was tried less is preferred, for goals from 0 to 1.
const EXPLORATION: f64 = 0.7;
/// Joint moves after which a playout or a way down the tree is given up.
const LONGEST: usize = 1000;
/// Goals are from 0 to 100.
const BEST: f64 = 100.0;

/// A move of a role in a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    pub(super) it: MoveId,
    pub(super) visits: u32,
    pub(super) sum: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    state: State,
    /// By role; empty where the state is terminal or was not looked at.
    pub(super) moves: Vec<Vec<Tried>>,
    /// By joint move, as positions of the moves.
    children: FxHashMap<Vec<u16>, u32>,
    pub(super) visits: u32,
    /// By role: what its goal is at least and at most.
    pub(super) bounds: Vec<(f64, f64)>,
    looked_at: bool,
}

/// The nodes of a match.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    index: FxHashMap<State, u32>,
    pub(super) bytes: u64,
    most_bytes: u64,
    roles: usize,
    /// The role `random`, whose moves are averaged over.
    chance: Option<usize>,
    pub(super) playouts: u64,
}

impl Tree {
    pub(super) fn new(machine: &Machine, most_bytes: u64) -> Self {
        let roles = machine.roles().len();
        let random = machine.role_ids().position(|it| machine.role_text(it) == "random");
        Tree {
            nodes: Vec::new(),
            index: FxHashMap::default(),
            bytes: 0,
            most_bytes,
            roles,
            chance: random.filter(|_| roles > 1),
            playouts: 0,
        }
    }

    /// The node of a state. There is always room for one that `must` be.
    pub(super) fn node(&mut self, state: &State, must: bool) -> Option<u32> {
        if let Some(&node) = self.index.get(state) {
            return Some(node);
        }
        if !must && self.bytes >= self.most_bytes {
            return None;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            state: state.clone(),
            moves: Vec::new(),
            children: FxHashMap::default(),
            visits: 0,
            bounds: vec![(0.0, BEST); self.roles],
            looked_at: false,
        });
        self.index.insert(state.clone(), node);
        self.bytes += 2 * (state.words().len() as u64 * 8 + 24) + 176 + 16 * self.roles as u64;
        Some(node)
    }

    /// Forgets all that cannot be reached from these states.
    pub(super) fn keep(&mut self, roots: &[State]) {
        let mut old = std::mem::take(&mut self.nodes);
        let index = std::mem::take(&mut self.index);
        self.bytes = 0;
        let mut numbers: Vec<u32> = vec![u32::MAX; old.len()];
        let mut waiting: Vec<u32> = roots.iter().filter_map(|it| index.get(it).copied()).collect();
        let mut order = Vec::new();
        while let Some(node) = waiting.pop() {
            if numbers[node as usize] == u32::MAX {
                numbers[node as usize] = order.len() as u32;
                order.push(node);
                waiting.extend(old[node as usize].children.values());
            }
        }
        for &number in &order {
            let from = &mut old[number as usize];
            let state = std::mem::take(&mut from.state);
            let node = self.node(&state, true).expect("there is room") as usize;
            let moves = std::mem::take(&mut from.moves);
            let children = std::mem::take(&mut from.children);
            self.bytes += bytes_of(&moves) + children.len() as u64 * 64;
            let children = children.into_iter().map(|(made, it)| (made, numbers[it as usize]));
            self.nodes[node] = Node {
                state,
                moves,
                children: children.collect(),
                bounds: std::mem::take(&mut from.bounds),
                ..*from
            };
        }
    }

    /// Goes down from a node, plays to the end and notes what that was worth. Says whether it was done before the time was
    /// over.
    pub(super) fn simulate(
        &mut self,
        root: u32,
        machine: &mut Machine,
        random: &mut Random,
        on_time: &dyn Fn() -> bool,
    ) -> Result<bool, StrategyError> {
        let mut path: Vec<(u32, Vec<u16>)> = Vec::new();
        let mut node = root;
        let mut next = State::default();
        let values = loop {
            if !self.nodes[node as usize].looked_at {
                self.look_at(node, machine)?;
            }
            let found = &self.nodes[node as usize];
            if node != root && found.bounds.iter().all(|it| it.0 == it.1) {
                break found.bounds.iter().map(|it| it.0).collect();
            }
            if found.moves.is_empty() || (found.visits == 0 && node != root) || path.len() > LONGEST
            {
                let start = found.state.clone();
                let Some(values) = self.playout(start, machine, random, on_time)? else {
                    return Ok(false);
                };
                break values;
            }
            let made = self.select(node, random);
            let child = found_child(&self.nodes[node as usize], &made);
            let child = match child {
                Some(child) => Some(child),
                None => {
                    let found = &self.nodes[node as usize];
                    let moves: Vec<MoveId> = found
                        .moves
                        .iter()
                        .zip(&made)
                        .map(|it| it.0[usize::from(*it.1)].it)
                        .collect();
                    machine.next_state(&found.state, &moves, &mut next)?;
                    let child = self.node(&next, false);
                    if let Some(child) = child {
                        self.nodes[node as usize].children.insert(made.clone(), child);
                        self.bytes += 64;
                    }
                    child
                }
            };
            path.push((node, made));
            match child {
                Some(child) => node = child,
                None => {
                    let start = next.clone();
                    let Some(values) = self.playout(start, machine, random, on_time)? else {
                        return Ok(false);
                    };
                    break values;
                }
            }
            if !on_time() {
                return Ok(false);
            }
        };
        self.nodes[node as usize].visits += u32::from(path.last().is_none_or(|it| it.0 != node));
        for (node, made) in path.iter().rev() {
            let node = *node;
            let found = &mut self.nodes[node as usize];
            found.visits += 1;
            for (role, &position) in made.iter().enumerate() {
                let tried = &mut found.moves[role][usize::from(position)];
                tried.visits += 1;
                tried.sum += values[role];
            }
            self.prove(node);
        }
        Ok(true)
    }

    /// Finds out whether a state is terminal, and its legal moves.
    fn look_at(&mut self, node: u32, machine: &mut Machine) -> Result<(), StrategyError> {
        let found = &mut self.nodes[node as usize];
        found.looked_at = true;
        let mut values = Vec::new();
        if machine.is_terminal(&found.state)? {
            for role in 0..self.roles {
                machine.goal_values(&found.state, RoleId(role as u32), &mut values)?;
                // What has no value, or several, is worth nothing to anybody.
                let value = if let [value] = values[..] { value as f64 } else { 0.0 };
                found.bounds[role] = (value, value);
            }
            return Ok(());
        }
        let mut legal = Vec::new();
        for role in 0..self.roles {
            machine.legal_moves(&found.state, RoleId(role as u32), &mut legal)?;
            let moves = legal.iter().take(usize::from(u16::MAX));
            found.moves.push(moves.map(|&it| Tried { it, visits: 0, sum: 0.0 }).collect());
        }
        if found.moves.iter().any(Vec::is_empty) {
            found.moves.clear();
        }
        self.bytes += bytes_of(&found.moves);
        Ok(())
    }

    /// A joint move: each role takes the move that is best by its mean and by how little it was tried.
    fn select(&self, node: u32, random: &mut Random) -> Vec<u16> {
        let found = &self.nodes[node as usize];
        let chooser = self.chooser(found);
        let choose = |(role, moves): (usize, &Vec<Tried>)| {
            if moves.len() == 1 {
                return 0;
            }
            if Some(role) == self.chance {
                return random.below(moves.len() as u32) as u16;
            }
            let total = f64::from(found.visits.max(1)).ln();
            let offset = random.below(moves.len() as u32) as usize;
            let mut best = (f64::NEG_INFINITY, 0);
            for step in 0..moves.len() {
                let position = (step + offset) % moves.len();
                let tried = moves[position];
                let mut bounds = (0.0, BEST);
                if chooser == Some(role)
                    && let Some(child) = found_child(found, &single(self.roles, role, position))
                {
                    bounds = self.nodes[child as usize].bounds[role];
                }
                let score = if bounds.1 <= found.bounds[role].0 && bounds.0 < found.bounds[role].1 {
                    // Proven to be no better than what is there already.
                    bounds.1 / BEST - 1000.0
                } else if tried.visits == 0 {
                    1000.0
                } else {
                    let mean = (tried.sum / f64::from(tried.visits)).clamp(bounds.0, bounds.1);
                    mean / BEST + EXPLORATION * (total / f64::from(tried.visits)).sqrt()
                };
                if score > best.0 {
                    best = (score, position);
                }
            }
            best.1 as u16
        };
        found.moves.iter().enumerate().map(choose).collect()
    }

    /// The only role that has a choice, if it is not chance; the first role if nobody has one.
    fn chooser(&self, node: &Node) -> Option<usize> {
        let mut with_choice = (0..node.moves.len()).filter(|&it| node.moves[it].len() > 1);
        let first = with_choice.next().unwrap_or(0);
        (with_choice.next().is_none() && Some(first) != self.chance).then_some(first)
    }

    /// Passes on to a node what is proven of its children, where one role chooses.
    fn prove(&mut self, node: u32) {
        let found = &self.nodes[node as usize];
        let Some(chooser) = self.chooser(found) else { return };
        let count = found.moves[chooser].len();
        let child = |position| found_child(found, &single(self.roles, chooser, position));
        let bounds = |it: Option<u32>, role: usize| {
            it.map_or((0.0, BEST), |it| self.nodes[it as usize].bounds[role])
        };
        let children: Vec<Option<u32>> = (0..count).map(child).collect();
        let own = children.iter().map(|&it| bounds(it, chooser));
        let (mut lower, mut upper) = (0.0_f64, 0.0_f64);
        for (low, high) in own {
            lower = lower.max(low);
            upper = upper.max(high);
        }
        let mut proven = vec![(0.0, BEST); self.roles];
        for (role, proven) in proven.iter_mut().enumerate() {
            if role == chooser {
                *proven = (lower, upper);
                continue;
            }
            // The chooser takes none that is proven to be worse.
            // What it can get for sure it takes for sure.
            let taken = children.iter().filter(|&&it| {
                let (low, high) = bounds(it, chooser);
                if lower == upper { low >= lower } else { high >= lower }
            });
            let taken = taken.map(|&it| bounds(it, role));
            *proven = taken.fold((BEST, 0.0), |all, it| (all.0.min(it.0), all.1.max(it.1)));
        }
        self.nodes[node as usize].bounds = proven;
    }

    /// Plays at random to the end. `None` if the time was over before.
    fn playout(
        &mut self,
        mut state: State,
        machine: &mut Machine,
        random: &mut Random,
        on_time: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<f64>>, StrategyError> {
        let (mut legal, mut moves, mut next) = (Vec::new(), Vec::new(), State::default());
        let mut length = 0;
        let roles: Vec<RoleId> = machine.role_ids().collect();
        'play: while !machine.is_terminal(&state)? && length < LONGEST {
            if !on_time() {
                return Ok(None);
            }
            moves.clear();
            for &role in &roles {
                machine.legal_moves(&state, role, &mut legal)?;
                if legal.is_empty() {
                    break 'play;
                }
                moves.push(legal[random.below(legal.len() as u32) as usize]);
            }
            machine.next_state(&state, &moves, &mut next)?;
            std::mem::swap(&mut state, &mut next);
            length += 1;
        }
        self.playouts += 1;
        let mut goals = Vec::new();
        let mut values = Vec::with_capacity(roles.len());
        for role in roles {
            machine.goal_values(&state, role, &mut goals)?;
            values.push(if let [value] = goals[..] { value as f64 } else { BEST / 2.0 });
        }
        Ok(Some(values))
    }

    /// What is proven of a role's move, where nobody else has a choice.
    pub(super) fn bounds_of(&self, node: u32, role: usize, position: usize) -> (f64, f64) {
        let found = &self.nodes[node as usize];
        if self.chooser(found) != Some(role) {
            return (0.0, BEST);
        }
        let child = found_child(found, &single(self.roles, role, position));
        child.map_or((0.0, BEST), |it| self.nodes[it as usize].bounds[role])
    }

    /// The moves that were tried most, from a node on.
    pub(super) fn line(&self, mut node: u32) -> Vec<Vec<MoveId>> {
        let mut line = Vec::new();
        while line.len() < 64 {
            let found = &self.nodes[node as usize];
            if found.moves.is_empty() || found.visits < 8 {
                break;
            }
            let most = |moves: &Vec<Tried>| {
                let most = (0..moves.len()).max_by_key(|&it| (moves[it].visits, usize::MAX - it));
                most.unwrap_or(0) as u16
            };
            let made: Vec<u16> = found.moves.iter().map(most).collect();
            let Some(child) = found_child(found, &made) else { break };
            line.push(
                found.moves.iter().zip(&made).map(|it| it.0[usize::from(*it.1)].it).collect(),
            );
            node = child;
        }
        line
    }
}

fn found_child(node: &Node, made: &[u16]) -> Option<u32> {
    node.children.get(made).copied()
}

/// The joint move in which one role makes its move at a position and all others have one only.
fn single(roles: usize, role: usize, position: usize) -> Vec<u16> {
    let mut made = vec![0; roles];
    made[role] = position as u16;
    made
}

fn bytes_of(moves: &[Vec<Tried>]) -> u64 {
    moves.iter().map(|it| 24 + (it.len() * size_of::<Tried>()) as u64).sum()
}
