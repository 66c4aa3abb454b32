//! How the atoms of a ground game depend on each other: components, and what depends on moves.

use std::ops::Range;

use groundfrog_engine::graph::Components;
use groundfrog_engine::instantiate::GroundRule;
use groundfrog_engine::rows::Rows;

use super::BuildError;
use groundfrog::game::{AtomGraph, AtomId, AtomKind, GroundGame};

/// The dependency graph of the *views* of a ground game: the atoms that are heads of rules, but for those
/// `(next f)` that no rule reads.
///
/// Ground rules are stratified if no atom depends on its own negation. That is weaker than what a
/// description promises, where predicates are looked at instead of atoms.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// By view: its rules.
    rules: Rows<u32>,
    components: Components,
    transient: Vec<bool>,
    /// The rules about `(next f)` that are not among those of views.
    next_rules: Vec<u32>,
}

impl Dependencies {
    /// Analyses the rules of a game.
    ///
    /// # Errors
    /// [`BuildError::NegativeCycle`].
    pub fn new(game: &GroundGame) -> Result<Self, BuildError> {
        let next = range_of(game, AtomKind::Next);
        let reads_next = game.rules().literals().iter().any(|it| next.contains(&it.atom()));
        let is_view = |head: u32| reads_next || !next.contains(&head);
        let rules = game.rules().by_head(game.atom_count(), is_view);
        let heads = (0..).zip(game.rules().heads());
        let next_rules = heads.filter(|it| !is_view(*it.1)).map(|it| it.0).collect();
        let graph = AtomGraph::new(game.rules(), &rules);
        let components = graph.components(|| true).expect("nothing stops it");
        if let Some(path) = graph.negative_cycle(&components) {
            // From the head by its negative literal, and so on back to the head.
            let cycle = path.last().into_iter().chain(&path);
            let cycle = cycle.map(|&it| game.display(AtomId(it)).to_string()).collect();
            return Err(BuildError::NegativeCycle { cycle });
        }
        let transient = vec![false; game.atom_count()];
        let mut dependencies = Dependencies { rules, components, transient, next_rules };
        dependencies.mark_transient(game);
        Ok(dependencies)
    }

    /// The rules of a view.
    pub fn rules_of(&self, atom: AtomId) -> &[u32] {
        self.rules.row(atom.index())
    }

    /// The rules about `(next f)` that are not among those of views.
    pub fn next_rules(&self) -> &[u32] {
        &self.next_rules
    }

    /// The numbers of the components, each after those that it reads.
    pub fn components(&self) -> Range<usize> {
        0..self.components.len()
    }

    /// The views of a component.
    pub fn members(
        &self,
        component: usize,
    ) -> impl ExactSizeIterator<Item = AtomId> + Clone + use<'_> {
        self.components.members(component).iter().map(|&it| AtomId(it))
    }

    /// The first view of a component.
    pub fn first(&self, component: usize) -> AtomId {
        AtomId(self.components.members(component)[0])
    }

    /// Whether the views of a component depend on themselves.
    pub fn is_recursive(&self, component: usize) -> bool {
        self.components.is_recursive(component)
    }

    /// The component of a view.
    pub fn component_of(&self, atom: AtomId) -> Option<usize> {
        self.components.of(atom.0)
    }

    /// Whether an atom depends on the moves that are made: `does` atoms, and views that depend on them.
    pub fn is_transient(&self, atom: AtomId) -> bool {
        self.transient[atom.index()]
    }

    fn bodies<'game>(
        &self,
        atom: AtomId,
        game: &'game GroundGame,
    ) -> impl Iterator<Item = GroundRule<'game>> {
        self.rules_of(atom).iter().map(|&rule| game.rules().rule(rule as usize))
    }

    fn mark_transient(&mut self, game: &GroundGame) {
        for atom in game.inputs() {
            self.transient[atom.index()] = true;
        }
        for component in self.components() {
            let transient = self.members(component).any(|atom| {
                let mut literals = self.bodies(atom, game).flat_map(|rule| rule.body);
                literals.any(|literal| self.transient[literal.atom() as usize])
            });
            if transient {
                for &atom in self.components.members(component) {
                    self.transient[atom as usize] = true;
                }
            }
        }
    }
}

/// The numbers of the atoms of a kind, which stand together.
pub(crate) fn range_of(game: &GroundGame, kind: AtomKind) -> Range<u32> {
    let mut atoms = game.atoms_of(kind);
    let Some(first) = atoms.next() else { return 0..0 };
    first.0..atoms.last().map_or(first.0 + 1, |last| last.0 + 1)
}
