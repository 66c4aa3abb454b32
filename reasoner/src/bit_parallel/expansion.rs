//! All joint moves of many states at once, for exploring state spaces.
//!
//! First a lane is a state: whether it is terminal, and the legal moves. Then a lane is a state with one of
//! its joint moves: the successor. The lanes of both are filled from states that are written as words.

use std::sync::Arc;

use super::compile::with_selections;
use super::lanes::transpose;
use super::program::{Program, block_of};
use super::{Block, LANES};
use crate::network::Code;
use crate::network::Network;
use crate::state_space::next_joint_move;
use crate::{BuildError, MoveId};
use groundfrog::game::{GroundGame, RoleId};

/// A joint move of one of the states that were loaded: where to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The state's position among those loaded.
    pub state: usize,
    /// By role: the position of its move among its legal ones; empty before the first joint move.
    pub chosen: Vec<usize>,
}

/// What is computed, shared by clones.
struct Shared {
    network: Network,
    /// By role: its moves, ascending, and when they are legal.
    legal: Vec<Vec<(u32, Code)>>,
    /// Legal moves and the end; goals; the next state.
    status: Program,
    goals: Program,
    next: Program,
    fluents: usize,
    roles: usize,
}

/// Expands up to [`LANES`] states at once. A clone shares the compiled rules.
#[derive(Clone)]
pub struct Expansion {
    shared: Arc<Shared>,
    /// By node.
    nodes: Vec<Block>,
    /// The states loaded, one after the other.
    states: Vec<u64>,
    count: usize,
    /// By role and state: the legal moves. Of a state that is over they are empty.
    legal: Vec<Vec<Vec<u32>>>,
    over: Block,
    /// The states that are not over and where a role has no move, each with the first such role.
    stuck: Vec<(usize, RoleId)>,
    /// By lane: the state that it makes a joint move in.
    sources: Vec<u16>,
    /// The nodes of moves that hold in some lane.
    made: Vec<u32>,
    successors: Vec<u64>,
}

impl Expansion {
    /// Compiles the rules of a game.
    ///
    /// # Errors
    /// As [`BitParallel::new`](crate::BitParallel::new).
    pub fn new(game: &GroundGame) -> Result<Self, BuildError> {
        let network = with_selections(&Network::new(game)?);
        let gates = &network.gates;
        let shared = Shared {
            status: Program::new(gates, &gates.needed(network.status())),
            goals: Program::new(gates, &gates.needed(network.goal_codes())),
            next: Program::new(gates, &gates.needed(network.next.iter().copied())),
            fluents: game.fluents().len(),
            roles: game.roles().len(),
            legal: network.legal_by_role(game.roles().len()),
            network,
        };
        Ok(Expansion {
            nodes: vec![Block::NONE; shared.network.gates.nodes()],
            states: Vec::new(),
            count: 0,
            legal: vec![vec![Vec::new(); LANES]; shared.roles],
            over: Block::NONE,
            stuck: Vec::new(),
            sources: Vec::with_capacity(LANES),
            made: Vec::new(),
            successors: Vec::new(),
            shared: Arc::new(shared),
        })
    }

    /// Inputs of gates that are looked at to expand the states of all lanes.
    pub fn size(&self) -> usize {
        self.shared.status.size().1 + self.shared.next.size().1
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Block>()
    }

    /// Words of a state.
    fn words(&self) -> usize {
        self.shared.fluents.div_ceil(64)
    }

    /// Loads states and finds out whether they are terminal, and else their legal moves.
    ///
    /// # Panics
    /// If there are more than [`LANES`], or one has other words than the game's.
    pub fn load<'s>(&mut self, states: impl Iterator<Item = &'s [u64]>) {
        self.states.clear();
        self.count = 0;
        for state in states {
            assert_eq!(state.len(), self.words(), "a state of this game");
            self.states.extend_from_slice(state);
            self.count += 1;
        }
        assert!(self.count <= LANES, "one lane for each state");
        self.sources.clear();
        self.sources.extend(0..self.count as u16);
        self.fill();
        let shared = Arc::clone(&self.shared);
        shared.status.run(&mut self.nodes);
        let used = Block::first(self.count);
        let terminal = block_of(shared.network.terminal, &self.nodes);
        self.over = used & terminal;
        let playing = used & !terminal;
        self.stuck.clear();
        let mut able = playing;
        for (role, legal) in shared.legal.iter().enumerate() {
            let lists = &mut self.legal[role];
            lists.iter_mut().for_each(Vec::clear);
            let mut some = Block::NONE;
            for &(it, code) in legal {
                let row = block_of(code, &self.nodes) & playing;
                some |= row;
                row.lanes().for_each(|lane| lists[lane].push(it));
            }
            let stuck = able & !some;
            able &= some;
            self.stuck.extend(stuck.lanes().map(|lane| (lane, RoleId(role as u32))));
        }
        for &(lane, _) in &self.stuck {
            self.legal.iter_mut().for_each(|lists| lists[lane].clear());
        }
        self.stuck.sort_unstable();
    }

    /// The states that are over, ascending.
    pub fn over(&self) -> impl Iterator<Item = usize> + '_ {
        self.over.lanes()
    }

    /// The states that are not over and where a role has no move, ascending, each with the first such role.
    pub fn stuck(&self) -> &[(usize, RoleId)] {
        &self.stuck
    }

    /// How many joint moves there are in a state.
    pub fn branching(&self, state: usize) -> u64 {
        let counts = self.legal.iter().map(|lists| lists[state].len() as u64);
        counts.fold(1, u64::saturating_mul)
    }

    /// The legal moves of a role in a state, ascending; none if it is over, or if some role has no move.
    pub fn legal_moves(&self, state: usize, role: RoleId) -> impl Iterator<Item = MoveId> + '_ {
        self.legal[role.index()][state].iter().map(|&it| MoveId(it))
    }

    /// Calls `each` with each state and the place, among the goals of the game, of each goal that holds in it.
    ///
    /// It must be called right after [`Expansion::load`].
    pub fn goals(&mut self, mut each: impl FnMut(usize, usize)) {
        let shared = Arc::clone(&self.shared);
        shared.goals.run(&mut self.nodes);
        let used = Block::first(self.count);
        for (place, goal) in shared.network.goals.iter().enumerate() {
            let states = used & block_of(goal.code, &self.nodes);
            states.lanes().for_each(|state| each(state, place));
        }
    }

    /// Looks at the goals of the states that are over. Calls `special` with those, ascending by state, that
    /// have not exactly one value for the role, and `wins` with those that have the value 100.
    ///
    /// It must be called right after [`Expansion::load`].
    pub fn judge(
        &mut self,
        role: RoleId,
        mut special: impl FnMut(usize, Vec<i64>),
        mut wins: impl FnMut(usize),
    ) {
        if !self.over.any() {
            return;
        }
        let shared = Arc::clone(&self.shared);
        shared.goals.run(&mut self.nodes);
        let goals = shared.network.goals_of(role);
        let goals: Vec<(Option<i64>, Block)> =
            goals.map(|goal| (goal.value, block_of(goal.code, &self.nodes))).collect();
        let (mut once, mut twice) = (Block::NONE, Block::NONE);
        let (mut unnumbered, mut won) = (Block::NONE, Block::NONE);
        for &(value, row) in &goals {
            twice |= once & row;
            once |= row;
            match value {
                Some(100) => won |= row,
                Some(_) => {}
                None => unnumbered |= row,
            }
        }
        // A value that is no number is none; two atoms may have the same one.
        let odd = self.over & (!once | twice | unnumbered);
        for lane in odd.lanes() {
            let values = goals.iter().filter(|it| it.1.contains(lane)).filter_map(|it| it.0);
            let mut values: Vec<i64> = values.collect();
            values.sort_unstable();
            values.dedup();
            if values.len() != 1 {
                special(lane, values);
            }
        }
        (self.over & won).lanes().for_each(&mut wins);
    }

    /// Calls `visit` with the successors of the states, in the order of the states and of their joint moves,
    /// beginning at `cursor`: up to [`LANES`] of them at a time, each with the position of the state that it
    /// comes from. `visit` says whether to go on; the cursor is moved behind what was visited. Returns
    /// whether all were.
    pub fn successors(
        &mut self,
        cursor: &mut Cursor,
        mut visit: impl FnMut(&[u16], &[u64]) -> bool,
    ) -> bool {
        let shared = Arc::clone(&self.shared);
        loop {
            self.made.drain(..).for_each(|node| self.nodes[node as usize] = Block::NONE);
            self.sources.clear();
            while self.sources.len() < LANES && cursor.state < self.count {
                self.choose(cursor);
            }
            if self.sources.is_empty() {
                return true;
            }
            self.fill();
            shared.next.run(&mut self.nodes);
            self.read(&shared.network.next);
            let go_on = visit(&self.sources, &self.successors);
            if !go_on {
                self.made.drain(..).for_each(|node| self.nodes[node as usize] = Block::NONE);
                return cursor.state == self.count;
            }
        }
    }

    /// Puts the joint move at the cursor into the next lane and goes on to the one after it.
    fn choose(&mut self, cursor: &mut Cursor) {
        let state = cursor.state;
        if self.legal.iter().any(|lists| lists[state].is_empty()) {
            cursor.state += 1;
            return;
        }
        cursor.chosen.resize(self.legal.len(), 0);
        let lane = self.sources.len();
        self.sources.push(state as u16);
        for (lists, &position) in self.legal.iter().zip(&cursor.chosen) {
            let node = self.shared.fluents as u32 + lists[state][position];
            let block = &mut self.nodes[node as usize];
            if !block.any() {
                self.made.push(node);
            }
            block.insert(lane);
        }
        let count = |role: usize| self.legal[role][state].len();
        if next_joint_move(&mut cursor.chosen, count).is_none() {
            cursor.chosen.clear();
            cursor.state += 1;
        }
    }

    /// Sets the fluents of all lanes from their states.
    fn fill(&mut self) {
        let words = self.words();
        for word in 0..words {
            let mut rows = [Block::NONE; 64];
            for (lane, &source) in self.sources.iter().enumerate() {
                rows[lane % 64][lane / 64] = self.states[source as usize * words + word];
            }
            transpose(&mut rows);
            let fluents = word * 64..self.shared.fluents.min(word * 64 + 64);
            let count = fluents.len();
            self.nodes[fluents].copy_from_slice(&rows[..count]);
        }
    }

    /// Writes the successors in all lanes as words.
    fn read(&mut self, next: &[u32]) {
        let words = self.words();
        self.successors.clear();
        self.successors.resize(self.sources.len() * words, 0);
        for (word, codes) in next.chunks(64).enumerate() {
            let mut rows = [Block::NONE; 64];
            for (row, &code) in rows.iter_mut().zip(codes) {
                *row = block_of(code, &self.nodes);
            }
            transpose(&mut rows);
            for lane in 0..self.sources.len() {
                self.successors[lane * words + word] = rows[lane % 64][lane / 64];
            }
        }
    }
}
