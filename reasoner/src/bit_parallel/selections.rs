//! Gates that are cheap to compute in one pass.
//!
//! Each role makes exactly one move, so the disjunction of many of its moves is the negation of the disjunction of its others.
//! That shrinks frame rules, which have one instance for almost every move.

use fxhash::FxHashMap;

use crate::network::Network;
use crate::network::code::{Code, TRUE};
use crate::network::gates::{ACYCLIC, GateKind, Gates, mapped};

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
