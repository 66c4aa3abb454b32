//! How atoms are numbered: one range for each form of each dynamic predicate.

mod transition_map;

use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::Hasher;

use fxhash::{FxHashMap, FxHasher};
use groundfrog_engine::instantiate::AtomSpace;
use groundfrog_engine::numbers::check_atoms;
use groundfrog_engine::{Constants, Exceeded, Tables};

use super::atoms::AtomKind;
use crate::description::{Keywords, Predicate};
use crate::flat::lowering::predicate;
use crate::flat::{FormId, Forms, Shape};
use crate::prepare::Prepared;
use crate::symbols::{Symbol, Symbols};
pub(crate) use transition_map::{Moves, NOBODY, TransitionMap};
pub(super) use transition_map::{Rows, counterparts};

/// The ranges of the atoms: `true`, `next` and `does` first, each in one range over all its forms.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) entries: Vec<Entry>,
    spaces: Vec<AtomSpace>,
    by_name: FxHashMap<(Symbol, FormId), u32>,
    first_extra: u32,
    fluents: std::ops::Range<u32>,
    inputs: std::ops::Range<u32>,
    /// By input: the role whose move it is, as a row of the table of `role`, or [`NOBODY`].
    movers: Vec<u32>,
}

/// One range of atoms.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) kind: AtomKind,
    pub(super) name: Symbol,
    pub(super) form: FormId,
    pub(super) len: u32,
}

impl Layout {
    /// Numbers the rows of complete tables. The auxiliary predicates are dynamic.
    ///
    /// # Errors
    /// There are more atoms than can be numbered.
    pub fn new(
        forms: &Forms,
        prepared: &Prepared,
        tables: &Tables,
        auxiliaries: &[FormId],
    ) -> Result<Self, Exceeded> {
        let keywords = &prepared.rules.keywords;
        let with = |name: Symbol, arity: u32| -> Vec<FormId> {
            let of = Predicate { name, arity };
            forms.iter().filter(|(_, form)| form.predicate == of).map(|(id, _)| id).collect()
        };
        let base = with(keywords.base, 1);
        // Where domains are computed in one step, instances of `next` may be rows of base, and moves are
        // rows of `legal`.
        let or_else = |forms: Vec<FormId>, other: &[FormId]| {
            if forms.is_empty() { other.to_vec() } else { forms }
        };
        let next = or_else(with(keywords.next, 1), &base);
        let legal = with(keywords.legal, 2);
        let input = or_else(with(keywords.input, 2), &legal);
        let mut layout = Layout {
            entries: Vec::new(),
            spaces: Vec::new(),
            by_name: FxHashMap::default(),
            first_extra: 0,
            fluents: 0..0,
            inputs: 0..0,
            movers: Vec::new(),
        };
        let mut add = |kind, name, forms: &[FormId]| {
            forms.iter().try_for_each(|&form| layout.add(kind, name, form, tables))
        };
        add(AtomKind::True, keywords.true_, &base)?;
        add(AtomKind::Next, keywords.next, &next)?;
        add(AtomKind::Does, keywords.does, &input)?;
        add(AtomKind::Legal, keywords.legal, &legal)?;
        add(AtomKind::Goal, keywords.goal, &with(keywords.goal, 2))?;
        add(AtomKind::Terminal, keywords.terminal, &with(keywords.terminal, 0))?;
        add(AtomKind::Sees, keywords.sees, &with(keywords.sees, 2))?;
        let fixed =
            [keywords.next, keywords.legal, keywords.goal, keywords.terminal, keywords.sees];
        let fixed = [&fixed[..], &[keywords.base, keywords.input]].concat();
        for (id, form) in forms.iter() {
            let is_view = prepared.statics.is_dynamic(form.predicate)
                && !fixed.contains(&form.predicate.name);
            if is_view {
                add(AtomKind::View, form.predicate.name, &[id])?;
            }
        }
        for &form in auxiliaries {
            layout.add(AtomKind::View, forms.form(form).predicate.name, form, tables)?;
        }
        layout.fluents = layout.range(AtomKind::True);
        layout.inputs = layout.range(AtomKind::Does);
        layout.find_roles(forms, keywords, tables);
        Ok(layout)
    }

    /// Finds whose moves the inputs are: `legal` may have rows for names that are no roles.
    fn find_roles(&mut self, forms: &Forms, keywords: &Keywords, tables: &Tables) {
        let role = Predicate { name: keywords.role, arity: 1 };
        // Roles of one form stand together; most games have but one form.
        let mut first = FxHashMap::default();
        let mut roles = 0;
        for &form in forms.derivable(role) {
            first.insert(form, roles);
            roles += tables[predicate(form)].len() as u32;
        }
        for entry in self.entries.iter().filter(|entry| entry.kind == AtomKind::Does) {
            let role = forms.find(role, &forms.form(entry.form).shapes[..1]);
            let known = role.and_then(|it| first.get(&it).map(|first| (it, *first)));
            let mover = |tuple: Constants<'_>| {
                let (form, first) = known?;
                let table = &tables[predicate(form)];
                table.find_row(tuple.split_at(table.arity()).0).map(|row| first + row)
            };
            let rows = tables[predicate(entry.form)].rows();
            self.movers.extend(rows.map(|tuple| mover(tuple).unwrap_or(NOBODY)));
        }
    }

    fn add(
        &mut self,
        kind: AtomKind,
        name: Symbol,
        form: FormId,
        tables: &Tables,
    ) -> Result<(), Exceeded> {
        let len = tables[predicate(form)].len() as u32;
        check_atoms(u64::from(self.first_extra) + u64::from(len))?;
        self.by_name.insert((name, form), self.spaces.len() as u32);
        self.spaces.push(AtomSpace { predicate: predicate(form), start: self.first_extra });
        self.entries.push(Entry { kind, name, form, len });
        self.first_extra += len;
        Ok(())
    }

    /// The space of a form under a predicate's name: `true` and `next` share the forms of `base`.
    pub fn space(&self, name: Symbol, form: FormId) -> u32 {
        self.by_name[&(name, form)]
    }

    /// The ranges, for the store pass.
    pub fn atom_spaces(&self) -> &[AtomSpace] {
        &self.spaces
    }

    /// One more than the last atom that is in a table.
    pub fn first_extra(&self) -> u32 {
        self.first_extra
    }

    /// The numbers of the atoms of a kind whose forms stand together.
    fn range(&self, kind: AtomKind) -> std::ops::Range<u32> {
        let of_kind = |(_, entry): &(&AtomSpace, &Entry)| entry.kind == kind;
        let mut ranges = self
            .spaces
            .iter()
            .zip(&self.entries)
            .filter(of_kind)
            .map(|(space, entry)| space.start..space.start + entry.len);
        let first = ranges.next().unwrap_or(0..0);
        first.start..ranges.next_back().map_or(first.end, |last| last.end)
    }

    /// The atoms `(true f)` for each f in base.
    pub fn fluents(&self) -> std::ops::Range<u32> {
        self.fluents.clone()
    }

    /// The atoms `(next f)`.
    pub(crate) fn next(&self) -> std::ops::Range<u32> {
        self.range(AtomKind::Next)
    }

    /// The atoms `(does r m)` for each (r, m) in input.
    pub fn inputs(&self) -> std::ops::Range<u32> {
        self.inputs.clone()
    }

    /// The atoms that are views: they stand behind all others that are in a table.
    pub(crate) fn views(&self) -> std::ops::Range<u32> {
        let is_view = |entry: &Entry| entry.kind == AtomKind::View;
        let others = self.entries.partition_point(|entry| !is_view(entry));
        debug_assert!(self.entries[others..].iter().all(is_view));
        self.spaces.get(others).map_or(self.first_extra, |space| space.start)..self.first_extra
    }

    /// Whether an atom holds in some states by the game's transition_map, not by rules: `true`, and `does` of a
    /// role.
    pub fn is_open(&self, atom: u32) -> bool {
        self.fluents.contains(&atom)
            || (self.inputs.contains(&atom)
                && self.movers[(atom - self.inputs.start) as usize] != NOBODY)
    }

    /// The space of an atom that is in a table, as a position.
    pub fn space_of(&self, atom: u32) -> usize {
        self.spaces.partition_point(|space| space.start <= atom) - 1
    }

    /// By space: what its atoms are, and the name that they are written with.
    pub fn kinds_and_names(&self) -> impl ExactSizeIterator<Item = (AtomKind, Symbol)> + '_ {
        self.entries.iter().map(|it| (it.kind, it.name))
    }

    /// The names that atoms that are in tables are written with. Fast where one atom is often of the same space as the one
    /// before.
    pub(crate) fn names_of_atoms(&self) -> impl Fn(u32) -> Symbol + '_ {
        let last = Cell::new((0, 0, Symbol(0)));
        move |atom| {
            let (start, end, name) = last.get();
            if (start..end).contains(&atom) {
                return name;
            }
            let space = self.space_of(atom);
            let end = self.spaces.get(space + 1).map_or(self.first_extra, |it| it.start);
            let name = self.entries[space].name;
            last.set((self.spaces[space].start, end, name));
            name
        }
    }

    /// Whether one of two atoms comes first, wherever they are in their tables: by their predicates, then by their
    /// arguments.
    pub fn comes_before(&self, one: u32, other: u32, tables: &Tables) -> bool {
        let AtomSpace { predicate, start } = self.spaces[self.space_of(one)];
        match self.space_of(one).cmp(&self.space_of(other)) {
            Ordering::Equal => {
                let row = |atom: u32| tables[predicate].row(atom - start).iter();
                row(one).lt(row(other))
            }
            order => order.is_lt(),
        }
    }

    /// Adds a view of one column, whose table has these rows, after all other atoms.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn add_view(
        &mut self,
        name: Symbol,
        form: FormId,
        tables: &Tables,
    ) -> Result<(), Exceeded> {
        self.add(AtomKind::View, name, form, tables)
    }
}

/// A number for each atom that is in a table. It does not depend on where the atom is there, nor on what else has a name or
/// a table: these may be in another order where domains are computed in another way. What differs in a part has nothing
/// else in common.
pub(crate) struct Codes {
    of_symbols: Vec<u64>,
    of_spaces: Vec<u64>,
}

impl Codes {
    pub(crate) fn new(layout: &Layout, forms: &Forms, symbols: &Symbols) -> Codes {
        let of_symbols: Vec<u64> = (0..symbols.len() as u32)
            .map(|symbol| {
                let mut hasher = FxHasher::default();
                hasher.write(symbols.name(Symbol(symbol)).as_bytes());
                hasher.finish()
            })
            .collect();
        let of_name = |name: Symbol| of_symbols[name.0 as usize];
        // What a shape consists of comes before it.
        let mut of_shapes: Vec<u64> = Vec::new();
        for shape in forms.shapes() {
            of_shapes.push(match shape {
                Shape::Hole => 0,
                Shape::Function(functor, arguments) => {
                    let parts = arguments.iter().map(|it| of_shapes[it.index()]);
                    parts.fold(of_name(*functor), mixed)
                }
            });
        }
        let of_spaces = layout.entries.iter().map(|entry| {
            let shapes = forms.form(entry.form).shapes.iter();
            shapes.map(|it| of_shapes[it.index()]).fold(of_name(entry.name), mixed)
        });
        Codes { of_spaces: of_spaces.collect(), of_symbols }
    }

    /// The number of an atom.
    pub(crate) fn of(&self, atom: u32, layout: &Layout, tables: &Tables) -> u64 {
        let space = layout.space_of(atom);
        let AtomSpace { predicate, start } = layout.atom_spaces()[space];
        let row = tables[predicate].row(atom - start);
        row.iter().fold(self.of_spaces[space], |code, it| mixed(code, self.of_symbols[it as usize]))
    }
}

fn mixed(code: u64, next: u64) -> u64 {
    const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;
    let mixed = (code ^ next).wrapping_mul(MULTIPLIER);
    mixed ^ mixed >> 32
}
