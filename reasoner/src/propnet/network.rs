//! What a network consists of.

use std::fmt;

use groundfrog::game::AtomId;

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
}
