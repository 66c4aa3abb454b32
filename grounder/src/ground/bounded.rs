//! Terms whose shapes grow without bound but not their values: a tower with smaller and smaller stones, a stack whose
//! height is counted.
//!
//! Sentence forms are found before any value is known. Where they would get too deep, or too many before that, the rules
//! are evaluated with those that are not: if no rule derives what is deeper, there is nothing deeper.

use std::sync::Arc;

use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, EngineError, Exceeded, Limit};

use super::work::Work;
use crate::domains::one_step;
use crate::evaluator::Evaluator;
use crate::flat::lowering::{fact_tables, predicate, program};
use crate::flat::{FlatLiteral, FlatProgram, FlatRule, Forms, LiteralKind};
use crate::rewrite::sentence_forms::{FormLimits, PatternRules, specialise};
use crate::symbols::Symbols;
use crate::ticker::Ticker;

/// How deep terms may be nested at first: with each level more, shapes multiply in rules that have several such terms.
const FIRST_DEPTH: usize = 4;

// Beyond these limits a description is refused, as if its terms grew without bound.

/// Terms with more forms than this branch while they grow.
const MOST_FORMS_OF_BOUNDED: usize = 1 << 12;

/// Terms whose rules are specialised to more than this, or of which a table has more rows, branch or multiply with each step.
const MOST_OF_BOUNDED: usize = 1 << 17;

/// Checks of the budget after which evaluation has looked at too many rows to go on.
const MOST_CHECKS: u64 = 1 << 15;

/// Limits for shapes that are not too deep, and rules that leave out what is deeper.
pub fn cut(limits: &FormLimits) -> FormLimits {
    FormLimits {
        forms: limits.forms.min(MOST_FORMS_OF_BOUNDED),
        rules: limits.rules.min(MOST_OF_BOUNDED),
        leaves_out: true,
        ..*limits
    }
}

/// A budget for tables of such shapes.
pub fn within(budget: &Budget, forms: &Forms) -> Budget {
    budget.clone().with_table_rows(vec![MOST_OF_BOUNDED as u64; forms.len()].into())
}

/// The forms up to a depth within the limit and the rules about them, if no rule derives anything deeper.
///
/// # Errors
/// A limit of the budget.
pub(super) fn by_values(
    patterns: &PatternRules,
    limits: &FormLimits,
    symbols: &Symbols,
    budget: &Budget,
) -> Result<Option<(Forms, FlatProgram)>, Exceeded> {
    let work = Arc::new(Work::new(MOST_CHECKS, budget));
    let probe = budget.clone().with_stop(work.clone());
    // What a high limit allows may be too much to try, where a low one would have done. There is something deeper than all
    // depths below the first; the second and those above it take too much.
    let (mut least, mut too_much) = (0, limits.depth.saturating_add(1));
    let mut depth = FIRST_DEPTH.min(limits.depth);
    while least < too_much && !work.is_done() {
        match up_to(patterns, &FormLimits { depth, ..*limits }, symbols, (budget, &probe))? {
            Tried::Found(found) => return Ok(Some(*found)),
            Tried::Deeper => least = depth + 1,
            Tried::TooMuch => too_much = depth,
        }
        depth = match too_much <= limits.depth {
            true => least.midpoint(too_much),
            false => depth.saturating_mul(2).min(limits.depth),
        };
    }
    Ok(None)
}

/// What comes of the forms up to one depth.
enum Tried {
    /// There is nothing deeper.
    Found(Box<(Forms, FlatProgram)>),
    /// There may be.
    Deeper,
    /// There are too many of them, or of their rows.
    TooMuch,
}

/// Evaluates the rules for the forms up to one depth, within the second budget.
fn up_to(
    patterns: &PatternRules,
    limits: &FormLimits,
    symbols: &Symbols,
    (budget, probe): (&Budget, &Budget),
) -> Result<Tried, Exceeded> {
    let cut = cut(limits);
    let mut ticker = Ticker::new(budget, 0);
    let Ok((forms, mut flat)) = specialise(patterns, &cut, &mut ticker)? else {
        return Ok(Tried::TooMuch);
    };
    if flat.facts(&forms).any(|(form, _)| !forms.is_derivable(form)) {
        return Ok(Tried::Deeper);
    }
    let all = program(&flat, &forms, symbols, |_| true);
    let mut tables = fact_tables(&flat, &forms, &all);
    let rows = within(probe, &forms);
    let evaluator = Evaluator::Datafrog;
    match one_step::complete(&all, &mut tables, evaluator, &rows, &mut Silent) {
        Ok(_) => {}
        Err(EngineError::Limit(exceeded)) => {
            // Another limit than those that are set here?
            budget.check(0, 0)?;
            return match exceeded.limit {
                Limit::TableRows | Limit::Cancelled => Ok(Tried::TooMuch),
                _ => Err(*exceeded),
            };
        }
        // What else is wrong is reported of descriptions that are bounded by their forms.
        Err(_) => return Ok(Tried::TooMuch),
    }
    let is_deeper = |rule: &FlatRule| !forms.is_derivable(rule.head.form);
    let is_empty = |rule: &FlatRule| tables[predicate(rule.head.form)].is_empty();
    let mut deeper = flat.rules.iter().filter(|it| is_deeper(it));
    if !deeper.all(is_empty) {
        return Ok(Tried::Deeper);
    }
    // What is not as deep as the limit may be deeper than all values, too: rules for such shapes never apply, but would be
    // looked at by all passes.
    let never_holds = |literal: &FlatLiteral| match &literal.kind {
        LiteralKind::Positive(atom) => literal.joined && tables[predicate(atom.form)].is_empty(),
        _ => false,
    };
    flat.rules.retain(|it| !is_deeper(it) && !it.body.iter().any(never_holds));
    Ok(Tried::Found(Box::new((forms, flat))))
}
