//! How one state leads to the next: what holds at first, and atoms with the same arguments.

use groundfrog_engine::Tables;
use groundfrog_engine::instantiate::{AtomSpace, RuleStore};

use super::{Entry, Layout};

use crate::description::{Keywords, Predicate};
use crate::flat::lowering::predicate;
use crate::flat::{FormId, Forms};
use crate::game::counterparts::{Rows, counterparts};
use crate::game::{AtomKind, Moves, TransitionMap};
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
