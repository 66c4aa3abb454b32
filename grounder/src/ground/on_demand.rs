//! The tables stage with demand: which predicates are computed only for the arguments that are asked for.
//!
//! Which these are is found by trying: an evaluation that makes a table too large begins anew with that
//! predicate on demand, and all that use it, as these may have to ask before it can be asked. Where more is asked of
//! one of them than that is worth, it is computed whole instead.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::observe::Observer;
use groundfrog_engine::{Budget, EngineError, Limit, Program, Tables};

use super::evaluator::Evaluator;
use super::report::Report;
use super::tables::{Flattened, LARGE_STATIC};
use crate::compact::demand::{self, Adornments};
use crate::compact::{products, unfolding};
use crate::domains::{one_step, program};
use crate::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId, Forms};
use crate::symbols::Symbols;

/// A table of a view with more rows is worth asking which of them are needed;
const LARGE: u64 = 10_000;
/// one with many columns, when it has so many constants.
const LARGE_CONSTANTS: u64 = 60_000;

/// How many rows make a table with so many columns large.
fn large(columns: usize) -> u64 {
    LARGE.min(LARGE_CONSTANTS / columns.max(1) as u64)
}

/// A view of which much is asked is computed whole if it has no more rows than this;
const LARGE_WHOLE: u64 = 300_000;
/// a static predicate, which is not stored, if it has no more than this.
const LARGE_WHOLE_STATIC: u64 = 2_000_000;
/// While something is computed whole, so much may be asked of other predicates,
const LARGE_DEMAND: u64 = 1_000_000;
/// and they may have so many rows.
const LARGE_ANSWER: u64 = 4_000_000;

/// When so much is asked of a view that was too large to be computed whole, it may be so after all, with no more rows than
/// the second says; if it has more, once more when much more is asked.
const ATTEMPTS: [(u64, u64); 2] = [(400_000, 2_400_000), (4_000_000, 24_000_000)];

/// The program before any predicate was on demand.
struct Unrestricted {
    rules: Vec<FlatRule>,
    forms: Forms,
    symbols: Symbols,
}

/// What is computed in which way.
#[derive(Default)]
struct Choice {
    /// Predicates on demand, if all their uses bind an argument.
    wanted: Vec<FormId>,
    /// Predicates that must not be on demand.
    excluded: FxHashSet<FormId>,
    /// Predicates on demand of which much may be asked.
    widened: FxHashSet<FormId>,
    /// Predicates that are computed whole, as much is asked of them.
    spared: Vec<FormId>,
    /// Predicates that are too large for that.
    vast: FxHashSet<FormId>,
    /// Views that are computed whole, as more is asked of them than they are expected to have rows.
    whole: Vec<FormId>,
    /// How often this was tried.
    attempts: FxHashMap<FormId, usize>,
    /// Whether that has led others to be asked too much.
    has_failed: bool,
}

impl Choice {
    /// Puts predicates on demand of which nothing is known yet.
    fn want(&mut self, predicates: impl IntoIterator<Item = FormId>) {
        for it in predicates {
            let is_known = self.wanted.contains(&it)
                || self.excluded.contains(&it)
                || self.spared.contains(&it)
                || self.whole.contains(&it);
            if !is_known {
                self.wanted.push(it);
            }
        }
    }

    /// Whether a predicate may be unfolded: neither it nor what it is defined by is on demand.
    fn allows_unfolding(&self, rules: &[FlatRule], form: FormId) -> bool {
        let own = rules.iter().filter(|rule| rule.head.form == form);
        let body = own.flat_map(|rule| &rule.body).filter_map(FlatLiteral::form);
        ![form].into_iter().chain(body).any(|it| self.wanted.contains(&it))
    }

    /// Much is asked of a predicate. Returns whether it is computed whole from now on.
    fn spare(&mut self, form: FormId) -> bool {
        let may_spare = !self.has_failed && !self.vast.contains(&form);
        if may_spare {
            self.wanted.retain(|it| *it != form);
            self.spared.push(form);
        }
        may_spare
    }

    /// A predicate that is computed whole is too large.
    fn is_vast(&mut self, form: FormId) {
        self.vast.insert(form);
        self.spared.retain(|it| *it != form);
        self.wanted.push(form);
    }

    /// How much may be asked of a view before it is tried to compute it whole.
    fn most_asked(&self, form: FormId) -> u64 {
        let attempts = self.attempts.get(&form).copied().unwrap_or(0);
        ATTEMPTS.get(attempts).map_or(u64::MAX, |it| it.0)
    }

    /// How many rows a view may have that is computed whole.
    fn most_rows(&self, form: FormId) -> u64 {
        ATTEMPTS[self.attempts[&form] - 1].1
    }

    /// More may be asked of a view than it has rows: it is computed whole from now on.
    fn compute_whole(&mut self, form: FormId) {
        *self.attempts.entry(form).or_insert(0) += 1;
        self.wanted.retain(|it| *it != form);
        self.whole.push(form);
    }

    /// A view has more rows than could be asked for.
    fn is_not_whole(&mut self, form: FormId) {
        self.whole.retain(|it| *it != form);
        self.wanted.push(form);
    }

    /// Nothing is computed whole any more.
    fn fail(&mut self) {
        self.has_failed = true;
        self.wanted.append(&mut self.spared);
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

    /// Completes all tables that the game needs; predicates with large tables only for the arguments that
    /// are asked for. If `unfolds`, large views that only name a conjunction are unfolded.
    pub(crate) fn complete_on_demand(
        &mut self,
        unfolds: bool,
        evaluator: Evaluator,
        budget: &Budget,
        observer: &mut dyn Observer,
        report: &mut Report,
    ) -> Result<(Program, Tables), EngineError> {
        let roots = self.roots();
        let is_root = |forms: &Forms, form: FormId| roots.contain(forms.form(form).predicate);
        let forms = &self.forms;
        demand::keep_needed(&mut self.flat.rules, forms.len(), |it| is_root(forms, it));
        let own_forms = forms.len();
        // Mostly nothing is large: what the rules were is kept only when it is known that they change.
        let mut unrestricted: Option<Unrestricted> = None;
        let (mut choice, mut unfolded) = (Choice::default(), Vec::new());
        loop {
            let (mut adornments, mut demanded) = (Adornments::default(), Vec::new());
            if let Some(original) = &unrestricted {
                self.forms.clone_from(&original.forms);
                let symbols = &mut self.prepared.rules.symbols;
                symbols.clone_from(&original.symbols);
                adornments = demand::adorn(&original.rules, &choice.wanted, &self.forms);
                let restricted =
                    demand::restrict(&original.rules, &adornments, &mut self.forms, symbols);
                self.flat.rules = restricted.rules;
                demanded = restricted.demanded;
            }
            let all = self.program(|_| true);
            let mut tables = program::fact_tables(&self.flat, &self.forms, &all);
            let is_static = |it| !self.prepared.statics.is_dynamic(self.forms.form(it).predicate);
            let allowed = |it: FormId| {
                let unless_sparing = |rows| if choice.spared.is_empty() { u64::MAX } else { rows };
                if let Some(demand) = it.index().checked_sub(own_forms) {
                    let is_widened = choice.widened.contains(&demanded[demand]);
                    return if is_widened && !is_static(demanded[demand]) {
                        unless_sparing(LARGE_DEMAND).min(choice.most_asked(demanded[demand]))
                    } else if is_widened {
                        unless_sparing(LARGE_DEMAND)
                    } else {
                        large(self.forms.columns(it))
                    };
                }
                match is_static(it) {
                    _ if is_root(&self.forms, it) || choice.excluded.contains(&it) => u64::MAX,
                    _ if choice.whole.contains(&it) => choice.most_rows(it),
                    _ if choice.wanted.contains(&it) => unless_sparing(LARGE_ANSWER),
                    true if choice.spared.contains(&it) => LARGE_WHOLE_STATIC,
                    false if choice.spared.contains(&it) => LARGE_WHOLE,
                    true => LARGE_STATIC,
                    false => large(self.forms.columns(it)),
                }
            };
            let rows: Vec<u64> = self.forms.iter().map(|(it, _)| allowed(it)).collect();
            let probe = budget.clone().with_table_rows(rows.into());
            let first = Evaluator::Datafrog;
            let exceeded = match one_step::complete(&all, &mut tables, first, &probe, observer) {
                Ok(mut statistics) => {
                    self.demanded.extend(adornments.keys().chain(&unfolded));
                    if evaluator != first {
                        tables = program::fact_tables(&self.flat, &self.forms, &all);
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
            let form = FormId(table.0);
            let is_view =
                |it: FormId| it.index() < own_forms && !is_root(&self.forms, it) && !is_static(it);
            let may_be_unfolded: Vec<bool> = match unfolds && is_view(form) {
                true => self.forms.iter().map(|(it, _)| is_view(it)).collect(),
                false => Vec::new(),
            };
            let original = unrestricted.get_or_insert_with(|| self.take_unrestricted());
            if choice.allows_unfolding(&original.rules, form)
                && self.unfold_product(&mut original.rules, form, &tables, exceeded.count)
            {
                unfolded.push(form);
                continue;
            }
            if !may_be_unfolded.is_empty()
                && let Some(views) =
                    unfolding::unfold(&mut original.rules, form, |it| may_be_unfolded[it.index()])
            {
                self.unfolded.extend(views);
                continue;
            }
            let users = |form| {
                let users = demand::users(&original.rules, form, own_forms);
                users.into_iter().filter(|&it| !is_root(&original.forms, it))
            };
            if let Some(demand) = form.index().checked_sub(own_forms) {
                let form = demanded[demand];
                if choice.widened.contains(&form) {
                    if choice.spared.is_empty() {
                        choice.compute_whole(form);
                    } else {
                        choice.fail();
                    }
                } else if !choice.spare(form) {
                    // What asks should be asked for as well.
                    choice.widened.insert(form);
                    choice.want(users(form));
                }
            } else if choice.whole.contains(&form) {
                choice.is_not_whole(form);
            } else if choice.spared.contains(&form) {
                choice.is_vast(form);
            } else if choice.wanted.contains(&form) {
                choice.fail();
            } else {
                choice.want(users(form));
                // A step is asked for as its closure is, which is no smaller.
                let of_step = self.closures.iter().find(|it| it.step == form);
                choice.want(of_step.map(|it| it.closed).filter(|&it| !is_root(&self.forms, it)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
