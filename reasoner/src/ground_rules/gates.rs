//! AND and OR gates.

use std::hash::{Hash, Hasher};

use super::code::{Code, FALSE, TRUE};
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
    pub(super) fn new_component(&mut self) -> u32 {
        self.next_component += 1;
        self.next_component - 1
    }

    /// Adds a gate of a component, whose code it returns.
    pub(super) fn push(&mut self, kind: GateKind, inputs: &[Code], component: u32) -> Code {
        let node = self.nodes() as u32;
        self.kinds.push(kind);
        self.inputs.push(inputs.iter().copied());
        self.components.push(component);
        node << 1
    }

    /// Frees what is only for finding gates again, when there are all.
    pub(super) fn forget(&mut self) {
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
        if inputs.contains(&FALSE) {
            return FALSE;
        }
        inputs.retain(|&it| it != TRUE);
        match inputs[..] {
            [] => TRUE,
            [single] => single,
            _ => self.find_or_push(GateKind::And, inputs),
        }
    }

    /// The disjunction of signed nodes and constants.
    pub(crate) fn or(&mut self, inputs: &mut Vec<Code>) -> Code {
        if inputs.contains(&TRUE) {
            return TRUE;
        }
        inputs.retain(|&it| it != FALSE);
        match inputs[..] {
            [] => FALSE,
            [single] => single,
            _ => self.find_or_push(GateKind::Or, inputs),
        }
    }
}
