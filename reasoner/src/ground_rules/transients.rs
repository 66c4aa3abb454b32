//! What depends on the moves that are made, as rules.
//!
//! A *transient* is a move, or a gate that depends on moves and is read in the rules: a *view*. They are numbered, the moves
//! first, then each view after those that it reads. An OR gate has a rule for each of its inputs; the literals of a rule are the
//! inputs of an AND gate, or a single code.

use crate::network::Network;
use crate::network::gates::{ACYCLIC, GateKind};
use crate::network::{Code, TRUE};

pub(super) const NONE: u32 = u32::MAX;

/// The transients of a network.
#[derive(Debug)]
pub(super) struct Transients<'run> {
    network: &'run Network,
    /// By node: whether it depends on moves.
    depends: Vec<bool>,
    /// By node: whether it is read more than once.
    is_shared: Vec<bool>,
    /// By node: the number of the transient.
    numbers: Vec<u32>,
    /// By transient.
    pub(super) levels: Vec<u32>,
    /// By transient: its recursive component, or [`ACYCLIC`].
    pub(super) components: Vec<u32>,
    /// By view: its gate.
    pub(super) views: Vec<usize>,
}

impl<'run> Transients<'run> {
    pub(super) fn new(network: &'run Network) -> Self {
        let (gates, moves) = (&network.gates, network.moves.len());
        let inputs = (0..gates.len()).flat_map(|gate| gates.inputs(gate));
        let mut is_read = vec![false; gates.nodes()];
        let mut is_shared = vec![false; gates.nodes()];
        for &code in inputs.chain(&network.next).filter(|&&code| code < TRUE) {
            let node = code as usize >> 1;
            is_shared[node] = std::mem::replace(&mut is_read[node], true);
        }
        let mut numbers = vec![NONE; gates.nodes()];
        for (number, node) in (0..moves as u32).zip(network.fluents()..) {
            numbers[node] = number;
        }
        let mut transients = Transients {
            network,
            depends: network.transient(),
            is_shared,
            numbers,
            levels: vec![0; moves],
            components: vec![ACYCLIC; moves],
            views: Vec::new(),
        };
        transients.number_views();
        transients
    }

    fn number_views(&mut self) {
        let gates = &self.network.gates;
        let is_view = self.read_gates();
        for unit in gates.units(0..gates.len()) {
            let component = gates.component(unit.start);
            let views: Vec<usize> = unit.filter(|&gate| is_view[gate]).collect();
            let rules = views.iter().flat_map(|&gate| self.rules_of_gate(gate));
            let below = rules.flatten().filter_map(|&code| self.number(code));
            let level = below.map(|number| self.levels[number as usize]).max().unwrap_or(0) + 1;
            for gate in views {
                self.numbers[gates.sources() + gate] = self.levels.len() as u32;
                self.levels.push(level);
                self.components.push(component);
                self.views.push(gate);
            }
        }
    }

    /// By gate: whether it depends on moves and rules read it as a literal.
    fn read_gates(&self) -> Vec<bool> {
        let gates = &self.network.gates;
        let mut is_view = vec![false; gates.len()];
        let mut pending: Vec<usize> = Vec::new();
        let mut read = |rule: &[Code], pending: &mut Vec<usize>| {
            for node in rule.iter().map(|&code| code as usize >> 1) {
                if let Some(gate) = node.checked_sub(gates.sources())
                    && self.depends[node]
                    && !std::mem::replace(&mut is_view[gate], true)
                {
                    pending.push(gate);
                }
            }
        };
        let next = (0..self.network.next.len()).flat_map(|fluent| self.next_rules(fluent));
        next.for_each(|rule| read(rule, &mut pending));
        while let Some(gate) = pending.pop() {
            self.rules_of_gate(gate).for_each(|rule| read(rule, &mut pending));
        }
        is_view
    }

    /// How many moves there are, which are the first transients.
    pub(super) fn moves(&self) -> usize {
        self.network.moves.len()
    }

    /// The number of the transient that a code is about.
    #[inline]
    pub(super) fn number(&self, code: Code) -> Option<u32> {
        let number = self.numbers[code as usize >> 1];
        (number != NONE).then_some(number)
    }

    /// The view that a code is about.
    pub(super) fn view(&self, code: Code) -> Option<usize> {
        (self.number(code)? as usize).checked_sub(self.network.moves.len())
    }

    /// The kind and the inputs of the gate whose value a code is, if it depends on moves.
    fn gate(&self, code: Code) -> Option<(GateKind, usize)> {
        let node = code as usize >> 1;
        let gate = node.checked_sub(self.network.gates.sources()).filter(|_| code & 1 == 0)?;
        self.depends.get(node)?.then(|| (self.network.gates.kind(gate), gate))
    }

    /// The literals of the rule that a code is.
    fn rule<'a>(&'a self, code: &'a Code) -> &'a [Code] {
        match self.gate(*code) {
            Some((GateKind::And, gate)) => self.network.gates.inputs(gate),
            _ => std::slice::from_ref(code),
        }
    }

    fn rules_of_gate(&self, gate: usize) -> impl Iterator<Item = &[Code]> {
        let inputs = self.network.gates.inputs(gate);
        let (all, each) = match self.network.gates.kind(gate) {
            GateKind::And => (Some(inputs), &[][..]),
            GateKind::Or => (None, inputs),
        };
        all.into_iter().chain(each.iter().map(|code| self.rule(code)))
    }

    /// The rules of a view.
    pub(super) fn rules(&self, view: usize) -> impl Iterator<Item = &[Code]> {
        self.rules_of_gate(self.views[view])
    }

    /// The rules by which a fluent holds in the next state; none if it never does. A constant has a rule without literals.
    pub(super) fn next_rules(&self, fluent: usize) -> impl Iterator<Item = &[Code]> {
        let code = &self.network.next[fluent];
        let each = match self.gate(*code) {
            Some((GateKind::Or, gate))
                if !self.is_shared[*code as usize >> 1]
                    && self.network.gates.component(gate) == ACYCLIC =>
            {
                self.network.gates.inputs(gate)
            }
            _ if *code >= TRUE => &[],
            _ => std::slice::from_ref(code),
        };
        let always = (*code == TRUE).then_some(&[][..]);
        always.into_iter().chain(each.iter().map(|code| self.rule(code)))
    }

    /// The rules of all fluents in the next state, and of all views.
    pub(super) fn all_rules(&self) -> impl Iterator<Item = &[Code]> {
        let next = (0..self.network.next.len()).flat_map(|fluent| self.next_rules(fluent));
        next.chain((0..self.views.len()).flat_map(|view| self.rules(view)))
    }

    /// Whether a transient is of a recursive component.
    pub(super) fn is_recursive(&self, number: usize) -> bool {
        self.components[number] != ACYCLIC
    }
}
