//! The ground game: variable-free rules in compressed sparse rows, and what the atoms mean.

mod assemble;
mod atom_graph;
mod atoms;
mod invariants;
mod layout;
mod saved;

use std::fmt::{Display, Formatter};
use std::ops::Range;

use fxhash::FxHashSet;
use groundfrog_engine::instantiate::ExtraAtoms;
pub use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};
use groundfrog_engine::rows::Rows;
use groundfrog_engine::{Constants, Table};

use crate::description::{Keywords, Printer, Term};
use crate::symbols::Symbols;
use crate::visible::WrittenBy;
pub(crate) use assemble::sentence;
#[doc(hidden)]
pub use atom_graph::AtomGraph;
pub use atoms::{AtomKind, AtomShape, GroundAtom, TermShape};
pub use invariants::InvalidGame;
pub(crate) use layout::{Codes, Layout, Moves, NOBODY, TransitionMap};

/// A numbered atom of a [`GroundGame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

impl AtomId {
    /// The atom's number, to index a table that has one entry for each atom.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A role: a position in [`GroundGame::roles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub u32);

impl RoleId {
    /// The role's position in [`GroundGame::roles`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move that can be legal in some state: an element of `input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Who makes it.
    pub role: RoleId,
    /// The atom `(does role move)`.
    pub does: AtomId,
    /// The atom `(legal role move)`.
    pub legal: Option<AtomId>,
}

/// A value that a state can have for a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// For whom.
    pub role: RoleId,
    /// The value, if it is a number.
    pub value: Option<i64>,
    /// The atom `(goal role value)`.
    pub atom: AtomId,
}

/// A range of atoms of one form.
#[derive(Clone, Debug)]
struct Space {
    kind: AtomKind,
    shape: AtomShape,
    /// The table whose rows these atoms are.
    table: usize,
    start: u32,
    len: u32,
}

/// A game without variables.
///
/// Invariants:
/// - Atoms are numbered from 0. Those of [`GroundGame::fluents`] are `(true f)` for each f in base, in one
///   range; those of [`GroundGame::inputs`] are `(does r m)` for each (r, m) in input, in one range.
/// - No rule has a `true` or `does` atom as its head. The body of a rule is a set, and no rule occurs
///   twice.
/// - An atom that is neither `true` nor `does` and is the head of no rule never holds.
/// - The same description and options give the same numbers, whatever the number of threads.
#[derive(Clone, Debug)]
pub struct GroundGame {
    symbols: Symbols,
    keywords: Keywords,
    spaces: Vec<Space>,
    tables: Vec<Table>,
    extra: ExtraAtoms,
    first_extra: u32,
    rules: RuleStore,
    fluents: Range<u32>,
    inputs: Range<u32>,
    roles: Vec<Term>,
    init: Vec<AtomId>,
    next: Vec<Option<AtomId>>,
    moves: Vec<Move>,
    goals: Vec<Goal>,
    terminal: Option<AtomId>,
}

impl GroundGame {
    /// The names that atoms are written in.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The symbols of the keywords.
    pub fn keywords(&self) -> &Keywords {
        &self.keywords
    }

    /// The ground rules.
    pub fn rules(&self) -> &RuleStore {
        &self.rules
    }

    /// How many atoms are numbered, those without rules included.
    pub fn atom_count(&self) -> usize {
        self.first_extra as usize + self.extra.len()
    }

    /// The atoms `(true f)` for each f in base.
    pub fn fluents(&self) -> impl ExactSizeIterator<Item = AtomId> + use<> {
        self.fluents.clone().map(AtomId)
    }

    /// The atoms `(does r m)` for each (r, m) in input.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = AtomId> + use<> {
        self.inputs.clone().map(AtomId)
    }

    /// The roles, in the order of the description.
    pub fn roles(&self) -> &[Term] {
        &self.roles
    }

    /// The atoms `(true f)` for each f that holds in the initial state, ascending.
    pub fn init(&self) -> &[AtomId] {
        &self.init
    }

    /// The atom `(next f)` of a fluent `(true f)`, if it has a number. The atoms that are no fluents have
    /// none.
    pub fn next(&self, fluent: AtomId) -> Option<AtomId> {
        let position = fluent.0.checked_sub(self.fluents.start)?;
        self.next.get(position as usize).copied().flatten()
    }

    /// The moves of input, in the order of their `does` atoms.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The moves of a role, in the order of their `does` atoms.
    pub fn moves_of(&self, role: RoleId) -> impl Iterator<Item = &Move> {
        self.moves.iter().filter(move |it| it.role == role)
    }

    /// The goals of a role, in the order of their atoms.
    pub fn goals_of(&self, role: RoleId) -> impl Iterator<Item = &Goal> {
        self.goals.iter().filter(move |it| it.role == role)
    }

    /// The goals of the roles, in the order of their atoms.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The atom `terminal`, if any rule mentions it.
    pub fn terminal(&self) -> Option<AtomId> {
        self.terminal
    }

    /// The meaning of an atom.
    ///
    /// # Panics
    /// If the atom is not one of this game.
    pub fn atom(&self, atom: AtomId) -> GroundAtom<'_> {
        let (space, constants) = self.row(atom);
        let space = &self.spaces[space];
        GroundAtom { kind: space.kind, shape: &space.shape, constants }
    }

    /// What an atom says.
    ///
    /// # Panics
    /// If the atom is not one of this game.
    pub fn kind(&self, atom: AtomId) -> AtomKind {
        self.spaces[self.row(atom).0].kind
    }

    /// Whether an atom is given with a state and a joint move, not by rules: it says `true` or `does`.
    pub fn is_open(&self, atom: AtomId) -> bool {
        self.fluents.contains(&atom.0) || self.inputs.contains(&atom.0)
    }

    /// The shapes of atoms, by space.
    pub(crate) fn shapes(&self) -> impl ExactSizeIterator<Item = &AtomShape> {
        self.spaces.iter().map(|space| &space.shape)
    }

    /// The space and the constants of an atom.
    pub(crate) fn row(&self, atom: AtomId) -> (usize, Constants<'_>) {
        if let Some(number) = atom.0.checked_sub(self.first_extra) {
            let (space, constants) = self.extra.get(number as usize).expect("an atom of this game");
            return (space as usize, constants);
        }
        let after = self.spaces.partition_point(|space| space.start <= atom.0);
        // Empty spaces share the start of the one after them, which comes last.
        let space = &self.spaces[after - 1];
        (after - 1, self.tables[space.table].row(atom.0 - space.start))
    }

    /// The space and the constants of each atom, in order.
    pub(crate) fn atom_rows(&self) -> impl Iterator<Item = (usize, Constants<'_>)> {
        let rows = |(number, space): (usize, &Space)| {
            self.tables[space.table].rows().map(move |row| (number, row))
        };
        let extra = (self.first_extra..self.atom_count() as u32).map(|it| self.row(AtomId(it)));
        self.spaces.iter().enumerate().flat_map(rows).chain(extra)
    }

    /// The atoms of a kind, in order, those in no table left out.
    pub fn atoms_of(&self, kind: AtomKind) -> impl Iterator<Item = AtomId> + '_ {
        let spaces = self.spaces.iter().filter(move |space| space.kind == kind);
        spaces.flat_map(|space| (space.start..space.start + space.len).map(AtomId))
    }

    /// The atoms `(sees r p)` that rules are about, in order: what roles can perceive.
    pub fn percepts(&self) -> Vec<AtomId> {
        let sees: Vec<AtomId> = self.atoms_of(AtomKind::Sees).collect();
        if sees.is_empty() {
            return sees;
        }
        let heads: FxHashSet<u32> = self.rules.heads().iter().copied().collect();
        sees.into_iter().filter(|it| heads.contains(&it.0)).collect()
    }

    /// The game with other rules over the same atoms.
    ///
    /// # Panics
    /// If a rule mentions an atom that this game does not have.
    pub fn with_rules(&self, rules: RuleStore) -> Self {
        let atoms = self.atom_count() as u32;
        let known = |atom: u32| atom < atoms;
        let all_known =
            |rule: GroundRule<'_>| known(rule.head) && rule.body.iter().all(|it| known(it.atom()));
        assert!(rules.iter().all(all_known), "a rule has an atom that is not of this game");
        GroundGame { rules, ..self.clone() }
    }

    /// The game with another initial state.
    ///
    /// # Panics
    /// If an atom is no fluent of this game.
    pub fn with_init(mut self, mut init: Vec<AtomId>) -> Self {
        let is_fluent = |it: &AtomId| self.fluents.contains(&it.0);
        assert!(init.iter().all(is_fluent), "an atom is no fluent of this game");
        init.sort_unstable();
        init.dedup();
        self.init = init;
        self
    }

    /// Bytes of the rules.
    pub fn rule_bytes(&self) -> u64 {
        self.rules.bytes()
    }

    /// The names of the roles as KIF, in the order of [`GroundGame::roles`].
    pub fn role_names(&self) -> impl ExactSizeIterator<Item = String> + '_ {
        self.roles().iter().map(|role| self.display_term(role).to_string())
    }

    /// A term as KIF.
    pub fn display_term<'game>(&'game self, term: &'game Term) -> impl Display + 'game {
        Printer::new(self.symbols()).term(term)
    }

    /// An atom as KIF, as it stands in the body of a rule.
    pub fn display(&self, atom: AtomId) -> impl Display + '_ {
        self.atom(atom).display(self.symbols())
    }

    /// A rule as KIF.
    ///
    /// # Panics
    /// If the game has no rule of that number; a mistaken number shows when the result is formatted.
    pub fn display_rule(&self, rule: usize) -> impl Display + '_ {
        WrittenBy(move |out: &mut Formatter<'_>| {
            let rule = self.rules.rule(rule);
            let atom = |number| self.display(AtomId(number));
            let has_arguments = !self.atom(AtomId(rule.head)).shape.arguments.is_empty();
            if rule.body.is_empty() && has_arguments {
                return write!(out, "{}", atom(rule.head));
            }
            write!(out, "(<= {}", atom(rule.head))?;
            for literal in rule.body {
                match literal.is_negated() {
                    true => write!(out, " (not {})", atom(literal.atom()))?,
                    false => write!(out, " {}", atom(literal.atom()))?,
                }
            }
            out.write_str(")")
        })
    }
}

/// The rules of a [`GroundGame`], found by their heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesByHead {
    rules: Rows<u32>,
}

impl RulesByHead {
    /// Sorts the rules of a game by their heads, in linear time.
    pub fn new(game: &GroundGame) -> Self {
        RulesByHead { rules: game.rules().by_head(game.atom_count(), |_| true) }
    }

    /// The numbers of the rules with a head, ascending, for [`RuleStore::rule`](RuleStore::rule).
    ///
    /// # Panics
    /// If the atom is not one of the game.
    #[inline]
    pub fn rules(&self, head: AtomId) -> &[u32] {
        self.rules.row(head.index())
    }

    /// Whether an atom is the head of a rule.
    pub fn has_rules(&self, head: AtomId) -> bool {
        !self.rules(head).is_empty()
    }
}
