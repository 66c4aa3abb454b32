//! Decision diagrams: conditions that are too large for a table.
//!
//! `exactlyOne(digit, m1, ..., m9)` is static, but has billions of rows, and demand does not help: whatever
//! marks nine squares can have is asked for. What matters of the first marks is much less than all of them:
//! which digits are among them. So the static literals of a rule are not computed but compiled, together, to a
//! [decision diagram](diagram) over their variables, by the definitions of their predicates: what the values
//! chosen so far leave open is a *state*, and states that leave the same open are one. The diagram then becomes a chain
//! of static predicates, `state1(m1, s1), state2(s1, m2, s2), ..., state9(s8, m9)`, which takes the
//! place of the literals; demand and decomposition cut the rule between any two of them.
//!
//! The chain has the same answers as the literals, so the rule has the same instances.

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
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{FlatProgram, FlatRule, FormId, Forms, LiteralKind};
use crate::symbols::Symbols;
use compiler::{Compiler, Replaced};
use scope::Scope;
use sizes::{Sizes, StaticRules};
use unfolding::Definitions;

/// A rule whose large literals were replaced.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The rule of the description that it comes from.
    pub origin: u32,
    /// The predicates whose literals were replaced, in order and each once.
    pub replaced: Vec<FormId>,
    /// The chains in their place: for each variable, how many states there are after it, and how many steps
    /// lead there.
    pub chains: Vec<Vec<(usize, usize)>>,
    /// Whether another rule has the same chains.
    pub is_shared: bool,
}

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
    if !sizes::can_be_large(flat, forms, symbols.len(), &statics, large) {
        return Ok(Vec::new());
    }
    let Some(sizes) = Sizes::new(flat, forms, symbols, &statics) else { return Ok(Vec::new()) };
    let Some(scope) = Scope::new(flat, &statics, &sizes, large) else { return Ok(Vec::new()) };
    let Some(tables) = scope.tables(flat, forms, symbols, &statics, budget)? else {
        return Ok(Vec::new());
    };
    let mut pulse = Pulse::new(budget, tables.bytes());
    let rules = std::mem::take(&mut flat.rules);
    let definitions = Definitions {
        rules: &rules,
        unfolded: scope.unfolded,
        tabled: scope.tabled,
        derived: rules.iter().map(|it| it.head.form).collect(),
        tables: &tables,
    };
    let mut compiler = Compiler::new(&definitions, (&sizes, large), &mut pulse, forms, symbols);
    let mut result = Vec::with_capacity(rules.len());
    for rule in &rules {
        // What is unfolded itself is not needed any more, unless another rule still asks for it.
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
    if !compiled.is_empty() {
        remove_unused(&mut result, &definitions.unfolded);
    }
    flat.rules = result;
    Ok(compiled)
}

/// Removes rules of unfolded predicates that no rule asks for.
fn remove_unused(rules: &mut Vec<FlatRule>, unfolded: &FxHashMap<FormId, Vec<usize>>) {
    loop {
        let atoms =
            rules.iter().flat_map(|rule| &rule.body).filter_map(|literal| match &literal.kind {
                LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => Some(atom.form),
                LiteralKind::Distinct(..) => None,
            });
        let used: FxHashSet<FormId> = atoms.filter(|it| unfolded.contains_key(it)).collect();
        let before = rules.len();
        rules.retain(|rule| {
            !unfolded.contains_key(&rule.head.form) || used.contains(&rule.head.form)
        });
        if rules.len() == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
