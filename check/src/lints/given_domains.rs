//! The description's own `base` and `input` against what can hold.

use fxhash::FxHashSet;

use groundfrog::description::{Predicate, Printer, Term};
use groundfrog::ground::{self, Extents};
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::ticker::Ticker;
use groundfrog_engine::Exceeded;

/// How many ticks it takes to look at a row.
const A_ROW: u32 = 16;
/// How many examples are shown.
const EXAMPLES: usize = 3;

/// # Errors
/// A limit that was exceeded.
pub(super) fn check(
    extents: &Extents,
    ticker: &mut Ticker<'_>,
    found: &mut Vec<Diagnostic>,
) -> Result<(), Exceeded> {
    let prepared = extents.prepared();
    let keywords = &prepared.rules.keywords;
    let Some(roles) = super::players::roles(extents) else { return Ok(()) };
    let roles: FxHashSet<Term> = roles.into_iter().collect();
    let domains = [
        (prepared.given.base, Predicate { name: keywords.base, arity: 1 }, "base"),
        (prepared.given.input, Predicate { name: keywords.input, arity: 2 }, "input"),
    ];
    for (given, computed, name) in domains {
        let rules = &prepared.rules.rules;
        let Some(rule) = rules.iter().find(|it| it.head.predicate() == given) else { continue };
        let is_input = given.arity == 2;
        let relevant = |terms: &[Term]| !is_input || roles.contains(&terms[0]);
        let mut compare = DomainComparison { extents, relevant: &relevant, ticker };
        let (own, missing) = (compare.count(given)?, compare.difference(computed, given)?);
        let (all, extra) = (compare.count(computed)?, compare.difference(given, computed)?);
        let what = if is_input {
            "moves that the rules can make legal"
        } else {
            "fluents that the rules can derive"
        };
        let span = rule.head.span;
        if missing.count > 0 {
            let message = format!("`{name}` misses {} of the {all} {what}", missing.count);
            found.push(
                Diagnostic::warning("GF0604", message, span)
                    .with_help(format!("missing: {}", missing.examples))
                    .with_help("players that believe it play another game"),
            );
        }
        if extra.count > 0 {
            found.push(overshoot(name, what, own, &extra, span));
        }
    }
    Ok(())
}

fn overshoot(name: &str, what: &str, own: usize, extra: &Overshoot, span: Span) -> Diagnostic {
    let message =
        format!("{} of the {own} entries of `{name}` are none of the {what}", extra.count);
    Diagnostic::note("GF0605", message, span)
        .with_help(format!("never needed: {}", extra.examples))
        .with_help("players that believe it only work more than they must")
}

struct DomainComparison<'a, 'budget> {
    extents: &'a Extents,
    relevant: &'a dyn Fn(&[Term]) -> bool,
    ticker: &'a mut Ticker<'budget>,
}

/// What one predicate has and another has not.
struct Overshoot {
    count: usize,
    examples: String,
}

impl DomainComparison<'_, '_> {
    fn count(&mut self, predicate: Predicate) -> Result<usize, Exceeded> {
        let extents = self.extents;
        let mut count = 0;
        for &form in extents.forms_of(predicate) {
            for row in extents.table(form).rows() {
                self.ticker.ticks(A_ROW)?;
                count += usize::from((self.relevant)(&extents.terms(form, row)));
            }
        }
        Ok(count)
    }

    fn difference(&mut self, one: Predicate, other: Predicate) -> Result<Overshoot, Exceeded> {
        let extents = self.extents;
        let printer = Printer::new(&extents.prepared().rules.symbols);
        let (mut count, mut examples) = (0, Vec::new());
        let other = extents.forms_of(other).first().map(|&it| extents.forms().form(it).predicate);
        let computed = extents.computed();
        let forms = extents.forms_of(one);
        ground::difference((computed, forms), (computed, other), self.ticker, |form, row| {
            let terms = extents.terms(form, row);
            if (self.relevant)(&terms) {
                count += 1;
                if examples.len() < EXAMPLES {
                    let words: Vec<String> =
                        terms.iter().map(|term| printer.term(term).to_string()).collect();
                    examples.push(format!("`{}`", words.join(" ")));
                }
            }
        })?;
        let more = if count > examples.len() { " ..." } else { "" };
        Ok(Overshoot { count, examples: format!("{}{more}", examples.join(", ")) })
    }
}
