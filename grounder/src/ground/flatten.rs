//! From rules with terms to rules over constants: each rule is specialised to the shapes of its terms.

use fxhash::FxHashSet;
use groundfrog_engine::{Budget, Exceeded};

use super::bounded;
use super::passes::{PassObserver, run_on_rules};
use super::tables::Flattened;
use crate::description::{Description, Term};
use crate::error::{GroundError, faults};
use crate::flat::{FlatProgram, Forms};
use crate::kif::{Diagnostic, Span};
use crate::options::{Domains, GroundOptions, PassId};
use crate::prepare::{Prepared, prepare_within};
use crate::rewrite::or_elimination::Differences;
use crate::rewrite::sentence_forms::{
    self, FormLimits, FormsError, FormsErrorKind, MarkedRule, PatternRules,
};
use crate::rewrite::{parts, statics};
use crate::rules::Rule;
use crate::symbols::Symbols;
use crate::ticker::Ticker;
use crate::tuning::forms::flatten::{CROWDED, MOST_TOGETHER};

/// Rewriting, up to flat rules.
pub(super) fn flatten(
    description: &Description,
    options: &GroundOptions,
    budget: &Budget,
    observer: &mut dyn PassObserver,
) -> Result<(Flattened, Vec<Diagnostic>), GroundError> {
    let mut prepared =
        prepare_within(description, Differences::of(options.passes), options.domains, budget)?;
    run_on_rules(&mut prepared, options.passes, budget, observer)
        .map_err(|exceeded| GroundError::limit(description, &[], exceeded.into()))?;
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
    let prepared =
        prepare_within(description, Differences::of(options.passes), options.domains, &budget)?;
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
    let mut may_project = options.passes.contains(PassId::AnonymousArguments);
    loop {
        let shaped = Attempt::new(description, &mut prepared, options, budget, may_project)?;
        may_project = false;
        match shaped {
            Attempt::Crowded(places) => {
                parts::project_anonymous(&mut prepared.rules, &places);
                prepared.statics = statics::analyse(&prepared.rules);
            }
            Attempt::Flat(specialised) => {
                let Specialised { connections, spans, forms, flat } = *specialised;
                let flattened = Flattened::new(prepared, forms, flat, spans);
                return Ok((flattened, connections, warnings));
            }
        }
    }
}

/// What sentence forms make of rules.
enum Attempt {
    /// Rules over constants.
    Flat(Box<Specialised>),
    /// Of these statements there are too many.
    Crowded(FxHashSet<Span>),
}

/// Rules over constants, and the places of those that they come from.
struct Specialised {
    connections: Vec<Rule>,
    spans: Vec<Span>,
    forms: Forms,
    flat: FlatProgram,
}

impl Attempt {
    /// Specialises rules to the shapes of their terms. If what is crowded may be projected, that is reported instead.
    fn new(
        description: &Description,
        prepared: &mut Prepared,
        options: &GroundOptions,
        budget: &Budget,
        may_project: bool,
    ) -> Result<Self, GroundError> {
        let connections = prepared.connections(options.domains);
        let marked = prepared.marked(&connections, options.domains);
        let mut limits = FormLimits { depth: options.limits.term_depth, ..FormLimits::default() };
        let mut first = if may_project {
            let (most, factor) = MOST_TOGETHER;
            FormLimits { rules: limits.rules.min(most.max(factor * marked.len())), ..limits }
        } else {
            limits
        };
        let patterns = PatternRules::new(&marked);
        let mut ticker = Ticker::new(budget, 0);
        let mut inferred = sentence_forms::infer(&patterns, &first, &mut ticker);
        if matches!(inferred, Err(FormsError { kind: FormsErrorKind::Depth, .. })) {
            // What is written so deep has not grown.
            limits.depth = limits.depth.max(deepest_written(&marked));
            if limits.depth > first.depth {
                first.depth = limits.depth;
                inferred = sentence_forms::infer(&patterns, &first, &mut ticker);
            }
        }
        let fail =
            |error| forms_error(description, (&marked, &prepared.rules.symbols), &limits, error);
        let limited = |exceeded: Exceeded| GroundError::limit(description, &[], exceeded.into());
        ticker.finish().map_err(limited)?;
        let flattened = inferred.and_then(|mut forms| {
            let flat = sentence_forms::flatten(&patterns, &mut forms, &first, &mut ticker)?;
            Ok((forms, flat))
        });
        ticker.finish().map_err(limited)?;
        let (forms, flat) = match flattened {
            Ok(flattened) => flattened,
            Err(FormsError { kind: FormsErrorKind::Rules, .. }) if may_project => {
                let all = prepared.rules.rules.iter().map(|it| it.span).collect();
                return Ok(Attempt::Crowded(all));
            }
            // Shapes may become too many before they become too deep.
            Err(error) => {
                let symbols = &prepared.rules.symbols;
                let by_values = bounded::by_values(&patterns, &limits, symbols, budget);
                by_values.map_err(limited)?.ok_or_else(|| fail(error))?
            }
        };
        let spans: Vec<Span> = marked.iter().map(|rule| rule.rule.span).collect();
        if may_project && flat.rules.len() > CROWDED {
            let mut counts = vec![0; spans.len()];
            flat.rules.iter().for_each(|it| counts[it.origin as usize] += 1);
            let of_all = spans.iter().zip(counts);
            let crowded: FxHashSet<Span> =
                of_all.filter(|(_, count)| *count > CROWDED).map(|(span, _)| *span).collect();
            if parts::any_anonymous(&prepared.rules.rules, &crowded) {
                return Ok(Attempt::Crowded(crowded));
            }
        }
        Ok(Attempt::Flat(Box::new(Specialised { connections, spans, forms, flat })))
    }
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
        FormsErrorKind::Rules | FormsErrorKind::Stopped => (
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
