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

mod candidates;
mod chain;
mod compiler;
mod diagram;
mod scope;
mod sizes;
mod unfolding;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Budget, EngineError};

use crate::description::Keywords;
use crate::flat::{FlatLiteral, FlatProgram, FlatRule, FormId, Forms};
use crate::symbols::Symbols;
use crate::ticker::Ticker;
pub use compiler::Compiled;
use compiler::{Compiler, Replaced};
use scope::Scope;
use sizes::{Sizes, StaticRules};
use unfolding::DiagramDefinitions;

/// Compiles static literals of rules whose predicates are expected to have more than `large` rows. Adds the
/// predicates of the chains to `steps`, with their sizes.
///
/// # Errors
/// A limit.
pub fn compile(
    flat: &mut FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    keywords: &Keywords,
    steps: &mut FxHashMap<FormId, Measure>,
    large: u64,
    budget: &Budget,
) -> Result<Vec<Compiled>, EngineError> {
    let statics = StaticRules::new(keywords);
    let candidates = candidates::find(flat, forms, symbols.len(), &statics, large);
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let Some(sizes) = Sizes::new(&candidates, flat, forms, symbols, &statics) else {
        return Ok(Vec::new());
    };
    let Some(scope) = Scope::new(&candidates, flat, &sizes, large) else { return Ok(Vec::new()) };
    let Some(tables) = scope.tables(flat, forms, symbols, &statics, budget)? else {
        return Ok(Vec::new());
    };
    let mut ticker = Ticker::new(budget, tables.bytes());
    let rules = std::mem::take(&mut flat.rules);
    let definitions = DiagramDefinitions {
        rules: &rules,
        unfolded: scope.unfolded,
        tabled: scope.tabled,
        derived: rules.iter().map(|it| it.head.form).collect(),
        tables: &tables,
    };
    let mut compiler = Compiler::new(&definitions, (&sizes, large), &mut ticker, forms, symbols);
    let mut result = Vec::with_capacity(rules.len());
    for rule in &rules {
        // What is unfolded itself is not needed any more, unless another rule still uses it.
        let is_unfolded =
            statics.contain(rule) && definitions.unfolded.contains_key(&rule.head.form);
        match if is_unfolded { Replaced::Nothing } else { compiler.rule(rule)? } {
            Replaced::Nothing => result.push(rule.clone()),
            Replaced::By(rule) => result.push(rule),
            Replaced::Never => {}
        }
    }
    let Compiler { facts, measures, compiled, .. } = compiler;
    facts.into_iter().for_each(|(form, constants)| flat.add_fact(form, &constants));
    steps.extend(measures);
    if !compiled.is_empty() || result.len() < rules.len() {
        remove_unused(&mut result, &definitions.unfolded);
    }
    flat.rules = result;
    Ok(compiled)
}

/// Removes rules of unfolded predicates that no rule uses.
fn remove_unused(rules: &mut Vec<FlatRule>, unfolded: &FxHashMap<FormId, Vec<usize>>) {
    loop {
        let forms = rules.iter().flat_map(|rule| &rule.body).filter_map(FlatLiteral::form);
        let used: FxHashSet<FormId> = forms.collect();
        let before = rules.len();
        let is_unused = |form: FormId| unfolded.contains_key(&form) && !used.contains(&form);
        rules.retain(|rule| !is_unused(rule.head.form));
        if rules.len() == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
