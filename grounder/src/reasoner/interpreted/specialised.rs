//! The rules specialised to the shapes of terms that follow from some fluents and moves.

use groundfrog_engine::{Budget, EngineError};

use super::terms::Seed;
use crate::description::{Atom, Keywords};
use crate::ground::bounded;
use crate::kif::Span;
use crate::prepare::Prepared;
use crate::pulse::Pulse;
use crate::reasoner::ReasonerError;
use crate::rewrite::base_input_renaming::renamed;
use crate::rewrite::sentence_forms::{
    self, FlatProgram, FormLimits, Forms, FormsError, FormsErrorKind, MarkedLiteral, MarkedRule,
    PatternRules,
};
use crate::rules::Rule;

/// Rules specialised to the shapes of their terms.
pub(super) struct Specialised {
    pub(super) forms: Forms,
    pub(super) flat: FlatProgram,
    /// Whether the terms are bounded by values alone: there are forms that are deeper than the limit.
    pub(super) is_cut: bool,
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
        let mut pulse = Pulse::new(budget, 0);
        let inferred = sentence_forms::infer(&patterns, &limits, &mut pulse);
        pulse.finish().map_err(EngineError::from)?;
        // Terms that are not bounded by their shapes may be so by their values: see there.
        let is_cut = matches!(&inferred, Err(error) if error.kind == FormsErrorKind::Depth);
        let (limits, inferred) = if is_cut {
            let cut = bounded::cut(&limits);
            let inferred = sentence_forms::infer(&patterns, &cut, &mut pulse);
            pulse.finish().map_err(EngineError::from)?;
            (cut, inferred)
        } else {
            (limits, inferred)
        };
        let mut forms = inferred.map_err(fail)?;
        let flat = sentence_forms::flatten(&patterns, &mut forms, &limits, &mut pulse);
        pulse.finish().map_err(EngineError::from)?;
        Ok(Specialised { flat: flat.map_err(fail)?, forms, is_cut })
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
        FormsErrorKind::Forms | FormsErrorKind::Rules | FormsErrorKind::Stopped => {
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
