//! The tables stage, with remedies for tables that become too large.
//!
//! Which tables these are is found by trying: an evaluation that makes a table too large begins anew with what the first remedy
//! that helps has changed. The remedies stand in the table of passes, in their order. Where nothing helps, the table is computed
//! whole.
//!
//! The last remedy is demand, for a predicate and all that use it, as these may have to be demanded before it can be. Where more
//! is demanded of one of them than that is worth, it is computed whole instead.

use fxhash::FxHashSet;
use groundfrog_engine::observe::Observer;
use groundfrog_engine::{Budget, EngineError, Limit, Program, Tables};

use super::passes::try_remedies;
use super::report::Report;
use super::tables::{Flattened, Roots};
use crate::compact::large_tables::demand::{self, Adornments};
use crate::compact::large_tables::diagrams::{self, LargeCondition, Steps};
use crate::compact::large_tables::{differences, right_linear};
use crate::domains::Evaluator;
use crate::flat::lowering::predicate;
use crate::flat::{FlatRule, FormId, Forms};
use crate::options::{Domains, GroundOptions, PassId};
use crate::prepare::Prepared;
use crate::symbols::Symbols;
use crate::tuning::{LARGE_STATIC, LARGE_VIEW};

/// The program before any predicate was on demand.
struct Unrestricted {
    rules: Vec<FlatRule>,
    forms: Forms,
    symbols: Symbols,
}

/// How far the search for remedies has come.
struct RemedySearch {
    choice: DemandChoice,
    /// Whether anything may be on demand; otherwise only the tables of conditions may become too large.
    may_demand: bool,
    /// Mostly nothing is large: what the rules were is kept only when it is known that they change.
    unrestricted: Option<Unrestricted>,
    /// How many forms there are that use nothing.
    own_forms: usize,
    /// The static predicates that diagrams may take the place of, as far as that was not tried.
    conditions: FxHashSet<FormId>,
    /// How many rows make such a one large.
    large_condition: u64,
}

impl RemedySearch {
    /// The first predicate that diagrams may take the place of whose table is large, and its rows: tables are not checked at each
    /// row.
    fn large_condition(&self, tables: &Tables) -> Option<(FormId, u64)> {
        let sizes =
            self.conditions.iter().map(|&form| (form, tables[predicate(form)].len() as u64));
        sizes.filter(|&(_, rows)| rows > self.large_condition).min()
    }

    /// How many rows the table of a form may have. `demanded` are the forms about which those after the own ones say what is
    /// demanded.
    fn most_rows(
        &self,
        form: FormId,
        flattened: &Flattened,
        roots: &Roots,
        demanded: &[FormId],
    ) -> u64 {
        if self.conditions.contains(&form) {
            return self.large_condition;
        }
        if !self.may_demand {
            return u64::MAX;
        }
        if let Some(demand) = form.index().checked_sub(self.own_forms) {
            self.choice.most_demanded(demanded[demand])
        } else if roots.contain(flattened.forms.form(form).predicate) {
            u64::MAX
        } else {
            self.choice.most_rows(form, flattened.is_static(form))
        }
    }
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

    /// Whether a form is of a static predicate that nothing but rules looks at.
    fn is_condition(&self, form: FormId, roots: &Roots) -> bool {
        self.is_static(form) && !roots.contain(self.forms.form(form).predicate)
    }

    /// Completes all tables, or with the pass `demand` those that the game needs: predicates with large tables only for the
    /// arguments that are demanded. Of the passes, the remedies change rules whose tables become too large.
    ///
    /// # Errors
    /// As the evaluator.
    pub(crate) fn complete_with_remedies(
        &mut self,
        options: &GroundOptions,
        budget: &Budget,
        observer: &mut dyn Observer,
        report: &mut Report,
    ) -> Result<(Program, Tables), EngineError> {
        let (domains, passes) = (options.domains, options.passes);
        let evaluator = Evaluator::of(options.engine);
        let is_iterative = domains == Domains::Iterative;
        let roots = self.roots();
        let may_demand = !is_iterative && passes.contains(PassId::Demand);
        let mut choice = DemandChoice::default();
        if may_demand {
            let (rules, forms) = (&mut self.flat.rules, &self.forms);
            let is_root = |form: FormId| roots.contain(forms.form(form).predicate);
            demand::keep_needed(rules, forms.len(), is_root);
            let Prepared { rules, statics, .. } = &mut self.prepared;
            let (forms, symbols) = (&mut self.forms, &mut rules.symbols);
            let (flat, is_fixed) = (&mut self.flat, |it| roots.contain(it));
            choice.leave(right_linear::factor(flat, forms, symbols, statics, is_fixed));
        }
        let conditions = if passes.contains(PassId::Diagrams) {
            let is_static = |form: FormId| {
                let predicate = self.forms.form(form).predicate;
                !self.prepared.statics.is_dynamic(predicate) && !roots.contain(predicate)
            };
            differences::unfold(&mut self.flat, &self.forms, is_static);
            let is_condition = |form| self.is_condition(form, &roots);
            diagrams::candidates(&self.flat.rules, is_condition, options.large_static == 0)
        } else {
            FxHashSet::default()
        };
        if !may_demand && conditions.is_empty() {
            return self.complete(domains, evaluator, budget, observer, report);
        }
        let mut search = RemedySearch {
            choice,
            may_demand,
            unrestricted: None,
            own_forms: self.forms.len(),
            conditions,
            large_condition: options.large_static,
        };
        loop {
            let (adornments, demanded) = match &search.unrestricted {
                Some(original) => self.restrict(original, &search.choice.wanted, &roots),
                None => (Adornments::default(), Vec::new()),
            };
            let most_rows = |form| search.most_rows(form, self, &roots, &demanded);
            let rows: Vec<u64> = self.forms.iter().map(|(form, _)| most_rows(form)).collect();
            let probe = budget.clone().with_table_rows(rows.into());
            let (all, mut tables) =
                self.incomplete(|rule| !is_iterative || self.is_static(rule.head.form));
            let first = Evaluator::Datafrog;
            let completed = first.evaluate(&all, &mut tables, &probe, observer);
            let (form, rows) = match (completed, search.large_condition(&tables)) {
                (Ok(_), Some(large)) => large,
                (Ok(statistics), None) => {
                    self.demanded.extend(adornments.keys());
                    self.first_demand = Some(FormId(search.own_forms as u32));
                    if is_iterative || evaluator != first {
                        return self.complete(domains, evaluator, budget, observer, report);
                    }
                    report.note(&statistics, &tables);
                    return Ok((all, tables));
                }
                (Err(EngineError::Limit(exceeded)), _) if exceeded.limit == Limit::TableRows => {
                    let table = exceeded.table.expect("a table has too many rows");
                    (FormId(table.0), exceeded.count)
                }
                (Err(EngineError::NotStratified { .. }), _)
                    if search.choice.exclude(|form| !self.is_static(*form)) =>
                {
                    continue;
                }
                (Err(error), _) => return Err(error),
            };
            let mut original =
                search.unrestricted.take().unwrap_or_else(|| self.take_unrestricted());
            let mut large = LargeTable {
                form,
                rows,
                demanded: &demanded,
                flattened: self,
                search: &mut search,
                original: &mut original,
                roots: &roots,
                budget,
            };
            try_remedies(&mut large, passes);
            search.unrestricted = Some(original);
            // Where nothing helps, the table is computed whole: at first one that is only large for a condition.
            search.conditions.remove(&form);
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
        let is_root = |form: FormId| roots.contain(self.forms.form(form).predicate);
        let dependents = demand::dependents(rules, wanted, self.forms.len(), is_root);
        let adornments = demand::adorn(rules, wanted, &dependents, &self.forms);
        let restricted =
            demand::restrict(rules, &adornments, &dependents, &mut self.forms, symbols);
        self.flat.rules = restricted.rules;
        (adornments, restricted.demanded)
    }

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

/// A table that has become too large. Each method is a remedy, which returns whether it has changed rules or what is on
/// demand.
pub(super) struct LargeTable<'run> {
    form: FormId,
    /// How many rows it has, at the least.
    rows: u64,
    /// What each form that only demands is about.
    demanded: &'run [FormId],
    flattened: &'run mut Flattened,
    search: &'run mut RemedySearch,
    /// The program that is changed.
    original: &'run mut Unrestricted,
    roots: &'run Roots,
    budget: &'run Budget,
}

impl LargeTable<'_> {
    /// Compiles a static predicate, and those that use it, to decision diagrams.
    pub(super) fn compile_condition(&mut self) -> bool {
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
    pub(super) fn put_on_demand(&mut self) -> bool {
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

/// What is computed in which way.
#[derive(Default)]
struct DemandChoice {
    /// Predicates on demand, if all their uses bind an argument.
    wanted: Vec<FormId>,
    /// Predicates that must not be on demand.
    excluded: FxHashSet<FormId>,
    /// Predicates on demand of which much may be demanded.
    widened: FxHashSet<FormId>,
}

impl DemandChoice {
    /// Leaves out predicates that hold of nothing but what is demanded.
    fn leave(&mut self, predicates: Vec<FormId>) {
        self.excluded.extend(predicates);
    }

    /// Puts predicates on demand of which nothing is known yet.
    fn want(&mut self, predicates: impl IntoIterator<Item = FormId>) {
        for it in predicates {
            if !self.wanted.contains(&it) && !self.excluded.contains(&it) {
                self.wanted.push(it);
            }
        }
    }

    /// How many rows the table of a predicate may have that is not demanded by every game.
    fn most_rows(&self, form: FormId, is_static: bool) -> u64 {
        if self.excluded.contains(&form) || self.wanted.contains(&form) {
            u64::MAX
        } else if is_static {
            LARGE_STATIC
        } else {
            LARGE_VIEW
        }
    }

    /// How much may be demanded of a predicate on demand.
    fn most_demanded(&self, form: FormId) -> u64 {
        if self.widened.contains(&form) { u64::MAX } else { LARGE_VIEW }
    }

    /// More is demanded of a predicate on demand than may be. `users` demand it: they should be demanded as well.
    fn note_large_demand(&mut self, form: FormId, users: impl Iterator<Item = FormId>) {
        self.widened.insert(form);
        self.want(users);
    }

    /// No predicates on demand that depend on each other's negation: at first static ones, which then depend on
    /// the course of the game. Returns whether there was one.
    fn exclude(&mut self, is_dynamic: impl Fn(&FormId) -> bool) -> bool {
        let (dynamic, fixed): (Vec<FormId>, Vec<FormId>) =
            self.wanted.drain(..).partition(is_dynamic);
        let has_changed = !dynamic.is_empty() || !fixed.is_empty();
        if fixed.is_empty() {
            self.excluded.extend(dynamic);
        } else {
            self.excluded.extend(fixed);
            self.wanted = dynamic;
        }
        has_changed
    }
}
