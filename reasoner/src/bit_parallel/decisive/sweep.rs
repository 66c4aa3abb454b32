//! What is enough, by gates, to bring something about, and which moves do so.

use std::collections::BTreeMap;

use crate::network::gates::{ACYCLIC, GateKind, mapped};
use crate::network::{Code, FALSE, TRUE};
use crate::network::{MoveGate, Network};
use groundfrog::game::RoleId;

/// Conditions of a part of the end: where it takes more, rarely just one is missing.
const MOST_CONDITIONS: usize = 16;

/// What some signed nodes depend on.
pub(super) struct Support {
    /// Their gates, in their order, and the fluents that these read.
    gates: Vec<usize>,
    fluents: Vec<usize>,
    /// The gates of what these fluents are in the next state.
    after: Vec<usize>,
}

impl Support {
    /// None where recursive rules are among it.
    pub(super) fn new(network: &Network, roots: impl Iterator<Item = Code>) -> Option<Self> {
        let gates = &network.gates;
        let of = |needed: &[bool]| -> Option<Vec<usize>> {
            let found: Vec<usize> =
                (0..gates.len()).filter(|gate| needed[gates.sources() + gate]).collect();
            found.iter().all(|&gate| gates.component(gate) == ACYCLIC).then_some(found)
        };
        let needed = gates.needed(roots);
        let fluents: Vec<usize> = (0..network.fluents()).filter(|&node| needed[node]).collect();
        let after = of(&gates.needed(fluents.iter().map(|&fluent| network.next[fluent])))?;
        Some(Support { gates: of(&needed)?, fluents, after })
    }
}

/// Finds what moves bring about, one after the other.
pub(super) struct Sweep<'run> {
    pub(super) network: &'run mut Network,
    pub(super) support: Support,
    /// By node: what stands for it now, and after the move.
    known: Vec<Code>,
    codes: Vec<Code>,
}

impl<'run> Sweep<'run> {
    pub(super) fn new(network: &'run mut Network, support: Support) -> Self {
        Sweep { network, support, known: Vec::new(), codes: Vec::new() }
    }

    /// The parts of the end with which a goal comes, if no other part holds.
    pub(super) fn parts_with(&mut self, goal: Code) -> Vec<Code> {
        let parts = self.alternatives(self.network.terminal);
        let mut found = Vec::new();
        for &part in &parts {
            if self.conditions(part).len() > MOST_CONDITIONS {
                continue;
            }
            let others = parts.iter().filter(|&&other| other != part).map(|other| other ^ 1);
            let facts: Vec<Code> = others.chain([part]).collect();
            self.know(&facts);
            if mapped(&self.known, goal) == TRUE {
                found.push(part);
            }
        }
        found
    }

    /// By signed fluent: when it is enough that it begins to hold for one of some signed nodes to do so, in a state that is no end.
    pub(super) fn flips(&mut self, causes: &[Code]) -> Vec<Code> {
        let sources = self.network.gates.sources();
        let mut enough: Vec<Vec<Code>> = vec![Vec::new(); 2 * self.network.gates.nodes()];
        for &cause in causes.iter().filter(|&&cause| cause < TRUE) {
            enough[cause as usize].push(TRUE);
        }
        self.know(&[self.network.terminal ^ 1]);
        for &gate in self.support.gates.iter().rev() {
            for sign in 0..2 {
                let gates = &mut self.network.gates;
                let own = (sources + gate) << 1 | sign as usize;
                let when = gates.or(&mut std::mem::take(&mut enough[own]));
                if when == FALSE {
                    continue;
                }
                let inputs: Vec<Code> = gates.inputs(gate).iter().map(|it| it ^ sign).collect();
                // The negation of a disjunction is a conjunction.
                if (gates.kind(gate) == GateKind::Or) == (sign == 0) {
                    inputs.iter().for_each(|&it| enough[it as usize].push(when));
                    continue;
                }
                let values: Vec<Code> = inputs.iter().map(|&it| mapped(&self.known, it)).collect();
                let mut after = vec![TRUE; inputs.len()];
                for place in (1..inputs.len()).rev() {
                    after[place - 1] = gates.and(&mut vec![values[place], after[place]]);
                }
                let mut before = when;
                for (place, &input) in inputs.iter().enumerate() {
                    let others = gates.and(&mut vec![before, after[place]]);
                    enough[input as usize].push(others);
                    before = gates.and(&mut vec![before, values[place]]);
                }
            }
        }
        let fluents = enough.iter_mut().take(2 * self.network.fluents());
        fluents.map(|when| self.network.gates.or(when)).collect()
    }

    /// What must hold for most of these moves to be legal: that it is the role's turn.
    pub(super) fn turn(&self, moves: &[(u32, Code)]) -> Vec<Code> {
        let mut all: Vec<Code> =
            moves.iter().flat_map(|&(_, legal)| self.conditions(legal)).collect();
        all.sort_unstable();
        let common = all.chunk_by(|one, other| one == other);
        common.filter(|equal| 2 * equal.len() >= moves.len()).map(|equal| equal[0]).collect()
    }

    /// Whether a fluent certainly ceases to hold by the move that was looked at last.
    pub(super) fn ceases(&self, code: Code) -> bool {
        let next = self.network.next.get(code as usize >> 1).filter(|_| code & 1 == 0);
        next.is_some_and(|&next| mapped(&self.codes, next) == FALSE)
    }

    /// Whether, with one of the keys, one of what goes with it holds.
    pub(super) fn one_of(&mut self, groups: BTreeMap<Code, Vec<Code>>) -> Code {
        let gates = &mut self.network.gates;
        let mut all: Vec<Code> = Vec::new();
        for (key, mut group) in groups {
            let any = gates.or(&mut group);
            all.push(gates.and(&mut vec![key, any]));
        }
        gates.or(&mut all)
    }

    /// The parts of a conjunction, or the signed node itself.
    pub(super) fn conditions(&self, code: Code) -> Vec<Code> {
        if code >= TRUE {
            return vec![code];
        }
        self.alternatives(code ^ 1).into_iter().map(|part| part ^ 1).collect()
    }

    /// The parts of a disjunction, or the signed node itself.
    fn alternatives(&self, code: Code) -> Vec<Code> {
        let (mut parts, mut waiting) = (Vec::new(), vec![code]);
        let gates = &self.network.gates;
        while let Some(code) = waiting.pop().filter(|&it| it < TRUE) {
            let gate = (code as usize >> 1).checked_sub(gates.sources());
            match gate.filter(|&it| (gates.kind(it) == GateKind::Or) == (code & 1 == 0)) {
                Some(gate) => waiting.extend(gates.inputs(gate).iter().map(|it| it ^ (code & 1))),
                None => parts.push(code),
            }
        }
        parts
    }

    /// When a move brings about what these flips are enough for. If `counts`, it is taken not to where it changes what a flip may count on.
    pub(super) fn brings(&mut self, made: usize, flips: &[Code], counts: bool) -> Code {
        let MoveGate { role, legal } = self.network.moves[made];
        self.know(&[legal, self.network.terminal ^ 1]);
        self.codes.clone_from(&self.known);
        let fluents = self.network.fluents();
        let is_forced = |other: &&MoveGate| mapped(&self.known, other.legal) == TRUE;
        let forced: Vec<RoleId> =
            self.network.moves.iter().filter(is_forced).map(|it| it.role).collect();
        for (number, other) in self.network.moves.iter().enumerate() {
            self.codes[fluents + number] = match mapped(&self.known, other.legal) {
                _ if number == made => TRUE,
                _ if other.role == role => FALSE,
                legal if legal != TRUE && forced.contains(&other.role) => FALSE,
                legal => legal,
            };
        }
        self.copy();
        let mut ways = Vec::new();
        for &fluent in &self.support.fluents {
            let begins = mapped(&self.known, flips[2 * fluent]);
            let ceases = mapped(&self.known, flips[2 * fluent + 1]);
            let now = self.known[fluent];
            let next = mapped(&self.codes, self.network.next[fluent]);
            if next == now || (begins, ceases) == (FALSE, FALSE) {
                continue;
            }
            let may_begin = !self.is_at_least(next ^ 1, now ^ 1);
            let may_cease = !self.is_at_least(next, now);
            // Others may count on what holds now, or on what does not.
            if counts && (begins != FALSE && may_cease || ceases != FALSE && may_begin) {
                return FALSE;
            }
            let gates = &mut self.network.gates;
            if may_begin {
                ways.push(gates.and(&mut vec![next, begins]));
            }
            if may_cease {
                ways.push(gates.and(&mut vec![next ^ 1, ceases]));
            }
        }
        self.network.gates.or(&mut ways)
    }

    /// Whether a signed node or constant plainly holds wherever another one does.
    fn is_at_least(&self, code: Code, other: Code) -> bool {
        if code == TRUE || other == FALSE || code == other {
            return true;
        }
        let gates = &self.network.gates;
        let gate = (code as usize >> 1).checked_sub(gates.sources()).filter(|_| code < TRUE);
        let or = gate.filter(|&it| (gates.kind(it) == GateKind::Or) == (code & 1 == 0));
        or.is_some_and(|gate| gates.inputs(gate).contains(&(other ^ (code & 1))))
    }

    /// Takes signed nodes to hold, and what follows for the end and the next state; nothing else.
    fn know(&mut self, facts: &[Code]) {
        self.known = (0..self.network.gates.nodes() as Code).map(|node| node << 1).collect();
        facts.iter().for_each(|&fact| self.assume(fact));
        self.simplify();
    }

    /// Notes that a signed node holds, and what follows.
    fn assume(&mut self, code: Code) {
        if code >= TRUE {
            return;
        }
        let (node, holds) = (code as usize >> 1, code & 1 == 0);
        self.known[node] = if holds { TRUE } else { FALSE };
        let gates = &self.network.gates;
        let Some(gate) = node.checked_sub(gates.sources()) else { return };
        if (gates.kind(gate) == GateKind::And) == holds && gates.component(gate) == ACYCLIC {
            let inputs: Vec<Code> = gates.inputs(gate).to_vec();
            inputs.into_iter().for_each(|it| self.assume(it ^ Code::from(!holds)));
        }
    }

    /// Finds the gates that are constant or one of their inputs, by what is known.
    fn simplify(&mut self) {
        let gates = &self.network.gates;
        for &gate in self.support.after.iter().chain(&self.support.gates) {
            let node = gates.sources() + gate;
            if self.known[node] >= TRUE {
                continue;
            }
            let neutral = if gates.kind(gate) == GateKind::And { TRUE } else { FALSE };
            let inputs = gates.inputs(gate).iter().map(|&it| mapped(&self.known, it));
            let mut inputs = inputs.filter(|&it| it != neutral);
            self.known[node] = match (inputs.next(), inputs.clone().next()) {
                (None, _) => neutral,
                (Some(single), None) => single,
                (Some(first), _) if first == neutral ^ 1 || inputs.any(|it| it == neutral ^ 1) => {
                    neutral ^ 1
                }
                _ => continue,
            };
        }
    }

    /// Finds what stands for the gates of the next state by what stands for their sources: for a gate that reads what it reads now, what is
    /// known of it now.
    fn copy(&mut self) {
        let mut inputs: Vec<Code> = Vec::new();
        for &gate in &self.support.after {
            let gates = &mut self.network.gates;
            let node = gates.sources() + gate;
            let old = gates.inputs(gate);
            if old.iter().all(|&it| mapped(&self.codes, it) == mapped(&self.known, it)) {
                self.codes[node] = self.known[node];
                continue;
            }
            inputs.clear();
            inputs.extend(old.iter().map(|&it| mapped(&self.codes, it)));
            inputs.sort_unstable();
            inputs.dedup();
            let kind = gates.kind(gate);
            let contradicts = inputs.windows(2).any(|it| it[0] & 1 == 0 && it[0] ^ 1 == it[1]);
            self.codes[node] = match (contradicts, kind) {
                (true, GateKind::And) => FALSE,
                (true, GateKind::Or) => TRUE,
                _ => gates.gate(kind, inputs.clone()),
            };
        }
    }
}
