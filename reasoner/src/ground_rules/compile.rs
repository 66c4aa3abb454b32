//! From a ground game to its compiled form.

use super::activity::Activity;
use super::atom_codes::AtomCodes;
use super::guards::Guards;
use super::legal::{Legal, Outputs};
use super::network::Network;
use super::successor::Successor;
use super::successor::build::Builder;
use super::views;
use crate::BuildError;
use crate::dependencies::{Dependencies, range_of};
use crate::network::code::{Code, FALSE, holds_or_constant};
use crate::network::gates::Gates;
use groundfrog::description::Term;
use groundfrog::game::{AtomId, AtomKind, GroundGame, RoleId};

/// A goal value and what it depends on.
#[derive(Clone, Debug)]
pub(crate) struct CompiledGoal {
    pub(crate) role: RoleId,
    pub(crate) value: Option<i64>,
    pub(crate) code: Code,
}

/// Something that a role can see, and what it depends on.
#[derive(Clone, Debug)]
pub(crate) struct CompiledPercept {
    pub(crate) role: RoleId,
    pub(crate) term: Term,
    pub(crate) code: Code,
}

/// The fixed part of a reasoner. Nodes are the fluents, the moves, the gates and the views that depend on
/// moves, in this order.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) gates: Gates,
    /// The first gates are those of the network, up to here.
    pub(crate) hot: usize,
    /// Then come those of goals, up to here; the rest is for percepts.
    pub(crate) cold: usize,
    pub(crate) network: Network,
    pub(crate) legal: Legal,
    pub(crate) successor: Successor,
    pub(crate) terminal: Code,
    pub(crate) goals: Vec<CompiledGoal>,
    pub(crate) percepts: Vec<CompiledPercept>,
}

/// The codes of the atoms, with fluents and moves as sources.
pub(crate) fn source_codes(game: &GroundGame, dependencies: &Dependencies) -> AtomCodes {
    let mut codes = AtomCodes::new(game, dependencies);
    for (number, fluent) in game.fluents().enumerate() {
        codes.set(fluent, (number as u32) << 1);
    }
    let first = game.fluents().len() as u32;
    for (number, it) in game.moves().iter().enumerate() {
        codes.set(it.does, (first + number as u32) << 1);
    }
    codes
}

/// An error if there are no roles, or `legal` or `terminal` depends on moves.
pub(crate) fn check_playable(
    game: &GroundGame,
    dependencies: &Dependencies,
) -> Result<(), BuildError> {
    if game.roles().is_empty() {
        return Err(BuildError::NoRoles);
    }
    let legal = game.moves().iter().filter_map(|it| it.legal);
    match legal.chain(game.terminal()).find(|&it| dependencies.is_transient(it)) {
        Some(atom) => Err(BuildError::DependsOnMoves { atom: game.display(atom).to_string() }),
        None => Ok(()),
    }
}

impl Compiled {
    /// Compiles a game. The activity is that of the empty state.
    pub(crate) fn new(game: &GroundGame) -> Result<(Self, Activity), BuildError> {
        let dependencies = Dependencies::new(game)?;
        check_playable(game, &dependencies)?;
        let mut codes = source_codes(game, &dependencies);
        codes.guards = Guards::new(game, &dependencies);
        let mut gates = Gates::new(game.fluents().len() + game.moves().len());
        let needed = needed_in_play(game, &dependencies);
        let static_part: Vec<bool> = needed
            .iter()
            .enumerate()
            .map(|(atom, &needed)| needed && !dependencies.is_transient(AtomId(atom as u32)))
            .collect();
        views::compile(&mut gates, &mut codes, &static_part, &dependencies, game);
        let mut outputs = Outputs::default();
        let is_node = |atom: AtomId| needed[atom.index()];
        let legal = Legal::new(game, &dependencies, is_node, &mut gates, &mut codes, &mut outputs);
        if codes.are_guarded() {
            put_together(game, &dependencies, &mut gates, &mut codes);
        }
        let terminal = game.terminal().map_or(FALSE, |it| codes.get(it));
        let mut successor =
            Builder::new(game, &dependencies, &needed, &codes, &mut gates, &mut outputs).build();
        let hot = gates.len();
        let goals = goals(game, &dependencies, &mut gates, &mut codes);
        let cold = gates.len();
        let percepts = percepts(game, &dependencies, &mut gates, &mut codes);
        gates.forget();
        let views = successor.number_views(gates.nodes());
        let others = goals.iter().map(|it| it.code).chain(percepts.iter().map(|it| it.code));
        let others = others.chain(legal.guards()).chain(successor.codes()).chain([terminal]);
        let is_read = read_nodes(&gates, others);
        let network = Network::new(&gates, hot, &outputs.bits, outputs.words.len(), &is_read);
        let activity = network.rest(gates.nodes() + views, outputs.words);
        let compiled =
            Compiled { gates, hot, cold, network, legal, successor, terminal, goals, percepts };
        Ok((compiled, activity))
    }

    /// Whether a signed node or constant holds.
    #[inline]
    pub(crate) fn holds(&self, code: Code, activity: &Activity) -> bool {
        holds_or_constant(code, &activity.values)
    }
}

/// By node: whether a gate reads it, or it is among the others.
fn read_nodes(gates: &Gates, others: impl Iterator<Item = Code>) -> Vec<bool> {
    let mut is_read = vec![false; gates.nodes()];
    let inputs = (0..gates.len()).flat_map(|gate| gates.inputs(gate)).copied();
    for code in inputs.chain(others) {
        // Constants and views that depend on moves are no nodes of gates.
        if let Some(node) = is_read.get_mut(code as usize >> 1) {
            *node = true;
        }
    }
    is_read
}

/// Marks the atoms that legal moves, the end and the next state depend on. Legal atoms are marked only if
/// other rules read them.
fn needed_in_play(game: &GroundGame, dependencies: &Dependencies) -> Vec<bool> {
    let mut needed = vec![false; game.atom_count()];
    let read = |rules: &[u32], needed: &mut Vec<bool>| {
        for &rule in rules {
            for literal in game.rules().rule(rule as usize).body {
                needed[literal.atom() as usize] = true;
            }
        }
    };
    read(dependencies.next_rules(), &mut needed);
    for legal in game.moves().iter().filter_map(|it| it.legal) {
        read(dependencies.rules_of(legal), &mut needed);
    }
    // Where rules read `next`, it is a view.
    let next = game.fluents().filter_map(|it| game.next(it));
    for atom in next.chain(game.terminal()) {
        needed[atom.index()] = true;
    }
    views::close(&mut needed, dependencies, game);
    needed
}

/// Lets gates stand for the guarded views that the end and the next state depend on.
fn put_together(
    game: &GroundGame,
    dependencies: &Dependencies,
    gates: &mut Gates,
    codes: &mut AtomCodes,
) {
    let next = range_of(game, AtomKind::Next);
    let rules = game.rules().heads().iter().enumerate();
    let of_moves =
        rules.filter(|&(_, &head)| next.contains(&head) || dependencies.is_transient(AtomId(head)));
    views::put_together_read(gates, codes, of_moves.map(|it| it.0), game);
    for atom in next.map(AtomId).chain(game.terminal()) {
        codes.put_together(gates, atom);
    }
}

fn goals(
    game: &GroundGame,
    dependencies: &Dependencies,
    gates: &mut Gates,
    codes: &mut AtomCodes,
) -> Vec<CompiledGoal> {
    let mut needed = vec![false; game.atom_count()];
    game.goals().iter().for_each(|it| needed[it.atom.index()] = true);
    views::close(&mut needed, dependencies, game);
    views::compile(gates, codes, &needed, dependencies, game);
    game.goals().iter().for_each(|it| codes.put_together(gates, it.atom));
    let goal = |it: &groundfrog::game::Goal| CompiledGoal {
        role: it.role,
        value: it.value,
        code: codes.get(it.atom),
    };
    game.goals().iter().map(goal).collect()
}

/// The role that an atom such as `(sees r p)` is about.
pub(crate) fn role_of(game: &GroundGame, atom: AtomId) -> Option<RoleId> {
    let arguments = game.atom(atom).arguments();
    let role = game.roles().iter().position(|it| Some(it) == arguments.first())?;
    Some(RoleId(role as u32))
}

fn percepts(
    game: &GroundGame,
    dependencies: &Dependencies,
    gates: &mut Gates,
    codes: &mut AtomCodes,
) -> Vec<CompiledPercept> {
    let mut needed = vec![false; game.atom_count()];
    game.atoms_of(AtomKind::Sees).for_each(|it| needed[it.index()] = true);
    views::close(&mut needed, dependencies, game);
    views::compile(gates, codes, &needed, dependencies, game);
    game.atoms_of(AtomKind::Sees).for_each(|it| codes.put_together(gates, it));
    let percept = |atom: AtomId| {
        let term = game.atom(atom).arguments().pop()?;
        Some(CompiledPercept { role: role_of(game, atom)?, term, code: codes.get(atom) })
    };
    game.atoms_of(AtomKind::Sees).filter_map(percept).collect()
}
