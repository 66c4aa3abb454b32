//! Terms as tuples of flat tables and back, and what is written in tables and known by number.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::{Predicate, Term};
use groundfrog::flat::lowering::predicate;
use groundfrog::flat::{FormId, Forms, Shape, ShapeId};
use groundfrog::rules::compound;
use groundfrog::symbols::Symbol;
use groundfrog_engine::{Budget, Constant, Constants, Exceeded, PredicateId, Table, Tables};

/// A fluent or a move, as the arguments of `base` or `input`.
pub(super) type Seed = Vec<Term>;

/// A term without its constants, in preorder: functor and arity + 1, or 0 for a constant.
type Skeleton = Vec<(u32, u32)>;

/// The forms of one predicate by the skeletons of their arguments.
#[derive(Clone, Debug, Default)]
pub(super) struct FormIndex {
    forms: FxHashMap<Skeleton, FormId>,
}

impl FormIndex {
    pub(super) fn new(forms: &Forms, predicate: Predicate) -> Self {
        let entry = |&form: &FormId| {
            let mut skeleton = Vec::new();
            forms.form(form).shapes.iter().for_each(|&it| of_shape(it, forms, &mut skeleton));
            (skeleton, form)
        };
        FormIndex { forms: forms.derivable(predicate).iter().map(entry).collect() }
    }

    /// The form and the constants of a sentence with these arguments, if its form is known.
    pub(super) fn locate(&self, arguments: &[&Term]) -> Option<(FormId, Vec<u32>)> {
        let (mut skeleton, mut constants) = (Vec::new(), Vec::new());
        arguments.iter().for_each(|it| of_term(it, &mut skeleton, &mut constants));
        Some((*self.forms.get(&skeleton)?, constants))
    }

    /// The sentences whose forms are not known, one of each form.
    pub(super) fn unknown(&self, sentences: impl Iterator<Item = Seed>) -> Vec<Seed> {
        let mut found: FxHashSet<Skeleton> = FxHashSet::default();
        let is_new = |sentence: &Seed| {
            let (mut skeleton, mut constants) = (Vec::new(), Vec::new());
            sentence.iter().for_each(|it| of_term(it, &mut skeleton, &mut constants));
            !self.forms.contains_key(&skeleton) && found.insert(skeleton)
        };
        sentences.filter(is_new).collect()
    }
}

fn of_shape(shape: ShapeId, forms: &Forms, skeleton: &mut Skeleton) {
    match forms.shape(shape) {
        Shape::Hole => skeleton.push((0, 0)),
        Shape::Function(functor, arguments) => {
            skeleton.push((functor.0, arguments.len() as u32 + 1));
            arguments.iter().for_each(|&it| of_shape(it, forms, skeleton));
        }
    }
}

fn of_term(term: &Term, skeleton: &mut Skeleton, constants: &mut Vec<u32>) {
    match term {
        Term::Constant(constant) | Term::Variable(constant) => {
            skeleton.push((0, 0));
            constants.push(constant.0);
        }
        Term::Compound(it) => {
            skeleton.push((it.functor.0, it.arguments.len() as u32 + 1));
            it.arguments.iter().for_each(|it| of_term(it, skeleton, constants));
        }
    }
}

/// What a term and its number take, in bytes, about.
pub(super) fn bytes(term: &Term) -> u64 {
    fn size(term: &Term) -> u64 {
        match term {
            Term::Constant(_) | Term::Variable(_) => 16,
            Term::Compound(it) => 64 + it.arguments.iter().map(size).sum::<u64>(),
        }
    }
    /// Where it is kept: in a list, in a map, and in the table that finds it.
    const PLACES: u64 = 128;
    PLACES + size(term)
}

/// The arguments of a sentence of a form with these constants.
pub(super) fn arguments(form: FormId, constants: Constants<'_>, forms: &Forms) -> Vec<Term> {
    let mut constants = constants.iter();
    forms.form(form).shapes.iter().map(|&it| fill(it, forms, &mut constants)).collect()
}

fn fill(shape: ShapeId, forms: &Forms, constants: &mut impl Iterator<Item = u32>) -> Term {
    match forms.shape(shape) {
        Shape::Hole => Term::Constant(Symbol(constants.next().expect("a constant for each hole"))),
        Shape::Function(functor, shapes) => {
            compound(*functor, shapes.iter().map(|&it| fill(it, forms, constants)).collect())
        }
    }
}

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
        *self.terms += terms.iter().map(bytes).sum::<u64>();
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
                    let arguments = arguments(*form, tuple, forms);
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
