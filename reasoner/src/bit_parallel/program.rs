//! Gates as a program over blocks of lanes: straight but for the gates of recursive components, which are computed until
//! nothing changes in any lane.

use std::ops::Range;

use super::lanes::{Block, WORDS};
use crate::ground_rules::code::{Code, TRUE};
use crate::ground_rules::gates::{ACYCLIC, GateKind, Gates};

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
    /// The operations of each recursive component, which stand together; ascending.
    loops: Vec<Range<usize>>,
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
            if is_last_of_component(gates, gate) {
                // The gates of a component read each other in whatever order.
                let component = component_up_to(gates, gate);
                let own = sources + component.start..sources + component.end;
                let is_needed = needed[own.clone()].contains(&true);
                needed[own].fill(is_needed);
            }
            if needed[sources + gate] {
                gates.inputs(gate).iter().for_each(|&it| needed[it as usize >> 1] = true);
            }
        }
        Program::of(gates, |gate| needed[sources + gate])
    }

    fn of(gates: &Gates, include: impl Fn(usize) -> bool) -> Self {
        let mut inputs = Vec::new();
        let operation = |&gate: &usize| {
            let start = inputs.len() as u32;
            let codes = gates.inputs(gate);
            inputs.extend(codes.iter().filter(|&&it| it & 1 == 0).map(|&it| it >> 1));
            let negated = inputs.len() as u32;
            inputs.extend(codes.iter().filter(|&&it| it & 1 == 1).map(|&it| it >> 1));
            let node = (gates.sources() + gate) as u32;
            let (kind, end) = (gates.kind(gate), inputs.len() as u32);
            Operation { kind, node, start, negated, end }
        };
        let included: Vec<usize> = (0..gates.len()).filter(|&gate| include(gate)).collect();
        let operations = included.iter().map(operation).collect();
        let is_last = |it: &usize| is_last_of_component(gates, included[*it]);
        let whole = |end: usize| end + 1 - component_up_to(gates, included[end]).len()..end + 1;
        let loops = (0..included.len()).filter(is_last).map(whole).collect();
        Program { operations, inputs, loops }
    }

    /// How many gates there are, and how many inputs they have.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.operations.len(), self.inputs.len())
    }

    /// Computes all its gates.
    pub(super) fn run_all(&self, nodes: &mut [Block]) {
        self.run(0..self.operations.len(), nodes);
    }

    /// Computes the gates of a range of operations. It has all or nothing of each recursive component.
    pub(super) fn run(&self, range: Range<usize>, nodes: &mut [Block]) {
        let first = self.loops.partition_point(|it| it.start < range.start);
        let mut next = range.start;
        for own in self.loops[first..].iter().take_while(|it| it.start < range.end) {
            self.pass(next..own.start, nodes);
            self.settle(own.clone(), nodes);
            next = own.end;
        }
        self.pass(next..range.end, nodes);
    }

    /// Computes operations once each.
    fn pass(&self, range: Range<usize>, nodes: &mut [Block]) {
        for operation in &self.operations[range] {
            nodes[operation.node as usize] = self.value(operation, nodes);
        }
    }

    /// Computes the least fixpoint of a component: negated inputs come from outside, so what holds in a lane holds for good.
    fn settle(&self, range: Range<usize>, nodes: &mut [Block]) {
        let operations = &self.operations[range];
        operations.iter().for_each(|it| nodes[it.node as usize] = [0; WORDS]);
        loop {
            let mut has_changed = false;
            for operation in operations {
                let value = self.value(operation, nodes);
                let node = &mut nodes[operation.node as usize];
                has_changed |= *node != value;
                *node = value;
            }
            if !has_changed {
                return;
            }
        }
    }

    #[inline]
    fn value(&self, operation: &Operation, nodes: &[Block]) -> Block {
        let plain = &self.inputs[operation.start as usize..operation.negated as usize];
        let negated = &self.inputs[operation.negated as usize..operation.end as usize];
        match operation.kind {
            GateKind::And => {
                let mut block = [u64::MAX; WORDS];
                for &input in plain {
                    let input = &nodes[input as usize];
                    (0..WORDS).for_each(|word| block[word] &= input[word]);
                }
                for &input in negated {
                    let input = &nodes[input as usize];
                    (0..WORDS).for_each(|word| block[word] &= !input[word]);
                }
                block
            }
            GateKind::Or => {
                let mut block = [0; WORDS];
                for &input in plain {
                    let input = &nodes[input as usize];
                    (0..WORDS).for_each(|word| block[word] |= input[word]);
                }
                for &input in negated {
                    let input = &nodes[input as usize];
                    (0..WORDS).for_each(|word| block[word] |= !input[word]);
                }
                block
            }
        }
    }
}

/// Whether a gate is the last one of a recursive component.
fn is_last_of_component(gates: &Gates, gate: usize) -> bool {
    let component = gates.component(gate);
    component != ACYCLIC && (gate + 1 == gates.len() || gates.component(gate + 1) != component)
}

/// The gates of the component whose last gate this is.
fn component_up_to(gates: &Gates, last: usize) -> Range<usize> {
    let component = gates.component(last);
    let own = (0..=last).rev().take_while(|&it| gates.component(it) == component).count();
    last + 1 - own..last + 1
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
