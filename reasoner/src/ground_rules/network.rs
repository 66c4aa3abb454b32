//! Event-driven evaluation: only gates whose inputs changed are looked at.
//!
//! Each gate counts its inputs that hold, from minus the number that it needs: it holds if the count is not
//! negative. Changes go level by level, so a gate is passed on at most once, with its final value.

use super::activity::Activity;
use super::code::Code;
use super::gates::{ACYCLIC, GateKind, Gates};
use super::recursion::Recursion;
use groundfrog_engine::rows::Rows;

/// Where the change of a node goes.
#[derive(Clone, Copy, Debug, Default)]
struct Fan {
    start: u32,
    /// Where the edges that are negated begin.
    negated: u32,
    end: u32,
    /// The node's first output bit, as a position in `output_bits`.
    outputs: u32,
    outputs_end: u32,
}

/// The fixed part of a network.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    sources: u32,
    fans: Vec<Fan>,
    targets: Vec<u32>,
    output_bits: Vec<u32>,
    levels: Vec<u32>,
    pub(super) recursion: Recursion,
}

impl Network {
    /// A network of the gates up to `end`. `outputs` are pairs of a node and the position of a bit.
    pub(crate) fn new(gates: &Gates, end: usize, outputs: &[(u32, u32)]) -> Self {
        let sources = gates.sources();
        let nodes = sources + end;
        let mut levels = vec![0u32; end];
        let level_of = |levels: &[u32], code: Code| {
            (code as usize >> 1).checked_sub(sources).map_or(0, |gate| levels[gate] + 1)
        };
        let mut gate = 0;
        while gate < end {
            let component = gates.component(gate);
            let mut last = gate + 1;
            while component != ACYCLIC && last < end && gates.component(last) == component {
                last += 1;
            }
            let members = gate..last;
            let inside = |code: Code| {
                (code as usize >> 1).checked_sub(sources).is_some_and(|it| members.contains(&it))
            };
            let inputs = members.clone().flat_map(|it| gates.inputs(it));
            let level = inputs
                .filter(|&&code| component == ACYCLIC || !inside(code))
                .map(|&code| level_of(&levels, code))
                .max()
                .unwrap_or(0);
            members.clone().for_each(|it| levels[it] = level);
            gate = last;
        }
        let recursion = Recursion::new(gates, end, &levels);
        let mut fans = vec![Fan::default(); nodes + 1];
        let edges = |visit: &mut dyn FnMut(usize, bool, u32)| {
            for gate in 0..end {
                if gates.component(gate) == ACYCLIC {
                    for &code in gates.inputs(gate) {
                        visit(code as usize >> 1, code & 1 == 1, gate as u32);
                    }
                }
            }
        };
        edges(&mut |node, negated, _| {
            fans[node].end += 1;
            fans[node].negated += u32::from(!negated);
        });
        let mut next = 0;
        for fan in &mut fans {
            fan.start = next;
            next += fan.end;
            fan.negated += fan.start;
            fan.end = fan.start;
        }
        let mut fill: Vec<(u32, u32)> = fans.iter().map(|fan| (fan.start, fan.negated)).collect();
        let mut targets = vec![0; next as usize];
        edges(&mut |node, negated, gate| {
            let slot = if negated { &mut fill[node].1 } else { &mut fill[node].0 };
            targets[*slot as usize] = gate;
            *slot += 1;
            fans[node].end += 1;
        });
        let output_rows = Rows::from_pairs(nodes, outputs.iter().copied());
        let mut position = 0;
        for (node, row) in output_rows.iter().enumerate() {
            fans[node].outputs = position;
            position += row.len() as u32;
            fans[node].outputs_end = position;
        }
        let output_bits = output_rows.items().to_vec();
        Network { sources: sources as u32, fans, targets, output_bits, levels, recursion }
    }

    /// What holds when no source holds. `nodes` may exceed those of the network.
    pub(crate) fn rest(&self, gates: &Gates, nodes: usize, outputs: Vec<u64>) -> Activity {
        let depth = self.levels.iter().max().map_or(0, |&level| level as usize + 1);
        let mut room = vec![0usize; depth];
        self.levels.iter().for_each(|&level| room[level as usize] += 1);
        let counts = (0..self.levels.len()).map(|gate| {
            let inputs = gates.inputs(gate);
            let satisfied = inputs.iter().filter(|&&code| code & 1 == 1).count() as i32;
            let wanted = if gates.kind(gate) == GateKind::And { inputs.len() as i32 } else { 1 };
            satisfied - wanted
        });
        let mut activity = Activity {
            values: vec![0; nodes],
            counts: counts.collect(),
            outputs,
            queues: room.into_iter().map(Vec::with_capacity).collect(),
            pending: vec![0; depth.div_ceil(64)],
            recursive: self.recursion.activity(),
        };
        for gate in 0..self.levels.len() {
            if activity.counts[gate] >= 0 && !self.recursion.contains(gate) {
                self.enqueue(&mut activity, gate as u32);
            }
        }
        self.recursion.begin(&mut activity);
        self.propagate(&mut activity);
        activity
    }

    #[inline]
    fn enqueue(&self, activity: &mut Activity, gate: u32) {
        let level = self.levels[gate as usize];
        activity.queues[level as usize].push(gate);
        activity.mark_level(level);
    }

    /// Flips a node and updates the counts of the gates that read it.
    #[inline]
    pub(crate) fn flip(&self, activity: &mut Activity, node: u32) {
        let value = activity.values[node as usize] ^ 1;
        activity.values[node as usize] = value;
        let fan = self.fans[node as usize];
        for &bit in &self.output_bits[fan.outputs as usize..fan.outputs_end as usize] {
            activity.outputs[bit as usize / 64] ^= 1 << (bit % 64);
        }
        let (more, fewer) = if value == 1 {
            (fan.start..fan.negated, fan.negated..fan.end)
        } else {
            (fan.negated..fan.end, fan.start..fan.negated)
        };
        for &gate in &self.targets[more.start as usize..more.end as usize] {
            let count = &mut activity.counts[gate as usize];
            *count += 1;
            if *count == 0 {
                self.enqueue(activity, gate);
            }
        }
        for &gate in &self.targets[fewer.start as usize..fewer.end as usize] {
            let count = &mut activity.counts[gate as usize];
            *count -= 1;
            if *count == -1 {
                self.enqueue(activity, gate);
            }
        }
        if !self.recursion.is_empty() {
            self.recursion.update(activity, node);
        }
    }

    /// Passes on all changes.
    pub(crate) fn propagate(&self, activity: &mut Activity) {
        let mut word = 0;
        while word < activity.pending.len() {
            let pending = activity.pending[word];
            if pending == 0 {
                word += 1;
                continue;
            }
            let level = word * 64 + pending.trailing_zeros() as usize;
            activity.pending[word] &= pending - 1;
            let mut queue = std::mem::take(&mut activity.queues[level]);
            for &gate in &queue {
                let holds = u8::from(activity.counts[gate as usize] >= 0);
                let node = self.sources + gate;
                if activity.values[node as usize] != holds {
                    self.flip(activity, node);
                }
            }
            queue.clear();
            activity.queues[level] = queue;
            if !self.recursion.is_empty() {
                self.propagate_recursive(activity, level as u32);
            }
        }
    }
    /// Completes the recursive components of a level, and passes on what is different.
    fn propagate_recursive(&self, activity: &mut Activity, level: u32) {
        for component in self.recursion.components_of(level) {
            self.recursion.propagate(activity, component);
            let mut changed = std::mem::take(&mut activity.recursive.changed);
            changed.iter().for_each(|&node| self.flip(activity, node));
            changed.clear();
            activity.recursive.changed = changed;
        }
    }
}
