//! Comparisons of tuples: `distinct` of two tuples says that one of their pairs differs.
//!
//! Descriptions say it in many ways. Each is recognised where it can be, and becomes a literal that is made here:
//!
//! - an `or` of `distinct`, where rules are read (`rewrite/or_elimination`);
//! - a static predicate with a rule for each pair, by these rules (`large_tables/differences`);
//! - rules that are alike but for one `distinct` each (`complete_tables/decomposition/differing_tuples`).
//!
//! Where it pays, `complete_tables/decomposition/alternatives` takes a comparison apart again.

use groundfrog_engine::{Argument, Arguments};

use crate::flat::{FlatRule, LiteralKind};

/// What some pairs of arguments say if one of them is to differ.
#[derive(Debug, PartialEq)]
pub(super) enum Comparison {
    /// Nothing: one pair always differs.
    Always,
    /// What cannot be: each pair is the same twice.
    Never,
    /// The `distinct` of the pairs that may differ.
    Open(LiteralKind),
}

/// What is said if one of some pairs is to differ.
pub(super) fn comparison(pairs: impl Iterator<Item = (Argument, Argument)>) -> Comparison {
    let (left, right): (Arguments, Arguments) = pairs.filter(|(one, other)| one != other).unzip();
    let is_constant = |it: &Argument| it.variable().is_none();
    let mut compared = left.iter().zip(&right);
    if left.is_empty() {
        Comparison::Never
    } else if compared.any(|(one, other)| is_constant(one) && is_constant(other)) {
        Comparison::Always
    } else {
        Comparison::Open(LiteralKind::Distinct(left, right))
    }
}

/// The comparison of all pairs of two others.
pub(super) fn union(one: &LiteralKind, other: &LiteralKind) -> Option<LiteralKind> {
    let (LiteralKind::Distinct(left, right), LiteralKind::Distinct(others, to)) = (one, other)
    else {
        return None;
    };
    let (mut left, mut right) = (left.clone(), right.clone());
    for (&one, &other) in others.iter().zip(to) {
        // The same pair may be compared twice.
        if !left.iter().zip(&right).any(|it| it == (&one, &other)) {
            left.push(one);
            right.push(other);
        }
    }
    Some(LiteralKind::Distinct(left, right))
}

/// The rule with one pair of a comparison instead of all, by pair.
pub(super) fn one_pair_each(rule: &FlatRule, at: usize) -> Vec<FlatRule> {
    let LiteralKind::Distinct(left, right) = &rule.body[at].kind else { return Vec::new() };
    let pairs = left.iter().zip(right).filter(|(left, right)| left != right);
    let only = |it: Argument| Arguments::from_slice(&[it]);
    let alternative = |(&left, &right): (&Argument, &Argument)| {
        let mut rule = rule.clone();
        rule.body[at].kind = LiteralKind::Distinct(only(left), only(right));
        rule
    };
    pairs.map(alternative).collect()
}
