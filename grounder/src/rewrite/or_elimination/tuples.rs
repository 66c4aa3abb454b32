//! `or`s of `distinct`: that one of several pairs of terms differs is that two tuples do.
//!
//! `(or (distinct ?x ?u) (distinct ?y ?v))` says that two cells are not the same. As any other `or` it would stand for two rules
//! that have most instances in common. What is stored for a rule has no `distinct`, so that one comparison of tuples stores the
//! same.

use std::sync::Arc;

use super::demand::{Demand, written};
use crate::description::{Compound, Formula, Statement, Term};
use crate::kif::Span;
use crate::symbols::{Symbol, Symbols, fresh};

/// Longer tuples are not made: rules may become too long by them.
const MOST_PAIRS: usize = 16;

/// Compares tuples.
#[derive(Default)]
pub(super) struct Tuples {
    /// The function that makes a tuple of terms, once there is one: no term of the description has it.
    function: Option<Symbol>,
}

impl Tuples {
    /// A statement whose `or`s of `distinct` are comparisons of tuples.
    pub(super) fn compared(&mut self, statement: &Statement, symbols: &mut Symbols) -> Statement {
        let body = statement.body.iter().map(|it| self.formula(it, false, symbols)).collect();
        Statement { body, ..statement.clone() }
    }

    /// A formula, or its negation, with comparisons of tuples.
    fn formula(&mut self, formula: &Formula, negated: bool, symbols: &mut Symbols) -> Formula {
        let span = formula.span();
        match Demand::of(formula, negated) {
            Demand::One(formula, negated) => written(formula, negated),
            Demand::Each(formulas, negated) => {
                let formulas = formulas.iter().map(|it| self.formula(it, negated, symbols));
                Formula::And(formulas.collect(), span)
            }
            Demand::Any(formulas, negated) => {
                let mut all = Vec::with_capacity(formulas.len());
                for formula in formulas {
                    match self.formula(formula, negated, symbols) {
                        Formula::Or(more, _) => all.extend(more),
                        other => all.push(other),
                    }
                }
                self.any(all, span, symbols)
            }
        }
    }

    /// That one of some formulas holds.
    fn any(&mut self, mut formulas: Vec<Formula>, span: Span, symbols: &mut Symbols) -> Formula {
        let is_comparison = |it: &&Formula| matches!(it, Formula::Distinct(..));
        if (2..=MOST_PAIRS).contains(&formulas.iter().filter(is_comparison).count()) {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            formulas.retain(|formula| {
                let Formula::Distinct(one, other, _) = formula else { return true };
                left.push(one.clone());
                right.push(other.clone());
                false
            });
            let [left, right] = [left, right].map(|terms| self.tuple(terms, symbols));
            formulas.push(Formula::Distinct(left, right, span));
        }
        match formulas.len() {
            1 => formulas.swap_remove(0),
            _ => Formula::Or(formulas, span),
        }
    }

    fn tuple(&mut self, terms: Vec<Term>, symbols: &mut Symbols) -> Term {
        let functor = *self.function.get_or_insert_with(|| fresh(symbols, "tuple"));
        Term::Compound(Arc::new(Compound { functor, arguments: terms.into() }))
    }
}
