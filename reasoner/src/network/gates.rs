//! AND and OR gates.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::{Code, FALSE, TRUE};
use fxhash::{FxHashMap, FxHasher};
use groundfrog_engine::rows::Rows;

/// What a gate computes of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum GateKind {
    /// All inputs hold. Without inputs it holds.
    And,
    /// At least one input holds. Without inputs it does not hold.
    Or,
}

/// A gate outside of all recursive components.
pub(crate) const ACYCLIC: u32 = u32::MAX;

/// Nodes: the sources first, then gates in an order such that each reads only sources and gates before it,
/// or gates of its own recursive component.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gates {
    sources: u32,
    kinds: Vec<GateKind>,
    inputs: Rows<Code>,
    /// By gate: the recursive component that it is in, or [`ACYCLIC`].
    components: Vec<u32>,
    next_component: u32,
    /// Gates outside of components, by the hash of what they compute.
    known: FxHashMap<u64, u32>,
}

impl Gates {
    pub(crate) fn new(sources: usize) -> Self {
        Gates { sources: sources as u32, ..Gates::default() }
    }

    /// The number of sources and gates.
    pub(crate) fn nodes(&self) -> usize {
        self.sources as usize + self.kinds.len()
    }

    pub(crate) fn sources(&self) -> usize {
        self.sources as usize
    }

    /// The number of gates.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn kind(&self, gate: usize) -> GateKind {
        self.kinds[gate]
    }

    pub(crate) fn inputs(&self, gate: usize) -> &[Code] {
        self.inputs.row(gate)
    }

    pub(crate) fn component(&self, gate: usize) -> u32 {
        self.components[gate]
    }

    /// The number of a recursive component that has no gates yet.
    pub(crate) fn new_component(&mut self) -> u32 {
        self.next_component += 1;
        self.next_component - 1
    }

    /// Adds a gate of a component, whose code it returns.
    pub(crate) fn push(&mut self, kind: GateKind, inputs: &[Code], component: u32) -> Code {
        let node = self.nodes() as u32;
        self.kinds.push(kind);
        self.inputs.push(inputs.iter().copied());
        self.components.push(component);
        node << 1
    }

    /// Adds a gate of others, or all gates of a recursive component. `codes` says by node what stands for those before, and is
    /// completed.
    pub(crate) fn copy_unit(&mut self, from: &Gates, unit: Range<usize>, codes: &mut [Code]) {
        let component = match from.component(unit.start) {
            ACYCLIC => ACYCLIC,
            _ => self.new_component(),
        };
        for (gate, node) in unit.clone().zip(self.nodes() as Code..) {
            codes[from.sources() + gate] = node << 1;
        }
        let mut inputs: Vec<Code> = Vec::new();
        for gate in unit {
            inputs.clear();
            inputs.extend(from.inputs(gate).iter().map(|&code| mapped(codes, code)));
            self.push(from.kind(gate), &inputs, component);
        }
    }

    /// Frees what is only for finding gates again, when there are all.
    pub(crate) fn forget(&mut self) {
        self.known = FxHashMap::default();
    }

    /// A gate outside of all components; the same as before for the same inputs.
    fn find_or_push(&mut self, kind: GateKind, inputs: &[Code]) -> Code {
        let mut hasher = FxHasher::default();
        (kind, inputs).hash(&mut hasher);
        let next = self.len() as u32;
        let gate = *self.known.entry(hasher.finish()).or_insert(next) as usize;
        if gate < self.len() && self.kinds[gate] == kind && self.inputs(gate) == inputs {
            return (self.sources + gate as u32) << 1;
        }
        self.push(kind, inputs, ACYCLIC)
    }

    /// The conjunction of signed nodes and constants.
    pub(crate) fn and(&mut self, inputs: &mut Vec<Code>) -> Code {
        self.joined(GateKind::And, inputs)
    }

    /// The disjunction of signed nodes and constants.
    pub(crate) fn or(&mut self, inputs: &mut Vec<Code>) -> Code {
        self.joined(GateKind::Or, inputs)
    }

    /// The conjunction or disjunction of signed nodes and constants.
    pub(crate) fn gate(&mut self, kind: GateKind, mut inputs: Vec<Code>) -> Code {
        self.joined(kind, &mut inputs)
    }

    fn joined(&mut self, kind: GateKind, inputs: &mut Vec<Code>) -> Code {
        let neutral = if kind == GateKind::And { TRUE } else { FALSE };
        if inputs.contains(&(neutral ^ 1)) {
            return neutral ^ 1;
        }
        inputs.retain(|&code| code != neutral);
        match inputs[..] {
            [] => neutral,
            [single] => single,
            _ => self.find_or_push(kind, inputs),
        }
    }

    /// The gates of a range one by one, and those of a recursive component together.
    pub(crate) fn units(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = range.start;
        std::iter::from_fn(move || {
            let component = (start < range.end).then(|| self.components[start])?;
            let mut end = start + 1;
            while component != ACYCLIC && end < range.end && self.components[end] == component {
                end += 1;
            }
            Some(std::mem::replace(&mut start, end)..end)
        })
    }

    /// By node: whether it is one of some signed nodes or constants, or they depend on it.
    pub(crate) fn needed(&self, roots: impl Iterator<Item = Code>) -> Vec<bool> {
        let sources = self.sources();
        let mut needed = vec![false; self.nodes()];
        roots.filter(|&root| root < TRUE).for_each(|root| needed[root as usize >> 1] = true);
        let mut end = self.len();
        while end > 0 {
            let component = self.components[end - 1];
            let mut start = end - 1;
            while component != ACYCLIC && start > 0 && self.components[start - 1] == component {
                start -= 1;
            }
            // The gates of a component read each other in whatever order.
            let own = sources + start..sources + end;
            if needed[own.clone()].contains(&true) {
                needed[own].fill(true);
                let inputs = (start..end).flat_map(|gate| self.inputs(gate));
                inputs.for_each(|&code| needed[code as usize >> 1] = true);
            }
            end = start;
        }
        needed
    }
}

/// What stands for a signed node or constant, by what stands for nodes.
pub(crate) fn mapped(codes: &[Code], code: Code) -> Code {
    if code >= TRUE { code } else { codes[code as usize >> 1] ^ (code & 1) }
}

/// The code of a node that is not copied.
const ABSENT: Code = Code::MAX - 2;

/// Copies those gates of a network that are needed, with room for more sources.
#[derive(Debug)]
pub(crate) struct Extract<'run> {
    from: &'run Gates,
    to: Gates,
    /// By node of the network.
    codes: Vec<Code>,
}

impl<'run> Extract<'run> {
    /// No gates yet, behind so many sources, the first of which are those of the network.
    pub(crate) fn new(from: &'run Gates, sources: usize) -> Self {
        let mut codes: Vec<Code> = (0..from.sources() as Code).map(|node| node << 1).collect();
        codes.resize(from.nodes(), ABSENT);
        Extract { from, to: Gates::new(sources), codes }
    }

    /// Adds the gates that some signed nodes or constants depend on.
    pub(crate) fn take(&mut self, roots: impl Iterator<Item = Code>) {
        let (from, needed) = (self.from, self.from.needed(roots));
        for unit in from.units(0..from.len()) {
            let first = from.sources() + unit.start;
            if !needed[first] || self.codes[first] != ABSENT {
                continue;
            }
            self.to.copy_unit(from, unit, &mut self.codes);
        }
    }

    /// What stands for a signed node or constant of the network.
    pub(crate) fn code(&self, code: Code) -> Code {
        mapped(&self.codes, code)
    }

    /// As [`Gates::and`], of nodes of the copy.
    pub(crate) fn and(&mut self, inputs: &mut Vec<Code>) -> Code {
        self.to.and(inputs)
    }

    /// As [`Gates::or`], of nodes of the copy.
    pub(crate) fn or(&mut self, inputs: &mut Vec<Code>) -> Code {
        self.to.or(inputs)
    }

    /// How many gates there are.
    pub(crate) fn len(&self) -> usize {
        self.to.len()
    }

    /// All gates, when all are there.
    pub(crate) fn finish(mut self) -> Gates {
        self.to.forget();
        self.to
    }
}
