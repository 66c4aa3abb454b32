//! Splits rules by the sizes of the tables that are complete, and completes those of the auxiliary predicates.

use std::rc::Rc;

use groundfrog_engine::observe::{Observer, Silent};
use groundfrog_engine::{Budget, EngineError, Program, Table, Tables};

use super::report::Report;
use super::tables::Flattened;
use super::wanted;
use crate::compact::complete_tables::auxiliaries::Auxiliaries;
use crate::compact::complete_tables::decomposition::{Context, Known, decomposed};
use crate::domains::Evaluator;
use crate::flat::lowering::{joined_rules, predicate};
use crate::flat::{FlatRule, FormId, Forms, form_name};
use crate::options::{Domains, Passes};
use crate::prepare::Prepared;
use crate::symbols::Symbols;

/// Splits the rules and completes the tables of the auxiliary predicates. Returns what was made.
pub(crate) fn decompose(
    flattened: &mut Flattened,
    (all, tables): (&mut Program, &mut Tables),
    passes: Passes,
    (domains, evaluator): (Domains, Evaluator),
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Auxiliaries, EngineError> {
    let before = flattened.forms.len();
    if evaluator == Evaluator::Datafrog {
        let rules = std::mem::take(&mut flattened.flat.rules);
        return decompose_rules(flattened, rules, (all, tables), passes, budget, observer);
    }
    // What is estimated follows the order of rows, which the evaluators do not share.
    let measured = Evaluator::Datafrog;
    let (_, mut others) =
        flattened.complete(domains, measured, budget, &mut Silent, &mut Report::default())?;
    let with = (domains, measured);
    let auxiliaries = decompose(flattened, (all, &mut others), passes, with, budget, observer)?;
    (before..flattened.forms.len())
        .for_each(|it| tables.add(flattened.forms.columns(FormId(it as u32))));
    insert_given(&auxiliaries.tables, tables);
    evaluate(&auxiliaries.rules, evaluator, (all, tables), budget, observer)?;
    Ok(auxiliaries)
}

/// Splits these rules with datafrog, and completes the tables of the auxiliary predicates.
fn decompose_rules(
    flattened: &mut Flattened,
    rules: Vec<FlatRule>,
    (all, tables): (&mut Program, &mut Tables),
    passes: Passes,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Auxiliaries, EngineError> {
    let Prepared { rules: prepared, .. } = &mut flattened.prepared;
    let (forms, keywords, symbols) =
        (&mut flattened.forms, &prepared.keywords, &mut prepared.symbols);
    let (demanded, steps, facts) = (&flattened.demanded, &flattened.steps, &flattened.flat);
    let wanted = &wanted(passes)[..];
    let before = forms.len();
    let known = Known { keywords, tables, demanded, steps, facts };
    let context = Context { forms, symbols, known, wanted, budget };
    let (mut rules, mut auxiliaries) = decomposed(&rules, context)?;
    add_auxiliaries(before, forms, symbols, &auxiliaries.tables, all, tables);
    evaluate(&auxiliaries.rules, Evaluator::Datafrog, (all, tables), budget, observer)?;
    auxiliaries.name(&mut rules, forms);
    for (form, given) in &auxiliaries.tables {
        given.rows().for_each(|row| flattened.flat.add_fact(*form, &row.to_vec()));
    }
    flattened.flat.rules = rules;
    flattened.flat.rules.extend(auxiliaries.rules.iter().cloned());
    Ok(auxiliaries)
}

/// Adds the rows that some rules derive.
fn evaluate(
    rules: &[FlatRule],
    evaluator: Evaluator,
    (all, tables): (&mut Program, &mut Tables),
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<(), EngineError> {
    let others = all.replace_rules(joined_rules(rules, |_| true).collect());
    let result = evaluator.evaluate(all, tables, budget, observer);
    all.replace_rules(others);
    result.map(|_| ())
}

/// Adds the auxiliary predicates from one on, with the rows of those that are given.
fn add_auxiliaries(
    first: usize,
    forms: &Forms,
    symbols: &Symbols,
    given: &[(FormId, Rc<Table>)],
    all: &mut Program,
    tables: &mut Tables,
) {
    for index in first..forms.len() {
        let form = FormId(index as u32);
        let columns = forms.columns(form);
        all.add_predicate(form_name(form, forms, symbols), columns);
        tables.add(columns);
    }
    insert_given(given, tables);
}

/// Inserts the rows of auxiliary predicates that are given.
fn insert_given(given: &[(FormId, Rc<Table>)], tables: &mut Tables) {
    for (form, given) in given {
        for row in given.rows() {
            tables.insert_row(predicate(*form), row);
        }
    }
}
