//! Terms whose shapes grow without bound but not their values: a tower with smaller and smaller stones, a stack whose
//! height is counted.
//!
//! Sentence forms are found before any value is known. Where they would get too deep, the rules are evaluated with
//! those that are not: if no rule derives what is deeper, there is nothing deeper.

use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, EngineError, Exceeded, Limit};

use crate::domains::one_step;
use crate::domains::program::{fact_tables, predicate, program};
use crate::evaluator::Evaluator;
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{
    FlatLiteral, FlatProgram, FlatRule, FormLimits, Forms, LiteralKind, PatternRules, flatten,
    infer,
};
use crate::symbols::Symbols;

/// With more forms than this, terms branch while they grow;
const MOST_FORMS: usize = 1 << 12;
/// with more specialised rules, they do in rules with several of them;
const MOST_RULES: usize = 1 << 16;
/// with more rows in a table, they multiply with each step.
const MOST_ROWS: u64 = 1 << 17;

/// The depth that is tried first: with each level more, shapes multiply in rules that have several such terms.
const FIRST_DEPTH: usize = 4;

/// Limits for shapes that are not too deep, and rules that leave out what is deeper.
pub(crate) fn cut(limits: &FormLimits) -> FormLimits {
    FormLimits {
        forms: limits.forms.min(MOST_FORMS),
        rules: limits.rules.min(MOST_RULES),
        leaves_out: true,
        ..*limits
    }
}

/// A budget for tables of such shapes.
pub(crate) fn within(budget: &Budget, forms: &Forms) -> Budget {
    budget.clone().with_table_rows(vec![MOST_ROWS; forms.len()].into())
}

/// The forms up to the depth limit and the rules about them, if no rule derives anything deeper.
///
/// # Errors
/// A limit of the budget.
pub(super) fn by_values(
    patterns: &PatternRules,
    limits: &FormLimits,
    symbols: &Symbols,
    budget: &Budget,
) -> Result<Option<(Forms, FlatProgram)>, Exceeded> {
    // What a high limit allows may be too much to try, where a low one would have done.
    let mut depth = FIRST_DEPTH.min(limits.depth);
    loop {
        let found = up_to(patterns, &FormLimits { depth, ..*limits }, symbols, budget)?;
        if found.is_some() || depth == limits.depth {
            return Ok(found);
        }
        depth = (2 * depth).min(limits.depth);
    }
}

/// The same for one depth.
fn up_to(
    patterns: &PatternRules,
    limits: &FormLimits,
    symbols: &Symbols,
    budget: &Budget,
) -> Result<Option<(Forms, FlatProgram)>, Exceeded> {
    let cut = cut(limits);
    let mut pulse = Pulse::new(budget, 0);
    let inferred = infer(patterns, &cut, &mut pulse);
    pulse.finish()?;
    let Ok(mut forms) = inferred else { return Ok(None) };
    let flattened = flatten(patterns, &mut forms, &cut, &mut pulse);
    pulse.finish()?;
    let Ok(mut flat) = flattened else { return Ok(None) };
    if flat.facts(&forms).any(|(form, _)| !forms.is_derivable(form)) {
        return Ok(None);
    }
    let all = program(&flat, &forms, symbols, |_| true);
    let mut tables = fact_tables(&flat, &forms, &all);
    let probe = within(budget, &forms);
    let evaluator = Evaluator::Datafrog;
    match one_step::complete(&all, &mut tables, evaluator, &probe, &mut Silent) {
        Ok(_) => {}
        Err(EngineError::Limit(exceeded)) if exceeded.limit == Limit::TableRows => return Ok(None),
        Err(EngineError::Limit(exceeded)) => return Err(*exceeded),
        // What else is wrong is told of descriptions that are bounded by their forms.
        Err(_) => return Ok(None),
    }
    let is_deeper = |rule: &FlatRule| !forms.is_derivable(rule.head.form);
    let is_empty = |rule: &FlatRule| tables[predicate(rule.head.form)].is_empty();
    let mut deeper = flat.rules.iter().filter(|it| is_deeper(it));
    if !deeper.all(is_empty) {
        return Ok(None);
    }
    // What is not as deep as the limit may be deeper than all values, too: rules for such shapes never apply, but would be
    // looked at by all passes.
    let never_holds = |literal: &FlatLiteral| match &literal.kind {
        LiteralKind::Positive(atom) => literal.joined && tables[predicate(atom.form)].is_empty(),
        _ => false,
    };
    flat.rules.retain(|it| !is_deeper(it) && !it.body.iter().any(never_holds));
    Ok(Some((forms, flat)))
}
