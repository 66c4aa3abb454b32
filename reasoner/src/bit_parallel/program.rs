//! Gates as a straight program over blocks of lanes.

use std::ops::Range;

use super::lanes::{Block, WORDS};
use crate::ground_rules::code::{Code, TRUE};
use crate::ground_rules::gates::{GateKind, Gates};

/// One gate: its inputs are `inputs[start..negated]` as they are and `inputs[negated..end]` negated.
#[derive(Clone, Copy, Debug)]
struct Operation {
    kind: GateKind,
    /// Where its value goes.
    node: u32,
    start: u32,
    negated: u32,
    end: u32,
}

/// Computes gates in their order.
#[derive(Clone, Debug)]
pub(super) struct Program {
    operations: Vec<Operation>,
    /// Nodes.
    inputs: Vec<u32>,
}

impl Program {
    /// All gates: the number of an operation is that of its gate.
    pub(super) fn new(gates: &Gates) -> Self {
        Program::of(gates, |_| true)
    }

    /// The gates that some signed nodes or constants depend on.
    pub(super) fn for_roots(gates: &Gates, roots: impl Iterator<Item = Code>) -> Self {
        let sources = gates.sources();
        let mut needed = vec![false; gates.nodes()];
        roots.filter(|&root| root < TRUE).for_each(|root| needed[root as usize >> 1] = true);
        for gate in (0..gates.len()).rev() {
            if needed[sources + gate] {
                gates.inputs(gate).iter().for_each(|&it| needed[it as usize >> 1] = true);
            }
        }
        Program::of(gates, |gate| needed[sources + gate])
    }

    fn of(gates: &Gates, include: impl Fn(usize) -> bool) -> Self {
        let mut inputs = Vec::new();
        let operation = |gate: usize| {
            let start = inputs.len() as u32;
            let codes = gates.inputs(gate);
            inputs.extend(codes.iter().filter(|&&it| it & 1 == 0).map(|&it| it >> 1));
            let negated = inputs.len() as u32;
            inputs.extend(codes.iter().filter(|&&it| it & 1 == 1).map(|&it| it >> 1));
            let node = (gates.sources() + gate) as u32;
            let (kind, end) = (gates.kind(gate), inputs.len() as u32);
            Operation { kind, node, start, negated, end }
        };
        let operations = (0..gates.len()).filter(|&gate| include(gate)).map(operation).collect();
        Program { operations, inputs }
    }

    /// How many gates there are, and how many inputs they have.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.operations.len(), self.inputs.len())
    }

    /// Computes all its gates.
    pub(super) fn run_all(&self, nodes: &mut [Block]) {
        self.run(0..self.operations.len(), nodes);
    }

    /// Computes the gates of a range of operations.
    pub(super) fn run(&self, range: Range<usize>, nodes: &mut [Block]) {
        for operation in &self.operations[range] {
            let (known, rest) = nodes.split_at_mut(operation.node as usize);
            let plain = &self.inputs[operation.start as usize..operation.negated as usize];
            let negated = &self.inputs[operation.negated as usize..operation.end as usize];
            rest[0] = match operation.kind {
                GateKind::And => {
                    let mut block = [u64::MAX; WORDS];
                    for &input in plain {
                        let input = &known[input as usize];
                        (0..WORDS).for_each(|word| block[word] &= input[word]);
                    }
                    for &input in negated {
                        let input = &known[input as usize];
                        (0..WORDS).for_each(|word| block[word] &= !input[word]);
                    }
                    block
                }
                GateKind::Or => {
                    let mut block = [0; WORDS];
                    for &input in plain {
                        let input = &known[input as usize];
                        (0..WORDS).for_each(|word| block[word] |= input[word]);
                    }
                    for &input in negated {
                        let input = &known[input as usize];
                        (0..WORDS).for_each(|word| block[word] |= !input[word]);
                    }
                    block
                }
            };
        }
    }
}

/// The block of a signed node or constant.
#[inline]
pub(super) fn block_of(code: Code, nodes: &[Block]) -> Block {
    if code >= TRUE {
        return [if code == TRUE { u64::MAX } else { 0 }; WORDS];
    }
    let mut block = nodes[code as usize >> 1];
    if code & 1 == 1 {
        block.iter_mut().for_each(|word| *word = !*word);
    }
    block
}
