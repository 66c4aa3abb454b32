//! Rules after or-elimination: a head and literals.

mod unify;

use std::sync::Arc;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::graph::Graph;

use crate::description::{
    Atom, Compound, Formula, Keywords, MAX_NESTING, Predicate, Statement, Term, Terms,
};
use crate::kif::{Diagnostic, Span};
use crate::symbols::{Symbol, Symbols};
pub use unify::Substitution;

/// A condition in the body of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The terms are different.
    Distinct(Term, Term),
}

impl Literal {
    /// The atom of a literal that has one.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    /// The literal as a formula, to print it.
    pub fn formula(&self, span: Span) -> Formula {
        match self {
            Literal::Positive(atom) => Formula::Atom(atom.clone()),
            Literal::Negative(atom) => Formula::Not(Box::new(Formula::Atom(atom.clone())), span),
            Literal::Distinct(left, right) => Formula::Distinct(left.clone(), right.clone(), span),
        }
    }

    /// The literal with its variables replaced.
    pub fn substitute(&self, substitution: &Substitution) -> Literal {
        let atom =
            |atom: &Atom| Atom { arguments: substitution.terms(&atom.arguments), ..atom.clone() };
        match self {
            Literal::Positive(it) => Literal::Positive(atom(it)),
            Literal::Negative(it) => Literal::Negative(atom(it)),
            Literal::Distinct(left, right) => {
                Literal::Distinct(substitution.term(left), substitution.term(right))
            }
        }
    }

    /// Calls `visit` with each variable, in order and with repetitions.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Symbol)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.arguments.iter().for_each(|term| for_each_variable(term, visit));
            }
            Literal::Distinct(left, right) => {
                for_each_variable(left, visit);
                for_each_variable(right, visit);
            }
        }
    }
}

/// `head <- body`; a fact if the body is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What the rule derives.
    pub head: Atom,
    /// The conditions; their order means nothing.
    pub body: Vec<Literal>,
    /// The statement that the rule comes from.
    pub span: Span,
}

impl Rule {
    /// The rule as a statement, to print it.
    pub fn statement(&self) -> Statement {
        Statement {
            head: self.head.clone(),
            body: self.body.iter().map(|literal| literal.formula(self.span)).collect(),
            span: self.span,
        }
    }

    /// Whether each variable occurs in a positive literal: whether the rule is safe.
    pub fn is_safe(&self) -> bool {
        is_safe(&self.head.arguments, &self.body)
    }

    /// The atoms of its positive literals.
    pub fn positive_atoms(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        })
    }

    /// The rule with its variables replaced.
    pub fn substitute(&self, substitution: &Substitution) -> Rule {
        Rule {
            head: Atom { arguments: substitution.terms(&self.head.arguments), ..self.head.clone() },
            body: self.body.iter().map(|literal| literal.substitute(substitution)).collect(),
            span: self.span,
        }
    }
}

/// Rules with the names that they are written in.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The names.
    pub symbols: Symbols,
    /// The symbols of the keywords.
    pub keywords: Keywords,
    /// The rules, in the order of the description.
    pub rules: Vec<Rule>,
    /// The names of the predicates that stand for an `or` of a rule each, which the description does not have.
    pub of_alternatives: Vec<Symbol>,
}

impl Rules {
    /// A predicate with its name and arity, as `cell/3`.
    pub fn predicate_name(&self, predicate: Predicate) -> String {
        format!("{}/{}", self.symbols.name(predicate.name), predicate.arity)
    }

    /// Whether a body has an atom of this name.
    pub fn read(&self, name: Symbol) -> bool {
        let mut atoms = self.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom);
        atoms.any(|atom| atom.predicate == name)
    }

    /// Whether no predicate depends on its own negation, as nearly always.
    pub fn are_stratified(&self) -> bool {
        PredicateGraph::new(self.rules.iter()).is_stratified()
    }
}

/// Calls `visit` with each variable of a term, in order and with repetitions.
pub fn for_each_variable(term: &Term, visit: &mut impl FnMut(Symbol)) {
    match term {
        Term::Variable(variable) => visit(*variable),
        Term::Constant(_) => {}
        Term::Compound(compound) => {
            compound.arguments.iter().for_each(|term| for_each_variable(term, visit));
        }
    }
}

/// The variables of terms, in order and with repetitions.
pub fn variables_of(terms: &[Term]) -> Vec<Symbol> {
    let mut variables = Vec::new();
    terms.iter().for_each(|it| for_each_variable(it, &mut |it| variables.push(it)));
    variables
}

/// Whether each variable of terms and of a body occurs in a positive literal of the body.
pub fn is_safe(terms: &[Term], body: &[Literal]) -> bool {
    let mut bound = FxHashSet::default();
    let positive = body.iter().filter(|it| matches!(it, Literal::Positive(_)));
    positive.for_each(|it| it.for_each_variable(&mut |it| _ = bound.insert(it)));
    let mut is_safe = true;
    let mut check = |it| is_safe &= bound.contains(&it);
    terms.iter().for_each(|it| for_each_variable(it, &mut check));
    body.iter().for_each(|it| it.for_each_variable(&mut check));
    is_safe
}

/// The argument of an atom of a predicate that has one: the fluent of an atom of `true`, `init` or `next`.
pub fn argument_of(atom: &Atom, predicate: Symbol) -> Option<&Term> {
    match atom.arguments.as_slice() {
        [argument] if atom.predicate == predicate => Some(argument),
        _ => None,
    }
}

/// Whether terms, whose variables have nothing to do with each other, may have an instance in common: a quick look, at
/// one variable at a time.
pub fn may_be_same(one: &Term, other: &Term) -> bool {
    match (one, other) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one), Term::Compound(other)) => {
            one.pairs(other).is_some_and(|mut pairs| pairs.all(|(it, of)| may_be_same(it, of)))
        }
        _ => false,
    }
}

/// The term `functor(arguments)`.
pub fn compound(functor: Symbol, arguments: Terms) -> Term {
    Term::Compound(Arc::new(Compound { functor, arguments }))
}

/// Joins are nested as deep as a rule has literals, and a thread's stack has an end.
pub const MOST_LITERALS: usize = 2048;

/// Names in the terms of a rule: its variables are looked through one by one.
pub const MOST_NAMES: usize = 16_384;

/// An error for each rule that is longer than any that people write.
pub fn too_long(rules: &Rules) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> = rules.rules.iter().filter_map(fault_of_length).collect();
    // An `or` makes several rules of one.
    errors.dedup_by_key(|it| it.span());
    errors
}

fn fault_of_length(rule: &Rule) -> Option<Diagnostic> {
    let error =
        |message, help| Some(Diagnostic::error("GF0309", message, rule.head.span).with_help(help));
    let literals = rule.body.len();
    if literals > MOST_LITERALS {
        return error(
            format!("a rule with {literals} literals, more than {MOST_LITERALS}"),
            "give parts of the body predicates of their own",
        );
    }
    // So many names take more text than nearly any rule has; those of equalities were counted when they were solved.
    let is_short = rule.span.range().len() < MOST_NAMES;
    let names = if is_short { 0 } else { names_in(rule) };
    if names > MOST_NAMES {
        return error(
            format!("a rule with {names} names in its terms, more than {MOST_NAMES}"),
            "make several atoms of one with so many arguments",
        );
    }
    None
}

/// The error for a rule that has so many once its equalities are solved, or terms that are nested too deep.
pub fn multiplied(rule: &Rule) -> Diagnostic {
    let message = format!(
        "a rule with more than {MOST_NAMES} names in its terms, or terms nested more than {MAX_NESTING} deep"
    );
    Diagnostic::error("GF0309", message, rule.head.span)
        .with_remark("with the terms that `(not (distinct ...))` says its variables are equal to")
        .with_help(
            "one such term holds others, so size and depth add up, or multiply: say less at once",
        )
}

/// How many names there are in the terms of a rule.
pub fn names_in(rule: &Rule) -> usize {
    let in_literal = |literal: &Literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => in_terms(&atom.arguments),
        Literal::Distinct(left, right) => in_term(left) + in_term(right),
    };
    in_terms(&rule.head.arguments) + rule.body.iter().map(in_literal).sum::<usize>()
}

fn in_terms(terms: &[Term]) -> usize {
    terms.iter().map(in_term).sum()
}

fn in_term(term: &Term) -> usize {
    match term {
        Term::Variable(_) | Term::Constant(_) => 1,
        Term::Compound(compound) => 1 + in_terms(&compound.arguments),
    }
}

/// The predicates of some rules, numbered, and how they depend on each other: the head of a rule on those of its body.
#[derive(Clone, Debug, Default)]
pub struct PredicateGraph {
    numbers: FxHashMap<Predicate, u32>,
    predicates: Vec<Predicate>,
    /// Head and body.
    depends: Vec<(u32, u32)>,
    /// Those of literals that are negated.
    negations: Vec<(u32, u32)>,
}

impl PredicateGraph {
    /// The graph of some rules. Numbers go first to their heads, in order.
    pub fn new<'r>(rules: impl Iterator<Item = &'r Rule> + Clone) -> Self {
        let mut graph = PredicateGraph::default();
        for rule in rules.clone() {
            graph.number(rule.head.predicate());
        }
        for rule in rules.filter(|it| !it.body.is_empty()) {
            let head = graph.number(rule.head.predicate());
            for literal in &rule.body {
                let Some(atom) = literal.atom() else { continue };
                let dependence = (head, graph.number(atom.predicate()));
                graph.depends.push(dependence);
                if matches!(literal, Literal::Negative(_)) {
                    graph.negations.push(dependence);
                }
            }
        }
        graph
    }

    /// The number of a predicate, which is added if it is new.
    pub fn number(&mut self, predicate: Predicate) -> u32 {
        let next = self.predicates.len() as u32;
        let number = *self.numbers.entry(predicate).or_insert(next);
        if number == next {
            self.predicates.push(predicate);
        }
        number
    }

    /// The predicates by number.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// Heads and negated predicates of their bodies, in the order of the rules.
    pub fn negations(&self) -> &[(u32, u32)] {
        &self.negations
    }

    /// Whether no predicate depends on its own negation.
    pub fn is_stratified(&self) -> bool {
        if self.negations.is_empty() {
            return true;
        }
        let components = self.graph().components();
        !self.negations.iter().any(|&(head, negated)| components.together(head, negated))
    }

    /// From heads to bodies.
    pub fn graph(&self) -> Graph {
        Graph::new(self.predicates.len(), self.depends.clone())
    }
}
