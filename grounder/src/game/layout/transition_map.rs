//! How one state leads to the next: what holds at first, which atoms are moves and who makes them, and atoms with the same arguments
//! as others (what is true and what is true next, moves that are made and legal ones).

use std::ops::Range;

use groundfrog_engine::instantiate::{AtomSpace, RuleStore};
use groundfrog_engine::{Table, Tables};

use super::{Entry, Layout};
use crate::description::{Keywords, Predicate};
use crate::flat::lowering::predicate;
use crate::flat::{FormId, Forms};
use crate::game::AtomKind;
use crate::symbols::Symbol;

impl Layout {
    /// How one state leads to the next.
    pub(crate) fn transition_map(
        &self,
        forms: &Forms,
        keywords: &Keywords,
        tables: &Tables,
    ) -> TransitionMap {
        let next = Predicate { name: keywords.next, arity: 1 };
        let legal = Predicate { name: keywords.legal, arity: 2 };
        let mut leads_to = vec![None; self.views().start as usize];
        for (kind, from) in [(AtomKind::True, next), (AtomKind::Does, legal)] {
            self.counterparts(kind, from, forms, tables, |atom, from| {
                leads_to[from as usize] = Some(atom);
            });
        }
        let mut is_initial = vec![false; self.fluents.len()];
        for fluent in self.initial(forms, keywords, tables) {
            is_initial[(fluent - self.fluents.start) as usize] = true;
        }
        TransitionMap { fluents: self.fluents(), is_initial, leads_to }
    }

    /// The fluents of the first state.
    pub(in crate::game) fn initial(
        &self,
        forms: &Forms,
        keywords: &Keywords,
        tables: &Tables,
    ) -> Vec<u32> {
        let init = Predicate { name: keywords.init, arity: 1 };
        let base = Predicate { name: keywords.base, arity: 1 };
        let mut found = Vec::new();
        for &form in forms.derivable(init) {
            let fluents = self.rows(keywords.true_, base, form, forms, tables);
            let Some(fluents) = fluents else { continue };
            let rows = tables[predicate(form)].rows();
            found.extend(
                rows.filter_map(|row| fluents.table.find_row(row)).map(|row| fluents.start + row),
            );
        }
        found
    }

    /// The moves of the roles; one without a rule that makes it legal is impossible.
    pub(crate) fn moves(
        &self,
        rules: &RuleStore,
        forms: &Forms,
        keywords: &Keywords,
        tables: &Tables,
    ) -> Moves {
        let mut has_rule = vec![false; self.first_extra as usize];
        let heads = rules.heads().iter().filter(|&&head| head < self.first_extra);
        heads.for_each(|&head| has_rule[head as usize] = true);
        let mut is_possible = vec![true; self.inputs.len()];
        let legal = Predicate { name: keywords.legal, arity: 2 };
        self.counterparts(AtomKind::Does, legal, forms, tables, |does, legal| {
            is_possible[(does - self.inputs.start) as usize] = has_rule[legal as usize];
        });
        Moves { first: self.inputs.start, movers: self.movers.clone(), is_possible }
    }

    /// Calls `found` with each atom of a kind and its counterpart among those of a predicate.
    fn counterparts(
        &self,
        of: AtomKind,
        others: Predicate,
        forms: &Forms,
        tables: &Tables,
        mut found: impl FnMut(u32, u32),
    ) {
        let of_kind = |(_, entry): &(&AtomSpace, &Entry)| entry.kind == of;
        for (space, entry) in self.spaces.iter().zip(&self.entries).filter(of_kind) {
            let rows = Rows { start: space.start, table: &tables[space.predicate] };
            if let Some(others) = self.rows(others.name, others, entry.form, forms, tables) {
                counterparts(rows, others, &mut found);
            }
        }
    }

    /// The atoms called so with arguments of the shapes of a form: the rows of this form, or of another one of a
    /// predicate.
    fn rows<'game>(
        &self,
        name: Symbol,
        others: Predicate,
        form: FormId,
        forms: &Forms,
        tables: &'game Tables,
    ) -> Option<Rows<'game>> {
        let own = || self.by_name.get(&(name, forms.find(others, &forms.form(form).shapes)?));
        let space = *self.by_name.get(&(name, form)).or_else(own)?;
        let AtomSpace { start, predicate } = self.spaces[space as usize];
        Some(Rows { start, table: &tables[predicate] })
    }
}

/// How one state leads to the next.
#[derive(Clone, Debug)]
pub(crate) struct TransitionMap {
    /// The atoms that say that a fluent is true.
    pub(crate) fluents: Range<u32>,
    /// By fluent: whether it holds in the first state.
    pub(crate) is_initial: Vec<bool>,
    /// By atom, as far as there are any such: from what is true next to what is true then, from legal moves to moves that
    /// are made.
    pub(crate) leads_to: Vec<Option<u32>>,
}

impl TransitionMap {
    #[inline]
    pub(crate) fn leads_to(&self, atom: u32) -> Option<u32> {
        self.leads_to.get(atom as usize).copied().flatten()
    }

    /// Whether an atom is a fluent of the first state.
    pub(crate) fn is_initial(&self, atom: u32) -> bool {
        let position = atom.wrapping_sub(self.fluents.start) as usize;
        self.is_initial.get(position).is_some_and(|&it| it)
    }
}

/// What a mover is called that is no role.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The moves of the roles.
#[derive(Debug)]
pub(crate) struct Moves {
    /// The number of the first atom `(does r m)`; the others follow.
    pub(crate) first: u32,
    /// By such atom: the role, as a small number, or [`NOBODY`].
    pub(crate) movers: Vec<u32>,
    /// By such atom: whether the move can ever be legal.
    pub(crate) is_possible: Vec<bool>,
}

impl Moves {
    /// Whether an atom is the move of something, a role or not.
    pub(crate) fn contain(&self, atom: u32) -> bool {
        (atom.wrapping_sub(self.first) as usize) < self.movers.len()
    }

    pub(crate) fn mover(&self, atom: u32) -> u32 {
        let position = atom.wrapping_sub(self.first) as usize;
        self.movers.get(position).copied().unwrap_or(NOBODY)
    }

    pub(crate) fn is_possible(&self, atom: u32) -> bool {
        self.is_possible[(atom - self.first) as usize]
    }

    /// The atoms that are moves of roles, ascending.
    pub(crate) fn of_roles(&self) -> impl Iterator<Item = u32> + '_ {
        let all = (self.first..).zip(&self.movers);
        all.filter(|&(_, &mover)| mover != NOBODY).map(|(atom, _)| atom)
    }

    /// The possible moves of each role, ascending.
    pub(crate) fn possible(&self) -> Vec<Vec<u32>> {
        let roles = self.movers.iter().filter(|&&it| it != NOBODY).max().map_or(0, |it| it + 1);
        let mut possible = vec![Vec::new(); roles as usize];
        for (position, (&mover, &is_possible)) in
            self.movers.iter().zip(&self.is_possible).enumerate()
        {
            if mover != NOBODY && is_possible {
                possible[mover as usize].push(self.first + position as u32);
            }
        }
        possible
    }
}

/// Atoms that are the rows of a table, of terms of one shape.
#[derive(Clone, Copy)]
pub(in crate::game) struct Rows<'game> {
    /// The number of the first.
    pub(in crate::game) start: u32,
    pub(in crate::game) table: &'game Table,
}

/// Calls `found` with each atom and its counterpart, the one among `others` that has the same arguments. The terms of
/// both have one shape.
#[inline]
pub(in crate::game) fn counterparts(
    of: Rows<'_>,
    others: Rows<'_>,
    mut found: impl FnMut(u32, u32),
) {
    let atoms = of.start..of.start + of.table.len() as u32;
    if std::ptr::eq(of.table, others.table) {
        atoms.zip(others.start..).for_each(|(atom, other)| found(atom, other));
        return;
    }
    for (atom, tuple) in atoms.zip(of.table.rows()) {
        if let Some(row) = others.table.find_row(tuple) {
            found(atom, others.start + row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(of: Rows<'_>, others: Rows<'_>) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        counterparts(of, others, |atom, other| pairs.push((atom, other)));
        pairs
    }

    #[test]
    fn counterparts_are_the_same_rows_wherever_they_are() {
        let [mut one, mut other] = [(); 2].map(|()| Table::new(1));
        [3, 5, 7].iter().for_each(|&it| _ = one.insert(&[it]));
        [7, 8, 3].iter().for_each(|&it| _ = other.insert(&[it]));
        let of = Rows { start: 10, table: &one };
        assert_eq!(pairs(of, Rows { start: 20, ..of }), [(10, 20), (11, 21), (12, 22)]);
        assert_eq!(pairs(of, Rows { start: 20, table: &other }), [(10, 22), (12, 20)]);
    }
}
