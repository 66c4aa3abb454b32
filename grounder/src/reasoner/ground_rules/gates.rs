//! Views as AND and OR gates.

use super::atom_codes::AtomCodes;
use super::code::{Code, FALSE, Rows, TRUE};
use crate::game::{AtomId, GroundGame};
use crate::reasoner::dependencies::Dependencies;

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

    fn push(&mut self, kind: GateKind, inputs: &[Code], component: u32) -> Code {
        let node = self.nodes() as u32;
        self.kinds.push(kind);
        self.inputs.push(inputs.iter().copied());
        self.components.push(component);
        node << 1
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
            _ => self.push(GateKind::And, inputs, ACYCLIC),
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
            _ => self.push(GateKind::Or, inputs, ACYCLIC),
        }
    }
}

/// Compiles the views marked in `needed` that are not compiled yet. All views that they read must be
/// compiled or marked.
pub(crate) fn compile(
    gates: &mut Gates,
    codes: &mut AtomCodes,
    needed: &[bool],
    dependencies: &Dependencies,
    game: &GroundGame,
) {
    for &component in dependencies.components() {
        let members = dependencies.members(component);
        if codes.is_known(members[0]) || !needed[members[0].index()] {
            continue;
        }
        if component.recursive {
            let rules = members.iter().flat_map(|&it| dependencies.rules_of(it));
            put_together_read(gates, codes, rules.map(|&it| it as usize), game);
            let (number, first) = (gates.next_component, gates.nodes() as u32);
            gates.next_component += 1;
            for (position, &atom) in members.iter().enumerate() {
                codes.set(atom, (first + position as u32) << 1);
            }
            recursive(gates, codes, members, number, dependencies, game);
            continue;
        }
        codes.compile_view(gates, members[0], dependencies, game);
    }
}

/// Lets gates stand for the guarded views that some rules read.
pub(crate) fn put_together_read(
    gates: &mut Gates,
    codes: &mut AtomCodes,
    rules: impl Iterator<Item = usize>,
    game: &GroundGame,
) {
    for literal in rules.flat_map(|it| game.rules().rule(it).body) {
        codes.put_together(gates, AtomId(literal.atom()));
    }
}

/// Compiles a recursive component: an OR gate for each atom, then the AND gates of the rules.
fn recursive(
    gates: &mut Gates,
    codes: &AtomCodes,
    members: &[AtomId],
    component: u32,
    dependencies: &Dependencies,
    game: &GroundGame,
) {
    let mut next = gates.nodes() as u32 + members.len() as u32;
    let mut conjunctions: Vec<Vec<Code>> = Vec::new();
    for &atom in members {
        let mut inputs = Vec::new();
        for &rule in dependencies.rules_of(atom) {
            let body = game.rules().rule(rule as usize).body;
            let mut body: Vec<Code> = body.iter().map(|&it| codes.literal(it)).collect();
            body.retain(|&it| it != TRUE);
            if body.contains(&FALSE) {
                continue;
            }
            if let [single] = body[..] {
                inputs.push(single);
            } else {
                // An AND gate without inputs holds: a fact.
                conjunctions.push(body);
                inputs.push(next << 1);
                next += 1;
            }
        }
        gates.push(GateKind::Or, &inputs, component);
    }
    for body in conjunctions {
        gates.push(GateKind::And, &body, component);
    }
}

/// Marks the views that the marked ones depend on.
pub(crate) fn close(needed: &mut [bool], dependencies: &Dependencies, game: &GroundGame) {
    for &component in dependencies.components().iter().rev() {
        let members = dependencies.members(component);
        if !members.iter().any(|it| needed[it.index()]) {
            continue;
        }
        for &atom in members {
            needed[atom.index()] = true;
            for &rule in dependencies.rules_of(atom) {
                for literal in game.rules().rule(rule as usize).body {
                    needed[literal.atom() as usize] = true;
                }
            }
        }
    }
}
