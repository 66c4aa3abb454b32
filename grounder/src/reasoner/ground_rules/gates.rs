//! Views as AND and OR gates.

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

/// The codes of the atoms that have been compiled.
#[derive(Clone, Debug)]
pub(crate) struct AtomCodes {
    codes: Vec<Code>,
}

/// Not compiled yet. Codes of nodes stay below it.
const UNKNOWN: Code = u32::MAX - 2;

impl AtomCodes {
    /// Atoms without rules never hold; views are not compiled yet; the others are sources, given by `source`.
    pub(crate) fn new(game: &GroundGame, dependencies: &Dependencies) -> Self {
        let code = |atom: u32| match dependencies.component_of(AtomId(atom)) {
            Some(_) => UNKNOWN,
            None => FALSE,
        };
        AtomCodes { codes: (0..game.atom_count() as u32).map(code).collect() }
    }

    pub(crate) fn set(&mut self, atom: AtomId, code: Code) {
        self.codes[atom.index()] = code;
    }

    /// The code of an atom that has been compiled.
    #[inline]
    pub(crate) fn get(&self, atom: AtomId) -> Code {
        let code = self.codes[atom.index()];
        debug_assert_ne!(code, UNKNOWN);
        code
    }

    pub(crate) fn is_known(&self, atom: AtomId) -> bool {
        self.codes[atom.index()] != UNKNOWN
    }

    /// The signed node of a ground literal.
    #[inline]
    pub(crate) fn literal(&self, literal: groundfrog_engine::instantiate::GroundLiteral) -> Code {
        self.get(AtomId(literal.atom())) ^ u32::from(literal.is_negated())
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
    let (mut body, mut bodies) = (Vec::new(), Vec::new());
    for &component in dependencies.components() {
        let members = dependencies.members(component);
        if codes.is_known(members[0]) || !needed[members[0].index()] {
            continue;
        }
        if component.recursive {
            let (number, first) = (gates.next_component, gates.nodes() as u32);
            gates.next_component += 1;
            for (position, &atom) in members.iter().enumerate() {
                codes.set(atom, (first + position as u32) << 1);
            }
            recursive(gates, codes, members, number, dependencies, game);
            continue;
        }
        bodies.clear();
        for &rule in dependencies.rules_of(members[0]) {
            body.clear();
            body.extend(game.rules().rule(rule as usize).body.iter().map(|&it| codes.literal(it)));
            bodies.push(gates.and(&mut body));
        }
        let code = gates.or(&mut bodies);
        codes.set(members[0], code);
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
