//! Rules prepared for specialisation: variables are numbered, atoms know where they are looked up.

use crate::description::{Predicate, Term};
use crate::rules::{Literal, Rule};
use crate::symbols::Symbol;

use super::shape::{Forms, Shape, ShapeId};

/// A rule of the description with the part that each literal has in the method.
#[derive(Clone, Debug)]
pub struct MarkedRule<'r> {
    /// The rule. Its `true` and `does` are not renamed.
    pub rule: &'r Rule,
    /// By literal of the body.
    pub marks: Vec<MarkedLiteral>,
    /// Where instances of the head are looked up.
    pub head_table: Predicate,
    /// Whether instances are stored.
    pub stored: bool,
}

/// The part that a literal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedLiteral {
    /// It is in g(R).
    pub joined: bool,
    /// It is in s(R).
    pub stored: bool,
    /// Where its instances are looked up: `base` for `true`. `None` for `distinct`.
    pub table: Option<Predicate>,
}

/// A term over numbered variables, or its beginning: the arguments of a function stand behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Variable(u32),
    Constant(Symbol),
    /// A function, and how many of the following patterns belong to it.
    Function(Symbol, u32),
}

/// The terms of a list, each with its arguments.
pub(super) fn terms(mut patterns: &[Pattern]) -> impl Iterator<Item = (Pattern, &[Pattern])> {
    std::iter::from_fn(move || {
        let (&first, rest) = patterns.split_first()?;
        let length = if let Pattern::Function(_, length) = first { length } else { 0 };
        let (arguments, others) = rest.split_at(length as usize);
        patterns = others;
        Some((first, arguments))
    })
}

/// Some of the patterns of a rule.
pub(super) type Patterns = std::ops::Range<usize>;

/// An atom over numbered variables, with the predicate of its table.
#[derive(Clone, Debug)]
pub(super) struct PatternAtom {
    pub(super) table: Predicate,
    /// The predicate's name in the description.
    pub(super) name: Symbol,
    pub(super) arguments: Patterns,
}

/// A literal over numbered variables.
#[derive(Clone, Debug)]
pub(super) enum PatternLiteral {
    Positive(PatternAtom),
    Negative(PatternAtom),
    Distinct(Patterns, Patterns),
}

/// A [`MarkedRule`] over numbered variables.
#[derive(Clone, Debug)]
pub struct PatternRule {
    /// The terms of all atoms, one after the other.
    patterns: Vec<Pattern>,
    pub(super) head: PatternAtom,
    pub(super) body: Vec<(PatternLiteral, MarkedLiteral)>,
    /// Positions in the body of the literals that bind variables.
    pub(super) binders: Vec<usize>,
    pub(super) variables: usize,
    pub(super) stored: bool,
}

/// How many patterns most rules have at most.
const TYPICAL_PATTERNS: usize = 24;

impl PatternRule {
    /// Numbers the variables of a rule.
    pub fn new(marked: &MarkedRule<'_>) -> Self {
        let rule = marked.rule;
        let room = if rule.body.is_empty() { rule.head.arguments.len() } else { TYPICAL_PATTERNS };
        let mut builder =
            PatternBuilder { variables: Vec::new(), patterns: Vec::with_capacity(room) };
        let mut binders = Vec::new();
        let mut body = Vec::with_capacity(rule.body.len());
        for (position, (literal, &mark)) in rule.body.iter().zip(&marked.marks).enumerate() {
            let mut atom = |atom: &crate::description::Atom| PatternAtom {
                table: mark.table.expect("an atom has a table"),
                name: atom.predicate,
                arguments: builder.terms(&atom.arguments),
            };
            let literal = match literal {
                Literal::Positive(it) => {
                    binders.push(position);
                    PatternLiteral::Positive(atom(it))
                }
                Literal::Negative(it) => PatternLiteral::Negative(atom(it)),
                Literal::Distinct(left, right) => {
                    PatternLiteral::Distinct(builder.term(left), builder.term(right))
                }
            };
            body.push((literal, mark));
        }
        let head = PatternAtom {
            table: marked.head_table,
            name: rule.head.predicate,
            arguments: builder.terms(&rule.head.arguments),
        };
        let PatternBuilder { variables, patterns } = builder;
        let (variables, stored) = (variables.len(), marked.stored);
        PatternRule { patterns, head, body, binders, variables, stored }
    }

    pub(super) fn binder(&self, position: usize) -> &PatternAtom {
        match &self.body[self.binders[position]].0 {
            PatternLiteral::Positive(atom) => atom,
            _ => unreachable!("binders are positive literals"),
        }
    }

    /// The arguments of an atom of this rule.
    pub(super) fn arguments(&self, atom: &PatternAtom) -> &[Pattern] {
        self.patterns(&atom.arguments)
    }

    /// Terms of this rule.
    pub(super) fn patterns(&self, place: &Patterns) -> &[Pattern] {
        &self.patterns[place.clone()]
    }
}

/// Writes down the terms of a rule.
struct PatternBuilder {
    /// By number.
    variables: Vec<Symbol>,
    patterns: Vec<Pattern>,
}

impl PatternBuilder {
    fn terms(&mut self, terms: &[Term]) -> Patterns {
        let start = self.patterns.len();
        terms.iter().for_each(|term| self.push(term));
        start..self.patterns.len()
    }

    fn term(&mut self, term: &Term) -> Patterns {
        self.terms(std::slice::from_ref(term))
    }

    fn push(&mut self, term: &Term) {
        let pattern = match term {
            Term::Constant(constant) => Pattern::Constant(*constant),
            Term::Variable(variable) => {
                let known = self.variables.iter().position(|it| it == variable);
                Pattern::Variable(known.unwrap_or_else(|| {
                    self.variables.push(*variable);
                    self.variables.len() - 1
                }) as u32)
            }
            Term::Compound(compound) => {
                let place = self.patterns.len();
                self.patterns.push(Pattern::Function(compound.functor, 0));
                let arguments = self.terms(&compound.arguments).len() as u32;
                self.patterns[place] = Pattern::Function(compound.functor, arguments);
                return;
            }
        };
        self.patterns.push(pattern);
    }
}

/// The shapes of a rule's variables, and which were set when.
#[derive(Clone, Debug, Default)]
pub(super) struct Assignment {
    shapes: Vec<Option<ShapeId>>,
    trail: Vec<u32>,
}

impl Assignment {
    pub(super) fn reset(&mut self, variables: usize) {
        self.trail.clear();
        self.shapes.clear();
        self.shapes.resize(variables, None);
    }

    pub(super) fn get(&self, variable: u32) -> ShapeId {
        self.shapes[variable as usize].expect("a safe rule's variables are all bound")
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn undo(&mut self, mark: usize) {
        for variable in self.trail.drain(mark..) {
            self.shapes[variable as usize] = None;
        }
    }

    /// Sets variables so that the patterns have these shapes; `false` if they cannot.
    pub(super) fn matches(
        &mut self,
        patterns: &[Pattern],
        shapes: &[ShapeId],
        forms: &Forms,
    ) -> bool {
        let mut shapes = shapes.iter();
        for (pattern, arguments) in terms(patterns) {
            let Some(&shape) = shapes.next() else { return false };
            let matches = match pattern {
                Pattern::Constant(_) => shape == ShapeId::HOLE,
                Pattern::Variable(variable) => match self.shapes[variable as usize] {
                    Some(known) => known == shape,
                    None => {
                        self.shapes[variable as usize] = Some(shape);
                        self.trail.push(variable);
                        true
                    }
                },
                Pattern::Function(functor, _) => match forms.shape(shape) {
                    Shape::Function(other, shapes) => {
                        *other == functor && self.matches(arguments, shapes, forms)
                    }
                    Shape::Hole => false,
                },
            };
            if !matches {
                return false;
            }
        }
        shapes.as_slice().is_empty()
    }

    /// Pushes the shapes of patterns whose variables are set.
    pub(super) fn push_shapes(
        &self,
        patterns: &[Pattern],
        forms: &mut Forms,
        stack: &mut Vec<ShapeId>,
    ) {
        for (pattern, arguments) in terms(patterns) {
            let shape = match pattern {
                Pattern::Constant(_) => ShapeId::HOLE,
                Pattern::Variable(variable) => self.get(variable),
                Pattern::Function(functor, _) => {
                    let bottom = stack.len();
                    self.push_shapes(arguments, forms, stack);
                    let shape = forms.function(functor, &stack[bottom..]);
                    stack.truncate(bottom);
                    shape
                }
            };
            stack.push(shape);
        }
    }

    /// The shape of the only one of these patterns. `stack` is left as it was.
    pub(super) fn shape(
        &self,
        pattern: &[Pattern],
        forms: &mut Forms,
        stack: &mut Vec<ShapeId>,
    ) -> ShapeId {
        self.push_shapes(pattern, forms, stack);
        stack.pop().expect("a pattern has a shape")
    }
}
