//! What the rules about atoms read.

use fxhash::FxHashSet;
use groundfrog::RulesByHead;
use groundfrog::game::{AtomId, GroundGame, GroundLiteral};

/// The bodies of the rules about each atom.
#[derive(Debug)]
pub(crate) struct Bodies<'game> {
    pub(crate) game: &'game GroundGame,
    by_head: RulesByHead,
}

/// A body.
pub(crate) type Body<'game> = &'game [GroundLiteral];

impl<'game> Bodies<'game> {
    pub(crate) fn new(game: &'game GroundGame) -> Self {
        Bodies { game, by_head: RulesByHead::new(game) }
    }

    /// The bodies of the rules about an atom.
    pub(crate) fn of(&self, head: AtomId) -> impl ExactSizeIterator<Item = Body<'game>> {
        let game = self.game;
        self.by_head.rules(head).iter().map(move |&rule| game.rules().rule(rule as usize).body)
    }

    /// The atoms that these rules read.
    pub(crate) fn read(&self, head: AtomId) -> impl Iterator<Item = AtomId> {
        self.of(head).flatten().map(|it| AtomId(it.atom()))
    }

    /// All atoms that some depend on in the same state, and these; nothing is looked for by way of `cut`.
    pub(crate) fn below(
        &self,
        atoms: impl IntoIterator<Item = AtomId>,
        cut: Option<AtomId>,
    ) -> FxHashSet<AtomId> {
        let mut open: Vec<AtomId> = atoms.into_iter().collect();
        let mut found = FxHashSet::default();
        while let Some(atom) = open.pop() {
            if Some(atom) != cut && found.insert(atom) {
                open.extend(self.read(atom));
            }
        }
        found
    }

    /// The legal moves, goals and ends.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = AtomId> {
        let legal = self.game.moves().iter().filter_map(|it| it.legal);
        let goals = self.game.goals().iter().map(|it| it.atom);
        legal.chain(goals).chain(self.game.terminal())
    }
}
