//! Rules prepared for specialisation: variables are numbered, atoms know where they are looked up.

use fxhash::FxBuildHasher;
use indexmap::IndexSet;

use crate::description::{Predicate, Term};
use crate::rules::{Literal, Rule};
use crate::symbols::Symbol;

use crate::flat::{Ending, Forms, Shape, ShapeId};

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

/// Where the patterns of some terms are.
type PatternRange = std::ops::Range<u32>;

/// An atom over numbered variables, with the predicate of its table.
#[derive(Clone, Debug)]
pub(super) struct PatternAtom {
    pub(super) table: Predicate,
    /// How its forms end, if all do so.
    pub(super) ending: Option<Ending>,
    /// The predicate's name in the description.
    pub(super) name: Symbol,
    pub(super) arguments: PatternRange,
}

/// A literal over numbered variables.
#[derive(Clone, Debug)]
pub(super) enum PatternLiteral {
    Positive(PatternAtom),
    Negative(PatternAtom),
    Distinct(PatternRange, PatternRange),
}

/// A [`MarkedRule`] over numbered variables.
#[derive(Clone, Debug)]
pub(super) struct PatternRule {
    pub(super) head: PatternAtom,
    pub(super) body: Vec<(PatternLiteral, MarkedLiteral)>,
    /// How many literals bind variables, and which: a place in a list of all rules.
    binders: PatternRange,
    pub(super) variables: usize,
    pub(super) stored: bool,
}

impl PatternRule {
    /// How many literals bind variables.
    pub(super) fn binder_count(&self) -> usize {
        self.binders.len()
    }
}

/// [`MarkedRule`]s over numbered variables.
#[derive(Clone, Debug)]
pub struct PatternRules {
    rules: Vec<PatternRule>,
    /// The terms of all rules, one after the other.
    patterns: Vec<Pattern>,
    /// Positions in bodies of the literals that bind variables, one rule after the other.
    binders: Vec<u32>,
}

impl PatternRules {
    /// Numbers the variables of each rule.
    pub fn new(marked: &[MarkedRule<'_>]) -> Self {
        let rules = PatternRules {
            rules: Vec::with_capacity(marked.len()),
            patterns: Vec::with_capacity(TYPICAL_PATTERNS * marked.len()),
            binders: Vec::new(),
        };
        let mut builder = PatternWriter { rules, variables: IndexSet::default() };
        marked.iter().for_each(|rule| builder.add(rule));
        builder.rules
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &PatternRule> {
        self.rules.iter()
    }

    pub(super) fn rule(&self, number: usize) -> &PatternRule {
        &self.rules[number]
    }

    /// A literal of a rule that binds variables.
    pub(super) fn binder<'a>(&self, rule: &'a PatternRule, position: usize) -> &'a PatternAtom {
        let place = self.binders[rule.binders.start as usize + position];
        match &rule.body[place as usize].0 {
            PatternLiteral::Positive(atom) => atom,
            _ => unreachable!("binders are positive literals"),
        }
    }

    pub(super) fn arguments(&self, atom: &PatternAtom) -> &[Pattern] {
        self.at(&atom.arguments)
    }

    pub(super) fn at(&self, place: &PatternRange) -> &[Pattern] {
        &self.patterns[place.start as usize..place.end as usize]
    }
}

/// How many patterns a rule has, more or less.
const TYPICAL_PATTERNS: usize = 8;

/// Writes down rules.
struct PatternWriter {
    rules: PatternRules,
    /// The variables of a rule, by number.
    variables: IndexSet<Symbol, FxBuildHasher>,
}

impl PatternWriter {
    fn add(&mut self, marked: &MarkedRule<'_>) {
        self.variables.clear();
        let rule = marked.rule;
        let first_binder = self.rules.binders.len() as u32;
        let mut body = Vec::with_capacity(rule.body.len());
        for (position, (literal, &mark)) in (0..).zip(rule.body.iter().zip(&marked.marks)) {
            let mut atom = |atom: &crate::description::Atom| PatternAtom {
                table: mark.table.expect("an atom has a table"),
                ending: Ending::of(&atom.arguments),
                name: atom.predicate,
                arguments: self.terms(&atom.arguments),
            };
            let literal = match literal {
                Literal::Positive(it) => {
                    let atom = PatternLiteral::Positive(atom(it));
                    self.rules.binders.push(position);
                    atom
                }
                Literal::Negative(it) => PatternLiteral::Negative(atom(it)),
                Literal::Distinct(left, right) => {
                    PatternLiteral::Distinct(self.term(left), self.term(right))
                }
            };
            body.push((literal, mark));
        }
        let head = PatternAtom {
            table: marked.head_table,
            ending: Ending::of(&rule.head.arguments),
            name: rule.head.predicate,
            arguments: self.terms(&rule.head.arguments),
        };
        let binders = first_binder..self.rules.binders.len() as u32;
        let (variables, stored) = (self.variables.len(), marked.stored);
        self.rules.rules.push(PatternRule { head, body, binders, variables, stored });
    }

    fn end(&self) -> u32 {
        u32::try_from(self.rules.patterns.len()).expect("fewer than 2^32 terms")
    }

    fn terms(&mut self, terms: &[Term]) -> PatternRange {
        let start = self.end();
        terms.iter().for_each(|term| self.push(term));
        start..self.end()
    }

    fn term(&mut self, term: &Term) -> PatternRange {
        self.terms(std::slice::from_ref(term))
    }

    fn push(&mut self, term: &Term) {
        let pattern = match term {
            Term::Constant(constant) => Pattern::Constant(*constant),
            Term::Variable(variable) => {
                Pattern::Variable(self.variables.insert_full(*variable).0 as u32)
            }
            Term::Compound(compound) => {
                let place = self.rules.patterns.len();
                self.rules.patterns.push(Pattern::Function(compound.functor, 0));
                let arguments = self.terms(&compound.arguments).len() as u32;
                self.rules.patterns[place] = Pattern::Function(compound.functor, arguments);
                return;
            }
        };
        self.rules.patterns.push(pattern);
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
