//! From rules with terms to rules over constants: each rule is specialised to the shapes of its terms.

use groundfrog_engine::{Budget, Exceeded};

use super::bounded;
use super::passes::{PassContext, PassObserver, run_on_rules};
use super::tables::Flattened;
use crate::description::{Description, Term};
use crate::error::{GroundError, faults};
use crate::flat::{FlatProgram, Forms};
use crate::kif::Diagnostic;
use crate::options::{Domains, GroundOptions};
use crate::prepare::{Prepared, prepare_within};
use crate::rewrite::sentence_forms::{
    self, FormLimits, FormsError, FormsErrorKind, MarkedRule, PatternRules,
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
    let mut made = sentence_forms::specialise(&patterns, &limits, &mut ticker).map_err(limited)?;
    if matches!(made, Err(FormsError { kind: FormsErrorKind::Depth, .. })) {
        // What is written so deep has not grown.
        let written = deepest_written(marked);
        if written > limits.depth {
            limits.depth = written;
            made = sentence_forms::specialise(&patterns, &limits, &mut ticker).map_err(limited)?;
        }
    }
    made.or_else(|error| {
        // Shapes may become too many before they become too deep.
        let symbols = &prepared.rules.symbols;
        let by_values = bounded::by_values(&patterns, &limits, symbols, budget).map_err(limited)?;
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
