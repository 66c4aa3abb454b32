//! The states that a search has met, and what it knows of them.
//!
//! A state that is met again is the same node. Each role counts its own moves (decoupled selection), so that states in which
//! several choose at once need no table over joint moves. Values that are proven are passed up ([`super::proof`]): a role takes no
//! move that is proven worse than another, and the others count on that.

use std::hash::BuildHasher;

use fxhash::{FxBuildHasher, FxHashMap};
use groundfrog::{Budget, RoleId};
use groundfrog_reasoner::{Machine, MoveId, State};
use smallvec::{SmallVec, smallvec};

use super::BEST;
use super::look_ahead::{LookAhead, Seen};
use super::stage_game::StageGame;
use crate::solve::values_of;
use crate::strategy::StrategyError;

/// The number of no node.
pub(super) const NONE: u32 = u32::MAX;

/// A move of a role in a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    pub(super) it: MoveId,
    pub(super) visits: u32,
    /// Ways that have gone on by it and are not evaluated yet.
    pub(super) pending: u32,
    /// The node that it leads to where nobody else has a choice; or [`NONE`].
    pub(super) child: u32,
    pub(super) sum: f64,
}

impl Tried {
    /// A move that was not tried.
    pub(super) fn new(it: MoveId) -> Self {
        Tried { it, visits: 0, pending: 0, child: NONE, sum: 0.0 }
    }
}

/// What is looked at of all nodes below one that a move is chosen in stands first, in one line of the processor's cache.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Node {
    pub(super) visits: u32,
    pub(super) pending: u32,
    /// The way that has passed it last.
    pub(super) way: u32,
    /// The only role that has a choice, chance included; the first role if nobody has one; [`NONE`] if several have.
    pub(super) mover: u32,
    /// By role: what its goal is at least and at most.
    pub(super) bounds: SmallVec<[(f64, f64); 2]>,
    /// By role: the sum of what its ways were worth.
    pub(super) sums: SmallVec<[f64; 2]>,
    /// By role: after how many moves that is so.
    pub(super) within: SmallVec<[(f32, f32); 2]>,
    pub(super) looked_at: bool,
    pub(super) state: State,
    /// By role; empty where the state is terminal or was not looked at.
    pub(super) moves: Vec<Vec<Tried>>,
    /// By joint move, as positions of the moves, where several have a choice.
    pub(super) joint: FxHashMap<Vec<u16>, u32>,
}

impl Node {
    /// The value of each role, if all are proven.
    pub(super) fn is_proven(&self) -> bool {
        self.bounds.iter().all(|it| it.0 == it.1)
    }

    /// Where a joint move leads, if that is known.
    pub(super) fn child(&self, made: &[u16]) -> Option<u32> {
        let child = match self.moves.get(self.mover as usize) {
            Some(moves) => moves[usize::from(made[self.mover as usize])].child,
            None => self.joint.get(made).copied().unwrap_or(NONE),
        };
        (child != NONE).then_some(child)
    }

    /// Notes what a terminal state is worth.
    fn end(&mut self, values: &[f64]) {
        self.bounds = values.iter().map(|&it| (it, it)).collect();
        self.within = smallvec![(0.0, 0.0); values.len()];
    }

    pub(super) fn children(&self) -> impl Iterator<Item = u32> + '_ {
        let moves = self.moves.get(self.mover as usize).into_iter().flatten();
        moves.map(|it| it.child).filter(|&it| it != NONE).chain(self.joint.values().copied())
    }
}

/// The nodes of a match.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Nodes by the hashes of their states; of states with the same hash, the later ones have the next free number.
    index: FxHashMap<u64, u32>,
    pub(super) bytes: u64,
    most_bytes: u64,
    /// Whether no node is added that can be done without.
    pub(super) is_closed: bool,
    pub(super) roles: usize,
    /// The role `random`, whose moves are averaged over.
    pub(super) chance: Option<usize>,
    /// By role: the least and the greatest goal value by the rules, with 0 among them; 0 and 100 where the rules are not ground.
    pub(super) range: Vec<(f64, f64)>,
    /// The number of the last way.
    pub(super) way: u32,
    /// Whether a way has come back to one of its states.
    pub(super) returns: bool,
    /// The root, if several choose there at once.
    pub(super) stage: Option<(u32, StageGame)>,
}

impl Tree {
    pub(super) fn new(machine: &Machine, most_bytes: u64) -> Self {
        let roles = machine.roles().len();
        let random = machine.chance_role().map(|it| it.index());
        let range = |role: RoleId| match machine.ground() {
            Some(rules) => {
                let values = values_of(rules.game(), role).into_iter().map(|it| it as f64);
                values.fold((0.0, 0.0), |all: (f64, f64), it| (all.0.min(it), all.1.max(it)))
            }
            None => (0.0, BEST),
        };
        Tree {
            nodes: Vec::new(),
            index: FxHashMap::default(),
            bytes: 0,
            most_bytes,
            is_closed: false,
            roles,
            chance: random.filter(|_| roles > 1),
            range: machine.role_ids().map(range).collect(),
            way: 0,
            returns: false,
            stage: None,
        }
    }

    /// Takes a state for the root of the ways to come: where several choose there at once, they do so by regret matching.
    pub(super) fn begin_at(
        &mut self,
        root: u32,
        machine: &mut Machine,
        until: &Budget,
    ) -> Result<(), StrategyError> {
        if !self.nodes[root as usize].looked_at {
            let mut ahead = LookAhead::new(machine);
            let seen = ahead.look(machine, &self.nodes[root as usize].state, until)?;
            self.look_at(root, seen);
        }
        let counts: Vec<usize> = self.nodes[root as usize].moves.iter().map(Vec::len).collect();
        self.stage = StageGame::new(&counts, self.chance).map(|stage| (root, stage));
        Ok(())
    }

    /// The node of a state. There is always room for one that `must` be.
    pub(super) fn node(&mut self, state: &State, must: bool) -> Option<u32> {
        let key = match self.find(state) {
            Ok(node) => return Some(node),
            Err(key) => key,
        };
        if !must && (self.is_closed || !self.has_room()) {
            return None;
        }
        Some(self.add(
            key,
            Node {
                state: state.clone(),
                sums: smallvec![0.0; self.roles],
                bounds: SmallVec::from_slice(&self.range),
                within: smallvec![(f32::INFINITY, f32::INFINITY); self.roles],
                mover: NONE,
                ..Node::default()
            },
        ))
    }

    /// Adds a node, whose state has that key.
    fn add(&mut self, key: u64, node: Node) -> u32 {
        let number = self.nodes.len() as u32;
        self.index.insert(key, number);
        // Lists that grow have twice the room that they need at worst, and so has the index.
        self.bytes += 2 * (size_of::<Node>() as u64 + 16);
        self.bytes += node.state.words().len() as u64 * 8 + 24 * (self.roles as u64 + 1);
        self.bytes += bytes_of(&node.moves) + node.joint.len() as u64 * BYTES_OF_JOINT;
        self.nodes.push(node);
        number
    }

    /// Whether there is room for more.
    pub(super) fn has_room(&self) -> bool {
        self.bytes < self.most_bytes
    }

    /// Forgets all that cannot be reached from these states. No way may be under way.
    pub(super) fn keep(&mut self, roots: &[State]) {
        let roots: Vec<u32> = roots.iter().filter_map(|it| self.find(it).ok()).collect();
        let mut old = std::mem::take(&mut self.nodes);
        self.index.clear();
        self.bytes = 0;
        let mut numbers: Vec<u32> = vec![NONE; old.len()];
        let mut waiting = roots;
        let mut order = Vec::new();
        while let Some(node) = waiting.pop() {
            if numbers[node as usize] == NONE {
                numbers[node as usize] = order.len() as u32;
                order.push(node);
                waiting.extend(old[node as usize].children());
            }
        }
        for number in order {
            let mut node = std::mem::take(&mut old[number as usize]);
            (node.pending, node.way) = (0, 0);
            for one in node.moves.iter_mut().flatten() {
                one.pending = 0;
                if one.child != NONE {
                    one.child = numbers[one.child as usize];
                }
            }
            node.joint.values_mut().for_each(|it| *it = numbers[*it as usize]);
            if let Err(key) = self.find(&node.state) {
                self.add(key, node);
            }
        }
    }

    /// The node of a state, or the key that it would have.
    fn find(&self, state: &State) -> Result<u32, u64> {
        let mut key = FxBuildHasher.hash_one(state);
        while let Some(&node) = self.index.get(&key) {
            if self.nodes[node as usize].state == *state {
                return Ok(node);
            }
            key = key.wrapping_add(1);
        }
        Err(key)
    }

    /// Notes where a joint move leads.
    pub(super) fn link(&mut self, node: u32, made: &[u16], child: u32) {
        let found = &mut self.nodes[node as usize];
        let mover = found.mover as usize;
        match found.moves.get_mut(mover) {
            Some(moves) => moves[usize::from(made[mover])].child = child,
            None => {
                found.joint.insert(made.to_vec(), child);
                self.bytes += BYTES_OF_JOINT;
            }
        }
    }

    /// Keeps what is seen of a state, and proves what follows.
    pub(super) fn look_at(&mut self, node: u32, seen: Seen) {
        let found = &mut self.nodes[node as usize];
        found.looked_at = true;
        if let Some(values) = seen.values {
            found.end(&values);
            return;
        }
        found.moves = seen.moves;
        let mut with_choice = (0..found.moves.len()).filter(|&it| found.moves[it].len() > 1);
        let first = with_choice.next().unwrap_or(0);
        found.mover = if with_choice.next().is_some() { NONE } else { first as u32 };
        self.bytes += bytes_of(&found.moves);
        if seen.ends.is_empty() {
            return;
        }
        for (position, state, values) in seen.ends {
            let Some(child) = self.node(&state, false) else { break };
            let end = &mut self.nodes[child as usize];
            end.looked_at = true;
            end.end(&values);
            // Only one role chooses where there are ends.
            self.nodes[node as usize].moves[first][usize::from(position)].child = child;
        }
        self.prove(node);
    }

    /// The only role that has a choice, if it is not chance; the first role if nobody has one.
    pub(super) fn chooser(&self, node: &Node) -> Option<usize> {
        let mover = (node.mover != NONE).then_some(node.mover as usize);
        mover.filter(|&it| Some(it) != self.chance || node.moves[it].len() == 1)
    }

    /// What a role gets on average after a move of its own if whoever chooses next does so at random: it is proven of the
    /// answers, or in the middle of what is possible.
    pub(super) fn worth_at_random(&self, node: u32, role: usize, position: usize) -> f64 {
        let middle = |node: u32| match node {
            NONE => BEST / 2.0,
            node => {
                let (low, high) = self.nodes[node as usize].bounds[role];
                (low + high) / 2.0
            }
        };
        let own = self.nodes[node as usize].moves.get(role).and_then(|it| it.get(position));
        let child = own.map_or(NONE, |it| it.child);
        let Some(found) = self.nodes.get(child as usize) else { return middle(NONE) };
        let answers = self.chooser(found).filter(|&it| it != role);
        match answers.and_then(|it| found.moves.get(it)).filter(|it| !it.is_empty()) {
            Some(answers) => {
                answers.iter().map(|it| middle(it.child)).sum::<f64>() / answers.len() as f64
            }
            None => middle(child),
        }
    }

    /// The moves that were tried most, or that are proven best and soonest, from a node on, until a state would come back.
    pub(super) fn line(&self, mut node: u32) -> Vec<Vec<MoveId>> {
        let (mut line, mut passed) = (Vec::new(), Vec::new());
        while line.len() < 64 && !passed.contains(&node) {
            passed.push(node);
            let found = &self.nodes[node as usize];
            if found.moves.is_empty() {
                break;
            }
            let most = |(role, moves): (usize, &Vec<Tried>)| {
                let proof = self.proof(node, role);
                let most = if proof.is_decided() && self.chooser(found) == Some(role) {
                    let known = |it: usize| self.proof(moves[it].child, role);
                    (0..moves.len()).max_by(|&one, &other| {
                        let (known, than) = (known(one), known(other));
                        known.preference(&than, self.range[role]).then(other.cmp(&one))
                    })
                } else if found.visits < 8 && moves.len() > 1 {
                    None
                } else {
                    (0..moves.len()).max_by_key(|&it| (moves[it].visits, usize::MAX - it))
                };
                most.map(|it| it as u16)
            };
            let made: Option<Vec<u16>> = found.moves.iter().enumerate().map(most).collect();
            let Some(made) = made else { break };
            let Some(child) = found.child(&made) else { break };
            let moves = found.moves.iter().zip(&made).map(|it| it.0[usize::from(*it.1)].it);
            line.push(moves.collect());
            node = child;
        }
        line
    }
}

/// Bytes for a joint move in a node, its list and the room of its table included.
const BYTES_OF_JOINT: u64 = 96;

fn bytes_of(moves: &[Vec<Tried>]) -> u64 {
    moves.iter().map(|it| 40 + (it.len() * size_of::<Tried>()) as u64).sum()
}
