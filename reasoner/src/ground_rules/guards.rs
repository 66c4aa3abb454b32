//! Guards of views.
//!
//! Whose turn it is, is often a condition of many views such as `(legal2 white (drop 3))`, and so of what
//! is expressed with these. As an input of all their gates, it would change them all with every turn. Such a view
//! is a guard and a rest instead: under the same guard, the rest stands for it, and only where it is read
//! otherwise, a gate puts both together.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::instantiate::GroundLiteral;

use crate::dependencies::Dependencies;
use groundfrog::game::GroundGame;

/// Moves of a role from which on their condition guards views.
const GUARDED_MOVES: u32 = 16;
/// One part of so many of a role's moves that a condition must have to guard views: with less it changes so seldom that it
/// rather spares changes.
const GUARDED_PART: u32 = 4;

/// A guard is not taken out of fewer of a view's bodies if others are left.
const GUARDED_BODIES: usize = 4;

/// The guards of views that do not depend on moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guards {
    /// By atom.
    guards: Vec<Option<GroundLiteral>>,
    /// Each of them once.
    all: FxHashSet<GroundLiteral>,
}

/// Bodies that are under the same guard, or under none.
type Group<'run> = (Option<GroundLiteral>, Vec<&'run [GroundLiteral]>);

impl Guards {
    /// Finds the views all of whose bodies have a literal about a fluent, themselves or by a guarded view,
    /// that also guards many moves.
    pub(crate) fn new(game: &GroundGame, dependencies: &Dependencies) -> Self {
        let frequencies = Frequencies::new(game, dependencies);
        let count = |it: GroundLiteral| frequencies.of(it);
        let mut guards =
            Guards { guards: vec![None; game.atom_count()], all: FxHashSet::default() };
        for component in dependencies.components() {
            let atom = dependencies.first(component);
            if dependencies.is_recursive(component) || dependencies.is_transient(atom) {
                continue;
            }
            let body = |&rule: &u32| game.rules().rule(rule as usize).body;
            let Some((first, others)) = dependencies.rules_of(atom).split_first() else { continue };
            let is_shared = |&it: &GroundLiteral| {
                others.iter().all(|rule| guards.conditions(body(rule)).any(|other| other == it))
            };
            let frequent = guards.conditions(body(first)).filter(|&it| count(it) >= GUARDED_MOVES);
            let guard = frequent.filter(is_shared).max_by_key(|&it| (count(it), it));
            guards.guards[atom.index()] = guard;
        }
        guards.keep_those_of_moves(game);
        guards
    }

    /// Drops guards that guard too few moves.
    fn keep_those_of_moves(&mut self, game: &GroundGame) {
        let mut moves = vec![0; game.roles().len()];
        let mut guarded: FxHashMap<(usize, GroundLiteral), u32> = FxHashMap::default();
        for it in game.moves() {
            moves[it.role.index()] += 1;
            if let Some(guard) = it.legal.and_then(|legal| self.of(legal.0)) {
                *guarded.entry((it.role.index(), guard)).or_insert(0) += 1;
            }
        }
        guarded.retain(|&(role, _), count| {
            *count >= GUARDED_MOVES && *count >= moves[role] / GUARDED_PART
        });
        self.all = guarded.into_keys().map(|(_, guard)| guard).collect();
        for guard in &mut self.guards {
            *guard = guard.filter(|it| self.all.contains(it));
        }
    }

    /// The guard of an atom.
    pub(crate) fn of(&self, atom: u32) -> Option<GroundLiteral> {
        self.guards.get(atom as usize).copied().flatten()
    }

    /// Whether so many bodies of a view without a guard may have guards in common.
    pub(crate) fn may_group(&self, bodies: usize) -> bool {
        bodies >= GUARDED_BODIES && !self.all.is_empty()
    }

    /// Groups the bodies of a view without a guard by conditions of several of them.
    pub(crate) fn groups<'run>(
        &self,
        bodies: impl Iterator<Item = &'run [GroundLiteral]>,
    ) -> Vec<Group<'run>> {
        let mut groups: Vec<Group<'_>> = vec![(None, Vec::new())];
        for body in bodies {
            let guard = self.conditions(body).find(|it| self.all.contains(it));
            match groups.iter_mut().find(|group| group.0 == guard) {
                Some(group) => group.1.push(body),
                None => groups.push((guard, vec![body])),
            }
        }
        let (small, mut groups): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(guard, bodies)| guard.is_none() || bodies.len() < GUARDED_BODIES);
        groups.push((None, small.into_iter().flat_map(|it| it.1).collect()));
        groups
    }

    /// The literals of a body, and the guards of the views that it asks for.
    pub(crate) fn conditions<'run>(
        &'run self,
        body: &'run [GroundLiteral],
    ) -> impl Iterator<Item = GroundLiteral> + 'run {
        let positive = body.iter().filter(|it| !it.is_negated());
        body.iter().copied().chain(positive.filter_map(|it| self.of(it.atom())))
    }
}

/// In how many rules of views that do not depend on moves each literal about a fluent is.
struct Frequencies {
    /// The code of the first literal that is counted.
    first: u32,
    counts: Vec<u32>,
}

impl Frequencies {
    fn new(game: &GroundGame, dependencies: &Dependencies) -> Self {
        let first = game.fluents().next().map_or(0, |it| GroundLiteral::new(it.0, false).code());
        let mut counts = vec![0; game.fluents().len() * 2];
        for component in dependencies.components() {
            if dependencies.is_transient(dependencies.first(component)) {
                continue;
            }
            let members = dependencies.members(component);
            for &rule in members.flat_map(|it| dependencies.rules_of(it)) {
                for literal in game.rules().rule(rule as usize).body {
                    let position = literal.code().wrapping_sub(first) as usize;
                    if let Some(count) = counts.get_mut(position) {
                        *count += 1;
                    }
                }
            }
        }
        Frequencies { first, counts }
    }

    fn of(&self, literal: GroundLiteral) -> u32 {
        let position = literal.code().wrapping_sub(self.first) as usize;
        self.counts.get(position).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
