//! The instances of a body, found by looking up what is bound.

use std::cmp::{Ordering, Reverse};
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use fxhash::{FxBuildHasher, FxHashMap, FxHashSet};
use groundfrog::description::{Predicate, Term, Terms};
use groundfrog::rules::{Literal, compound, variables_of};
use groundfrog::symbols::{Symbol, Symbols};
use groundfrog_engine::{Budget, Exceeded};
use smallvec::SmallVec;

use crate::number;
use crate::rules::{binding, is_comparison};

/// How many steps pass between two looks at the limits.
const INTERVAL: u32 = 1 << 12;

/// Variables with the ground terms that they stand for, in the order in which they were bound.
type Bindings = Vec<(Symbol, Term)>;

fn bound(variable: Symbol, bindings: &Bindings) -> Option<&Term> {
    bindings.iter().find(|it| it.0 == variable).map(|it| &it.1)
}

/// The ground term that a term stands for, if all its variables are bound.
fn value(term: &Term, bindings: &Bindings) -> Option<Term> {
    match term {
        Term::Variable(it) => bound(*it, bindings).cloned(),
        Term::Constant(_) => Some(term.clone()),
        Term::Compound(it) => {
            let arguments: Option<Terms> =
                it.arguments.iter().map(|it| value(it, bindings)).collect();
            Some(compound(it.functor, arguments?))
        }
    }
}

fn hash(key: impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

/// The hashes by which a row is found, and those by which arguments ask for rows: of each argument that is bound, and of functions
/// with each of their arguments. Rows that are found so are compared with what is looked for.
fn keys(arguments: &[Term], bindings: &Bindings, of_row: bool) -> SmallVec<[u64; 8]> {
    let mut keys = SmallVec::new();
    for (place, term) in arguments.iter().enumerate() {
        let whole = value(term, bindings);
        keys.extend(whole.iter().map(|it| hash((place, it))));
        if let Term::Compound(it) = term
            && (of_row || whole.is_none())
        {
            let function = (place, it.functor, it.arguments.len());
            keys.push(hash(function));
            let parts = it.arguments.iter().map(|it| value(it, bindings)).enumerate();
            keys.extend(parts.filter_map(|(part, it)| Some(hash((function, part, it?)))));
        }
    }
    keys
}

/// The facts of one predicate, each once, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Relation {
    pub(super) rows: Vec<Terms>,
    /// The places of rows by each of their keys, and by the hash of the whole row.
    places: FxHashMap<u64, SmallVec<[u32; 2]>>,
}

impl Relation {
    fn contains(&self, hash: u64, row: &[Term]) -> bool {
        let places = self.places.get(&hash);
        places.into_iter().flatten().any(|&it| self.rows[it as usize][..] == *row)
    }

    /// Adds a row; returns whether it is new.
    pub(super) fn insert(&mut self, row: Terms) -> bool {
        let hash = hash(&row[..]);
        if self.contains(hash, &row) {
            return false;
        }
        for key in keys(&row, &Bindings::new(), true).into_iter().chain([hash]) {
            self.places.entry(key).or_default().push(self.rows.len() as u32);
        }
        self.rows.push(row);
        true
    }

    /// The fewest places of rows among which all are that arguments match; none if nothing is bound.
    fn fewest(&self, arguments: &[Term], bindings: &Bindings) -> Option<&[u32]> {
        let places = |key| self.places.get(&key).map_or(&[][..], SmallVec::as_slice);
        keys(arguments, bindings, false).into_iter().map(places).min_by_key(|it| it.len())
    }
}

/// A literal in the order in which a body is looked at.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// For each row that matches.
    Join(u32, Terms),
    /// If there is no such row.
    Absent(u32, Terms),
    /// If two terms are different.
    Differ(Term, Term),
    /// If one number compares so with the other, or if it does not.
    Compare(fn(Ordering) -> bool, bool, Term, Term),
}

/// What rules speak of.
pub(super) struct Names<'p> {
    pub(super) symbols: &'p Symbols,
    pub(super) numbers: &'p FxHashMap<Predicate, u32>,
    pub(super) comparisons: &'p [Symbol],
}

impl Names<'_> {
    /// The literals of a body in an order, after one that is first: tests as soon as they can be made, then always the one of which most
    /// is bound. The variables of the given terms are bound before.
    pub(super) fn plan(
        &self,
        body: &[Literal],
        mut first: Option<usize>,
        given: &[Term],
    ) -> Vec<Step> {
        let mut bound: FxHashSet<Symbol> = variables_of(given).into_iter().collect();
        let mut rest: Vec<usize> = (0..body.len()).collect();
        let mut plan = Vec::new();
        while !rest.is_empty() {
            let rank = |&&place: &&usize| {
                let (mut known, mut free) = (0_usize, 0_usize);
                body[place].for_each_variable(&mut |it| match bound.contains(&it) {
                    true => known += 1,
                    false => free += 1,
                });
                // Tests wait for all their variables.
                let class = match (binding(&body[place], self.comparisons).is_some(), free) {
                    (false, 0) => 0,
                    (true, 0) => 1,
                    (true, _) => 2,
                    (false, _) => 3,
                };
                let constants = body[place].atom().map_or(0, |it| constants(&it.arguments));
                (class, Reverse(known + constants), free)
            };
            let next = first.take().or_else(|| rest.iter().min_by_key(rank).copied());
            let next = next.expect("there is one left");
            rest.retain(|&it| it != next);
            plan.push(self.step(&body[next]));
            let atom = binding(&body[next], self.comparisons);
            bound.extend(atom.into_iter().flat_map(|it| variables_of(&it.arguments)));
        }
        plan
    }

    fn step(&self, literal: &Literal) -> Step {
        match literal {
            Literal::Distinct(left, right) => Step::Differ(left.clone(), right.clone()),
            Literal::Positive(atom) | Literal::Negative(atom)
                if is_comparison(atom, self.comparisons) =>
            {
                let compares = match self.symbols.name(atom.predicate) {
                    "<" => Ordering::is_lt,
                    ">" => Ordering::is_gt,
                    "<=" => Ordering::is_le,
                    _ => Ordering::is_ge,
                };
                let is_negated = matches!(literal, Literal::Negative(_));
                let [left, right] = [0, 1].map(|it: usize| atom.arguments[it].clone());
                Step::Compare(compares, is_negated, left, right)
            }
            Literal::Positive(it) => {
                Step::Join(self.numbers[&it.predicate()], it.arguments.clone())
            }
            Literal::Negative(it) => {
                Step::Absent(self.numbers[&it.predicate()], it.arguments.clone())
            }
        }
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

/// Looks for the instances of a body.
pub(super) struct Join<'r> {
    relation: &'r dyn Fn(u32) -> &'r Relation,
    symbols: &'r Symbols,
    budget: &'r Budget,
    bindings: Bindings,
    steps: u32,
}

impl<'r> Join<'r> {
    pub(super) fn new(
        relation: &'r dyn Fn(u32) -> &'r Relation,
        symbols: &'r Symbols,
        budget: &'r Budget,
    ) -> Self {
        Join { relation, symbols, budget, bindings: Bindings::new(), steps: 0 }
    }

    /// Binds the variables of patterns, if terms match them.
    pub(super) fn bind(&mut self, patterns: &[Term], terms: &[Term]) -> bool {
        let mut both = patterns.iter().zip(terms);
        patterns.len() == terms.len() && both.all(|(pattern, term)| self.matches(pattern, term))
    }

    fn matches(&mut self, pattern: &Term, term: &Term) -> bool {
        match (pattern, term) {
            (Term::Variable(variable), _) => match bound(*variable, &self.bindings) {
                Some(value) => value == term,
                None => {
                    self.bindings.push((*variable, term.clone()));
                    true
                }
            },
            (Term::Compound(pattern), Term::Compound(it)) => {
                pattern.functor == it.functor && self.bind(&pattern.arguments, &it.arguments)
            }
            _ => pattern == term,
        }
    }

    fn value(&self, term: &Term) -> Term {
        value(term, &self.bindings).expect("rules are safe: the body binds it")
    }

    /// What terms stand for where all their variables are bound.
    pub(super) fn values(&self, terms: &[Term]) -> Terms {
        terms.iter().map(|it| self.value(it)).collect()
    }

    /// Visits all instances, until a visit says that there have been enough; of the first literal only rows at some places, if they
    /// are given. Returns whether all were visited.
    pub(super) fn run(
        &mut self,
        plan: &[Step],
        among: Option<Range<usize>>,
        visit: &mut dyn FnMut(&Self) -> bool,
    ) -> Result<bool, Exceeded> {
        self.steps += 1;
        if self.steps.is_multiple_of(INTERVAL) {
            self.budget.check(0, 0)?;
        }
        let Some((step, rest)) = plan.split_first() else { return Ok(visit(self)) };
        let passes = match step {
            Step::Join(predicate, arguments) => {
                let relation = (self.relation)(*predicate);
                let fewest = match among {
                    None => relation.fewest(arguments, &self.bindings),
                    Some(_) => None,
                };
                let among = among.unwrap_or(0..relation.rows.len());
                let bound = self.bindings.len();
                for number in 0..fewest.map_or(among.len(), <[u32]>::len) {
                    let place = fewest.map_or(among.start + number, |it| it[number] as usize);
                    let fits = self.bind(arguments, &relation.rows[place]);
                    if fits && !self.run(rest, None, visit)? {
                        return Ok(false);
                    }
                    self.bindings.truncate(bound);
                }
                return Ok(true);
            }
            Step::Absent(predicate, arguments) => {
                let row = self.values(arguments);
                !(self.relation)(*predicate).contains(hash(&row[..]), &row)
            }
            Step::Differ(left, right) => self.value(left) != self.value(right),
            Step::Compare(compares, is_negated, left, right) => {
                // What is no number does not compare with anything.
                let number = |term: &Term| match self.value(term) {
                    Term::Constant(it) => number::of_symbol(it, self.symbols),
                    _ => None,
                };
                let both = number(left).zip(number(right));
                both.is_some_and(|(left, right)| compares(left.cmp(&right)) != *is_negated)
            }
        };
        if passes { self.run(rest, None, visit) } else { Ok(true) }
    }
}
