//! From ground rules to gates.

use groundfrog::game::{AtomGraph, AtomId, AtomKind, GroundGame, RoleId};
use groundfrog_engine::instantiate::GroundLiteral;
use groundfrog_engine::rows::Rows;

use super::code::{Code, FALSE, TRUE};
use super::gates::{GateKind, Gates};
use super::{GoalGate, MoveGate, Network, PerceptGate};
use crate::BuildError;

struct Builder<'game> {
    game: &'game GroundGame,
    /// By atom: the rules that derive it.
    rules: &'game Rows<u32>,
    gates: Gates,
    /// By atom. Those without rules never hold.
    codes: Vec<Code>,
}

pub(super) fn build(game: &GroundGame) -> Result<Network, BuildError> {
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
