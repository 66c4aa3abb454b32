//! Evaluation by a pass over gates, each after those that it reads.

use std::ops::Range;

use crate::network::code::holds;
use crate::network::gates::{ACYCLIC, GateKind, Gates};

/// Computes the gates of a range from sources and gates before it.
pub(crate) fn evaluate(gates: &Gates, range: Range<usize>, values: &mut [u8]) {
    let mut gate = range.start;
    while gate < range.end {
        let component = gates.component(gate);
        if component == ACYCLIC {
            values[gates.sources() + gate] = u8::from(value(gates, gate, values));
            gate += 1;
            continue;
        }
        let end = (gate..range.end).find(|&it| gates.component(it) != component);
        let end = end.unwrap_or(range.end);
        values[gates.sources() + gate..gates.sources() + end].fill(0);
        loop {
            let mut changed = false;
            for it in gate..end {
                let node = gates.sources() + it;
                if values[node] == 0 && value(gates, it, values) {
                    values[node] = 1;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        gate = end;
    }
}

fn value(gates: &Gates, gate: usize, values: &[u8]) -> bool {
    let mut inputs = gates.inputs(gate).iter();
    match gates.kind(gate) {
        GateKind::And => inputs.all(|&code| holds(code, values)),
        GateKind::Or => inputs.any(|&code| holds(code, values)),
    }
}
