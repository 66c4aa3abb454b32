//! Terms as tuples of flat tables, and back.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::Constants;

use groundfrog::description::{Predicate, Term};
use groundfrog::flat::{FormId, Forms, Shape, ShapeId};
use groundfrog::rules::compound;
use groundfrog::symbols::Symbol;

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
