//! Base and input alone, without the store pass: what the two ways of computing them are compared by, and the description's own held
//! against those that one step finds.
//!
//! What a description gives should cover every reachable state (Schiffel 2016, Definition 5). One step
//! finds a superset of what is reachable, so a miss is no error; but nearly always something is wrong.

use std::collections::BTreeSet;

use groundfrog_engine::observe::Observer;
use groundfrog_engine::{Budget, Constants, Exceeded, Tables};

use super::errors::engine_error;
use super::flatten::flatten_prepared;
use super::report::{Report, Stage};
use super::tables::Flattened;
use crate::description::{Description, Keywords, Predicate};
use crate::error::GroundError;
use crate::flat::lowering::predicate;
use crate::flat::{Form, FormId, Forms};
use crate::game::sentence;
use crate::kif::{Diagnostic, Span};
use crate::options::{GroundOptions, PassId};
use crate::prepare::prepare_within;
use crate::symbols::{Symbol, Symbols};
use crate::ticker::Ticker;

/// Base and input of a description, with all other tables of the fixpoint.
#[derive(Debug)]
pub struct BaseInput {
    /// What was done; its stages are the rewriting and the domains.
    pub report: Report,
    flattened: Flattened,
    tables: Tables,
}

/// Computes base and input as `options.domains` says, without demand; of two engines that are to be compared
/// with datafrog's alone. What concerns ground rules is not looked at.
///
/// # Errors
/// As [`super::ground`].
pub fn base_input(
    description: &Description,
    options: &GroundOptions,
    observer: &mut dyn Observer,
) -> Result<BaseInput, GroundError> {
    let budget = options.limits.budget();
    let mut report = Report::default();
    let (mut flattened, _, _) = report.time(Stage::Rewrite, |_| {
        let prepared = prepare_within(description, options.domains, &budget)?;
        flatten_prepared(description, prepared, options, &budget)
    })?;
    let (_, tables) = report
        .time(Stage::Domains, |report| {
            // Of what nothing else needs, all is there.
            let passes = options.passes.without(PassId::Demand);
            let options = GroundOptions { passes, ..options.clone() };
            flattened.complete_with_remedies(&options, &budget, observer, report)
        })
        .map_err(|error| engine_error(description, &flattened, error))?;
    Ok(BaseInput { report, flattened, tables })
}

impl BaseInput {
    /// How many fluents there are.
    pub fn base_count(&self) -> usize {
        self.computed().count(&self.base_predicates())
    }

    /// How many moves there are, of all roles together.
    pub fn input_count(&self) -> usize {
        self.computed().count(&self.input_predicates())
    }

    /// The fluents as `(base f)`, sorted.
    pub fn base(&self) -> BTreeSet<String> {
        let name = self.flattened.prepared.rules.keywords.base;
        self.computed().sentences(&self.base_predicates(), name)
    }

    /// The moves as `(input r m)`, sorted.
    pub fn input(&self) -> BTreeSet<String> {
        let name = self.flattened.prepared.rules.keywords.input;
        self.computed().sentences(&self.input_predicates(), name)
    }

    fn base_predicates(&self) -> [Predicate; 1] {
        [Predicate { name: self.flattened.prepared.rules.keywords.base, arity: 1 }]
    }

    /// In one step, what `legal` derives is input.
    fn input_predicates(&self) -> [Predicate; 2] {
        let keywords = &self.flattened.prepared.rules.keywords;
        [keywords.input, keywords.legal].map(|name| Predicate { name, arity: 2 })
    }

    fn computed(&self) -> Computed<'_> {
        Computed {
            forms: &self.flattened.forms,
            tables: &self.tables,
            symbols: &self.flattened.prepared.rules.symbols,
        }
    }
}

/// How many of the missing sentences a warning shows.
const EXAMPLES: usize = 5;
/// How many ticks it takes to look at a row.
const A_ROW: u32 = 16;

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
    pub fn sentences(&self, of: &[Predicate], name: Symbol) -> BTreeSet<String> {
        let forms = self.first_forms(of).into_iter();
        let rows =
            forms.flat_map(|(id, _)| self.tables[predicate(id)].rows().map(move |it| (id, it)));
        rows.map(|(id, row)| self.sentence(name, id, row)).collect()
    }

    /// A row of a form's table as a sentence under another name.
    fn sentence(&self, name: Symbol, form: FormId, row: Constants<'_>) -> String {
        sentence(name, self.forms.form(form), self.forms, row, self.symbols)
    }

    /// How many sentences the first of these predicates has that has any form.
    pub fn count(&self, of: &[Predicate]) -> usize {
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

/// Hands on what one computation has in the tables of some forms and another, of the same description, has not under
/// its own predicate, if there is one.
///
/// # Errors
/// A limit that was exceeded.
pub fn difference(
    (one, forms): (Computed<'_>, &[FormId]),
    (other, own): (Computed<'_>, Option<Predicate>),
    ticker: &mut Ticker<'_>,
    mut missing: impl FnMut(FormId, Constants<'_>),
) -> Result<(), Exceeded> {
    for &form in forms {
        let same = own.and_then(|it| other.forms.counterpart(it, one.forms.form(form), one.forms));
        let table = same.map(|it| &other.tables[predicate(it)]);
        for row in one.tables[predicate(form)].rows() {
            ticker.ticks(A_ROW)?;
            if table.is_none_or(|it| it.find_row(row).is_none()) {
                missing(form, row);
            }
        }
    }
    Ok(())
}

/// Warnings about what one step finds and the description does not give, although it gives others.
///
/// # Errors
/// A limit of the budget.
pub fn missing(
    given: Computed<'_>,
    one_step: Computed<'_>,
    keywords: &Keywords,
    is_given: impl Fn(Symbol) -> bool,
    place: Span,
    budget: &Budget,
) -> Result<Vec<Diagnostic>, Exceeded> {
    let base = [Predicate { name: keywords.base, arity: 1 }];
    // In one step, what `legal` derives is input.
    let input = [
        Predicate { name: keywords.input, arity: 2 },
        Predicate { name: keywords.legal, arity: 2 },
    ];
    let mut ticker = Ticker::new(budget, given.tables.bytes() + one_step.tables.bytes());
    let mut compare = |of: &[Predicate], name: Symbol| {
        if !is_given(name) {
            return Ok(None);
        }
        let forms: Vec<FormId> = one_step.first_forms(of).into_iter().map(|it| it.0).collect();
        // Of what is missing, what comes first as text is shown.
        let (mut count, mut first) = (0, BTreeSet::new());
        difference((one_step, &forms), (given, of.first().copied()), &mut ticker, |form, row| {
            count += 1;
            first.insert(one_step.sentence(name, form, row));
            if first.len() > EXAMPLES {
                first.pop_last();
            }
        })?;
        if count == 0 {
            return Ok(None);
        }
        let examples: Vec<String> = first.iter().map(|text| format!("`{text}`")).collect();
        let name = given.symbols.name(name);
        let message = format!(
            "the description's own `{name}` lacks {count} of the {} sentences that its rules can derive",
            one_step.count(of)
        );
        let warning = Diagnostic::warning("GF0308", message, place)
            .with_help(format!("missing are, among others: {}", examples.join(", ")))
            .with_help("rules about what is missing are not grounded; leave out `--domains given`");
        Ok(Some(warning))
    };
    let warnings = [compare(&base, keywords.base)?, compare(&input, keywords.input)?];
    Ok(warnings.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use groundfrog_engine::observe::Silent;

    use super::*;
    use crate::description::ParseOptions;
    use crate::options::Domains;

    const LAMP: &str = "(role ann) (init (lamp on)) (base (lamp broken))
        (legal ann push) (<= (legal ann (wait ?s)) (true (lamp ?s)))
        (<= (next (lamp off)) (does ann push)) (<= (next (lamp ?s)) (does ann (wait ?s)))
        (<= terminal (true (lamp off))) (goal ann 100)";

    #[test]
    fn both_ways_find_the_same() {
        let description =
            Description::parse(LAMP.as_bytes(), &ParseOptions::default()).expect("it is correct");
        let found = |domains| {
            let options = GroundOptions { domains, ..GroundOptions::flat() };
            base_input(&description, &options, &mut Silent).expect("it is bounded")
        };
        let (one_step, iterative) = (found(Domains::OneStep), found(Domains::Iterative));
        let texts = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>();
        assert_eq!(texts(one_step.base()), ["(base (lamp off))", "(base (lamp on))"]);
        assert_eq!(
            texts(one_step.input()),
            ["(input ann (wait off))", "(input ann (wait on))", "(input ann push)"]
        );
        assert_eq!((one_step.base_count(), one_step.input_count()), (2, 3));
        assert_eq!(one_step.base(), iterative.base());
        assert_eq!(one_step.input(), iterative.input());
        assert_eq!((iterative.base_count(), iterative.input_count()), (2, 3));
        assert!(iterative.report.iterations.is_some() && one_step.report.iterations.is_none());
        let stages: Vec<Stage> = one_step.report.stages.iter().map(|it| it.stage).collect();
        assert_eq!(stages, [Stage::Rewrite, Stage::Domains]);
    }
}
