//! Rules that are no longer than any that people write.

use super::{Literal, Rule, Rules};
use crate::description::{MAX_NESTING, Term};
use crate::kif::Diagnostic;

/// Joins are nested as deep as a rule has literals, and a thread's stack has an end.
pub const MOST_LITERALS: usize = 2048;

/// Names in the terms of a rule: its variables are looked through one by one.
pub const MOST_NAMES: usize = 16_384;

/// An error for each rule that has more.
pub fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> = rules.rules.iter().filter_map(too_long).collect();
    // An `or` makes several rules of one.
    errors.dedup_by_key(|it| it.span());
    errors
}

fn too_long(rule: &Rule) -> Option<Diagnostic> {
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
    let names = if is_short { 0 } else { names(rule) };
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
pub fn names(rule: &Rule) -> usize {
    count(&rule.head.arguments) + sum(&rule.body, in_literal)
}

fn in_literal(literal: &Literal) -> usize {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => count(&atom.arguments),
        Literal::Distinct(left, right) => in_term(left) + in_term(right),
    }
}

/// Variables, constants and functions.
fn count(terms: &[Term]) -> usize {
    sum(terms, in_term)
}

fn in_term(term: &Term) -> usize {
    match term {
        Term::Variable(_) | Term::Constant(_) => 1,
        Term::Compound(compound) => 1 + count(&compound.arguments),
    }
}

fn sum<T>(all: &[T], of_one: impl Fn(&T) -> usize) -> usize {
    all.iter().map(of_one).sum()
}
