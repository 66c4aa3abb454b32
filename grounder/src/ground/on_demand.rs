//! The tables stage with demand: which predicates are computed only for the arguments that are demanded.
//!
//! Which these are is found by trying: an evaluation that makes a table too large begins anew with that
//! predicate on demand, and all that use it, as these may have to be demanded before it can be. Where more is demanded of
//! one of them than that is worth, it is computed whole instead.

mod choice;
mod large_table;

pub(super) use large_table::LargeTable;

use groundfrog_engine::observe::Observer;
use groundfrog_engine::{Budget, EngineError, Limit, Program, Tables};

use super::passes::run_on_large_table;
use super::report::Report;
use super::tables::{Flattened, Roots};
use crate::compact::large_tables::demand::{self, Adornments};
use crate::domains::one_step;
use crate::evaluator::Evaluator;
use crate::flat::lowering;
use crate::flat::{FlatRule, FormId, Forms};
use crate::options::{PassId, Passes};
use crate::symbols::Symbols;
use choice::DemandChoice;

/// The program before any predicate was on demand.
struct Unrestricted {
    rules: Vec<FlatRule>,
    forms: Forms,
    symbols: Symbols,
}

/// How far the search for what is on demand has come.
struct DemandSearch {
    choice: DemandChoice,
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

    /// Whether a form is of a static predicate.
    fn is_static(&self, form: FormId) -> bool {
        !self.prepared.statics.is_dynamic(self.forms.form(form).predicate)
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
            choice: DemandChoice::new(passes.contains(PassId::Ranges)),
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
            let is_static = |it| self.is_static(it);
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
                    self.products = std::mem::take(&mut search.unfolded);
                    self.first_demand = Some(FormId(own_forms as u32));
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
            let mut original =
                search.unrestricted.take().unwrap_or_else(|| self.take_unrestricted());
            let mut large = LargeTable {
                form: FormId(table.0),
                rows: exceeded.count,
                tables: &tables,
                demanded: &demanded,
                flattened: self,
                search: &mut search,
                original: &mut original,
                roots: &roots,
                budget,
            };
            run_on_large_table(&mut large, passes)?;
            search.unrestricted = Some(original);
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
}

#[cfg(test)]
mod tests;
