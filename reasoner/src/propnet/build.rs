//! From gates to components.

use fxhash::FxHashMap;

use super::network::{Component, ComponentKind, NetGoal, NetMove, PropNet};
use crate::BuildError;
use crate::network::Network;
use crate::network::code::{Code, TRUE};
use crate::network::gates::GateKind;
use groundfrog::game::{AtomId, GroundGame};

/// Makes components of gates when something reads them.
struct ComponentBuilder<'run> {
    components: Vec<Component>,
    /// By node: its component, which is the view if a view is what the node stands for.
    nodes: &'run [u32],
    /// By component: its negation.
    negations: FxHashMap<u32, u32>,
    constants: [Option<u32>; 2],
}

impl PropNet {
    /// The network of a game.
    ///
    /// # Errors
    /// As [`GroundReasoner::new`](crate::GroundReasoner::new).
    pub fn new(game: &GroundGame) -> Result<Self, BuildError> {
        Ok(build(game, &Network::new(game)?))
    }
}

fn build(game: &GroundGame, network: &Network) -> PropNet {
    let (gates, mut components) = (&network.gates, Vec::new());
    let mut add = |kind: ComponentKind, atom: Option<AtomId>| {
        components.push(Component { kind, inputs: Vec::new(), atom });
        components.len() as u32 - 1
    };
    let mut nodes: Vec<u32> =
        game.fluents().map(|fluent| add(ComponentKind::Base, Some(fluent))).collect();
    let moves = game.moves().iter();
    nodes.extend(moves.map(|made| add(ComponentKind::Input, Some(made.does))));
    nodes.extend((0..gates.len()).map(|gate| match gates.kind(gate) {
        GateKind::And => add(ComponentKind::And, None),
        GateKind::Or => add(ComponentKind::Or, None),
    }));
    let views: Vec<u32> =
        network.views.iter().map(|&(atom, _)| add(ComponentKind::View, Some(atom))).collect();
    // What reads a gate reads the view that the gate stands for.
    let gate_components = nodes.clone();
    let mut named = vec![false; network.views.len()];
    for ((&view, &(_, code)), named) in views.iter().zip(&network.views).zip(&mut named) {
        let node = code as usize >> 1;
        if (gates.sources()..gates.nodes()).contains(&node)
            && code & 1 == 0
            && nodes[node] == gate_components[node]
        {
            components[view as usize].inputs.push(nodes[node]);
            nodes[node] = view;
            *named = true;
        }
    }
    let (negations, constants) = (FxHashMap::default(), [None, None]);
    let mut builder = ComponentBuilder { components, nodes: &nodes, negations, constants };
    for gate in 0..gates.len() {
        let inputs = gates.inputs(gate).iter().map(|&code| builder.component(code)).collect();
        builder.components[gate_components[gates.sources() + gate] as usize].inputs = inputs;
    }
    for ((&view, &(_, code)), _) in
        views.iter().zip(&network.views).zip(&named).filter(|(_, named)| !**named)
    {
        let input = builder.component(code);
        builder.components[view as usize].inputs.push(input);
    }
    for (base, &code) in network.next.iter().enumerate() {
        let next = builder.component(code);
        let transition = builder.add(ComponentKind::Transition, vec![next]);
        builder.components[base].inputs.push(transition);
    }
    let bases = 0..network.fluents() as u32;
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    PropNet {
        init: game.init().iter().map(|fluent| fluent.0 - first).collect(),
        moves: (bases.end..)
            .zip(&network.moves)
            .map(|(input, made)| NetMove {
                role: made.role.index(),
                input,
                legal: builder.component(made.legal),
            })
            .collect(),
        goals: network
            .goals
            .iter()
            .map(|goal| NetGoal {
                role: goal.role.index(),
                value: goal.value,
                proposition: builder.component(goal.code),
            })
            .collect(),
        terminal: builder.component(network.terminal),
        bases: bases.collect(),
        components: builder.components,
    }
}

impl ComponentBuilder<'_> {
    fn add(&mut self, kind: ComponentKind, inputs: Vec<u32>) -> u32 {
        self.components.push(Component { kind, inputs, atom: None });
        self.components.len() as u32 - 1
    }

    /// The component of a signed node or constant.
    fn component(&mut self, code: Code) -> u32 {
        if code >= TRUE {
            let holds = code == TRUE;
            if let Some(known) = self.constants[usize::from(holds)] {
                return known;
            }
            let kind = if holds { ComponentKind::True } else { ComponentKind::False };
            let constant = self.add(kind, Vec::new());
            self.constants[usize::from(holds)] = Some(constant);
            return constant;
        }
        let component = self.nodes[code as usize >> 1];
        if code & 1 == 0 {
            return component;
        }
        if let Some(&known) = self.negations.get(&component) {
            return known;
        }
        let negation = self.add(ComponentKind::Not, vec![component]);
        self.negations.insert(component, negation);
        negation
    }
}
