//! The network of gates of a ground game.
//!
//! Each atom that rules derive is an OR gate of their bodies, each body an AND gate of its literals. Fluents and moves are the
//! sources, first the fluents. The network is made once and read in three ways: by changes
//! ([`GroundReasoner`](crate::GroundReasoner)), for many matches at once ([`BitParallel`](crate::BitParallel)), and as a graph
//! for other programs ([`PropNet`](crate::propnet::PropNet)).

pub(crate) mod gates;

use groundfrog::description::Term;
use groundfrog::game::{AtomGraph, AtomId, AtomKind, GroundGame, RoleId};
use groundfrog_engine::instantiate::GroundLiteral;
use groundfrog_engine::rows::Rows;

use crate::BuildError;
use gates::{GateKind, Gates};

/// A node with a sign, in one `u32`: twice the node's number, plus one if negated. Two codes are constants.
pub(crate) type Code = u32;

/// Always holds.
pub(crate) const TRUE: Code = u32::MAX - 1;

/// Never holds: the negation of [`TRUE`].
pub(crate) const FALSE: Code = u32::MAX;

/// Whether the signed node holds; it must not be a constant.
#[inline]
pub(crate) fn holds(code: Code, values: &[u8]) -> bool {
    values[(code >> 1) as usize] != (code & 1) as u8
}

/// Whether the signed node or constant holds.
#[inline]
pub(crate) fn holds_or_constant(code: Code, values: &[u8]) -> bool {
    if code >= TRUE { code == TRUE } else { holds(code, values) }
}

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
        let network = build(game)?;
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

struct Builder<'game> {
    game: &'game GroundGame,
    /// By atom: the rules that derive it.
    rules: &'game Rows<u32>,
    gates: Gates,
    /// By atom. Those without rules never hold.
    codes: Vec<Code>,
}

fn build(game: &GroundGame) -> Result<Network, BuildError> {
    let rules = game.rules().by_head(game.atom_count(), |_| true);
    let graph = AtomGraph::new(game.rules(), &rules);
    let components = graph.components();
    if let Some(path) = graph.negative_cycle(&components) {
        // From the head by its negative literal, and so on back to the head.
        let cycle = path.last().into_iter().chain(&path);
        let cycle = cycle.map(|&atom| game.display(AtomId(atom)).to_string()).collect();
        return Err(BuildError::NegativeCycle { cycle });
    }
    let sources = game.fluents().chain(game.moves().iter().map(|made| made.does));
    let mut codes = vec![FALSE; game.atom_count()];
    let mut count = 0;
    for (node, atom) in (0..).zip(sources) {
        codes[atom.index()] = node << 1;
        count = node as usize + 1;
    }
    let mut builder = Builder { game, rules: &rules, gates: Gates::new(count), codes };
    for component in 0..components.len() {
        let members = components.members(component);
        if components.is_recursive(component) {
            builder.recursive(members);
        } else {
            builder.view(members[0]);
        }
    }
    Ok(builder.finish((0..components.len()).flat_map(|number| components.members(number))))
}

impl Builder<'_> {
    fn literal(&self, literal: GroundLiteral) -> Code {
        self.codes[literal.atom() as usize] ^ u32::from(literal.is_negated())
    }

    fn body(&self, rule: u32) -> Vec<Code> {
        let body = self.game.rules().rule(rule as usize).body;
        body.iter().map(|&literal| self.literal(literal)).collect()
    }

    /// Compiles a view that does not depend on itself.
    fn view(&mut self, atom: u32) {
        let rules = self.rules.row(atom as usize).iter();
        let mut bodies: Vec<Code> = Vec::with_capacity(rules.len());
        for &rule in rules {
            bodies.push(self.gates.and(&mut self.body(rule)));
        }
        self.codes[atom as usize] = self.gates.or(&mut bodies);
    }

    /// Compiles views that depend on each other: an OR gate for each, then the AND gates of the rules.
    fn recursive(&mut self, members: &[u32]) {
        let (component, start) = (self.gates.new_component(), self.gates.nodes() as u32);
        for (node, &atom) in (start..).zip(members) {
            self.codes[atom as usize] = node << 1;
        }
        let mut next = start + members.len() as u32;
        let mut conjunctions: Vec<Vec<Code>> = Vec::new();
        for &atom in members {
            let mut inputs = Vec::new();
            for &rule in self.rules.row(atom as usize) {
                let mut body = self.body(rule);
                body.retain(|&code| code != TRUE);
                if body.contains(&FALSE) {
                    continue;
                }
                if let [single] = body[..] {
                    inputs.push(single);
                } else {
                    // An AND gate without inputs holds: a fact.
                    conjunctions.push(body);
                    inputs.push(next << 1);
                    next += 1;
                }
            }
            self.gates.push(GateKind::Or, &inputs, component);
        }
        for body in conjunctions {
            self.gates.push(GateKind::And, &body, component);
        }
    }

    fn finish<'run>(self, views: impl Iterator<Item = &'run u32>) -> Network {
        let game = self.game;
        let code = |atom: Option<AtomId>| atom.map_or(FALSE, |atom| self.codes[atom.index()]);
        let percept = |atom: AtomId| {
            let (role, term) = (role_of(game, atom)?, game.atom(atom).arguments().pop()?);
            Some(PerceptGate { role, term, code: code(Some(atom)) })
        };
        let goals = game.goals().iter().map(|goal| GoalGate {
            role: goal.role,
            value: goal.value,
            code: code(Some(goal.atom)),
        });
        let moves = game.moves().iter();
        Network {
            next: game.fluents().map(|fluent| code(game.next(fluent))).collect(),
            moves: moves
                .map(|made| MoveGate { role: made.role, legal: code(made.legal) })
                .collect(),
            terminal: code(game.terminal()),
            goals: goals.collect(),
            percepts: game.atoms_of(AtomKind::Sees).filter_map(percept).collect(),
            views: views.map(|&atom| (AtomId(atom), self.codes[atom as usize])).collect(),
            gates: self.gates,
        }
    }
}

/// The role that an atom such as `(sees r p)` is about.
fn role_of(game: &GroundGame, atom: AtomId) -> Option<RoleId> {
    let arguments = game.atom(atom).arguments();
    let role = game.roles().iter().position(|role| Some(role) == arguments.first())?;
    Some(RoleId(role as u32))
}
