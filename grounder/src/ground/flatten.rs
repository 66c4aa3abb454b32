//! From rules with terms to rules over constants: each rule is specialised to the shapes of its terms.
//!
//! Sentence forms are found before any value is known. Some terms have shapes that grow without bound but not their values: a tower
//! with smaller and smaller stones, a stack whose height is counted. Where forms would get too deep, or too many before that, the
//! rules are evaluated with those that are not: if no rule derives what is deeper, there is nothing deeper.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, EngineError, Exceeded, Limit, Stop};

use super::passes::{PassContext, PassObserver, run_on_rules};
use super::tables::Flattened;
use crate::description::{Description, Term};
use crate::domains::Evaluator;
use crate::error::{GroundError, faults};
use crate::flat::lowering::{fact_tables, predicate, program};
use crate::flat::{FlatLiteral, FlatProgram, FlatRule, Forms, LiteralKind};
use crate::kif::Diagnostic;
use crate::options::{Domains, GroundOptions};
use crate::prepare::{Prepared, prepare_within};
use crate::rewrite::sentence_forms::{
    FormLimits, FormsError, FormsErrorKind, MarkedRule, PatternRules, specialise,
};
use crate::rules::Rule;
use crate::symbols::Symbols;
use crate::ticker::Ticker;

/// Rewriting, up to flat rules.
pub(super) fn flatten(
    description: &Description,
    options: &GroundOptions,
    budget: &Budget,
    observer: &mut dyn PassObserver,
) -> Result<(Flattened, Vec<Diagnostic>), GroundError> {
    let mut prepared = prepare_within(description, options.domains, budget)?;
    run_on_rules(&mut prepared, &PassContext { options, budget }, observer)
        .map_err(|error| GroundError::limit(description, &[], error.into()))?;
    let (flattened, _, warnings) = flatten_prepared(description, prepared, options, budget)?;
    Ok((flattened, warnings))
}

/// Rewriting, up to flat rules, with the rules that connect the domains: [`Prepared::marked`] gives what the
/// flat rules specialise.
pub(crate) fn flatten_rules(
    description: &Description,
    options: &GroundOptions,
) -> Result<(Flattened, Vec<Rule>, Vec<Diagnostic>), GroundError> {
    let budget = options.limits.budget();
    let prepared = prepare_within(description, options.domains, &budget)?;
    flatten_prepared(description, prepared, options, &budget)
}

/// Rewriting of a prepared description, up to flat rules.
pub(crate) fn flatten_prepared(
    description: &Description,
    mut prepared: Prepared,
    options: &GroundOptions,
    budget: &Budget,
) -> Result<(Flattened, Vec<Rule>, Vec<Diagnostic>), GroundError> {
    let mut warnings = std::mem::take(&mut prepared.warnings);
    if options.domains == Domains::Given {
        warnings.extend(given_is_missing(&prepared, description));
    }
    let connections = prepared.connections(options.domains);
    let marked = prepared.marked(&connections, options.domains);
    let (forms, flat) = shaped(description, &prepared, &marked, options, budget)?;
    let spans = marked.iter().map(|rule| rule.rule.span).collect();
    Ok((Flattened::new(prepared, forms, flat, spans), connections, warnings))
}

/// Specialises rules to the shapes of their terms.
fn shaped(
    description: &Description,
    prepared: &Prepared,
    marked: &[MarkedRule<'_>],
    options: &GroundOptions,
    budget: &Budget,
) -> Result<(Forms, FlatProgram), GroundError> {
    let mut limits = FormLimits { depth: options.limits.term_depth, ..FormLimits::default() };
    let patterns = PatternRules::new(marked);
    let mut ticker = Ticker::new(budget, 0);
    let limited = |exceeded: Exceeded| GroundError::limit(description, &[], exceeded.into());
    let mut made = specialise(&patterns, &limits, &mut ticker).map_err(limited)?;
    if matches!(made, Err(FormsError { kind: FormsErrorKind::Depth, .. })) {
        // What is written so deep has not grown.
        let written = deepest_written(marked);
        if written > limits.depth {
            limits.depth = written;
            made = specialise(&patterns, &limits, &mut ticker).map_err(limited)?;
        }
    }
    made.or_else(|error| {
        // Shapes may become too many before they become too deep.
        let symbols = &prepared.rules.symbols;
        let by_values = by_values(&patterns, &limits, symbols, budget).map_err(limited)?;
        by_values.ok_or_else(|| forms_error(description, (marked, symbols), &limits, error))
    })
}

/// How deep functions are nested in the heads of rules without variables.
fn deepest_written(marked: &[MarkedRule<'_>]) -> usize {
    let heads = marked.iter().map(|it| &it.rule.head);
    heads.flat_map(|it| &it.arguments).filter_map(ground_depth).max().unwrap_or(0)
}

/// How deep functions are nested in a term, if it has no variables.
fn ground_depth(term: &Term) -> Option<usize> {
    match term {
        Term::Variable(_) => None,
        Term::Constant(_) => Some(0),
        Term::Compound(it) => it
            .arguments
            .iter()
            .try_fold(0, |depth: usize, it| Some(depth.max(ground_depth(it)?)))
            .map(|it| it + 1),
    }
}

fn given_is_missing(prepared: &Prepared, description: &Description) -> Option<Diagnostic> {
    let defines =
        |predicate| prepared.rules.rules.iter().any(|it| it.head.predicate() == predicate);
    if defines(prepared.given.base) && defines(prepared.given.input) {
        return None;
    }
    let first = description.statements.first().map(|it| it.span).unwrap_or_default();
    Some(Diagnostic::warning("GF0304", "the description does not give its base and input", first))
}

fn forms_error(
    description: &Description,
    (marked, symbols): (&[MarkedRule<'_>], &Symbols),
    limits: &FormLimits,
    error: FormsError,
) -> GroundError {
    let rule = marked[error.rule].rule;
    let name = symbols.name(rule.head.predicate);
    let (message, remark, help) = match error.kind {
        FormsErrorKind::Depth => {
            let message =
                format!("the terms of `{name}` grow deeper than {} functions", limits.depth);
            let diagnostic = Diagnostic::error("GF0305", message, rule.span)
                .with_remark("this rule makes the term that is too deep")
                .with_help(
                    "if nothing stops the growth, the description cannot be grounded; if a condition does, or terms are \
                     meant to be this deep, raise the limit on their depth (--max-term-depth)",
                );
            return GroundError::Unbounded(Box::new(faults(description, vec![diagnostic])));
        }
        FormsErrorKind::Columns => (
            format!("a sentence of `{name}` would hold more than {} constants", limits.columns),
            "this rule makes the term that holds so many",
            "a term here holds another one several times, so its size may multiply with each nesting",
        ),
        FormsErrorKind::Forms => (
            format!("more than {} kinds of sentences, the last of `{name}`", limits.forms),
            "this rule makes the last one",
            "terms of many shapes are nested in each other here; they may grow without bound",
        ),
        FormsErrorKind::Rules | FormsErrorKind::Stopped(_) => (
            format!(
                "more than {} rules for the shapes of terms, the last for one of `{name}`",
                limits.rules
            ),
            "this rule",
            "give the variables of this rule terms of fewer shapes, or split the rule",
        ),
    };
    let diagnostic =
        Diagnostic::error("GF0310", message, rule.span).with_remark(remark).with_help(help);
    GroundError::too_large(description, vec![diagnostic])
}

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
pub fn bounded_forms(limits: &FormLimits) -> FormLimits {
    FormLimits {
        forms: limits.forms.min(MOST_FORMS_OF_BOUNDED),
        rules: limits.rules.min(MOST_OF_BOUNDED),
        leaves_out: true,
        ..*limits
    }
}

/// A budget for tables of such shapes.
pub fn bounded_tables(budget: &Budget, forms: &Forms) -> Budget {
    budget.clone().with_table_rows(vec![MOST_OF_BOUNDED as u64; forms.len()].into())
}

/// The forms up to a depth within the limit and the rules about them, if no rule derives anything deeper.
///
/// # Errors
/// A limit of the budget.
fn by_values(
    patterns: &PatternRules,
    limits: &FormLimits,
    symbols: &Symbols,
    budget: &Budget,
) -> Result<Option<(Forms, FlatProgram)>, Exceeded> {
    let work = Arc::new(Work(AtomicU64::new(MOST_CHECKS)));
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
    let cut = bounded_forms(limits);
    let mut ticker = Ticker::new(budget, 0);
    let Ok((forms, mut flat)) = specialise(patterns, &cut, &mut ticker)? else {
        return Ok(Tried::TooMuch);
    };
    if flat.facts(&forms).any(|(form, _)| !forms.is_derivable(form)) {
        return Ok(Tried::Deeper);
    }
    let all = program(&flat, &forms, symbols, |_| true);
    let mut tables = fact_tables(&flat, &forms, &all);
    let rows = bounded_tables(probe, &forms);
    let evaluator = Evaluator::Datafrog;
    match evaluator.evaluate(&all, &mut tables, &rows, &mut Silent) {
        Ok(_) => {}
        Err(EngineError::Limit(exceeded)) => {
            // Another limit than those that are set here?
            budget.check(0, 0)?;
            return match exceeded.limit {
                Limit::TableRows | Limit::Cancelled => {
                    // Something else is tried.
                    budget.derives(None);
                    Ok(Tried::TooMuch)
                }
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

/// Stops what takes more work than it can be worth: so many looks at the budget are left. How much that is depends on no clock.
#[derive(Debug)]
struct Work(AtomicU64);

impl Work {
    /// Whether no more is left.
    fn is_done(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

impl Stop for Work {
    fn is_raised(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}
