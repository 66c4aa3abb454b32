//! Event-driven evaluation: only gates whose inputs changed are looked at.
//!
//! Each gate counts its inputs that hold, from minus the number that it needs: it holds if the count is not
//! negative. An edge adds to the count and notes whether its sign has changed, without a branch: which signs
//! change cannot be foreseen. Gates are passed on in their order, at most once and with their final values.
//!
//! A *slot* has a count: first the gates, then the output bits. A gate that nothing reads but one output bit
//! is counted at the slot of the bit, so that what it flips is flipped a word at a time.
//!
//! [`Activity`] is what holds in the present state.

use groundfrog_engine::rows::Rows;

use super::recursion::Recursion;
use crate::network::Code;
use crate::network::gates::{ACYCLIC, GateKind, Gates};

/// The fixed part of the evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Counters {
    sources: u32,
    /// By node: the slots that count it, each with a sign as in a [`Code`].
    readers: Rows<u32>,
    /// By slot: the count when no node holds.
    at_rest: Vec<i32>,
    /// The words of the slots of gates, which those of output bits follow.
    gate_words: usize,
    pub(super) recursion: Recursion,
}

impl Counters {
    /// A network of the gates up to `end`, and of `words` of output bits. `outputs` are pairs of a signed node and
    /// a bit; `is_read` says which nodes are read.
    pub(crate) fn new(
        gates: &Gates,
        end: usize,
        outputs: &[(Code, u32)],
        words: usize,
        is_read: &[bool],
    ) -> Self {
        let sources = gates.sources();
        let gate_words = end.div_ceil(64);
        let mut at_rest = vec![-1; (gate_words + words) * 64];
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut count = |slot: u32, inputs: &[Code], wanted: i32| {
            let negated: i32 = inputs.iter().map(|&code| (code & 1) as i32).sum();
            at_rest[slot as usize] = negated - wanted;
            edges.extend(inputs.iter().map(|&code| (code >> 1, slot << 1 | (code & 1))));
        };
        let mut slots: Vec<u32> = (0..end as u32).collect();
        let mut followers = vec![0u32; sources + end];
        outputs.iter().for_each(|&(code, _)| followers[code as usize >> 1] += 1);
        for &(code, bit) in outputs {
            let (node, slot) = (code as usize >> 1, gate_words as u32 * 64 + bit);
            let is_asked = is_read[node] || followers[node] > 1 || code & 1 == 1;
            match node.checked_sub(sources) {
                Some(gate) if !is_asked && gates.component(gate) == ACYCLIC => slots[gate] = slot,
                _ => count(slot, &[code], 1),
            }
        }
        for (gate, &slot) in slots.iter().enumerate() {
            let inputs = gates.inputs(gate);
            let all = gates.kind(gate) == GateKind::And;
            if gates.component(gate) == ACYCLIC {
                count(slot, inputs, if all { inputs.len() as i32 } else { 1 });
            }
        }
        Counters {
            sources: sources as u32,
            readers: Rows::from_pairs(sources + end, edges.iter().copied()),
            at_rest,
            gate_words,
            recursion: Recursion::new(gates, end),
        }
    }

    /// What holds when no source holds. `nodes` may exceed those of the network; `outputs` are the bits that always hold.
    pub(crate) fn rest(&self, nodes: usize, outputs: Vec<u64>) -> Activity {
        let word = |counts: &[i32]| {
            let bits = counts.iter().enumerate();
            bits.fold(0, |word, (bit, &count)| word | u64::from(count >= 0) << bit)
        };
        let mut activity = Activity {
            values: vec![0; nodes],
            counts: self.at_rest.clone(),
            crossed: self.at_rest.chunks(64).map(word).collect(),
            outputs,
            recursive: self.recursion.activity(),
        };
        self.recursion.begin(&mut activity);
        self.propagate(&mut activity);
        activity
    }

    /// Flips a node and updates the counts of what reads it.
    #[inline]
    pub(crate) fn flip(&self, activity: &mut Activity, node: u32) {
        let value = activity.values[node as usize] ^ 1;
        activity.values[node as usize] = value;
        for &reader in self.readers.row(node as usize) {
            let slot = (reader >> 1) as usize;
            let before = activity.counts[slot];
            let holds = (reader ^ u32::from(value)) & 1;
            let count = before + 2 * holds as i32 - 1;
            activity.counts[slot] = count;
            let has_crossed = ((before ^ count) as u32 >> 31) as u64;
            activity.crossed[slot / 64] ^= has_crossed << (slot % 64);
        }
        if !self.recursion.is_empty() {
            self.recursion.update(activity, node);
        }
    }

    /// Passes on all changes.
    pub(crate) fn propagate(&self, activity: &mut Activity) {
        let mut word = 0;
        while word < self.gate_words {
            let crossed = activity.crossed[word];
            if crossed == 0 {
                word += 1;
                continue;
            }
            let gate = word as u32 * 64 + crossed.trailing_zeros();
            activity.crossed[word] = crossed & (crossed - 1);
            if self.recursion.contains(gate as usize) {
                self.propagate_component(activity, gate);
            } else {
                self.flip(activity, self.sources + gate);
            }
        }
        let crossed = &mut activity.crossed[self.gate_words..];
        for (output, crossed) in activity.outputs.iter_mut().zip(crossed) {
            *output ^= std::mem::take(crossed);
        }
    }

    /// Completes the recursive component of a gate, and passes on what is different.
    fn propagate_component(&self, activity: &mut Activity, gate: u32) {
        self.recursion.propagate(activity, gate as usize);
        let mut changed = std::mem::take(&mut activity.recursive.changed);
        changed.iter().for_each(|&node| self.flip(activity, node));
        changed.clear();
        activity.recursive.changed = changed;
    }
}

/// The changing part of a network: what holds in the present state.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    /// By node: whether it holds.
    pub(crate) values: Vec<u8>,
    /// By slot: how many inputs hold, minus how many must hold.
    pub(super) counts: Vec<i32>,
    /// By slot, one bit each: whether the sign of the count is not the one that was passed on.
    pub(super) crossed: Vec<u64>,
    pub(crate) outputs: Vec<u64>,
    pub(super) recursive: RecursiveActivity,
}

/// The changing part of recursion.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecursiveActivity {
    /// By gate: how many inputs hold, minus how many must hold.
    pub(super) counts: Vec<i32>,
    /// By gate: the count without the inputs from inside.
    pub(super) external: Vec<i32>,
    /// By component.
    pub(super) lost: Vec<bool>,
    pub(super) agendas: Vec<Vec<u32>>,
    pub(super) changed: Vec<u32>,
    pub(super) before: Vec<u8>,
}
