//! What is computed for a block of lanes, and when: gates that are cheap to compute in one pass.
//!
//! Each role makes exactly one move, so the disjunction of many of its moves is the negation of the disjunction of its others.
//! That shrinks frame rules, which have one instance for almost every move.

use fxhash::FxHashMap;
use groundfrog::game::{GroundGame, RoleId};

use super::decisive::decisive;
use super::lanes::Block;
use super::program::{Program, block_of};
use crate::BuildError;
use crate::network::gates::{ACYCLIC, GateKind, Gates, mapped};
use crate::network::{Code, FALSE, Network, TRUE};

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

/// The same network, in which the moves that go with the same other literals are one disjunction.
pub(super) fn with_selections(network: &Network) -> Network {
    let old = &network.gates;
    let mut moves: Vec<Vec<Code>> = Vec::new();
    for (code, made) in (network.fluents() as Code..).map(|node| node << 1).zip(&network.moves) {
        moves.resize(moves.len().max(made.role.index() + 1), Vec::new());
        moves[made.role.index()].push(code);
    }
    let mut copy = Selection {
        network,
        moves,
        gates: Gates::new(old.sources()),
        codes: (0..old.nodes() as Code).map(|node| node << 1).collect(),
    };
    let collected = copy.collected();
    for unit in old.units(0..old.len()) {
        if old.component(unit.start) != ACYCLIC {
            copy.gates.copy_unit(old, unit, &mut copy.codes);
        } else if old.kind(unit.start) == GateKind::Or {
            copy.disjunction(unit.start);
        } else if !collected[unit.start] {
            let mut inputs = copy.mapped(unit.start);
            copy.codes[old.sources() + unit.start] = copy.gates.and(&mut inputs);
        }
    }
    copy.gates.forget();
    let Selection { gates, codes, .. } = copy;
    network.with_gates(gates, |code| mapped(&codes, code))
}

struct Selection<'run> {
    network: &'run Network,
    /// By role: its moves.
    moves: Vec<Vec<Code>>,
    gates: Gates,
    /// By node of the network: what stands for it.
    codes: Vec<Code>,
}

impl Selection<'_> {
    /// By gate: whether it is the conjunction of a move with something, and only disjunctions read it.
    fn collected(&self) -> Vec<bool> {
        let (old, sources) = (&self.network.gates, self.network.gates.sources());
        let is_conjunction = |gate: usize| {
            old.component(gate) == ACYCLIC
                && old.kind(gate) == GateKind::And
                && old.inputs(gate).iter().any(|&code| self.role(code).is_some())
        };
        let mut collected: Vec<bool> = (0..old.len()).map(is_conjunction).collect();
        let mut keep = |code: Code| {
            let gate = (code < TRUE).then(|| (code as usize >> 1).checked_sub(sources)).flatten();
            gate.into_iter().for_each(|gate| collected[gate] = false);
        };
        self.network.outputs().for_each(&mut keep);
        for gate in 0..old.len() {
            let joins = old.component(gate) == ACYCLIC && old.kind(gate) == GateKind::Or;
            let inputs = old.inputs(gate).iter().copied();
            inputs.filter(|code| !joins || code & 1 == 1).for_each(&mut keep);
        }
        collected
    }

    /// The role of a code that is a move.
    fn role(&self, code: Code) -> Option<usize> {
        let made = (code as usize >> 1).checked_sub(self.network.fluents())?;
        let made = self.network.moves.get(made).filter(|_| code & 1 == 0)?;
        Some(made.role.index())
    }

    fn mapped(&self, gate: usize) -> Vec<Code> {
        let inputs = self.network.gates.inputs(gate).iter();
        inputs.map(|&code| mapped(&self.codes, code)).collect()
    }

    fn disjunction(&mut self, gate: usize) {
        let old = &self.network.gates;
        // By role, and the literals beside the move: the moves that go with them.
        let mut groups: FxHashMap<(usize, Vec<Code>), usize> = FxHashMap::default();
        let mut selected: Vec<Vec<Code>> = Vec::new();
        let mut bodies: Vec<Code> = Vec::new();
        for &input in old.inputs(gate) {
            let body = match (input as usize >> 1).checked_sub(old.sources()) {
                Some(read)
                    if input & 1 == 0
                        && old.kind(read) == GateKind::And
                        && old.component(read) == ACYCLIC =>
                {
                    old.inputs(read)
                }
                _ => std::slice::from_ref(&input),
            };
            let Some(place) = body.iter().position(|&code| self.role(code).is_some()) else {
                bodies.push(mapped(&self.codes, input));
                continue;
            };
            let (made, rest) = (body[place], body.iter().enumerate());
            let rest = rest.filter(|&(other, _)| other != place);
            let mut rest: Vec<Code> = rest.map(|(_, &code)| mapped(&self.codes, code)).collect();
            rest.sort_unstable();
            let role = self.role(made).expect("it is a move");
            let group = *groups.entry((role, rest)).or_insert(selected.len());
            selected.resize(selected.len().max(group + 1), Vec::new());
            selected[group].push(made);
        }
        let mut groups: Vec<((usize, Vec<Code>), usize)> = groups.into_iter().collect();
        groups.sort_unstable_by_key(|&(_, group)| group);
        for ((role, mut body), group) in groups {
            body.push(self.selection(role, std::mem::take(&mut selected[group])));
            bodies.push(self.gates.and(&mut body));
        }
        self.codes[old.sources() + gate] = self.gates.or(&mut bodies);
    }

    /// Whether a role makes one of these moves.
    fn selection(&mut self, role: usize, mut moves: Vec<Code>) -> Code {
        moves.sort_unstable();
        let all = &self.moves[role];
        let negates = moves.len() * 2 > all.len();
        let mut inputs = match negates {
            true => all.iter().filter(|made| moves.binary_search(made).is_err()).copied().collect(),
            false => moves,
        };
        self.gates.or(&mut inputs) ^ Code::from(negates)
    }
}
