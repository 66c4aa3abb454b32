//! The tables stage with demand: which predicates are computed only for the arguments that are demanded.
//!
//! Which these are is found by trying: an evaluation that makes a table too large begins anew with that
//! predicate on demand, and all that use it, as these may have to be demanded before it can be. Where more is demanded of
//! one of them than that is worth, it is computed whole instead.

mod choice;

use groundfrog_engine::observe::Observer;
use groundfrog_engine::{Budget, EngineError, Limit, Program, Tables};

use super::report::Report;
use super::tables::{Flattened, Roots};
use crate::compact::large_tables::demand::{self, Adornments, ranges::Ranges};
use crate::compact::large_tables::{products, unfolding};
use crate::domains::one_step;
use crate::evaluator::Evaluator;
use crate::flat::lowering;
use crate::flat::{FlatRule, FormId, Forms};
use crate::options::{PassId, Passes};
use crate::symbols::Symbols;
use crate::ticker::Ticker;
use choice::Choice;

/// The program before any predicate was on demand.
struct Unrestricted {
    rules: Vec<FlatRule>,
    forms: Forms,
    symbols: Symbols,
}

/// How far the search for what is on demand has come.
struct DemandSearch {
    choice: Choice,
    /// Mostly nothing is large: what the rules were is kept only when it is known that they change.
    unrestricted: Option<Unrestricted>,
    /// How many forms there are that use nothing.
    own_forms: usize,
    /// Products whose rules took the place of their literals.
    unfolded: Vec<FormId>,
}

impl Flattened {
    fn take_unrestricted(&mut self) -> Unrestricted {
        Unrestricted {
            rules: std::mem::take(&mut self.flat.rules),
            forms: self.forms.clone(),
            symbols: self.prepared.rules.symbols.clone(),
        }
    }

    /// Puts the rule of a predicate in the place of its literals, if that is a large [product](products). Returns
    /// whether it is one.
    fn unfold_product(
        &self,
        rules: &mut Vec<FlatRule>,
        form: FormId,
        tables: &Tables,
        rows: u64,
    ) -> bool {
        form.index() < self.forms.len()
            && !self.prepared.statics.is_dynamic(self.forms.form(form).predicate)
            && !self.flat.facts(&self.forms).any(|it| it.0 == form)
            && products::unfold(rules, form, tables, rows)
    }

    /// Restricts arguments to the constants that they are used with, if that is worth it. Returns whether rules have
    /// changed.
    fn narrow(
        &mut self,
        original: &mut Unrestricted,
        passes: Passes,
        budget: &Budget,
    ) -> Result<bool, EngineError> {
        if !passes.contains(PassId::Ranges) {
            return Ok(false);
        }
        let Unrestricted { rules, forms, symbols } = original;
        let roots = self.roots();
        // How a closure is computed is decided later: its rules stay as they are.
        let is_fixed = |form: FormId| {
            roots.contain(forms.form(form).predicate)
                || self.steps.contains_key(&form)
                || self.closures.iter().any(|it| it.closed == form || it.step == form)
        };
        let facts = self.flat.facts(forms);
        let mut ticker = Ticker::new(budget, 0);
        let found = Ranges::new(rules, facts, forms, symbols.len(), is_fixed, &mut ticker)?;
        let Some(ranges) = found.filter(Ranges::are_worth_it) else {
            return Ok(false);
        };
        let (narrowed, narrowing) = ranges.narrow(forms, symbols);
        *rules = narrowed;
        for (form, constant) in narrowing.facts {
            self.flat.add_fact(form, &[constant]);
        }
        self.demanded.extend(narrowing.arguments.iter().map(|it| it.form));
        self.narrowed = narrowing.arguments;
        Ok(true)
    }

    /// Completes all tables that the game needs; predicates with large tables only for the arguments that
    /// are demanded. Of the passes, some change rules whose tables become too large.
    ///
    /// # Errors
    /// As the evaluator.
    pub(crate) fn complete_on_demand(
        &mut self,
        passes: Passes,
        evaluator: Evaluator,
        budget: &Budget,
        observer: &mut dyn Observer,
        report: &mut Report,
    ) -> Result<(Program, Tables), EngineError> {
        let roots = self.roots();
        let is_root = |forms: &Forms, form: FormId| roots.contain(forms.form(form).predicate);
        let forms = &self.forms;
        demand::keep_needed(&mut self.flat.rules, forms.len(), |it| is_root(forms, it));
        let mut search = DemandSearch {
            choice: Choice::default(),
            unrestricted: None,
            own_forms: forms.len(),
            unfolded: Vec::new(),
        };
        loop {
            let (adornments, demanded) = match &search.unrestricted {
                Some(original) => self.restrict(original, &search.choice.wanted, &roots),
                None => (Adornments::default(), Vec::new()),
            };
            let DemandSearch { choice, own_forms, .. } = &mut search;
            let own_forms = *own_forms;
            let all = self.program(|_| true);
            let mut tables = lowering::fact_tables(&self.flat, &self.forms, &all);
            let is_static = |it| !self.prepared.statics.is_dynamic(self.forms.form(it).predicate);
            let allowed = |it: FormId| {
                let columns = self.forms.columns(it);
                if let Some(demand) = it.index().checked_sub(own_forms) {
                    let form = demanded[demand];
                    choice.most_demanded(form, is_static(form), columns)
                } else if is_root(&self.forms, it) {
                    u64::MAX
                } else {
                    choice.most_rows(it, is_static(it), columns)
                }
            };
            let rows: Vec<u64> = self.forms.iter().map(|(it, _)| allowed(it)).collect();
            let probe = budget.clone().with_table_rows(rows.into());
            let first = Evaluator::Datafrog;
            let exceeded = match one_step::complete(&all, &mut tables, first, &probe, observer) {
                Ok(mut statistics) => {
                    self.demanded.extend(adornments.keys().chain(&search.unfolded));
                    if evaluator != first {
                        tables = lowering::fact_tables(&self.flat, &self.forms, &all);
                        statistics =
                            one_step::complete(&all, &mut tables, evaluator, budget, observer)?;
                    }
                    report.note(&statistics, &tables);
                    return Ok((all, tables));
                }
                Err(EngineError::Limit(exceeded)) if exceeded.limit == Limit::TableRows => exceeded,
                Err(EngineError::NotStratified { .. }) if choice.exclude(|it| !is_static(*it)) => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            let table = exceeded.table.expect("a table has too many rows");
            let large = Large { form: FormId(table.0), rows: exceeded.count, tables: &tables };
            self.change_rules(&mut search, large, &demanded, passes, &roots, budget)?;
        }
    }

    /// The rules with these predicates on demand. Returns which arguments of which are given, and what the new forms
    /// demand.
    fn restrict(
        &mut self,
        original: &Unrestricted,
        wanted: &[FormId],
        roots: &Roots,
    ) -> (Adornments, Vec<FormId>) {
        self.forms.clone_from(&original.forms);
        let symbols = &mut self.prepared.rules.symbols;
        symbols.clone_from(&original.symbols);
        let rules = &original.rules;
        let is_root = |it: FormId| roots.contain(self.forms.form(it).predicate);
        let dependents = demand::dependents(rules, wanted, self.forms.len(), is_root);
        let adornments = demand::adorn(rules, wanted, &dependents, &self.forms);
        let restricted =
            demand::restrict(rules, &adornments, &dependents, &mut self.forms, symbols);
        self.flat.rules = restricted.rules;
        (adornments, restricted.demanded)
    }

    /// Changes rules, or what is on demand, as a table has become too large.
    fn change_rules(
        &mut self,
        search: &mut DemandSearch,
        Large { form, rows, tables }: Large<'_>,
        demanded: &[FormId],
        passes: Passes,
        roots: &Roots,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let DemandSearch { choice, own_forms, unfolded, .. } = search;
        let is_root = |forms: &Forms, form: FormId| roots.contain(forms.form(form).predicate);
        let is_static = |it| !self.prepared.statics.is_dynamic(self.forms.form(it).predicate);
        let is_view =
            |it: FormId| it.index() < *own_forms && !is_root(&self.forms, it) && !is_static(it);
        let may_be_unfolded: Vec<bool> = match passes.contains(PassId::Unfolding) && is_view(form) {
            true => self.forms.iter().map(|(it, _)| is_view(it)).collect(),
            false => Vec::new(),
        };
        let is_view = is_view(form);
        let original = search.unrestricted.get_or_insert_with(|| self.take_unrestricted());
        // A static predicate is not large yet.
        if !is_view && !std::mem::replace(&mut choice.has_narrowed, true) {
            self.narrow(original, passes, budget)?;
            *own_forms = original.forms.len();
            return Ok(());
        }
        if passes.contains(PassId::Products)
            && choice.allows_unfolding(&original.rules, form)
            && self.unfold_product(&mut original.rules, form, tables, rows)
        {
            unfolded.push(form);
            return Ok(());
        }
        if !may_be_unfolded.is_empty()
            && let Some(views) =
                unfolding::unfold(&mut original.rules, form, |it| may_be_unfolded[it.index()])
        {
            self.unfolded.extend(views);
            return Ok(());
        }
        if !std::mem::replace(&mut choice.has_narrowed, true)
            && self.narrow(original, passes, budget)?
        {
            *own_forms = original.forms.len();
            return Ok(());
        }
        let users = |form| {
            let users = demand::users(&original.rules, form, *own_forms, |_| false);
            users.into_iter().filter(|&it| !is_root(&original.forms, it))
        };
        if let Some(demand) = form.index().checked_sub(*own_forms) {
            choice.note_large_demand(demanded[demand], users(demanded[demand]));
        } else {
            // A step is demanded as its closure is, which is no smaller.
            let of_step = self.closures.iter().find(|it| it.step == form);
            let closed = of_step.map(|it| it.closed).filter(|&it| !is_root(&self.forms, it));
            choice.note_large(form, users(form).chain(closed));
        }
        Ok(())
    }
}

/// A table that has become too large.
struct Large<'run> {
    form: FormId,
    rows: u64,
    tables: &'run Tables,
}

#[cfg(test)]
mod tests;
