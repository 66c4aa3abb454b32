//! Arguments that are the same in everything that can hold.

use std::sync::Arc;

use fxhash::FxHashMap;

use groundfrog::description::{Predicate, Printer, Term};
use groundfrog::flat::Ending;
use groundfrog::ground::Extents;
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::symbols::Symbol;
use groundfrog::ticker::Ticker;
use groundfrog_engine::Exceeded;

/// How many ticks it takes to look at a row.
const A_ROW: u32 = 16;

/// What has arguments: a predicate, or a function of fluents or moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Holder {
    predicate: Predicate,
    /// The function and its number of arguments.
    function: Option<(Symbol, usize)>,
}

/// What was seen of the arguments of a holder.
struct Seen {
    rows: usize,
    /// By argument: the term, as long as there is but one.
    always: Vec<Option<Term>>,
}

/// Notes each argument that is always the same term, though its predicate or function has several others.
/// # Errors
/// A limit that was exceeded.
pub(super) fn check(
    extents: &Extents,
    ticker: &mut Ticker<'_>,
    found: &mut Vec<Diagnostic>,
) -> Result<(), Exceeded> {
    let rules = &extents.prepared().rules;
    let keywords = &rules.keywords;
    let mut looked_at = FxHashMap::default();
    for rule in &rules.rules {
        let head = &rule.head;
        let predicate = match head.predicate() {
            it if it.name == keywords.init || it.name == keywords.next => {
                Predicate { name: keywords.base, ..it }
            }
            it => it,
        };
        let given = &extents.prepared().given;
        let is_given = predicate == given.base || predicate == given.input;
        if is_given || !extents.is_complete(predicate) {
            continue;
        }
        let holder = match head.arguments.last() {
            _ if !keywords.contains(predicate.name) => Holder { predicate, function: None },
            Some(Term::Compound(it))
                if predicate.name == keywords.base || predicate.name == keywords.legal =>
            {
                Holder { predicate, function: Some((it.functor, it.arguments.len())) }
            }
            _ => continue,
        };
        looked_at.entry(holder).or_insert(head.span);
    }
    let mut holders: Vec<(Span, Holder)> =
        looked_at.into_iter().map(|(holder, span)| (span, holder)).collect();
    holders.sort_unstable_by_key(|(span, _)| *span);
    let printer = Printer::new(&rules.symbols);
    for (span, holder) in holders {
        let seen = see(extents, holder, ticker)?;
        // One row alone is a constant, and meant.
        if seen.rows < 2 {
            continue;
        }
        let name = rules.symbols.name(holder.function.map_or(holder.predicate.name, |it| it.0));
        for (argument, term) in seen.always.iter().enumerate() {
            if let Some(term) = term {
                let message = format!(
                    "argument {} of `{name}` is always `{}`",
                    argument + 1,
                    printer.term(term)
                );
                let help = "it tells nothing and costs time in some players; it can be left out";
                found.push(Diagnostic::note("GF0603", message, span).with_help(help));
            }
        }
    }
    Ok(())
}

/// What there is of a holder, as far as it matters.
fn see(extents: &Extents, holder: Holder, ticker: &mut Ticker<'_>) -> Result<Seen, Exceeded> {
    let mut seen = Seen { rows: 0, always: Vec::new() };
    let ending = holder.function.map(|it| Ending::Function(it.0));
    for &form in extents.forms_with(holder.predicate, ending) {
        for row in extents.table(form).rows() {
            ticker.ticks(A_ROW)?;
            let mut terms = extents.terms(form, row);
            if let Some((functor, arity)) = holder.function {
                match terms.pop() {
                    Some(Term::Compound(it))
                        if (it.functor, it.arguments.len()) == (functor, arity) =>
                    {
                        terms = Arc::unwrap_or_clone(it).arguments.into_vec();
                    }
                    _ => break,
                }
            }
            if seen.rows == 0 {
                seen.always = terms.into_iter().map(Some).collect();
            } else {
                for (always, term) in seen.always.iter_mut().zip(terms) {
                    if always.as_ref() != Some(&term) {
                        *always = None;
                    }
                }
            }
            seen.rows += 1;
            if seen.rows > 1 && seen.always.iter().all(Option::is_none) {
                return Ok(seen);
            }
        }
    }
    Ok(seen)
}
