//! Which predicates are compiled, and which small tables that takes.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, EngineError, Limit, Tables};

use super::sizes::{Sizes, StaticRules};
use crate::domains::one_step;
use crate::evaluator::Evaluator;
use crate::flat::lowering;
use crate::flat::{FlatLiteral, FlatProgram, FlatRule, FormId, Forms};
use crate::symbols::Symbols;
use crate::tuning::{LARGE_STATIC, LARGE_VIEW};

/// Which predicates are compiled, and from what.
pub(super) struct Scope {
    /// Predicates that are too large for a table, and what is too large in their definitions.
    pub(super) unfolded: FxHashMap<FormId, Vec<usize>>,
    /// The other predicates in their definitions, and all that these depend on.
    pub(super) tabled: FxHashSet<FormId>,
}

impl Scope {
    /// What is needed to compile those of some predicates that are large. None if there are none.
    pub(super) fn new(
        of: &[FormId],
        flat: &FlatProgram,
        sizes: &Sizes,
        large: u64,
    ) -> Option<Self> {
        let mut scope = Scope { unfolded: FxHashMap::default(), tabled: FxHashSet::default() };
        for &form in of.iter().filter(|&&it| sizes.is_above(it, large)) {
            scope.add(form, &flat.rules, sizes, large);
        }
        // What one predicate needs a table of has it for all.
        let Scope { unfolded, tabled, .. } = &mut scope;
        unfolded.retain(|form, _| !tabled.contains(form));
        (!scope.unfolded.is_empty()).then_some(scope)
    }

    /// Adds a large predicate, unless something that it needs a table of depends on a large one, or on rules that mean
    /// something outside the rules, as those of roles.
    fn add(&mut self, form: FormId, rules: &[FlatRule], sizes: &Sizes, large: u64) {
        let mut unfolded: FxHashSet<FormId> = FxHashSet::default();
        let mut tabled: FxHashSet<FormId> = FxHashSet::default();
        let mut agenda = vec![(form, false)];
        while let Some((form, for_table)) = agenda.pop() {
            let for_table = for_table || !sizes.is_above(form, LARGE_VIEW.min(large));
            if for_table && sizes.is_above(form, large) || sizes.has_others(form) {
                return;
            }
            if !(if for_table { &mut tabled } else { &mut unfolded }).insert(form) {
                continue;
            }
            for &rule in sizes.by_head.get(&form).into_iter().flatten() {
                let forms = rules[rule].body.iter().filter_map(FlatLiteral::form);
                agenda.extend(forms.map(|form| (form, for_table)));
            }
        }
        for form in unfolded {
            self.unfolded.entry(form).or_insert_with(|| sizes.by_head[&form].clone());
        }
        self.tabled.extend(tabled);
    }

    /// The tables of what is not unfolded, and the facts of what is. None if one is larger than expected.
    pub(super) fn tables(
        &self,
        flat: &FlatProgram,
        forms: &Forms,
        symbols: &Symbols,
        statics: &StaticRules,
        budget: &Budget,
    ) -> Result<Option<Tables>, EngineError> {
        let is_tabled =
            |rule: &FlatRule| statics.contain(rule) && self.tabled.contains(&rule.head.form);
        let program = lowering::program(flat, forms, symbols, is_tabled);
        let mut tables = lowering::fact_tables(flat, forms, &program);
        let limited = budget.clone().with_table_rows(vec![LARGE_STATIC; forms.len()].into());
        let evaluator = Evaluator::Datafrog;
        match one_step::complete(&program, &mut tables, evaluator, &limited, &mut Silent) {
            Ok(_) => Ok(Some(tables)),
            Err(EngineError::Limit(it)) if it.limit == Limit::TableRows => Ok(None),
            Err(error) => Err(error),
        }
    }
}
