//! What is written in tables and known by number.

use groundfrog_engine::{Budget, Constant, Exceeded, PredicateId, Table, Tables};

use super::terms;
use groundfrog::description::Term;
use groundfrog::flat::lowering::predicate;
use groundfrog::flat::{FormId, Forms};

/// Numbered terms as facts, each found once.
#[derive(Clone, Debug, Default)]
pub(super) struct Located {
    facts: Vec<Option<(PredicateId, Box<[Constant]>)>>,
}

impl Located {
    /// The fact of a number, which `locate` finds when it is needed first; `None` if that does not know its form.
    pub(super) fn get(
        &mut self,
        number: u32,
        locate: impl FnOnce() -> Option<(FormId, Vec<Constant>)>,
    ) -> Option<(PredicateId, &[Constant])> {
        let index = number as usize;
        if index >= self.facts.len() {
            self.facts.resize(index + 1, None);
        }
        let fact = &mut self.facts[index];
        if fact.is_none() {
            let (form, constants) = locate()?;
            *fact = Some((predicate(form), constants.into()));
        }
        fact.as_ref().map(|(id, constants)| (*id, &**constants))
    }
}

/// Checks a budget while sentences are turned into terms one by one: there may be far more of them than there is room for.
pub(super) struct Listing<'b> {
    budget: &'b Budget,
    /// Bytes of tables.
    tables: u64,
    /// Bytes of terms that are kept.
    terms: &'b mut u64,
    steps: u32,
}

/// How many sentences pass between two checks.
const INTERVAL: u32 = 1 << 10;

impl<'b> Listing<'b> {
    /// With bytes of tables, and of the terms that are kept from before.
    pub(super) fn new(budget: &'b Budget, tables: u64, terms: &'b mut u64) -> Self {
        Listing { budget, tables, terms, steps: 0 }
    }

    /// One more sentence.
    pub(super) fn step(&mut self) -> Result<(), Exceeded> {
        self.steps += 1;
        if self.steps.is_multiple_of(INTERVAL) {
            self.budget.check(self.tables + *self.terms, 0)?;
        }
        Ok(())
    }

    /// Terms that are kept from now on.
    pub(super) fn keep(&mut self, terms: &[Term]) {
        *self.terms += terms.iter().map(terms::bytes).sum::<u64>();
    }
}

/// The sentences of a predicate that have held so far, by form, each with a number.
#[derive(Clone, Debug)]
pub(super) struct Sentences {
    forms: Vec<(FormId, Table, Vec<u32>)>,
}

impl Sentences {
    pub(super) fn new(forms: &[FormId]) -> Self {
        // How many columns there are is known with the first sentence.
        Sentences { forms: forms.iter().map(|&it| (it, Table::new(0), Vec::new())).collect() }
    }

    /// Within a budget, calls `take` with the numbers of the sentences that hold. `number` gives one to the arguments of a new sentence.
    pub(super) fn numbers(
        &mut self,
        (tables, forms): (&Tables, &Forms),
        mut listing: Listing<'_>,
        mut number: impl FnMut(Vec<Term>) -> u32,
        mut take: impl FnMut(u32),
    ) -> Result<(), Exceeded> {
        for (form, known, numbers) in &mut self.forms {
            let table = &tables[predicate(*form)];
            if known.is_empty() {
                *known = Table::new(table.arity());
            }
            for tuple in table.rows() {
                listing.step()?;
                let row = known.find_row(tuple).unwrap_or_else(|| {
                    let arguments = terms::arguments(*form, tuple, forms);
                    listing.keep(&arguments);
                    numbers.push(number(arguments));
                    known.insert(&tuple.to_vec()).0
                });
                take(numbers[row as usize]);
            }
        }
        Ok(())
    }
}
