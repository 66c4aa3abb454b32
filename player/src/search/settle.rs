//! Makes sure of how soon an end is had: a search has its proofs in any order, and the first one need not be the shortest.

use groundfrog_reasoner::{MoveId, State};
use smallvec::SmallVec;

use super::look_ahead::LookAhead;
use super::proof::MOST_JOINT_MOVES;
use super::tree::Tree;
use crate::clock::{Until, Watch};
use crate::machine::Machine;
use crate::strategy::StrategyError;

/// How often all proofs are gone through at most: means over chance come closer and closer.
const ROUNDS: usize = 1000;

impl Tree {
    /// Where something is proven of a role in a root, looks at all states that are nearer than the end that the proof leads to, as long as
    /// there is time and at most so many nodes, and proves anew. Then no end of that value can be forced sooner.
    pub(super) fn settle(
        &mut self,
        root: u32,
        role: usize,
        machine: &mut Machine,
        until: &Until,
        most: usize,
    ) -> Result<(), StrategyError> {
        let mut ahead = LookAhead::new(machine, self.parts);
        self.way += 1;
        self.nodes[root as usize].way = self.way;
        let (mut order, mut level, mut depth) = (vec![root], 0, 1.0);
        while depth < self.horizon(root, role) && level < order.len() {
            let next = order.len();
            for place in level..next {
                let node = order[place];
                if order.len() > most || !self.complete(node, machine, &mut ahead, until)? {
                    self.prove_all(&order, until);
                    return Ok(());
                }
                let children: Vec<u32> = self.nodes[node as usize].children().collect();
                for child in children {
                    let found = &mut self.nodes[child as usize];
                    if found.way != self.way {
                        found.way = self.way;
                        order.push(child);
                    }
                }
            }
            (level, depth) = (next, depth + 1.0);
            self.prove_all(&order, until);
        }
        Ok(())
    }

    /// Moves until the end that a proof leads to: 0 if nothing is proven.
    fn horizon(&self, root: u32, role: usize) -> f32 {
        let (proof, least) = (self.proof(root, role), self.range[role].0);
        let moves = if proof.low > least {
            proof.soon
        } else if proof.high <= least {
            proof.late
        } else {
            0.0
        };
        if moves.is_finite() { moves } else { 0.0 }
    }

    /// Proves nodes anew, the last ones first, until nothing is new.
    fn prove_all(&mut self, order: &[u32], until: &Until) {
        for _ in 0..ROUNDS {
            let mut is_new = false;
            for &node in order.iter().rev() {
                is_new |= self.prove(node);
            }
            if !is_new || until.is_over() {
                break;
            }
        }
    }

    /// Makes all moves of a node, unless it has so many that it proves nothing, and looks at where they lead. Says whether there was time
    /// and room for it.
    fn complete(
        &mut self,
        node: u32,
        machine: &mut Machine,
        ahead: &mut LookAhead,
        until: &Until,
    ) -> Result<bool, StrategyError> {
        let counts: Vec<usize> = self.nodes[node as usize].moves.iter().map(Vec::len).collect();
        let joint = counts.iter().copied().fold(1, usize::saturating_mul);
        if counts.is_empty() || joint > MOST_JOINT_MOVES {
            return Ok(true);
        }
        let mut watch = Watch::new(16);
        for mut number in 0..joint {
            if watch.is_due() && until.is_over() {
                return Ok(false);
            }
            let mut made: SmallVec<[u16; 4]> = SmallVec::new();
            for &count in &counts {
                made.push((number % count) as u16);
                number /= count;
            }
            let known = self.nodes[node as usize].child(&made);
            let child = match known {
                Some(child) => child,
                None => {
                    let next = self.state_after(node, &made, machine)?;
                    let Some(child) = self.node(&next, false) else { return Ok(false) };
                    self.link(node, &made, child);
                    child
                }
            };
            if !self.nodes[child as usize].looked_at {
                let seen = ahead.look(machine, &self.nodes[child as usize].state, until)?;
                self.look_at(child, seen);
            }
        }
        Ok(true)
    }

    /// The state after a joint move.
    pub(super) fn state_after(
        &self,
        node: u32,
        made: &[u16],
        machine: &mut Machine,
    ) -> Result<State, StrategyError> {
        let found = &self.nodes[node as usize];
        let moves = found.moves.iter().zip(made).map(|it| it.0[usize::from(*it.1)].it);
        let moves: SmallVec<[MoveId; 4]> = moves.collect();
        let mut next = found.state.clone();
        machine.advance_unchecked(&mut next, &moves)?;
        Ok(next)
    }
}
