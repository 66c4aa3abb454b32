//! Symmetries of a game: ways to exchange fluents, moves and roles that its rules do not notice.
//!
//! Two groups are told apart: the automorphisms of the rules, and those that also keep the initial state. The first say that a state
//! and its image are worth the same, the second that a match and its image are. With an exchange of roles, goals are exchanged
//! too. They are the automorphisms of a graph whose vertices are atoms, ground rules and roles (Schiffel, "Symmetry Detection in
//! General Game Playing", 2010, does so with rules that have variables). Symmetries of the game that its rules as they are
//! written do not show are not found.

mod graph;
mod names;
mod search;

use fxhash::FxHashSet;
use groundfrog::Budget;
use groundfrog::game::GroundGame;
use groundfrog_reasoner::{FluentId, State};
use serde::Serialize;

use crate::structures::Structures;
use graph::Graph;
use names::Namer;
use search::{Found, automorphisms};

/// Larger groups are not looked through for generators with names.
const MOST_ELEMENTS: usize = 400;
/// Games with more literals in ground rules are not looked at.
const MOST_LITERALS: usize = 500_000;

/// One symmetry of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Symmetry {
    /// What it is on the boards, with roles and contents: `reflection of axis 0 of (cell _ _ _)`. Empty if that is not known.
    pub name: String,
    /// By role: its image.
    #[serde(skip)]
    pub roles: Vec<u32>,
    /// By fluent: its image.
    #[serde(skip)]
    pub fluents: Vec<u32>,
    /// By move, in the order of the game: its image.
    #[serde(skip)]
    pub moves: Vec<u32>,
}

impl Symmetry {
    /// The image of a state.
    pub fn image(&self, state: &State) -> State {
        State::of(state.fluents().map(|it| FluentId(self.fluents[it.index()])))
    }

    /// This one, and then another.
    fn then(&self, other: &Symmetry) -> Symmetry {
        let both = |one: &[u32], other: &[u32]| one.iter().map(|&it| other[it as usize]).collect();
        Symmetry {
            name: String::new(),
            roles: both(&self.roles, &other.roles),
            fluents: both(&self.fluents, &other.fluents),
            moves: both(&self.moves, &other.moves),
        }
    }

    /// How many fluents and moves it changes.
    fn size(&self) -> usize {
        let moved = |it: &[u32]| it.iter().zip(0..).filter(|(it, at)| *it != at).count();
        moved(&self.fluents) + moved(&self.moves)
    }
}

/// A group of symmetries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// How many there are; with [`Group::is_complete`] no more.
    pub order: u128,
    /// Whether the rules as they are written have no others; otherwise time ran out.
    pub is_complete: bool,
    /// Symmetries that all others are made of. Each is checked against all rules.
    pub generators: Vec<Symmetry>,
}

/// The symmetries of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Symmetries {
    /// Those of the rules.
    pub rules: Group,
    /// Those that keep the initial state.
    pub initial: Group,
}

/// Finds the symmetries of a ground game. A game that was ground [flat](groundfrog::GroundOptions::flat) shows most: passes that
/// make a game compact may treat symmetric rules differently. None for games that are too large.
pub fn symmetries(
    game: &GroundGame,
    structures: &Structures,
    time: std::time::Duration,
) -> Option<Symmetries> {
    if game.rules().iter().map(|it| it.body.len() + 1).sum::<usize>() > MOST_LITERALS {
        return None;
    }
    let whole = Budget::within(time);
    let half = Budget::within(time / 2);
    let namer = Namer::new(game, structures);
    let rules = group(game, false, &half, &namer);
    // With no symmetries of the rules there are none to keep the initial state.
    let initial = match rules.is_complete && rules.order == 1 {
        true => rules.clone(),
        false => group(game, true, &whole, &namer),
    };
    Some(Symmetries { rules, initial })
}

/// The ways to exchange fluents by which a state is worth the same for each role, the one that changes nothing left out: symmetries of
/// the rules that leave the roles as they are. None if there are more than `most`, or if they are not all found in time.
pub fn state_symmetries(
    game: &GroundGame,
    most: usize,
    time: std::time::Duration,
) -> Vec<Symmetry> {
    if game.rules().literal_count() > MOST_LITERALS {
        return Vec::new();
    }
    let Group { generators, order, is_complete } = generators(game, false, &Budget::within(time));
    if !is_complete || order > (2 * most).min(MOST_ELEMENTS) as u128 {
        return Vec::new();
    }
    let keeps_roles = |it: &Symmetry| it.roles.iter().zip(0..).all(|(it, at)| *it == at);
    let all = closure(&generators).into_iter().filter(|it| keeps_roles(it) && it.size() > 0);
    let mut all: Vec<Symmetry> = all.collect();
    all.sort_by(|one, other| one.fluents.cmp(&other.fluents));
    all.dedup_by(|one, other| one.fluents == other.fluents);
    if all.len() < most { all } else { Vec::new() }
}

fn group(game: &GroundGame, fixes_initial: bool, budget: &Budget, namer: &Namer<'_>) -> Group {
    let mut group = generators(game, fixes_initial, budget);
    group.generators = simplest(group.generators, group.order, namer);
    group.generators.iter_mut().for_each(|it| it.name = namer.name(it));
    group
}

/// Generators without names, the order of their group, and whether there are no others.
fn generators(game: &GroundGame, fixes_initial: bool, budget: &Budget) -> Group {
    let graph = Graph::new(game, fixes_initial);
    let moved: Vec<u32> = graph.fluents.iter().chain(&graph.moves).copied().collect();
    let Found { generators, order, is_complete } = automorphisms(&graph, &moved, budget);
    // The vertices of a kind have numbers one after the other.
    let of = |vertices: &[u32], image: &[u32]| -> Vec<u32> {
        let first = vertices.first().copied().unwrap_or(0);
        vertices.iter().map(|&it| image[it as usize] - first).collect()
    };
    let symmetry = |image: &Vec<u32>| Symmetry {
        name: String::new(),
        roles: of(&graph.roles, image),
        fluents: of(&graph.fluents, image),
        moves: of(&graph.moves, image),
    };
    Group { order, is_complete, generators: generators.iter().map(symmetry).collect() }
}

/// Generators with the simplest names, if the group is small enough to look at all of its elements.
fn simplest(generators: Vec<Symmetry>, order: u128, namer: &Namer<'_>) -> Vec<Symmetry> {
    if order > MOST_ELEMENTS as u128 || generators.is_empty() {
        return generators;
    }
    let all = closure(&generators);
    let mut ranked: Vec<(bool, usize, usize, &Symmetry)> = all
        .iter()
        .map(|symmetry| {
            let name = namer.name(symmetry);
            (name.is_empty(), name.matches(", ").count(), symmetry.size(), symmetry)
        })
        .collect();
    ranked.sort_by(|one, other| {
        let key = |it: &(bool, usize, usize, &Symmetry)| (it.0, it.1, it.2);
        key(one).cmp(&key(other)).then_with(|| one.3.fluents.cmp(&other.3.fluents))
    });
    let mut chosen: Vec<Symmetry> = Vec::new();
    let mut known: FxHashSet<Symmetry> = FxHashSet::default();
    for (.., element) in ranked.into_iter().filter(|it| it.2 > 0) {
        if !known.contains(element) {
            chosen.push(element.clone());
            known = closure(&chosen).into_iter().collect();
        }
    }
    chosen
}

/// All elements that generators make.
fn closure(generators: &[Symmetry]) -> Vec<Symmetry> {
    let mut known: FxHashSet<Symmetry> = FxHashSet::default();
    let mut all: Vec<Symmetry> = Vec::new();
    let mut open: Vec<Symmetry> = generators.to_vec();
    while let Some(element) = open.pop() {
        if all.len() <= 2 * MOST_ELEMENTS && known.insert(element.clone()) {
            open.extend(generators.iter().map(|it| element.then(it)));
            all.push(element);
        }
    }
    all
}
