//! Decision diagrams: conditions that are too large for a table.
//!
//! `rings_once(bell, p1, ..., p9)`, that one of nine places has the bell, is static, but has a billion rows, and
//! demand does not help: whatever nine places can have is demanded. What matters of the first places is much
//! less than all of them: which bells are among them. So the static literals of a rule are not computed but
//! compiled, together, to a decision diagram over their variables, by the definitions of their predicates: what
//! the values chosen so far leave open is a *state*, and states that leave the same open are one. The diagram
//! then becomes a chain of static predicates, `step_1(p1, s1), step_2(s1, p2, s2), ..., step_9(s8, p9)`, which
//! takes the place of the literals; decomposition cuts the rule between any two of them.
//!
//! The chain has the same answers as the literals, so the rule has the same instances.

mod compiler;
mod diagram;
mod unfolding;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, Tables};

use super::demand::users;
use crate::domains::Evaluator;
use crate::flat::lowering;
use crate::flat::{FlatLiteral, FlatProgram, FlatRule, FormId, Forms};
use crate::symbols::Symbols;
use crate::ticker::Ticker;
use crate::tuning::LARGE_STATIC;
pub use compiler::{Compiled, Steps};
use compiler::{Compiler, binds_together, has_three};
use unfolding::DiagramDefinitions;

/// The static predicates that diagrams may take the place of, with those in their definitions: literals with three variables or
/// more, of which no dynamic literal has two. What others bind together is only a filter. All, if diagrams are made `throughout`.
pub fn candidates(
    rules: &[FlatRule],
    is_static: impl Fn(FormId) -> bool,
    throughout: bool,
) -> FxHashSet<FormId> {
    let mut found = Vec::new();
    for rule in rules.iter().filter(|rule| !is_static(rule.head.form)) {
        let is_candidate = |literal: &&FlatLiteral| {
            let dynamic = rule.body.iter().filter(|it| it.stored);
            throughout || has_three(literal) && !binds_together(rule, &[literal], dynamic)
        };
        let conditions = rule.body.iter().filter(|it| it.is_positive() && it.joined && !it.stored);
        found.extend(conditions.filter(is_candidate).filter_map(FlatLiteral::form));
    }
    let found = below(rules, found);
    let derived = rules.iter().map(|it| it.head.form);
    derived.filter(|form| found.contains(form) && is_static(*form)).collect()
}

/// Predicates and those that they depend on.
fn below(rules: &[FlatRule], mut agenda: Vec<FormId>) -> FxHashSet<FormId> {
    let mut by_head: FxHashMap<FormId, Vec<&FlatRule>> = FxHashMap::default();
    if !agenda.is_empty() {
        rules.iter().for_each(|rule| by_head.entry(rule.head.form).or_default().push(rule));
    }
    let mut found = FxHashSet::default();
    while let Some(form) = agenda.pop() {
        if found.insert(form) {
            let bodies = by_head.get(&form).into_iter().flatten().flat_map(|rule| &rule.body);
            agenda.extend(bodies.filter_map(FlatLiteral::form));
        }
    }
    found
}

/// A predicate that is too large for a table.
pub struct LargeCondition<'run> {
    /// The predicate.
    pub form: FormId,
    /// How many steps all diagrams of a rule may have together: as many as the table has rows.
    pub most_steps: f64,
    /// By form: whether it is static, and looked at by nothing but rules.
    pub is_static: &'run [bool],
}

/// What became of the rules.
pub struct CompiledRules {
    /// All rules.
    pub rules: Vec<FlatRule>,
    /// The steps from state to state.
    pub steps: Vec<Steps>,
    /// Rules with diagrams.
    pub compiled: Vec<Compiled>,
    /// The predicates that nothing mentions any more.
    pub removed: FxHashSet<FormId>,
}

/// Compiles a predicate and all static ones that use it, in all rules. None if that is not possible, or not much smaller, or the
/// limits do not allow it.
pub fn compile(
    condition: &LargeCondition<'_>,
    flat: &FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    budget: &Budget,
) -> Option<CompiledRules> {
    let is_static = |form: FormId| condition.is_static[form.index()];
    let removed = users(&flat.rules, condition.form, forms.len(), |it| !is_static(it));
    let removed: FxHashSet<FormId> = removed.into_iter().filter(|&it| is_static(it)).collect();
    let tables = tables_below(&removed, flat, (forms, symbols), is_static, budget)?;
    let mut unfolded: FxHashMap<FormId, Vec<&FlatRule>> = FxHashMap::default();
    for rule in flat.rules.iter().filter(|rule| removed.contains(&rule.head.form)) {
        unfolded.entry(rule.head.form).or_default().push(rule);
    }
    let derived: FxHashSet<FormId> = flat.rules.iter().map(|it| it.head.form).collect();
    let is_known = |form: FormId| is_static(form) || !derived.contains(&form);
    if !unfolded
        .values()
        .flatten()
        .flat_map(|it| &it.body)
        .filter_map(FlatLiteral::form)
        .all(is_known)
    {
        return None;
    }
    let definitions = DiagramDefinitions { unfolded, is_known: &is_known, tables: &tables };
    let mut ticker = Ticker::new(budget, tables.bytes());
    let mut compiler =
        Compiler::new(&definitions, condition.most_steps, &mut ticker, forms, symbols);
    let mut rules = Vec::with_capacity(flat.rules.len());
    for rule in flat.rules.iter().filter(|rule| !removed.contains(&rule.head.form)) {
        if rule.body.iter().filter_map(FlatLiteral::form).any(|it| removed.contains(&it)) {
            rules.extend(compiler.rule(rule)?);
        } else {
            rules.push(rule.clone());
        }
    }
    let Compiler { steps, compiled, .. } = compiler;
    Some(CompiledRules { rules, steps, compiled, removed })
}

/// The tables of the static predicates that rules with the removed ones use, and facts. None if one is large as well.
fn tables_below(
    removed: &FxHashSet<FormId>,
    flat: &FlatProgram,
    (forms, symbols): (&Forms, &Symbols),
    is_static: impl Fn(FormId) -> bool,
    budget: &Budget,
) -> Option<Tables> {
    let has_removed = |rule: &&FlatRule| {
        removed.contains(&rule.head.form)
            || rule.body.iter().filter_map(FlatLiteral::form).any(|it| removed.contains(&it))
    };
    let bodies = flat.rules.iter().filter(has_removed).flat_map(|rule| &rule.body);
    let conditions = bodies.filter_map(FlatLiteral::form).filter(|&it| is_static(it));
    let needed = below(&flat.rules, conditions.collect());
    let is_needed = |rule: &FlatRule| {
        let form = rule.head.form;
        is_static(form) && needed.contains(&form) && !removed.contains(&form)
    };
    let program = lowering::program(flat, forms, symbols, is_needed);
    let mut tables = lowering::fact_tables(flat, forms, &program);
    let limited = budget.clone().with_table_rows(vec![LARGE_STATIC; forms.len()].into());
    Evaluator::Datafrog.evaluate(&program, &mut tables, &limited, &mut Silent).ok()?;
    Some(tables)
}

#[cfg(test)]
mod tests;
