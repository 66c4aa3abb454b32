//! Ground rules as a graph whose automorphisms are the symmetries of the game.

use std::hash::{Hash, Hasher};

use fxhash::{FxHashMap, FxHasher};
use groundfrog::game::{AtomId, GroundGame};
use groundfrog::{AtomKind, RoleId};

use crate::bodies::Bodies;
use crate::property::is_random;

/// What an edge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    /// From a rule to its head.
    Head,
    /// From a rule to an atom that has to hold.
    Positive,
    /// From a rule to an atom that must not hold.
    Negative,
    /// From a fluent to what says that it holds next.
    Next,
    /// From a move to what says that it is legal.
    Legal,
    /// From a move, a goal or a percept to the role.
    Role,
}

/// Vertices with colours and labelled edges: atoms, ground rules, roles.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) colours: Vec<u64>,
    /// By vertex: its neighbours, each with the label of the edge and its direction.
    near: Vec<Vec<(u32, u32)>>,
    /// The vertices of fluents.
    pub(crate) fluents: Vec<u32>,
    /// The vertices of moves, in the order of the game.
    pub(crate) moves: Vec<u32>,
    pub(crate) roles: Vec<u32>,
}

impl Graph {
    /// The graph of a game. With `fixes_initial` the fluents of the initial state have a colour of their own.
    pub(crate) fn new(game: &GroundGame, fixes_initial: bool) -> Self {
        let mut graph = Graph {
            colours: Vec::new(),
            near: Vec::new(),
            fluents: Vec::new(),
            moves: Vec::new(),
            roles: Vec::new(),
        };
        let role_ids = || (0..game.roles().len() as u32).map(RoleId);
        graph.roles =
            role_ids().map(|role| graph.vertex(("role", is_random(game, role), 0))).collect();
        let matters = relevant(game);
        let mut atoms: FxHashMap<AtomId, u32> = FxHashMap::default();
        for fluent in game.fluents() {
            let holds = fixes_initial && game.init().binary_search(&fluent).is_ok();
            // What does not matter stays where it is.
            let vertex = match matters[fluent.index()] {
                true => graph.vertex(("fluent", holds, 0)),
                false => graph.vertex(("other fluent", false, i64::from(fluent.0))),
            };
            atoms.insert(fluent, vertex);
            graph.fluents.push(vertex);
        }
        for made in game.moves() {
            let can_be_legal = made.legal.is_some_and(|it| matters[it.index()]);
            let vertex = match can_be_legal {
                true => graph.vertex(("move", false, 0)),
                false => graph.vertex(("other move", false, i64::from(made.does.0))),
            };
            atoms.insert(made.does, vertex);
            graph.moves.push(vertex);
            graph.join(vertex, graph.roles[made.role.index()], Edge::Role);
        }
        for goal in game.goals() {
            let vertex = graph.vertex(("goal", goal.value.is_some(), goal.value.unwrap_or(0)));
            atoms.insert(goal.atom, vertex);
            graph.join(vertex, graph.roles[goal.role.index()], Edge::Role);
        }
        for percept in game.percepts() {
            let vertex = graph.atom(game, percept, &mut atoms);
            let own = game.atom(percept).arguments().into_iter().next();
            let role = game.roles().iter().position(|it| Some(it) == own.as_ref());
            if let Some(role) = role {
                graph.join(vertex, graph.roles[role], Edge::Role);
            }
        }
        for fluent in game.fluents() {
            if let Some(next) = game.next(fluent).filter(|_| matters[fluent.index()]) {
                let next = graph.atom(game, next, &mut atoms);
                graph.join(atoms[&fluent], next, Edge::Next);
            }
        }
        for made in game.moves() {
            if let Some(legal) = made.legal {
                let legal = graph.atom(game, legal, &mut atoms);
                graph.join(atoms[&made.does], legal, Edge::Legal);
            }
        }
        for rule in game.rules().iter().filter(|it| matters[it.head as usize]) {
            let vertex = graph.vertex(("rule", false, 0));
            let head = graph.atom(game, AtomId(rule.head), &mut atoms);
            graph.join(vertex, head, Edge::Head);
            for literal in rule.body {
                let atom = graph.atom(game, AtomId(literal.atom()), &mut atoms);
                let edge = if literal.is_negated() { Edge::Negative } else { Edge::Positive };
                graph.join(vertex, atom, edge);
            }
        }
        graph.near.iter_mut().for_each(|it| it.sort_unstable());
        graph
    }

    fn vertex(&mut self, colour: (&str, bool, i64)) -> u32 {
        self.colours.push(hash(&colour));
        self.near.push(Vec::new());
        self.colours.len() as u32 - 1
    }

    fn atom(&mut self, game: &GroundGame, atom: AtomId, atoms: &mut FxHashMap<AtomId, u32>) -> u32 {
        if let Some(&known) = atoms.get(&atom) {
            return known;
        }
        let kind = game.kind(atom);
        let kind = if kind == AtomKind::True { AtomKind::View } else { kind };
        let vertex = self.vertex((kind.name(), true, 0));
        atoms.insert(atom, vertex);
        vertex
    }

    fn join(&mut self, from: u32, to: u32, edge: Edge) {
        self.near[from as usize].push((2 * edge as u32, to));
        self.near[to as usize].push((2 * edge as u32 + 1, from));
    }

    /// The neighbours of a vertex, each with what the edge says.
    pub(crate) fn near(&self, vertex: u32) -> &[(u32, u32)] {
        &self.near[vertex as usize]
    }

    /// Whether a permutation of the vertices keeps colours and edges.
    pub(crate) fn is_automorphism(&self, image: &[u32]) -> bool {
        let mut met = vec![false; image.len()];
        image.iter().for_each(|&it| met[it as usize] = true);
        let mut mapped: Vec<(u32, u32)> = Vec::new();
        let mut keeps = |vertex: usize, to: usize| {
            mapped.clear();
            mapped.extend(self.near[vertex].iter().map(|&(edge, it)| (edge, image[it as usize])));
            mapped.sort_unstable();
            self.colours[vertex] == self.colours[to] && mapped == self.near[to]
        };
        met.iter().all(|&it| it)
            && image.iter().enumerate().all(|(vertex, &to)| keeps(vertex, to as usize))
    }

    pub(crate) fn len(&self) -> usize {
        self.colours.len()
    }
}

pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    // The multiplication leaves low bits that depend on low bits only.
    let word = hasher.finish();
    word ^ word.rotate_right(29)
}

/// By atom: whether legal moves, goals, ends or percepts depend on it, now or later, and it can hold at all.
fn relevant(game: &GroundGame) -> Vec<bool> {
    let bodies = Bodies::new(game);
    let mut matters = vec![false; game.atom_count()];
    let mut next_of: FxHashMap<AtomId, AtomId> = FxHashMap::default();
    next_of.extend(game.fluents().filter_map(|it| Some((it, game.next(it)?))));
    let mut open: Vec<AtomId> = bodies.conditions().chain(game.percepts()).collect();
    while let Some(atom) = open.pop() {
        let next = next_of.get(&atom).copied();
        let has_rules = |it: AtomId| bodies.of(it).len() > 0;
        let can_hold = match game.is_open(atom) {
            true if game.kind(atom) == AtomKind::True => {
                next.is_some_and(has_rules) || game.init().binary_search(&atom).is_ok()
            }
            true => true,
            false => has_rules(atom),
        };
        if !can_hold || std::mem::replace(&mut matters[atom.index()], true) {
            continue;
        }
        open.extend(next);
        open.extend(bodies.read(atom));
    }
    matters
}
