//! Shapes of terms and forms of sentences, interned.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;

use fxhash::FxHashMap;

use crate::description::{Predicate, Term};
use crate::rules::compound;
use crate::symbols::Symbol;

/// An interned [`Shape`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(u32);

impl ShapeId {
    /// The shape of every constant.
    pub const HOLE: ShapeId = ShapeId(0);

    /// Its place among all shapes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A ground term with its constants left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Any constant.
    Hole,
    /// A function of shapes.
    Function(Symbol, Box<[ShapeId]>),
}

/// An interned [`Form`]: the number of its flat predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormId(pub u32);

impl FormId {
    /// The form's number, to index a table that has one entry for each form.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A predicate with the shapes of its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The predicate.
    pub predicate: Predicate,
    /// The shapes of its arguments.
    pub shapes: Box<[ShapeId]>,
}

/// What the last argument of a form is. Fluents, and moves behind their roles, differ in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Any constant.
    Constant,
    /// A function of this name.
    Function(Symbol),
}

impl Ending {
    /// How all forms end that an atom with these arguments may have, if all do so.
    pub fn of(arguments: &[Term]) -> Option<Self> {
        match arguments.last()? {
            Term::Constant(_) => Some(Ending::Constant),
            Term::Compound(it) => Some(Ending::Function(it.functor)),
            Term::Variable(_) => None,
        }
    }
}

/// All shapes and forms of a description.
#[derive(Clone, Debug)]
pub struct Forms {
    shapes: Vec<Shape>,
    /// By shape: how many constants a term of it has, and how deep it is.
    sizes: Vec<(u32, u32)>,
    /// By functor and arguments.
    shape_ids: FxHashMap<Symbol, FxHashMap<Box<[ShapeId]>, ShapeId>>,
    forms: Vec<Form>,
    /// By predicate: its first form. Most have no other.
    first_forms: FxHashMap<Predicate, FormId>,
    /// By predicate and the shapes of the arguments: the other forms.
    other_forms: FxHashMap<Predicate, FxHashMap<Box<[ShapeId]>, FormId>>,
    /// By form: whether rules can derive it.
    is_derivable: Vec<bool>,
    /// The forms that rules can derive.
    derivable: FxHashMap<Predicate, Vec<FormId>>,
    /// Of these the ones with each ending, for predicates that have many.
    with_ending: FxHashMap<(Predicate, Ending), Vec<FormId>>,
}

impl Default for Forms {
    fn default() -> Self {
        Forms {
            shapes: vec![Shape::Hole],
            sizes: vec![(1, 0)],
            shape_ids: FxHashMap::default(),
            forms: Vec::new(),
            first_forms: FxHashMap::default(),
            other_forms: FxHashMap::default(),
            is_derivable: Vec::new(),
            derivable: FxHashMap::default(),
            with_ending: FxHashMap::default(),
        }
    }
}

impl Forms {
    /// The term of a shape, its holes filled with constants one after the other.
    pub fn term(&self, shape: ShapeId, constants: &mut impl Iterator<Item = u32>) -> Term {
        match self.shape(shape) {
            Shape::Hole => {
                Term::Constant(Symbol(constants.next().expect("a constant for each hole")))
            }
            Shape::Function(functor, shapes) => {
                compound(*functor, shapes.iter().map(|&it| self.term(it, constants)).collect())
            }
        }
    }

    /// Orders forms by the functions in their arguments. The order does not depend on their numbers.
    pub fn compare_arguments(&self, one: FormId, other: FormId) -> Ordering {
        let (one, other) = (&self.form(one).shapes, &self.form(other).shapes);
        one.len().cmp(&other.len()).then_with(|| self.compare_shapes(one, other))
    }

    fn compare_shapes(&self, ones: &[ShapeId], others: &[ShapeId]) -> Ordering {
        let pairs = ones.iter().zip(others).filter(|(one, other)| one != other);
        let compare =
            |(one, other): (&ShapeId, &ShapeId)| match (self.shape(*one), self.shape(*other)) {
                (Shape::Hole, Shape::Hole) => Ordering::Equal,
                (Shape::Hole, _) => Ordering::Less,
                (_, Shape::Hole) => Ordering::Greater,
                (Shape::Function(one, ones), Shape::Function(other, others)) => (one, ones.len())
                    .cmp(&(other, others.len()))
                    .then_with(|| self.compare_shapes(ones, others)),
            };
        pairs.map(compare).find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// A shape.
    pub fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// All shapes. The parts of one come before it.
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = &Shape> {
        self.shapes.iter()
    }

    /// How many constants a term of this shape has.
    pub fn holes(&self, id: ShapeId) -> usize {
        self.sizes[id.0 as usize].0 as usize
    }

    /// How deep functions are nested in a term of this shape; 0 for a constant.
    pub fn depth(&self, id: ShapeId) -> usize {
        self.sizes[id.0 as usize].1 as usize
    }

    /// The shape of a function of shapes.
    pub fn function(&mut self, functor: Symbol, arguments: &[ShapeId]) -> ShapeId {
        let known = self.shape_ids.get(&functor).and_then(|it| it.get(arguments));
        if let Some(&id) = known {
            return id;
        }
        let id = ShapeId(u32::try_from(self.shapes.len()).expect("fewer than 2^32 shapes"));
        let holes = arguments.iter().map(|&it| self.holes(it) as u32).sum();
        let depth = arguments.iter().map(|&it| self.depth(it) as u32).max().unwrap_or(0) + 1;
        self.sizes.push((holes, depth));
        self.shapes.push(Shape::Function(functor, arguments.into()));
        self.shape_ids.entry(functor).or_default().insert(arguments.into(), id);
        id
    }

    /// The number of forms, those that no rule derives included.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A form.
    pub fn form(&self, id: FormId) -> &Form {
        &self.forms[id.index()]
    }

    /// All forms with their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (FormId, &Form)> {
        self.forms.iter().enumerate().map(|(index, form)| (FormId(index as u32), form))
    }

    /// The number of constants in a sentence of this form: the columns of its flat predicate.
    pub fn columns(&self, id: FormId) -> usize {
        self.form(id).shapes.iter().map(|&shape| self.holes(shape)).sum()
    }

    /// The form with these shapes, if it is known.
    pub fn find(&self, predicate: Predicate, shapes: &[ShapeId]) -> Option<FormId> {
        let first = *self.first_forms.get(&predicate)?;
        if *self.form(first).shapes == *shapes {
            return Some(first);
        }
        self.other_forms.get(&predicate)?.get(shapes).copied()
    }

    /// The form of a predicate whose arguments have the shapes of a form of other `forms`, if it is known.
    pub fn counterpart(&self, predicate: Predicate, form: &Form, forms: &Forms) -> Option<FormId> {
        let shapes = form.shapes.iter().map(|&it| self.shape_of(it, forms));
        self.find(predicate, &shapes.collect::<Option<Vec<_>>>()?)
    }

    /// The shape that is one of other `forms`, if it is known.
    fn shape_of(&self, shape: ShapeId, forms: &Forms) -> Option<ShapeId> {
        match forms.shape(shape) {
            Shape::Hole => Some(ShapeId::HOLE),
            Shape::Function(functor, arguments) => {
                let arguments = arguments.iter().map(|&it| self.shape_of(it, forms));
                let arguments: Vec<ShapeId> = arguments.collect::<Option<_>>()?;
                self.shape_ids.get(functor)?.get(&*arguments).copied()
            }
        }
    }

    /// The forms of a predicate that rules can derive, in the order of their discovery.
    pub fn derivable(&self, predicate: Predicate) -> &[FormId] {
        self.derivable.get(&predicate).map_or(&[], Vec::as_slice)
    }

    /// The forms of a predicate that rules can derive and that may have an ending, in the order of their discovery:
    /// none is missing that has it.
    pub fn candidates(&self, predicate: Predicate, ending: Option<Ending>) -> &[FormId] {
        match ending {
            Some(ending) => self.with_ending.get(&(predicate, ending)).map_or(&[], Vec::as_slice),
            None => self.derivable(predicate),
        }
    }

    /// How a form ends, if it has arguments.
    pub(crate) fn ending(&self, form: FormId) -> Option<Ending> {
        self.form(form).shapes.last().map(|&shape| match self.shape(shape) {
            Shape::Hole => Ending::Constant,
            Shape::Function(functor, _) => Ending::Function(*functor),
        })
    }

    /// Whether rules can derive a form.
    pub fn is_derivable(&self, form: FormId) -> bool {
        self.is_derivable[form.index()]
    }

    /// The form with these shapes.
    pub fn intern(&mut self, predicate: Predicate, shapes: &[ShapeId]) -> FormId {
        if let Some(id) = self.find(predicate, shapes) {
            return id;
        }
        let id = FormId(u32::try_from(self.forms.len()).expect("fewer than 2^32 forms"));
        self.forms.push(Form { predicate, shapes: shapes.into() });
        self.is_derivable.push(false);
        match self.first_forms.entry(predicate) {
            Entry::Vacant(first) => {
                first.insert(id);
            }
            Entry::Occupied(_) => {
                self.other_forms.entry(predicate).or_default().insert(shapes.into(), id);
            }
        }
        id
    }

    /// Notes that rules can derive a form. Returns whether that is news.
    pub fn derive(&mut self, form: FormId) -> bool {
        let known = std::mem::replace(&mut self.is_derivable[form.index()], true);
        if !known {
            let predicate = self.forms[form.index()].predicate;
            self.derivable.entry(predicate).or_default().push(form);
            if let Some(ending) = self.ending(form) {
                self.with_ending.entry((predicate, ending)).or_default().push(form);
            }
        }
        !known
    }
}
