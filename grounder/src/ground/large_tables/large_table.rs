//! A table that has become too large, and the remedies.

use groundfrog_engine::Budget;

use super::{RemedySearch, Unrestricted};
use crate::compact::large_tables::diagrams::{LargeCondition, Steps};
use crate::compact::large_tables::{demand, diagrams};
use crate::flat::FormId;
use crate::ground::tables::{Flattened, Roots};

/// A table that has become too large. Each method is a remedy, which returns whether it has changed rules or what is on
/// demand.
pub(in crate::ground) struct LargeTable<'run> {
    pub(super) form: FormId,
    /// How many rows it has, at the least.
    pub(super) rows: u64,
    /// What each form that only demands is about.
    pub(super) demanded: &'run [FormId],
    pub(super) flattened: &'run mut Flattened,
    pub(super) search: &'run mut RemedySearch,
    /// The program that is changed.
    pub(super) original: &'run mut Unrestricted,
    pub(super) roots: &'run Roots,
    pub(super) budget: &'run Budget,
}

impl Flattened {
    /// Compiles a static predicate, and those that use it, to decision diagrams. Returns whether that has changed the rules.
    fn compile(&mut self, form: FormId, most_steps: f64, roots: &Roots, budget: &Budget) -> bool {
        let is_static: Vec<bool> =
            self.forms.iter().map(|(form, _)| self.is_condition(form, roots)).collect();
        let condition = LargeCondition { form, most_steps, is_static: &is_static };
        let (forms, symbols) = (&mut self.forms, &mut self.prepared.rules.symbols);
        let Some(made) = diagrams::compile(&condition, &self.flat, forms, symbols, budget) else {
            return false;
        };
        self.flat.rules = made.rules;
        for Steps { form, measure, facts } in made.steps {
            facts.iter().for_each(|fact| self.flat.add_fact(form, fact));
            self.steps.insert(form, measure);
        }
        self.compiled.extend(made.compiled);
        self.demanded.extend(made.removed);
        true
    }
}

impl LargeTable<'_> {
    /// Compiles a static predicate, and those that use it, to decision diagrams.
    pub(in crate::ground) fn compile_condition(&mut self) -> bool {
        let LargeTable { form, rows, flattened, search, original, roots, budget, .. } = self;
        if !search.conditions.contains(form) {
            return false;
        }
        flattened.flat.rules = std::mem::take(&mut original.rules);
        flattened.forms.clone_from(&original.forms);
        flattened.prepared.rules.symbols.clone_from(&original.symbols);
        let most_steps = if search.large_condition == 0 { f64::INFINITY } else { *rows as f64 };
        let is_compiled = flattened.compile(*form, most_steps, roots, budget);
        if is_compiled {
            **original = flattened.take_unrestricted();
            search.own_forms = original.forms.len();
        } else {
            original.rules = std::mem::take(&mut flattened.flat.rules);
        }
        is_compiled
    }

    /// Puts the predicate on demand, and those that demand too much of it.
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
        } else if self.rows > choice.most_rows(form, self.flattened.is_static(form)) {
            choice.want(users(form));
        } else {
            // It was only large for what diagrams could have taken the place of.
            return false;
        }
        true
    }
}
