//! Gates as a straight program over blocks of lanes.

use std::ops::Range;

use super::{Block, WORDS};
use crate::reasoner::ground_rules::code::{Code, TRUE};
use crate::reasoner::ground_rules::gates::{GateKind, Gates};

/// One gate: its inputs are `inputs[start..negated]` as they are and `inputs[negated..end]` negated.
#[derive(Clone, Copy, Debug)]
struct Operation {
    kind: GateKind,
    start: u32,
    negated: u32,
    end: u32,
}

/// Computes all gates in their order.
#[derive(Clone, Debug)]
pub(super) struct Program {
    sources: usize,
    operations: Vec<Operation>,
    /// Nodes.
    inputs: Vec<u32>,
}

impl Program {
    pub(super) fn new(gates: &Gates) -> Self {
        let mut inputs = Vec::new();
        let operation = |gate: usize| {
            let start = inputs.len() as u32;
            let codes = gates.inputs(gate);
            inputs.extend(codes.iter().filter(|&&it| it & 1 == 0).map(|&it| it >> 1));
            let negated = inputs.len() as u32;
            inputs.extend(codes.iter().filter(|&&it| it & 1 == 1).map(|&it| it >> 1));
            Operation { kind: gates.kind(gate), start, negated, end: inputs.len() as u32 }
        };
        let operations = (0..gates.len()).map(operation).collect();
        Program { sources: gates.sources(), operations, inputs }
    }

    /// How many gates there are, and how many inputs they have.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.operations.len(), self.inputs.len())
    }

    /// Computes the gates of a range.
    pub(super) fn run(&self, range: Range<usize>, nodes: &mut [Block]) {
        let first = self.sources + range.start;
        for (position, operation) in self.operations[range].iter().enumerate() {
            let (known, rest) = nodes.split_at_mut(first + position);
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
