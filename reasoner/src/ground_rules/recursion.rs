//! Recursive views: the least fixpoint within a component.
//!
//! In a component that depends on itself a count does not tell whether a gate holds, since atoms may hold
//! each other up. What comes from outside the component is counted apart. While inputs only begin to hold,
//! the component is extended; once an input of a gate that holds is lost, it is computed anew from what
//! comes from outside.

use std::ops::Range;

use super::counters::{Activity, RecursiveActivity};
use crate::network::gates::{ACYCLIC, GateKind, Gates};
use groundfrog_engine::rows::Rows;

/// The recursive components of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recursion {
    sources: u32,
    /// By gate: its component, or [`ACYCLIC`].
    component_of: Vec<u32>,
    /// By component: its gates, which stand together. The slot of the first is that of the component.
    components: Vec<Range<u32>>,
    /// By node: the gates outside of its component that read it, with a sign.
    outside: Rows<u32>,
    /// By node: the gates of its own component that read it.
    inside: Rows<u32>,
    /// By gate of a component: minus the inputs that it needs, plus the negated ones.
    at_rest: Vec<(u32, i32)>,
}

impl Recursion {
    pub(super) fn new(gates: &Gates, end: usize) -> Self {
        if (0..end).all(|gate| gates.component(gate) == ACYCLIC) {
            return Recursion::default();
        }
        let sources = gates.sources();
        let mut components: Vec<Range<u32>> = Vec::new();
        let mut component_of = Vec::with_capacity(end);
        let (mut outside, mut inside, mut at_rest) = (Vec::new(), Vec::new(), Vec::new());
        for gate in 0..end {
            let component = gates.component(gate);
            if component == ACYCLIC {
                component_of.push(ACYCLIC);
                continue;
            }
            if gate == 0 || gates.component(gate - 1) != component {
                components.push(gate as u32..gate as u32);
            }
            let number = components.len() - 1;
            components[number].end = gate as u32 + 1;
            component_of.push(number as u32);
            let inputs = gates.inputs(gate);
            let wanted = if gates.kind(gate) == GateKind::And { inputs.len() as i32 } else { 1 };
            let mut rest = -wanted;
            for &code in inputs {
                let node = code >> 1;
                let same = (node as usize)
                    .checked_sub(sources)
                    .is_some_and(|it| gates.component(it) == component);
                if same {
                    inside.push((node, gate as u32));
                } else {
                    outside.push((node, (gate as u32) << 1 | (code & 1)));
                    rest += (code & 1) as i32;
                }
            }
            at_rest.push((gate as u32, rest));
        }
        let nodes = sources + end;
        Recursion {
            sources: sources as u32,
            component_of,
            components,
            outside: Rows::from_pairs(nodes, outside.iter().copied()),
            inside: Rows::from_pairs(nodes, inside.iter().copied()),
            at_rest,
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    pub(super) fn contains(&self, gate: usize) -> bool {
        self.component_of.get(gate).is_some_and(|&it| it != ACYCLIC)
    }

    pub(super) fn activity(&self) -> RecursiveActivity {
        let mut external = vec![0; self.component_of.len()];
        for &(gate, rest) in &self.at_rest {
            external[gate as usize] = rest;
        }
        let largest = self.components.iter().map(|it| it.len()).max().unwrap_or(0);
        RecursiveActivity {
            counts: external.clone(),
            external,
            lost: vec![false; self.components.len()],
            agendas: self.components.iter().map(|it| Vec::with_capacity(it.len())).collect(),
            changed: Vec::with_capacity(largest),
            before: Vec::with_capacity(largest),
        }
    }

    /// Lets all components be computed when no source holds.
    pub(super) fn begin(&self, activity: &mut Activity) {
        for number in 0..self.components.len() {
            activity.recursive.lost[number] = true;
            self.mark(activity, number);
        }
    }

    /// Lets a component be propagated.
    fn mark(&self, activity: &mut Activity, component: usize) {
        let slot = self.components[component].start;
        activity.crossed[slot as usize / 64] |= 1 << (slot % 64);
    }

    /// Updates the components that read a node from outside after it has changed.
    #[inline]
    pub(super) fn update(&self, activity: &mut Activity, node: u32) {
        let Some(readers) =
            ((node as usize) < self.outside.len()).then(|| self.outside.row(node as usize))
        else {
            return;
        };
        let value = activity.values[node as usize];
        for &signed in readers {
            let gate = signed >> 1;
            let component = self.component_of[gate as usize] as usize;
            let more = (signed & 1) as u8 != value;
            let change = if more { 1 } else { -1 };
            activity.recursive.external[gate as usize] += change;
            activity.recursive.counts[gate as usize] += change;
            let holds = activity.values[(self.sources + gate) as usize] == 1;
            if more && !holds && activity.recursive.counts[gate as usize] == 0 {
                activity.recursive.agendas[component].push(gate);
            } else if !more && holds {
                activity.recursive.lost[component] = true;
            } else {
                continue;
            }
            self.mark(activity, component);
        }
    }

    /// Finds out which nodes of the component of a gate have changed. They keep their old values until they are flipped.
    pub(super) fn propagate(&self, activity: &mut Activity, gate: usize) {
        let number = self.component_of[gate] as usize;
        if std::mem::replace(&mut activity.recursive.lost[number], false) {
            self.compute(activity, number);
        } else if !activity.recursive.agendas[number].is_empty() {
            self.extend(activity, number);
        }
    }

    /// Adds what the gates on the agenda derive; they hold for good.
    fn extend(&self, activity: &mut Activity, number: usize) {
        let mut agenda = std::mem::take(&mut activity.recursive.agendas[number]);
        let mut changed = std::mem::take(&mut activity.recursive.changed);
        self.derive(activity, &mut agenda, &mut changed);
        changed.iter().for_each(|&node| activity.values[node as usize] = 0);
        activity.recursive.agendas[number] = agenda;
        activity.recursive.changed = changed;
    }

    /// Computes a component anew.
    fn compute(&self, activity: &mut Activity, number: usize) {
        let Range { start, end } = self.components[number];
        let nodes = (self.sources + start) as usize..(self.sources + end) as usize;
        let mut agenda = std::mem::take(&mut activity.recursive.agendas[number]);
        let mut changed = std::mem::take(&mut activity.recursive.changed);
        let mut before = std::mem::take(&mut activity.recursive.before);
        before.extend_from_slice(&activity.values[nodes.clone()]);
        activity.values[nodes.clone()].fill(0);
        let gates = start as usize..end as usize;
        let RecursiveActivity { counts, external, .. } = &mut activity.recursive;
        counts[gates.clone()].copy_from_slice(&external[gates]);
        agenda.clear();
        agenda.extend((start..end).filter(|&gate| activity.recursive.counts[gate as usize] >= 0));
        self.derive(activity, &mut agenda, &mut changed);
        changed.clear();
        for (node, &before) in nodes.zip(&before) {
            let now = std::mem::replace(&mut activity.values[node], before);
            if now != before {
                changed.push(node as u32);
            }
        }
        before.clear();
        activity.recursive.before = before;
        activity.recursive.agendas[number] = agenda;
        activity.recursive.changed = changed;
    }

    /// Lets the gates on the agenda hold, and those inside the component that follow.
    fn derive(&self, activity: &mut Activity, agenda: &mut Vec<u32>, changed: &mut Vec<u32>) {
        while let Some(gate) = agenda.pop() {
            let node = self.sources + gate;
            let holds = activity.recursive.counts[gate as usize] >= 0;
            if !holds || std::mem::replace(&mut activity.values[node as usize], 1) == 1 {
                continue;
            }
            changed.push(node);
            for &reader in self.inside.row(node as usize) {
                let count = &mut activity.recursive.counts[reader as usize];
                *count += 1;
                if *count == 0 {
                    agenda.push(reader);
                }
            }
        }
    }
}
