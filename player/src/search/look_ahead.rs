//! Ends that are one move away are proven at once, so that no playout misses them (decisive moves: Teytaud & Teytaud, "On the huge
//! benefit of decisive moves in Monte-Carlo tree search algorithms", 2010).

use groundfrog_reasoner::{MoveId, State};
use smallvec::SmallVec;

use super::BEST;
use super::tree::Tree;
use crate::machine::Machine;
use crate::strategy::StrategyError;

/// States with more moves are not looked at ahead.
const MOST_MOVES: usize = 128;
/// States of which one in so many has to have an end one move away, or no more are looked at ahead but now and then.
const RARE: u64 = 256;

/// How often looking ahead has found something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LookAhead {
    looked: u64,
    found: u64,
}

impl LookAhead {
    /// Whether it is worth the time: it was, or was not tried often.
    fn is_worth_it(&mut self) -> bool {
        self.looked += 1;
        self.looked < 4 * RARE
            || self.found * RARE > self.looked
            || self.looked.is_multiple_of(RARE / 8)
    }
}

impl Tree {
    /// Makes each move of the only role that has a choice in a node, and proves where that ends the game.
    pub(super) fn look_ahead(
        &mut self,
        node: u32,
        machine: &mut Machine,
    ) -> Result<(), StrategyError> {
        let Some(chooser) = self.chooser(&self.nodes[node as usize]) else { return Ok(()) };
        let moves = self.nodes[node as usize].moves.get(chooser).map_or(0, Vec::len);
        if !(2..=MOST_MOVES).contains(&moves)
            || machine.ground().is_none()
            || !self.ahead.is_worth_it()
        {
            return Ok(());
        }
        let mut next = State::default();
        let mut has_end = false;
        for position in 0..moves {
            let found = &self.nodes[node as usize];
            let made = |role: usize| if role == chooser { position } else { 0 };
            let joint = found.moves.iter().enumerate();
            let joint: SmallVec<[MoveId; 4]> = joint.map(|it| it.1[made(it.0)].it).collect();
            machine.next_state(&found.state, &joint, &mut next)?;
            if !machine.is_terminal(&next)? {
                continue;
            }
            let Some(child) = self.node(&next, false) else { break };
            if !self.nodes[child as usize].looked_at {
                self.look_at(child, machine)?;
            }
            let positions: SmallVec<[u16; 4]> = (0..self.roles).map(|it| made(it) as u16).collect();
            self.link(node, &positions, child);
            has_end = true;
            if self.nodes[child as usize].bounds[chooser].0 >= BEST {
                break;
            }
        }
        if has_end {
            self.ahead.found += 1;
            self.prove(node);
        }
        Ok(())
    }
}
