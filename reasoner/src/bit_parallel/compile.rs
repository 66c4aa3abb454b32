//! What is computed for a block of lanes, and when.

use super::decisive::decisive;
use super::lanes::Block;
use super::program::{Program, block_of};
use super::selections::with_selections;
use crate::BuildError;
use crate::network::Network;
use crate::network::code::{Code, FALSE};
use groundfrog::game::{GroundGame, RoleId};

/// How many times as many inputs of gates as all else decisive moves and those that keep others from such may take.
const MOST_WITH_BLOCKS: usize = 4;

/// A move that a role may choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneMove {
    pub(super) number: u32,
    pub(super) legal: Code,
    /// When it is legal and decisive: then no other moves are chosen but such.
    pub(super) win: Code,
    /// When it is legal and keeps others from a decisive move: then only such are chosen, if none is decisive.
    pub(super) block: Code,
}

/// The network of a game as programs.
#[derive(Debug)]
pub(super) struct CompiledLanes {
    pub(super) network: Network,
    /// By role: its moves, ascending, and when they are legal.
    pub(super) legal: Vec<Vec<(u32, Code)>>,
    /// By role: what it chooses from.
    pub(super) chosen: Vec<Vec<LaneMove>>,
    /// By role: whether some moves may be preferred to others.
    pub(super) prefers: Vec<bool>,
    /// Legal moves and the end.
    pub(super) status: Program,
    /// What the choice of moves needs beside that.
    pub(super) choice: Program,
    /// What goals need beside the status.
    pub(super) goals: Program,
    /// What the next state needs beside legal moves and the end.
    pub(super) next: Program,
    /// What percepts need beside the next state, legal moves and the end.
    pub(super) percepts: Program,
}

impl CompiledLanes {
    pub(super) fn new(game: &GroundGame) -> Result<Self, BuildError> {
        let network = with_selections(&Network::new(game)?);
        let legal = network.legal_by_role(game.roles().len());
        let plain =
            |&(number, legal): &(u32, Code)| LaneMove { number, legal, win: FALSE, block: FALSE };
        let chosen = legal.iter().map(|moves| moves.iter().map(plain).collect()).collect();
        Ok(CompiledLanes::of(network, legal, chosen))
    }

    /// With decisive moves, if there are some and they take few gates; if `blocks`, with those that keep others from such.
    pub(super) fn with_decisive_moves(
        game: &GroundGame,
        blocks: bool,
    ) -> Result<Option<Self>, BuildError> {
        let compiled = CompiledLanes::with_all_decisive_moves(game, blocks)?;
        let most = if blocks { MOST_WITH_BLOCKS } else { 1 };
        let is_cheap = |compiled: &CompiledLanes| {
            let inputs = compiled.choice.size().1;
            inputs <= most * (compiled.size().1 - inputs)
        };
        Ok(compiled.filter(is_cheap))
    }

    /// With decisive moves, if there are some, whatever that takes.
    pub(super) fn with_all_decisive_moves(
        game: &GroundGame,
        blocks: bool,
    ) -> Result<Option<Self>, BuildError> {
        let mut network = with_selections(&Network::new(game)?);
        let legal = network.legal_by_role(game.roles().len());
        let chosen = decisive(&mut network, &legal, blocks);
        Ok(chosen.map(|chosen| CompiledLanes::of(network, legal, chosen)))
    }

    fn of(
        network: Network,
        legal: Vec<Vec<(u32, Code)>>,
        chosen: Vec<Vec<LaneMove>>,
    ) -> CompiledLanes {
        let gates = &network.gates;
        let mut known = gates.needed(network.status());
        let status = Program::new(gates, &known);
        let needed = gates.needed(chosen.iter().flatten().flat_map(|it| [it.win, it.block]));
        let choice = Program::new(gates, &beside(&known, needed));
        let goals = Program::new(gates, &beside(&known, gates.needed(network.goal_codes())));
        let next = beside(&known, gates.needed(network.next.iter().copied()));
        known.iter_mut().zip(&next).for_each(|(known, &also)| *known |= also);
        let next = Program::new(gates, &next);
        let percepts = Program::new(gates, &beside(&known, gates.needed(network.percept_codes())));
        let is_preferred = |it: &LaneMove| it.win != FALSE || it.block != FALSE;
        let prefers = chosen.iter().map(|moves| moves.iter().any(is_preferred)).collect();
        CompiledLanes { legal, chosen, prefers, status, choice, goals, next, percepts, network }
    }

    /// Calls with each goal of a role and the lanes, among some, in which it has this one alone; returns in which lanes it has one,
    /// and in which it has several.
    pub(super) fn each_goal(
        &self,
        nodes: &[Block],
        role: RoleId,
        among: &Block,
        mut each: impl FnMut(Option<i64>, Block),
    ) -> [Block; 2] {
        let (mut once, mut twice) = (Block::NONE, Block::NONE);
        for goal in self.network.goals_of(role) {
            let goal = block_of(goal.code, nodes);
            twice |= once & goal;
            once |= goal;
        }
        for goal in self.network.goals_of(role) {
            each(goal.value, block_of(goal.code, nodes) & *among & !twice);
        }
        [once, twice]
    }

    /// How many gates there are, and how many inputs they have.
    pub(super) fn size(&self) -> (usize, usize) {
        let programs = [&self.status, &self.choice, &self.goals, &self.next, &self.percepts];
        let sizes = programs.map(Program::size);
        (sizes.iter().map(|size| size.0).sum(), sizes.iter().map(|size| size.1).sum())
    }
}

/// What is needed and not known.
fn beside(known: &[bool], mut needed: Vec<bool>) -> Vec<bool> {
    needed.iter_mut().zip(known).for_each(|(needed, &known)| *needed &= !known);
    needed
}
