//! A table that has become too large, and what is done about it: the passes over tables.

use groundfrog_engine::{Budget, EngineError, Tables};

use super::{DemandSearch, Unrestricted};
use crate::compact::large_tables::demand::{self, ranges::Ranges};
use crate::compact::large_tables::{products, unfolding};
use crate::flat::FormId;
use crate::ground::tables::{Flattened, LARGE_STATIC, Roots};
use crate::ticker::Ticker;

/// A table that has become too large. Each method is a pass, which returns whether it has changed rules or what is on
/// demand.
pub(in crate::ground) struct LargeTable<'run> {
    pub(super) form: FormId,
    /// How many rows it has, at the least.
    pub(super) rows: u64,
    /// All tables, as far as they were computed.
    pub(super) tables: &'run Tables,
    /// What each form that only demands is about.
    pub(super) demanded: &'run [FormId],
    pub(super) flattened: &'run mut Flattened,
    pub(super) search: &'run mut DemandSearch,
    /// The program that is changed.
    pub(super) original: &'run mut Unrestricted,
    pub(super) roots: &'run Roots,
    pub(super) budget: &'run Budget,
}

impl LargeTable<'_> {
    fn is_root(&self, form: FormId) -> bool {
        self.roots.contain(self.flattened.forms.form(form).predicate)
    }

    fn is_static(&self, form: FormId) -> bool {
        self.flattened.is_static(form)
    }

    /// Whether a form is of a view of the description.
    fn is_view(&self, form: FormId) -> bool {
        form.index() < self.search.own_forms && !self.is_root(form) && !self.is_static(form)
    }

    /// Restricts arguments to the part of their range that they are used with, once for all predicates.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(in crate::ground) fn narrow(&mut self) -> Result<bool, EngineError> {
        if std::mem::replace(&mut self.search.choice.has_narrowed, true) {
            return Ok(false);
        }
        // The tables of static predicates may be larger from now on.
        let may_be_larger = self.is_static(self.form);
        let Unrestricted { rules, forms, symbols } = &mut *self.original;
        let Flattened { flat, steps, closures, .. } = &mut *self.flattened;
        // How a closure is computed is decided later: its rules stay as they are.
        let is_fixed = |form: FormId| {
            self.roots.contain(forms.form(form).predicate)
                || steps.contains_key(&form)
                || closures.iter().any(|it| it.closed == form || it.step == form)
        };
        let facts = flat.facts(forms);
        let mut ticker = Ticker::new(self.budget, 0);
        let found = Ranges::new(rules, facts, forms, symbols.len(), is_fixed, &mut ticker)?;
        let Some(ranges) = found.filter(Ranges::are_worth_it) else {
            return Ok(may_be_larger);
        };
        let (narrowed, narrowing) = ranges.narrow(forms, symbols);
        *rules = narrowed;
        for (form, constant) in narrowing.facts {
            flat.add_fact(form, &[constant]);
        }
        self.flattened.demanded.extend(narrowing.arguments.iter().map(|it| it.form));
        self.flattened.narrowed = narrowing.arguments;
        self.search.own_forms = self.original.forms.len();
        Ok(true)
    }

    /// Puts the rule of a static predicate in the place of its literals, if it only joins small tables.
    pub(in crate::ground) fn unfold_product(&mut self) -> bool {
        let (form, flattened) = (self.form, &*self.flattened);
        let is_product = self.rows >= LARGE_STATIC
            && form.index() < flattened.forms.len()
            && flattened.is_static(form)
            && !flattened.flat.facts(&flattened.forms).any(|it| it.0 == form)
            && self.search.choice.allows_unfolding(&self.original.rules, form)
            && products::unfold(&mut self.original.rules, form, self.tables, self.rows);
        if is_product {
            self.search.unfolded.push(form);
        }
        is_product
    }

    /// Puts the rules of a view that only names a conjunction in the place of its literals, and those of views that it
    /// needs.
    pub(in crate::ground) fn unfold_view(&mut self) -> bool {
        if !self.is_view(self.form) {
            return false;
        }
        let is_view: Vec<bool> =
            self.flattened.forms.iter().map(|(it, _)| self.is_view(it)).collect();
        let rules = &mut self.original.rules;
        let views = unfolding::unfold(rules, self.form, |it| is_view[it.index()]);
        let has_changed = views.is_some();
        self.flattened.unfolded.extend(views.into_iter().flatten());
        has_changed
    }

    /// Puts the predicate on demand, or computes it whole where too much is demanded of it.
    pub(in crate::ground) fn put_on_demand(&mut self) -> bool {
        let (form, own_forms) = (self.form, self.search.own_forms);
        let original = &*self.original;
        let is_root = |it: FormId| self.roots.contain(original.forms.form(it).predicate);
        let users = |form| {
            let users = demand::users(&original.rules, form, own_forms, |_| false);
            users.into_iter().filter(|&it| !is_root(it))
        };
        let choice = &mut self.search.choice;
        if let Some(demand) = form.index().checked_sub(own_forms) {
            let demanded = self.demanded[demand];
            choice.note_large_demand(demanded, users(demanded));
        } else {
            // A step is demanded as its closure is, which is no smaller.
            let of_step = self.flattened.closures.iter().find(|it| it.step == form);
            let closed = of_step.map(|it| it.closed).filter(|&it| !is_root(it));
            choice.note_large(form, users(form).chain(closed));
        }
        true
    }
}
