//! `or`s of `distinct`: that one of several pairs of terms differs is that two tuples do.
//!
//! `(or (distinct ?x ?u) (distinct ?y ?v))` says that two cells are not the same. For k cells of which no two are the same
//! a rule has k (k - 1) / 2 such `or`s, and stands for a rule for each choice of a coordinate of every pair: rules that
//! are instances of each other, but for the order of the cells. One comparison of tuples each says the same in a
//! single rule. `distinct` is static, so what is stored for the rules is what is stored for that one.

use std::borrow::Cow;
use std::sync::Arc;

use super::demand::{Demand, stripped, written};
use crate::description::{Compound, Formula, Statement, Term};
use crate::options::{PassId, Passes};
use crate::symbols::{Symbol, Symbols, fresh};

/// Longer tuples are not made: rules may become too long by them.
const MOST_PAIRS: usize = 16;

/// What becomes of `or`s of `distinct`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differences {
    /// Rules, as of every other `or`.
    Divided,
    /// One `distinct` of two tuples.
    Compared,
}

impl Differences {
    /// What is wanted of them.
    pub fn of(passes: Passes) -> Self {
        match passes.contains(PassId::DistinctAlternatives) {
            true => Differences::Compared,
            false => Differences::Divided,
        }
    }
}

/// Compares tuples.
#[derive(Default)]
pub(super) struct Tuples {
    /// The function that makes a tuple of terms, once there is one: no term of the description has it.
    function: Option<Symbol>,
    /// How many comparisons were made.
    pub(super) comparisons: usize,
}

impl Tuples {
    /// A statement whose `or`s of `distinct` are comparisons of tuples.
    pub(super) fn compared<'d>(
        &mut self,
        statement: &'d Statement,
        symbols: &mut Symbols,
    ) -> Cow<'d, Statement> {
        let body = statement.body.iter().map(|it| self.formula(it, false, symbols));
        let body: Vec<Option<Formula>> = body.collect();
        if body.iter().all(Option::is_none) {
            return Cow::Borrowed(statement);
        }
        let body = statement.body.iter().zip(body);
        let body = body.map(|(own, new)| new.unwrap_or_else(|| own.clone())).collect();
        Cow::Owned(Statement { body, ..statement.clone() })
    }

    /// What a formula, or its negation, becomes, if it is anything else.
    fn formula(
        &mut self,
        formula: &Formula,
        negated: bool,
        symbols: &mut Symbols,
    ) -> Option<Formula> {
        let (parts, is_any) = match Demand::of(formula, negated) {
            Demand::One(..) => return None,
            Demand::Each(formulas, negated) => {
                (formulas.iter().map(|it| (it, negated)).collect(), false)
            }
            Demand::Any(..) => {
                let mut alternatives = Vec::new();
                collect(formula, negated, &mut alternatives);
                (alternatives, true)
            }
        };
        let is_comparison = |it: &(&Formula, bool)| difference(it.0, it.1).is_some();
        let pairs = parts.iter().filter(|it| is_comparison(it)).count();
        let compares = is_any && (2..=MOST_PAIRS).contains(&pairs);
        let mut is_other = compares;
        let mut new = Vec::with_capacity(parts.len());
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (part, negated) in parts {
            if let Some(terms) = difference(part, negated).filter(|_| compares) {
                left.push(terms.0.clone());
                right.push(terms.1.clone());
                continue;
            }
            let becomes = self.formula(part, negated, symbols);
            is_other |= becomes.is_some();
            new.push(becomes.unwrap_or_else(|| written(part, negated)));
        }
        if !is_other {
            return None;
        }
        let span = formula.span();
        if compares {
            self.comparisons += 1;
            let [left, right] = [left, right].map(|terms| self.tuple(terms, symbols));
            new.push(Formula::Distinct(left, right, span));
        }
        Some(match new.len() {
            1 => new.swap_remove(0),
            _ if is_any => Formula::Or(new, span),
            _ => Formula::And(new, span),
        })
    }

    fn tuple(&mut self, terms: Vec<Term>, symbols: &mut Symbols) -> Term {
        let functor = *self.function.get_or_insert_with(|| fresh(symbols, "tuple"));
        Term::Compound(Arc::new(Compound { functor, arguments: terms.into() }))
    }
}

/// The terms that a formula, or its negation, says to be different, if that is all.
fn difference(formula: &Formula, negated: bool) -> Option<(&Term, &Term)> {
    match stripped(formula, negated) {
        (Formula::Distinct(left, right, _), false) => Some((left, right)),
        _ => None,
    }
}

/// The alternatives of a formula or of its negation, and those of alternatives that have such.
fn collect<'f>(formula: &'f Formula, negated: bool, alternatives: &mut Vec<(&'f Formula, bool)>) {
    match Demand::of(formula, negated) {
        Demand::Any(formulas, negated) => {
            formulas.iter().for_each(|it| collect(it, negated, alternatives));
        }
        Demand::One(..) | Demand::Each(..) => alternatives.push((formula, negated)),
    }
}
