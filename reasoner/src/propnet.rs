//! The propositional network of a ground game.
//!
//! A graph of propositions, AND, OR and NOT components and one transition for each base proposition, as
//! general game players use it (Schkufza, Love & Genesereth, "Propositional automata and cell automata",
//! 2008; Cox et al., "Factoring general games using propositional automata", 2009). Components are
//! numbered from 0; the inputs of a component are components. Two constants stand for what always and
//! never holds, where they are needed.
//!
//! [`write_json`] is enough to rebuild the network in another language; `docs/propnet.md` describes it.

#[cfg(feature = "serde")]
mod json;

use std::io::Write;
use std::{fmt, io};

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, GroundGame};

use crate::BuildError;
use crate::network::gates::GateKind;
use crate::network::{Code, Network, TRUE};
#[cfg(feature = "serde")]
pub use json::{JSON_VERSION, write_json};

/// What a component of a [`PropNet`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ComponentKind {
    /// A fluent in the present state. Its input is its transition.
    Base,
    /// A move that a role makes. No input.
    Input,
    /// Any other atom. Its input is what derives it.
    View,
    /// All inputs hold.
    And,
    /// At least one input holds.
    Or,
    /// The only input does not hold.
    Not,
    /// Carries its only input over to the next state.
    Transition,
    /// Always holds.
    True,
    /// Never holds.
    False,
}

impl ComponentKind {
    /// All kinds.
    pub const ALL: [ComponentKind; 9] = [
        ComponentKind::Base,
        ComponentKind::Input,
        ComponentKind::View,
        ComponentKind::And,
        ComponentKind::Or,
        ComponentKind::Not,
        ComponentKind::Transition,
        ComponentKind::True,
        ComponentKind::False,
    ];

    /// Its name in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            ComponentKind::Base => "base",
            ComponentKind::Input => "input",
            ComponentKind::View => "view",
            ComponentKind::And => "and",
            ComponentKind::Or => "or",
            ComponentKind::Not => "not",
            ComponentKind::Transition => "transition",
            ComponentKind::True => "true",
            ComponentKind::False => "false",
        }
    }
}

/// A component of a [`PropNet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// What it is.
    pub kind: ComponentKind,
    /// The components that it reads.
    pub inputs: Vec<u32>,
    /// The atom of a proposition.
    pub atom: Option<AtomId>,
}

/// A move and the propositions about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetMove {
    /// The role, as a position in the game's roles.
    pub role: usize,
    /// The input proposition.
    pub input: u32,
    /// The proposition that the move is legal.
    pub legal: u32,
}

/// A goal value and its proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NetGoal {
    /// The role, as a position in the game's roles.
    pub role: usize,
    /// The value, if it is a number.
    pub value: Option<i64>,
    /// The proposition.
    pub proposition: u32,
}

/// The propositional network of a ground game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropNet {
    /// All components, by number.
    pub components: Vec<Component>,
    /// The base propositions, in the order of the game's fluents.
    pub bases: Vec<u32>,
    /// Those that hold in the initial state.
    pub init: Vec<u32>,
    /// The moves, in the order of the game's.
    pub moves: Vec<NetMove>,
    /// The goals, in the order of the game's.
    pub goals: Vec<NetGoal>,
    /// The proposition that the match is over.
    pub terminal: u32,
}

/// How many components there are of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    of_kind: [usize; ComponentKind::ALL.len()],
    /// Pairs of a component and one of its inputs.
    pub links: usize,
}

impl Counts {
    /// The number of components of a kind.
    pub fn of(&self, kind: ComponentKind) -> usize {
        self.of_kind[kind as usize]
    }

    /// The number of all components.
    pub fn components(&self) -> usize {
        self.of_kind.iter().sum()
    }

    /// The number of propositions.
    pub fn propositions(&self) -> usize {
        let kinds = [ComponentKind::Base, ComponentKind::Input, ComponentKind::View];
        kinds.into_iter().map(|kind| self.of(kind)).sum()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "components {}", self.components())?;
        writeln!(out, "links {}", self.links)?;
        writeln!(out, "propositions {}", self.propositions())?;
        for kind in ComponentKind::ALL.into_iter().filter(|&kind| self.of(kind) > 0) {
            writeln!(out, "{} {}", kind.name(), self.of(kind))?;
        }
        Ok(())
    }
}

impl PropNet {
    /// Counts the components by kind, as the papers report them.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { of_kind: [0; ComponentKind::ALL.len()], links: 0 };
        for component in &self.components {
            counts.of_kind[component.kind as usize] += 1;
            counts.links += component.inputs.len();
        }
        counts
    }

    /// The network of a game.
    ///
    /// # Errors
    /// As [`GroundReasoner::new`](crate::GroundReasoner::new).
    pub fn new(game: &GroundGame) -> Result<Self, BuildError> {
        Ok(build(game, &Network::new(game)?))
    }
}

/// Makes components of gates when something reads them.
struct ComponentBuilder<'run> {
    components: Vec<Component>,
    /// By node: its component, which is the view if a view is what the node stands for.
    nodes: &'run [u32],
    /// By component: its negation.
    negations: FxHashMap<u32, u32>,
    constants: [Option<u32>; 2],
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

/// Writes the network as a DOT digraph: an edge leads from a component to each that reads it.
///
/// # Errors
/// Those of the writer.
pub fn write_dot(net: &PropNet, game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph propnet {{")?;
    writeln!(out, "  rankdir=LR;")?;
    for (number, component) in net.components.iter().enumerate() {
        let shape = match component.kind {
            ComponentKind::Base | ComponentKind::Input | ComponentKind::View => "ellipse",
            ComponentKind::And => "invhouse",
            ComponentKind::Or => "invtrapezium",
            ComponentKind::Not => "invtriangle",
            ComponentKind::Transition => "box",
            ComponentKind::True | ComponentKind::False => "plaintext",
        };
        let label = match component.atom {
            Some(atom) => game.display(atom).to_string().replace('\\', "\\\\").replace('"', "\\\""),
            None => component.kind.name().to_uppercase(),
        };
        writeln!(out, "  {number} [shape={shape}, label=\"{label}\"];")?;
    }
    for (number, component) in net.components.iter().enumerate() {
        for input in &component.inputs {
            writeln!(out, "  {input} -> {number};")?;
        }
    }
    writeln!(out, "}}")
}
