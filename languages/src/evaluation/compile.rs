//! Rules with numbered variables and an order in which their literals are looked at.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::{Atom, Predicate, Term};
use groundfrog::rules::{Literal, Rule};
use groundfrog::symbols::{Symbol, Symbols};
use smallvec::SmallVec;

use super::facts::{KeyPath, Relation};

/// A term with numbered variables.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Variable(u32),
    Constant(Symbol),
    Compound(Symbol, Box<[Pattern]>),
}

/// How numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    Greater,
    AtMost,
    AtLeast,
}

/// A literal in the order in which a body is looked at.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// For each row that matches; the paths of what is bound by then, each with its place among the relation's indexes.
    Join { predicate: u32, arguments: Vec<Pattern>, keys: SmallVec<[(usize, KeyPath); 4]> },
    /// If there is no such row.
    Absent { predicate: u32, arguments: Vec<Pattern> },
    /// If two terms are different.
    Differ(Pattern, Pattern),
    /// If one number compares so with the other.
    Compare(Comparison, Pattern, Pattern),
}

/// A rule that is ready to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct CompiledRule {
    pub(super) head: u32,
    pub(super) arguments: Vec<Pattern>,
    pub(super) variables: usize,
    pub(super) plan: Vec<Step>,
    /// For each literal on the rule's own component: its predicate, and the plan that begins with it.
    pub(super) rounds: Vec<(u32, Vec<Step>)>,
}

/// Compiles rules, and notes which indexes they use.
pub(super) struct Compiler<'r> {
    numbers: &'r FxHashMap<Predicate, u32>,
    symbols: &'r Symbols,
    comparisons: &'r [Symbol],
    keys: Vec<Vec<KeyPath>>,
}

/// The variables of a rule, numbered as they are met.
type Numbers = FxHashMap<Symbol, u32>;

impl<'r> Compiler<'r> {
    pub(super) fn new(
        numbers: &'r FxHashMap<Predicate, u32>,
        symbols: &'r Symbols,
        comparisons: &'r [Symbol],
    ) -> Self {
        Compiler { numbers, symbols, comparisons, keys: vec![Vec::new(); numbers.len()] }
    }

    /// Empty relations with the indexes that are used.
    pub(super) fn relations(self) -> Vec<Relation> {
        self.keys.into_iter().map(Relation::new).collect()
    }

    /// A rule; of one in a recursive component, what belongs to that.
    pub(super) fn rule(
        &mut self,
        rule: &Rule,
        is_own: Option<&dyn Fn(Predicate) -> bool>,
    ) -> CompiledRule {
        let mut variables = Numbers::default();
        let arguments = patterns(&rule.head.arguments, &mut variables);
        let plan = self.plan(&rule.body, None, FxHashSet::default(), &mut variables);
        let mut rounds = Vec::new();
        for (position, literal) in rule.body.iter().enumerate() {
            if let (Literal::Positive(atom), Some(is_own)) = (literal, is_own)
                && !self.is_comparison(atom)
                && is_own(atom.predicate())
            {
                let plan =
                    self.plan(&rule.body, Some(position), FxHashSet::default(), &mut variables);
                rounds.push((self.numbers[&atom.predicate()], plan));
            }
        }
        let head = self.numbers[&rule.head.predicate()];
        CompiledRule { head, arguments, variables: variables.len(), plan, rounds }
    }

    /// A rule whose head is known when it is looked at.
    pub(super) fn test(&mut self, rule: &Rule) -> CompiledRule {
        let mut variables = Numbers::default();
        let arguments = patterns(&rule.head.arguments, &mut variables);
        let bound = (0..variables.len() as u32).collect();
        let plan = self.plan(&rule.body, None, bound, &mut variables);
        let head = self.numbers[&rule.head.predicate()];
        CompiledRule { head, arguments, variables: variables.len(), plan, rounds: Vec::new() }
    }

    fn is_comparison(&self, atom: &Atom) -> bool {
        atom.arguments.len() == 2 && self.comparisons.contains(&atom.predicate)
    }

    /// The literals in an order: tests as soon as they can be made, then always the one of which most is bound.
    fn plan(
        &mut self,
        body: &[Literal],
        first: Option<usize>,
        mut bound: FxHashSet<u32>,
        variables: &mut Numbers,
    ) -> Vec<Step> {
        let mut rest: Vec<usize> = (0..body.len()).filter(|&it| Some(it) != first).collect();
        let mut plan = Vec::new();
        if let Some(first) = first {
            plan.push(self.step(&body[first], &bound, variables));
            bind(&body[first], &mut bound, variables);
        }
        while !rest.is_empty() {
            let rank = |&position: &usize| {
                let literal = &body[position];
                let (mut free, mut known) = (0_usize, 0_usize);
                literal.for_each_variable(&mut |variable| {
                    let number = variables.get(&variable);
                    match number.is_some_and(|variable| bound.contains(variable)) {
                        true => known += 1,
                        false => free += 1,
                    }
                });
                let joins = match literal {
                    Literal::Positive(atom) => !self.is_comparison(atom),
                    Literal::Negative(_) | Literal::Distinct(..) => false,
                };
                // Tests wait for all their variables.
                let class = match (joins, free) {
                    (false, 0) => 0,
                    (true, 0) => 1,
                    (true, _) => 2,
                    (false, _) => 3,
                };
                let constants = literal.atom().map_or(0, |it| constants(&it.arguments));
                (class, usize::MAX - known - constants, free, position)
            };
            let next = rest.iter().copied().min_by_key(|it| rank(it)).expect("there is one left");
            rest.retain(|&it| it != next);
            plan.push(self.step(&body[next], &bound, variables));
            bind(&body[next], &mut bound, variables);
        }
        plan
    }

    fn step(&mut self, literal: &Literal, bound: &FxHashSet<u32>, variables: &mut Numbers) -> Step {
        match literal {
            Literal::Distinct(left, right) => {
                Step::Differ(pattern(left, variables), pattern(right, variables))
            }
            Literal::Positive(atom) | Literal::Negative(atom) if self.is_comparison(atom) => {
                let is_negated = matches!(literal, Literal::Negative(_));
                let comparison = match (self.symbols.name(atom.predicate), is_negated) {
                    ("<", false) => Comparison::Less,
                    (">", false) => Comparison::Greater,
                    ("<=", false) => Comparison::AtMost,
                    (">=", false) => Comparison::AtLeast,
                    ("<", true) => Comparison::AtLeast,
                    (">", true) => Comparison::AtMost,
                    ("<=", true) => Comparison::Greater,
                    _ => Comparison::Less,
                };
                let [left, right] = [0, 1].map(|it| pattern(&atom.arguments[it], variables));
                Step::Compare(comparison, left, right)
            }
            Literal::Negative(atom) => Step::Absent {
                predicate: self.numbers[&atom.predicate()],
                arguments: patterns(&atom.arguments, variables),
            },
            Literal::Positive(atom) => {
                let predicate = self.numbers[&atom.predicate()];
                let arguments = patterns(&atom.arguments, variables);
                let mut keys = SmallVec::new();
                for path in paths(&arguments, bound) {
                    let known = &mut self.keys[predicate as usize];
                    let place = known.iter().position(|it| *it == path).unwrap_or_else(|| {
                        known.push(path);
                        known.len() - 1
                    });
                    keys.push((place, path));
                }
                Step::Join { predicate, arguments, keys }
            }
        }
    }
}

fn bind(literal: &Literal, bound: &mut FxHashSet<u32>, variables: &Numbers) {
    if let Literal::Positive(_) = literal {
        literal.for_each_variable(&mut |it| _ = bound.insert(variables[&it]));
    }
}

fn constants(terms: &[Term]) -> usize {
    let count = |term: &Term| match term {
        Term::Variable(_) => 0,
        Term::Constant(_) => 1,
        Term::Compound(it) => 1 + constants(&it.arguments),
    };
    terms.iter().map(count).sum()
}

fn patterns(terms: &[Term], variables: &mut Numbers) -> Vec<Pattern> {
    terms.iter().map(|it| pattern(it, variables)).collect()
}

fn pattern(term: &Term, variables: &mut Numbers) -> Pattern {
    match term {
        Term::Variable(it) => {
            let next = variables.len() as u32;
            Pattern::Variable(*variables.entry(*it).or_insert(next))
        }
        Term::Constant(it) => Pattern::Constant(*it),
        Term::Compound(it) => {
            Pattern::Compound(it.functor, patterns(&it.arguments, variables).into())
        }
    }
}

impl Pattern {
    fn is_bound(&self, bound: &FxHashSet<u32>) -> bool {
        match self {
            Pattern::Variable(it) => bound.contains(it),
            Pattern::Constant(_) => true,
            Pattern::Compound(_, arguments) => arguments.iter().all(|it| it.is_bound(bound)),
        }
    }
}

/// The parts of arguments by which rows can be looked up.
fn paths(arguments: &[Pattern], bound: &FxHashSet<u32>) -> Vec<KeyPath> {
    let mut paths = Vec::new();
    for (argument, pattern) in arguments.iter().enumerate() {
        if pattern.is_bound(bound) {
            paths.push(KeyPath::Whole(argument));
        } else if let Pattern::Compound(functor, parts) = pattern {
            let known = paths.len();
            let arity = parts.len();
            for (part, it) in parts.iter().enumerate() {
                if it.is_bound(bound) {
                    paths.push(KeyPath::Part { argument, functor: *functor, arity, part });
                }
            }
            if paths.len() == known {
                paths.push(KeyPath::Functor { argument, functor: *functor, arity });
            }
        }
    }
    paths
}
