//! Ground rules as a graph whose automorphisms are the symmetries of the game.

use std::hash::{Hash, Hasher};

use fxhash::{FxHashMap, FxHashSet, FxHasher};
use groundfrog::game::{AtomId, GroundGame};
use groundfrog::{AtomKind, RoleId};

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
    edges: FxHashSet<(u32, u32, u32)>,
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
            edges: FxHashSet::default(),
        };
        let role_ids = || (0..game.roles().len() as u32).map(RoleId);
        graph.roles =
            role_ids().map(|role| graph.vertex(("role", is_random(game, role), 0))).collect();
        let mut atoms: FxHashMap<AtomId, u32> = FxHashMap::default();
        for fluent in game.fluents() {
            let holds = fixes_initial && game.init().binary_search(&fluent).is_ok();
            let vertex = graph.vertex(("fluent", holds, 0));
            atoms.insert(fluent, vertex);
            graph.fluents.push(vertex);
        }
        for made in game.moves() {
            let vertex = graph.vertex(("move", false, 0));
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
            if let Some(next) = game.next(fluent) {
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
        for rule in game.rules().iter() {
            let vertex = graph.vertex(("rule", false, 0));
            let head = graph.atom(game, AtomId(rule.head), &mut atoms);
            graph.join(vertex, head, Edge::Head);
            for literal in rule.body {
                let atom = graph.atom(game, AtomId(literal.atom()), &mut atoms);
                let edge = if literal.is_negated() { Edge::Negative } else { Edge::Positive };
                graph.join(vertex, atom, edge);
            }
        }
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
        self.edges.insert((from, to, edge as u32));
    }

    /// The neighbours of a vertex, each with what the edge says.
    pub(crate) fn near(&self, vertex: u32) -> &[(u32, u32)] {
        &self.near[vertex as usize]
    }

    /// Whether a permutation of the vertices keeps colours and edges.
    pub(crate) fn is_automorphism(&self, image: &[u32]) -> bool {
        let keeps = |(from, to, edge): &(u32, u32, u32)| {
            self.edges.contains(&(image[*from as usize], image[*to as usize], *edge))
        };
        let mut met = vec![false; image.len()];
        image.iter().for_each(|&it| met[it as usize] = true);
        met.iter().all(|&it| it)
            && self
                .colours
                .iter()
                .zip(image)
                .all(|(&colour, &it)| self.colours[it as usize] == colour)
            && self.edges.iter().all(keeps)
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
