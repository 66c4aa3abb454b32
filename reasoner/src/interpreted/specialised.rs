//! The rules specialised to the shapes of terms that follow from some fluents and moves.

use groundfrog_engine::Budget;

use super::sentences::Seed;
use crate::ReasonerError;
use crate::tuning::LOW;
use groundfrog::description::{Atom, Keywords, Predicate};
use groundfrog::flat::{FlatProgram, FormId, Forms};
use groundfrog::ground::bounded_forms;
use groundfrog::kif::Span;
use groundfrog::prepare::Prepared;
use groundfrog::rewrite::marking::renamed;
use groundfrog::rewrite::sentence_forms::{
    FormLimits, FormsError, FormsErrorKind, MarkedLiteral, MarkedRule, PatternRules, specialise,
};
use groundfrog::rules::Rule;
use groundfrog::ticker::Ticker;

/// Rules specialised to the shapes of their terms.
pub(super) struct Specialised {
    pub(super) forms: Forms,
    pub(super) flat: FlatProgram,
    /// Where the terms are bounded by values alone, the depth of the deepest ones that rules may use: there are forms that
    /// are deeper.
    pub(super) cut_at: Option<usize>,
}

impl Specialised {
    /// Specialises the rules to what can follow from these fluents and moves.
    pub(super) fn new(
        prepared: &Prepared,
        (fluents, moves): (&[Seed], &[Seed]),
        term_depth: usize,
        budget: &Budget,
    ) -> Result<Self, ReasonerError> {
        let seeds = seeds(&prepared.rules.keywords, fluents, moves);
        let marked = marked(prepared, &seeds);
        let limits = FormLimits { depth: term_depth, ..FormLimits::default() };
        let fail = |error| forms_error(&marked, prepared, term_depth, error);
        let patterns = PatternRules::new(&marked);
        let mut ticker = Ticker::new(budget, 0);
        let first = match specialise(&patterns, &limits, &mut ticker)? {
            Ok((forms, flat)) => return Ok(Specialised { forms, flat, cut_at: None }),
            Err(error) => error,
        };
        // Terms that are not bounded by their shapes may be so by their values: see there. The deeper they may be, the more
        // shapes there are.
        let is_seed = |it: Predicate| seeds.iter().any(|seed| seed.head.predicate() == it);
        let mut cut = bounded_forms(&limits);
        while cut.depth > 0 {
            if let Ok((forms, flat)) = specialise(&patterns, &cut, &mut ticker)? {
                let is_below =
                    |form: FormId| forms.is_derivable(form) || !is_seed(forms.form(form).predicate);
                if !flat.facts(&forms).all(|it| is_below(it.0)) {
                    break;
                }
                return Ok(Specialised { forms, flat, cut_at: Some(cut.depth) });
            }
            cut.depth = if cut.depth > LOW { cut.depth / 2 } else { cut.depth - 1 };
        }
        Err(fail(first))
    }
}

fn forms_error(
    marked: &[MarkedRule<'_>],
    prepared: &Prepared,
    term_depth: usize,
    error: FormsError,
) -> ReasonerError {
    let name = prepared.rules.symbols.name(marked[error.rule].rule.head.predicate);
    ReasonerError::Forms(match error.kind {
        FormsErrorKind::Depth => {
            format!("a term of `{name}` is nested deeper than {term_depth} functions")
        }
        FormsErrorKind::Columns => format!("a sentence of `{name}` would hold too many constants"),
        FormsErrorKind::Forms | FormsErrorKind::Rules | FormsErrorKind::Stopped(_) => {
            format!("the terms of `{name}` take too many forms")
        }
    })
}

/// What can hold and what can be done, as facts of base and input.
fn seeds(keywords: &Keywords, fluents: &[Seed], moves: &[Seed]) -> Vec<Rule> {
    let seed = |name, arguments: &Seed| Rule {
        head: Atom { predicate: name, arguments: arguments[..].into(), span: Span::default() },
        body: Vec::new(),
        span: Span::default(),
    };
    let fluents = fluents.iter().map(|it| seed(keywords.base, it));
    fluents.chain(moves.iter().map(|it| seed(keywords.input, it))).collect()
}

/// All rules with every literal joined, and the seeds.
fn marked<'r>(prepared: &'r Prepared, seeds: &'r [Rule]) -> Vec<MarkedRule<'r>> {
    let keywords = &prepared.rules.keywords;
    let used = |rule: &&'r Rule| prepared.statics.is_used(rule.head.predicate());
    let mark = |rule: &'r Rule| MarkedRule {
        marks: rule
            .body
            .iter()
            .map(|literal| MarkedLiteral {
                joined: true,
                stored: false,
                table: literal.atom().map(|atom| renamed(atom.predicate(), keywords)),
            })
            .collect(),
        head_table: rule.head.predicate(),
        stored: false,
        rule,
    };
    prepared.rules.rules.iter().filter(used).chain(seeds).map(mark).collect()
}
