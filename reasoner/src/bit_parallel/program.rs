//! Gates as a program over blocks of lanes: straight but for the gates of recursive components, which are computed until
//! nothing changes in any lane.
//!
//! Gates of the same shape are computed one after the other, as far as the order of what they read allows: then the
//! processor foresees all branches.

use std::ops::Range;

use fearless_simd::{Level, Simd, SimdBase, dispatch};

use super::lanes::{Block, Wide};
use crate::network::gates::{ACYCLIC, GateKind, Gates};
use crate::network::{Code, FALSE, TRUE};

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

/// How many inputs an operation has of each sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    is_or: bool,
    plain: u32,
    negated: u32,
}

/// Operations that are computed together.
#[derive(Clone, Debug)]
struct Step {
    operations: Range<usize>,
    /// What all of them have; none for a recursive component.
    shape: Option<Shape>,
}

/// Computes gates in an order that is theirs but for gates that do not depend on each other.
#[derive(Clone, Debug)]
pub(super) struct Program {
    operations: Vec<Operation>,
    /// Nodes.
    inputs: Vec<u32>,
    /// Ascending.
    steps: Vec<Step>,
    level: Level,
}

impl Program {
    /// The gates that are needed, by node.
    pub(super) fn new(gates: &Gates, needed: &[bool]) -> Self {
        let mut program = Program {
            operations: Vec::new(),
            inputs: Vec::new(),
            steps: Vec::new(),
            level: Level::new(),
        };
        // By node: how many gates there are between it and the sources.
        let mut depths = vec![0u32; gates.nodes()];
        for gate in 0..gates.len() {
            let deepest = gates.inputs(gate).iter().map(|&code| depths[code as usize >> 1]).max();
            depths[gates.sources() + gate] = deepest.unwrap_or(0) + 1;
        }
        let mut included: Vec<usize> =
            (0..gates.len()).filter(|&gate| needed[gates.sources() + gate]).collect();
        let component = |gate: usize| gates.component(gate);
        for section in included.chunk_by_mut(|&one, &next| component(one) == component(next)) {
            if component(section[0]) != ACYCLIC {
                program.push(gates, section, None);
                continue;
            }
            section.sort_by_key(|&gate| (depths[gates.sources() + gate], shape(gates, gate)));
            for run in section.chunk_by(|&one, &next| shape(gates, one) == shape(gates, next)) {
                program.push(gates, run, Some(shape(gates, run[0])));
            }
        }
        program
    }

    fn push(&mut self, gates: &Gates, step: &[usize], shape: Option<Shape>) {
        let first = self.operations.len();
        for &gate in step {
            let start = self.inputs.len() as u32;
            let codes = gates.inputs(gate);
            self.inputs.extend(codes.iter().filter(|&&it| it & 1 == 0).map(|&it| it >> 1));
            let negated = self.inputs.len() as u32;
            self.inputs.extend(codes.iter().filter(|&&it| it & 1 == 1).map(|&it| it >> 1));
            let node = (gates.sources() + gate) as u32;
            let (kind, end) = (gates.kind(gate), self.inputs.len() as u32);
            self.operations.push(Operation { kind, node, start, negated, end });
        }
        self.steps.push(Step { operations: first..self.operations.len(), shape });
    }

    /// How many gates there are, and how many inputs they have.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.operations.len(), self.inputs.len())
    }

    /// Computes its gates.
    pub(super) fn run(&self, nodes: &mut [Block]) {
        dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || {
                for step in &self.steps {
                    self.step(simd, step, nodes);
                }
            },
        ));
    }

    #[inline(always)]
    fn step<S: Simd>(&self, simd: S, step: &Step, nodes: &mut [Block]) {
        let operations = &self.operations[step.operations.clone()];
        let Some(Shape { is_or, plain, negated }) = step.shape else {
            return self.iterate(simd, operations, nodes);
        };
        match (is_or, plain, negated) {
            (false, 1, 1) => self.fixed::<false, 1, 1>(simd, operations, nodes),
            (false, 2, 0) => self.fixed::<false, 2, 0>(simd, operations, nodes),
            (false, 2, 1) => self.fixed::<false, 2, 1>(simd, operations, nodes),
            (false, 3, 0) => self.fixed::<false, 3, 0>(simd, operations, nodes),
            (true, 1, 1) => self.fixed::<true, 1, 1>(simd, operations, nodes),
            (true, 2, 0) => self.fixed::<true, 2, 0>(simd, operations, nodes),
            (true, 3, 0) => self.fixed::<true, 3, 0>(simd, operations, nodes),
            _ => {
                for operation in operations {
                    let value = self.value(simd, operation, nodes);
                    nodes[operation.node as usize].store(value);
                }
            }
        }
    }

    /// Computes operations of one shape.
    #[inline(always)]
    fn fixed<const IS_OR: bool, const PLAIN: usize, const NEGATED: usize>(
        &self,
        simd: impl Simd,
        operations: &[Operation],
        nodes: &mut [Block],
    ) {
        let (Some(first), Some(last)) = (operations.first(), operations.last()) else { return };
        let inputs = &self.inputs[first.start as usize..last.end as usize];
        for (operation, inputs) in operations.iter().zip(inputs.chunks_exact(PLAIN + NEGATED)) {
            let (plain, negated) = inputs.split_at(PLAIN);
            let value = if IS_OR {
                or(simd, plain, negated, nodes)
            } else {
                and(simd, plain, negated, nodes)
            };
            nodes[operation.node as usize].store(value);
        }
    }

    /// Computes the least fixpoint of a component: negated inputs come from outside, so what holds in a lane holds for good.
    #[inline(always)]
    fn iterate<S: Simd>(&self, simd: S, operations: &[Operation], nodes: &mut [Block]) {
        operations.iter().for_each(|it| nodes[it.node as usize] = Block::NONE);
        loop {
            let mut has_changed = false;
            for operation in operations {
                let value = self.value(simd, operation, nodes);
                let node = &mut nodes[operation.node as usize];
                let before = *node;
                node.store(value);
                has_changed |= *node != before;
            }
            if !has_changed {
                return;
            }
        }
    }

    #[inline(always)]
    fn value<S: Simd>(&self, simd: S, operation: &Operation, nodes: &[Block]) -> Wide<S> {
        let plain = &self.inputs[operation.start as usize..operation.negated as usize];
        let negated = &self.inputs[operation.negated as usize..operation.end as usize];
        match operation.kind {
            GateKind::And => and(simd, plain, negated, nodes),
            GateKind::Or => or(simd, plain, negated, nodes),
        }
    }
}

#[inline(always)]
fn and<S: Simd>(simd: S, plain: &[u32], negated: &[u32], nodes: &[Block]) -> Wide<S> {
    let mut block = Wide::splat(simd, u64::MAX);
    for &input in plain {
        block &= nodes[input as usize].load(simd);
    }
    for &input in negated {
        block &= !nodes[input as usize].load(simd);
    }
    block
}

#[inline(always)]
fn or<S: Simd>(simd: S, plain: &[u32], negated: &[u32], nodes: &[Block]) -> Wide<S> {
    let mut block = Wide::splat(simd, 0);
    for &input in plain {
        block |= nodes[input as usize].load(simd);
    }
    for &input in negated {
        block |= !nodes[input as usize].load(simd);
    }
    block
}

fn shape(gates: &Gates, gate: usize) -> Shape {
    let inputs = gates.inputs(gate);
    let negated = inputs.iter().filter(|&&it| it & 1 == 1).count() as u32;
    let plain = inputs.len() as u32 - negated;
    Shape { is_or: gates.kind(gate) == GateKind::Or, plain, negated }
}

/// The block of a signed node or constant.
#[inline(always)]
pub(super) fn block_of(code: Code, nodes: &[Block]) -> Block {
    if code >= TRUE {
        return Block::splat(code == TRUE);
    }
    let block = nodes[code as usize >> 1];
    if code & 1 == 1 { !block } else { block }
}

/// The same in registers.
#[inline(always)]
pub(super) fn wide_of<S: Simd>(simd: S, code: Code, nodes: &[Block]) -> Wide<S> {
    if code >= TRUE {
        return Wide::splat(simd, if code == TRUE { u64::MAX } else { 0 });
    }
    nodes[code as usize >> 1].load(simd) ^ Wide::splat(simd, u64::from(code & 1).wrapping_neg())
}

/// The lanes in which none of these holds.
#[inline(always)]
pub(super) fn none_of<S: Simd>(
    simd: S,
    codes: impl Iterator<Item = Code>,
    nodes: &[Block],
) -> Wide<S> {
    let mut none = Wide::splat(simd, u64::MAX);
    for code in codes.filter(|&code| code != FALSE) {
        none &= !wide_of(simd, code, nodes);
    }
    none
}
