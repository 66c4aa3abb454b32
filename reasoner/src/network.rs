//! The network of gates of a ground game.
//!
//! Each atom that rules derive is an OR gate of their bodies, each body an AND gate of its literals. Fluents and moves are the
//! sources, first the fluents. The network is made once and read in three ways: by changes
//! ([`GroundReasoner`](crate::GroundReasoner)), for many matches at once ([`BitParallel`](crate::BitParallel)), and as a graph
//! for other programs ([`PropNet`](crate::propnet::PropNet)).

mod build;
pub(crate) mod code;
pub(crate) mod gates;

use groundfrog::description::Term;
use groundfrog::game::{AtomId, GroundGame, RoleId};

use crate::BuildError;
use code::{Code, FALSE, TRUE};
use gates::Gates;

/// Who makes a move, and when it is legal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveGate {
    pub(crate) role: RoleId,
    pub(crate) legal: Code,
}

/// A goal value and what it depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoalGate {
    pub(crate) role: RoleId,
    pub(crate) value: Option<i64>,
    pub(crate) code: Code,
}

/// Something that a role can see, and what it depends on.
#[derive(Clone, Debug)]
pub(crate) struct PerceptGate {
    pub(crate) role: RoleId,
    pub(crate) term: Term,
    pub(crate) code: Code,
}

/// The gates of a game and what they stand for.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) gates: Gates,
    /// By fluent: when it holds in the next state.
    pub(crate) next: Vec<Code>,
    /// By move.
    pub(crate) moves: Vec<MoveGate>,
    pub(crate) terminal: Code,
    /// In the order of the game's.
    pub(crate) goals: Vec<GoalGate>,
    /// By percept.
    pub(crate) percepts: Vec<PerceptGate>,
    /// What rules derive.
    pub(crate) views: Vec<(AtomId, Code)>,
}

impl Network {
    /// The network of a game.
    ///
    /// # Errors
    /// Rules that are not stratified even as ground rules, legal moves or an end that depend on moves, no roles.
    pub(crate) fn new(game: &GroundGame) -> Result<Self, BuildError> {
        if game.roles().is_empty() {
            return Err(BuildError::NoRoles);
        }
        let network = build::build(game)?;
        let transient = network.transient();
        let depends = |code: Code| code < TRUE && transient[code as usize >> 1];
        let legal = game.moves().iter().zip(&network.moves);
        let legal = legal.filter_map(|(known, gate)| Some((known.legal?, gate.legal)));
        let terminal = game.terminal().map(|atom| (atom, network.terminal));
        match legal.chain(terminal).find(|&(_, code)| depends(code)) {
            Some((atom, _)) => {
                Err(BuildError::DependsOnMoves { atom: game.display(atom).to_string() })
            }
            None => Ok(network),
        }
    }

    /// How many fluents there are: the node of the first move.
    pub(crate) fn fluents(&self) -> usize {
        self.next.len()
    }

    /// By node: whether it depends on the moves that are made.
    pub(crate) fn transient(&self) -> Vec<bool> {
        let (gates, sources) = (&self.gates, self.gates.sources());
        let mut transient = vec![false; gates.nodes()];
        transient[self.fluents()..sources].fill(true);
        for unit in gates.units(0..gates.len()) {
            let mut inputs = unit.clone().flat_map(|gate| gates.inputs(gate));
            let depends = inputs.any(|&code| transient[code as usize >> 1]);
            transient[sources + unit.start..sources + unit.end].fill(depends);
        }
        transient
    }

    /// What is to be known of a state before moves are chosen: which are legal, and whether it is terminal.
    pub(crate) fn status(&self) -> impl Iterator<Item = Code> + '_ {
        self.moves.iter().map(|made| made.legal).chain([self.terminal])
    }

    /// By role: its moves that may be legal, ascending, and when they are.
    pub(crate) fn legal_by_role(&self, roles: usize) -> Vec<Vec<(u32, Code)>> {
        let mut legal = vec![Vec::new(); roles];
        for (number, made) in (0..).zip(&self.moves).filter(|(_, made)| made.legal != FALSE) {
            legal[made.role.index()].push((number, made.legal));
        }
        legal
    }

    /// The goals of a role.
    pub(crate) fn goals_of(&self, role: RoleId) -> impl Iterator<Item = &GoalGate> {
        self.goals.iter().filter(move |goal| goal.role == role)
    }

    /// The codes of goal values.
    pub(crate) fn goal_codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.goals.iter().map(|goal| goal.code)
    }

    /// The codes of percepts.
    pub(crate) fn percept_codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.percepts.iter().map(|percept| percept.code)
    }

    /// All codes that something is known by.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = Code> + '_ {
        let next = self.next.iter().copied();
        self.status().chain(next).chain(self.goal_codes()).chain(self.percept_codes())
    }

    /// The same outputs, without the views, by other gates: `code` says what stands for a code.
    pub(crate) fn with_gates(&self, gates: Gates, code: impl Fn(Code) -> Code) -> Self {
        let moves = self.moves.iter();
        let goals = self.goals.iter();
        let percepts = self.percepts.iter().cloned();
        Network {
            gates,
            next: self.next.iter().map(|&next| code(next)).collect(),
            moves: moves.map(|made| MoveGate { legal: code(made.legal), ..*made }).collect(),
            terminal: code(self.terminal),
            goals: goals.map(|goal| GoalGate { code: code(goal.code), ..*goal }).collect(),
            percepts: percepts.map(|seen| PerceptGate { code: code(seen.code), ..seen }).collect(),
            views: Vec::new(),
        }
    }
}
