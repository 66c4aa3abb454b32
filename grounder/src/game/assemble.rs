//! From ground rules and tables to a [`GroundGame`].

use std::ops::Range;

use fxhash::FxHashMap;
use groundfrog_engine::instantiate::Instantiation;
use groundfrog_engine::{Constants, PredicateId, Table, Tables};

use super::atoms::{AtomKind, AtomShape, GroundAtom, TermShape};
use super::layout::{Layout, Rows, counterparts};
use super::{AtomId, Goal, GroundGame, Move, RoleId, Space};
use crate::description::{Predicate, Term};
use crate::flat::lowering::predicate;
use crate::flat::{Form, FormId, Forms, Shape, ShapeId};
use crate::prepare::Prepared;
use crate::symbols::{Symbol, Symbols};

/// The spaces of a kind, by their arguments.
type SpacesOf<'game> = FxHashMap<&'game [TermShape], &'game Space>;

impl GroundGame {
    /// Puts a game together. The tables of dynamic predicates become the game's.
    pub(crate) fn assemble(
        forms: &Forms,
        prepared: &Prepared,
        mut tables: Tables,
        layout: Layout,
        stored: Instantiation,
    ) -> GroundGame {
        let keywords = prepared.rules.keywords;
        let mut init = layout.initial(forms, &keywords, &tables);
        init.sort_unstable();
        let roles = roles(forms, prepared, &tables);
        let mut taken: FxHashMap<PredicateId, usize> = FxHashMap::default();
        let mut own: Vec<Table> = Vec::new();
        let spaces = layout.entries.iter().zip(layout.atom_spaces()).map(|(entry, space)| {
            let table = *taken.entry(space.predicate).or_insert_with(|| {
                own.push(tables.take(space.predicate));
                own.len() - 1
            });
            let shape = atom_shape(entry.name, forms.form(entry.form), forms);
            Space { kind: entry.kind, shape, table, start: space.start, len: entry.len }
        });
        let spaces: Vec<Space> = spaces.collect();
        let mut game = GroundGame {
            symbols: prepared.rules.symbols.clone(),
            keywords,
            spaces,
            tables: own,
            extra: stored.extra,
            first_extra: layout.first_extra(),
            rules: stored.rules,
            fluents: layout.fluents(),
            inputs: layout.inputs(),
            roles,
            init: init.into_iter().map(AtomId).collect(),
            next: Vec::new(),
            moves: Vec::new(),
            goals: Vec::new(),
            terminal: None,
        };
        game.find_meanings();
        game
    }

    /// Fills in what the atoms mean: next, moves, goals and terminal.
    pub(super) fn find_meanings(&mut self) {
        self.next = self.counterparts(AtomKind::True, &self.fluents, AtomKind::Next);
        self.moves = self.all_moves();
        self.goals = self.all_goals();
        let terminal = self.atoms_of(AtomKind::Terminal).next();
        self.terminal = terminal;
    }

    /// For each atom of a kind, all of which are numbered in a row, the atom of another kind with the same arguments.
    fn counterparts(
        &self,
        of: AtomKind,
        atoms: &Range<u32>,
        kind: AtomKind,
    ) -> Vec<Option<AtomId>> {
        let mut found = vec![None; atoms.len()];
        let others = self.spaces_of(kind);
        let rows = |it: &Space| Rows { start: it.start, table: &self.tables[it.table] };
        for space in self.spaces.iter().filter(|space| space.kind == of) {
            if let Some(other) = others.get(space.shape.arguments.as_slice()) {
                counterparts(rows(space), rows(other), |atom, other| {
                    found[(atom - atoms.start) as usize] = Some(AtomId(other));
                });
            }
        }
        found
    }

    fn spaces_of(&self, kind: AtomKind) -> SpacesOf<'_> {
        let spaces = self.spaces.iter().filter(|space| space.kind == kind);
        spaces.map(|space| (space.shape.arguments.as_slice(), space)).collect()
    }

    fn role_ids(&self) -> FxHashMap<&Term, RoleId> {
        (0..).map(RoleId).zip(&self.roles).map(|(id, role)| (role, id)).collect()
    }

    fn all_moves(&self) -> Vec<Move> {
        let legal = self.counterparts(AtomKind::Does, &self.inputs, AtomKind::Legal);
        let ids = &self.role_ids();
        let spaces = self.spaces.iter().filter(|space| space.kind == AtomKind::Does);
        let roles = spaces.flat_map(|space| {
            let role = space.shape.arguments.first();
            let rows = self.tables[space.table].rows();
            rows.map(move |row| ids.get(&role?.fill(&mut row.iter())).copied())
        });
        let to_move =
            |((does, legal), role): (_, Option<RoleId>)| Some(Move { role: role?, does, legal });
        self.inputs().zip(legal).zip(roles).filter_map(to_move).collect()
    }

    fn all_goals(&self) -> Vec<Goal> {
        let ids = self.role_ids();
        let to_goal = |atom| {
            let arguments = self.atom(atom).arguments();
            let role = *ids.get(&arguments[0])?;
            let value = match &arguments[1] {
                Term::Constant(name) => self.symbols.name(*name).parse().ok(),
                _ => None,
            };
            Some(Goal { role, value, atom })
        };
        self.atoms_of(AtomKind::Goal).filter_map(to_goal).collect()
    }
}

fn roles(forms: &Forms, prepared: &Prepared, tables: &Tables) -> Vec<Term> {
    let role = Predicate { name: prepared.rules.keywords.role, arity: 1 };
    let of_form = |&form: &FormId| {
        let shape = forms.form(form).shapes[0];
        tables[predicate(form)].rows().map(move |row| forms.term(shape, &mut row.iter()))
    };
    forms.derivable(role).iter().flat_map(of_form).collect()
}

/// One of these.
pub(crate) fn sentence(
    predicate: Symbol,
    form: &Form,
    forms: &Forms,
    constants: Constants<'_>,
    symbols: &Symbols,
) -> String {
    let shape = atom_shape(predicate, form, forms);
    GroundAtom { kind: AtomKind::View, shape: &shape, constants }.display(symbols).to_string()
}

fn atom_shape(predicate: Symbol, form: &Form, forms: &Forms) -> AtomShape {
    let arguments = form.shapes.iter().map(|&shape| term_shape(shape, forms)).collect();
    AtomShape { predicate, arguments }
}

fn term_shape(shape: ShapeId, forms: &Forms) -> TermShape {
    match forms.shape(shape) {
        Shape::Hole => TermShape::Constant,
        Shape::Function(functor, shapes) => {
            TermShape::Function(*functor, shapes.iter().map(|&it| term_shape(it, forms)).collect())
        }
    }
}
