//! The description's own base and input, held against those that one step finds.
//!
//! What a description gives should cover every reachable state (Schiffel 2016, Definition 5). One step
//! finds a superset of what is reachable, so a miss is no error; but nearly always something is wrong.

use std::collections::BTreeSet;

use groundfrog_engine::Tables;

use crate::description::{Keywords, Predicate};
use crate::domains::program::predicate;
use crate::game::sentences;
use crate::kif::{Diagnostic, Span};
use crate::rewrite::sentence_forms::{Form, FormId, Forms};
use crate::symbols::{Symbol, Symbols};

/// How many of the missing sentences a warning shows.
const EXAMPLES: usize = 5;

/// The tables of one computation, with what their rows mean.
#[derive(Clone, Copy, Debug)]
pub struct Computed<'run> {
    /// The forms.
    pub forms: &'run Forms,
    /// Their tables.
    pub tables: &'run Tables,
    /// The names.
    pub symbols: &'run Symbols,
}

impl Computed<'_> {
    /// The sentences of the first of these predicates that has any form, under another name.
    pub(crate) fn sentences(&self, of: &[Predicate], name: Symbol) -> BTreeSet<String> {
        let texts = self.first_forms(of).into_iter().flat_map(|(id, form)| {
            sentences(name, form, self.forms, &self.tables[predicate(id)], self.symbols)
        });
        texts.collect()
    }

    /// How many sentences the first of these predicates has that has any form.
    pub(crate) fn count(&self, of: &[Predicate]) -> usize {
        let forms = self.first_forms(of);
        forms.into_iter().map(|(id, _)| self.tables[predicate(id)].len()).sum()
    }

    fn first_forms(&self, of: &[Predicate]) -> Vec<(FormId, &Form)> {
        let with = |of: Predicate| {
            self.forms.iter().filter(move |(_, form)| form.predicate == of).collect::<Vec<_>>()
        };
        of.iter().map(|&it| with(it)).find(|forms| !forms.is_empty()).unwrap_or_default()
    }
}

/// Warnings about what one step finds and the description does not give, although it gives others.
pub fn missing(
    given: Computed<'_>,
    one_step: Computed<'_>,
    keywords: &Keywords,
    is_given: impl Fn(Symbol) -> bool,
    place: Span,
) -> Vec<Diagnostic> {
    let base = [Predicate { name: keywords.base, arity: 1 }];
    // In one step, what `legal` derives is input.
    let input = [
        Predicate { name: keywords.input, arity: 2 },
        Predicate { name: keywords.legal, arity: 2 },
    ];
    let compare = |of: &[Predicate], name: Symbol| {
        if !is_given(name) {
            return None;
        }
        let own = given.sentences(&of[..1], name);
        let found = one_step.sentences(of, name);
        let missing: Vec<&String> = found.difference(&own).collect();
        if missing.is_empty() {
            return None;
        }
        let examples: Vec<String> =
            missing.iter().take(EXAMPLES).map(|text| format!("`{text}`")).collect();
        let name = given.symbols.name(name);
        let message = format!(
            "the description's own `{name}` lacks {} of the {} sentences that its rules can derive",
            missing.len(),
            found.len()
        );
        let warning = Diagnostic::warning("GF0308", message, place)
            .with_help(format!("missing are, among others: {}", examples.join(", ")))
            .with_help("rules about what is missing are not grounded; leave out `--domains given`");
        Some(warning)
    };
    compare(&base, keywords.base).into_iter().chain(compare(&input, keywords.input)).collect()
}
