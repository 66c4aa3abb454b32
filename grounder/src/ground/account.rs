//! Holds splits to account: what was expected of auxiliary predicates is compared with what is counted.
//!
//! Estimates take columns for independent of each other. Where they are not, what a split multiplies may be far more than
//! the rule has instances. A split whose auxiliary predicates exceed what was expected by an order of magnitude is given up,
//! unless the rule as it was has more instances than these.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::observe::Observer;
use groundfrog_engine::query::{Count, Queries};
use groundfrog_engine::{EngineError, Limit};

use super::choose::{Completion, ENOUGH_FOR_A_GUESS};
use super::counts::{Counts, instances};
use crate::compact::complete_tables::choices::{Candidate, Candidates};
use crate::compact::complete_tables::decomposition::Decomposed;
use crate::evaluator::Evaluator;
use crate::flat::{FlatLiteral, FlatRule, FormId};
use crate::tuning::{ENOUGH, LARGE_VIEW, TOLERANCE};

/// An auxiliary predicate that has more instances than its rules may have.
struct Overrun {
    form: FormId,
    /// How many there are at least.
    instances: u64,
}

impl Completion<'_> {
    /// Completes the tables of auxiliary predicates. Returns the rules of the description whose splits are to be given up;
    /// if there are any, the tables are not complete. `rules` are those that were split.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(super) fn complete(
        &mut self,
        decomposed: &Decomposed,
        rules: &[FlatRule],
        counts: &mut Counts,
        observer: &mut dyn Observer,
    ) -> Result<FxHashSet<u32>, EngineError> {
        let mut tolerance = TOLERANCE;
        while let Some(it) = self.overrun(decomposed, tolerance, counts, observer)? {
            let users = users(decomposed, it.form);
            let own = rules.iter().filter(|rule| rule.stored && users.contains(&rule.origin));
            if self.has_fewer(own, it.instances)? {
                return Ok(users);
            }
            tolerance *= TOLERANCE;
        }
        Ok(FxHashSet::default())
    }

    /// Completes the tables unless an auxiliary predicate has too many instances for what is expected of it.
    fn overrun(
        &mut self,
        decomposed: &Decomposed,
        tolerance: f64,
        counts: &mut Counts,
        observer: &mut dyn Observer,
    ) -> Result<Option<Overrun>, EngineError> {
        let auxiliaries = &decomposed.auxiliaries;
        if auxiliaries.rules.is_empty() {
            return Ok(None);
        }
        let mut allowed: FxHashMap<FormId, f64> = FxHashMap::default();
        for it in &auxiliaries.steps {
            let form = auxiliaries.rules[it.rule].head.form;
            *allowed.entry(form).or_default() += it.expected * tolerance;
        }
        let mut rows = vec![u64::MAX; self.tables.iter().len()];
        allowed.iter_mut().for_each(|(form, allowed)| {
            *allowed = allowed.max(LARGE_VIEW as f64);
            rows[form.index()] = *allowed as u64;
        });
        let probe = self.budget.clone().with_table_rows(rows.into());
        match self.evaluate_within(&probe, &auxiliaries.rules, Evaluator::Datafrog, observer) {
            Err(EngineError::Limit(it)) if it.limit == Limit::TableRows => {
                let form = FormId(it.table.expect("a table has too many rows").0);
                return Ok(Some(Overrun { form, instances: it.count }));
            }
            result => result?,
        }
        let ways = Candidates::of(&decomposed.rules, auxiliaries);
        let mut found: FxHashMap<FormId, f64> = FxHashMap::default();
        for (index, rule) in auxiliaries.rules.iter().enumerate().filter(|(_, it)| it.stored) {
            let form = rule.head.form;
            let all = found.entry(form).or_default();
            let way = Candidate::Auxiliary(index);
            for enough in [ENOUGH_FOR_A_GUESS, ENOUGH] {
                let rule = ways.rule(way);
                let count = counts.count(way, rule, self.tables, enough, self.budget)?.number();
                // What is not split, as complements alone, has no expectation.
                if allowed.get(&form).is_none_or(|&allowed| *all + count as f64 <= allowed) {
                    *all += count as f64;
                    break;
                }
                if enough == ENOUGH {
                    return Ok(Some(Overrun { form, instances: count }));
                }
            }
        }
        Ok(None)
    }

    /// Whether some rules have no more instances than these together.
    fn has_fewer<'a>(
        &self,
        rules: impl Iterator<Item = &'a FlatRule>,
        most: u64,
    ) -> Result<bool, EngineError> {
        let mut queries = Queries::default();
        let mut all = 0;
        for rule in rules {
            let query = queries.prepare(&instances(rule), self.tables);
            match queries.count(&query, self.tables, most.max(ENOUGH), self.budget)? {
                Count::Exact(it) | Count::Estimate(it) => all += it,
                Count::AtLeast(_) => return Ok(false),
            }
            if all > most {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The rules of the description of which a part is an auxiliary predicate, or is in its rules.
fn users(decomposed: &Decomposed, form: FormId) -> FxHashSet<u32> {
    let ways = Candidates::of(&decomposed.rules, &decomposed.auxiliaries);
    let uses = |rule: usize| {
        let own = ways.reached(vec![Candidate::First(rule)]).into_iter();
        own.flat_map(|it| &ways.rule(it).body).any(|it: &FlatLiteral| it.form() == Some(form))
    };
    let users = (0..decomposed.rules.len()).filter(|&it| uses(it));
    let mut users: FxHashSet<u32> = users.map(|it| decomposed.rules[it].origin).collect();
    // One rule may have taken the place of several.
    for split in decomposed.auxiliaries.splits.iter().rev() {
        if users.contains(&split.origin) {
            users.extend(&split.others);
        }
    }
    users
}
