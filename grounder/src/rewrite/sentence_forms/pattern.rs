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

/// A term over numbered variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Variable(u32),
    Constant(Symbol),
    Function(Symbol, Vec<Pattern>),
}

/// An atom over numbered variables, with the predicate of its table.
#[derive(Clone, Debug)]
pub(super) struct PatternAtom {
    pub(super) table: Predicate,
    /// The predicate's name in the description.
    pub(super) name: Symbol,
    pub(super) arguments: Vec<Pattern>,
}

/// A literal over numbered variables.
#[derive(Clone, Debug)]
pub(super) enum PatternLiteral {
    Positive(PatternAtom),
    Negative(PatternAtom),
    Distinct(Pattern, Pattern),
}

/// A [`MarkedRule`] over numbered variables.
#[derive(Clone, Debug)]
pub struct PatternRule {
    pub(super) head: PatternAtom,
    pub(super) body: Vec<(PatternLiteral, MarkedLiteral)>,
    /// Positions in the body of the literals that bind variables.
    pub(super) binders: Vec<usize>,
    pub(super) variables: usize,
    pub(super) stored: bool,
}

impl PatternRule {
    /// Numbers the variables of a rule.
    pub fn new(marked: &MarkedRule<'_>) -> Self {
        let mut variables = Vec::new();
        let rule = marked.rule;
        let mut binders = Vec::new();
        let mut body = Vec::with_capacity(rule.body.len());
        for (position, (literal, &mark)) in rule.body.iter().zip(&marked.marks).enumerate() {
            let mut atom = |atom: &crate::description::Atom| PatternAtom {
                table: mark.table.expect("an atom has a table"),
                name: atom.predicate,
                arguments: patterns(&atom.arguments, &mut variables),
            };
            let literal = match literal {
                Literal::Positive(it) => {
                    binders.push(position);
                    PatternLiteral::Positive(atom(it))
                }
                Literal::Negative(it) => PatternLiteral::Negative(atom(it)),
                Literal::Distinct(left, right) => PatternLiteral::Distinct(
                    pattern(left, &mut variables),
                    pattern(right, &mut variables),
                ),
            };
            body.push((literal, mark));
        }
        let head = PatternAtom {
            table: marked.head_table,
            name: rule.head.predicate,
            arguments: patterns(&rule.head.arguments, &mut variables),
        };
        PatternRule { head, body, binders, variables: variables.len(), stored: marked.stored }
    }

    pub(super) fn binder(&self, position: usize) -> &PatternAtom {
        match &self.body[self.binders[position]].0 {
            PatternLiteral::Positive(atom) => atom,
            _ => unreachable!("binders are positive literals"),
        }
    }
}

fn patterns(terms: &[Term], variables: &mut Vec<Symbol>) -> Vec<Pattern> {
    terms.iter().map(|term| pattern(term, variables)).collect()
}

fn pattern(term: &Term, variables: &mut Vec<Symbol>) -> Pattern {
    match term {
        Term::Constant(constant) => Pattern::Constant(*constant),
        Term::Compound(compound) => {
            Pattern::Function(compound.functor, patterns(&compound.arguments, variables))
        }
        Term::Variable(variable) => {
            let known = variables.iter().position(|it| it == variable);
            Pattern::Variable(known.unwrap_or_else(|| {
                variables.push(*variable);
                variables.len() - 1
            }) as u32)
        }
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
        patterns.iter().zip(shapes).all(|(pattern, &shape)| match pattern {
            Pattern::Constant(_) => shape == ShapeId::HOLE,
            Pattern::Variable(variable) => match self.shapes[*variable as usize] {
                Some(known) => known == shape,
                None => {
                    self.shapes[*variable as usize] = Some(shape);
                    self.trail.push(*variable);
                    true
                }
            },
            Pattern::Function(functor, arguments) => match forms.shape(shape) {
                Shape::Function(other, shapes) => {
                    other == functor
                        && shapes.len() == arguments.len()
                        && self.matches(arguments, shapes, forms)
                }
                Shape::Hole => false,
            },
        })
    }

    /// The shape of a pattern whose variables are set. `stack` is left as it was.
    pub(super) fn shape(
        &self,
        pattern: &Pattern,
        forms: &mut Forms,
        stack: &mut Vec<ShapeId>,
    ) -> ShapeId {
        match pattern {
            Pattern::Constant(_) => ShapeId::HOLE,
            Pattern::Variable(variable) => self.get(*variable),
            Pattern::Function(functor, arguments) => {
                let bottom = stack.len();
                self.push_shapes(arguments, forms, stack);
                let shape = forms.function(*functor, &stack[bottom..]);
                stack.truncate(bottom);
                shape
            }
        }
    }

    /// Pushes the shapes of patterns whose variables are set.
    pub(super) fn push_shapes(
        &self,
        patterns: &[Pattern],
        forms: &mut Forms,
        stack: &mut Vec<ShapeId>,
    ) {
        for pattern in patterns {
            let shape = self.shape(pattern, forms, stack);
            stack.push(shape);
        }
    }
}
