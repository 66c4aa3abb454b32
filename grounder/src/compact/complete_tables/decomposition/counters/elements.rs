//! Which parts of a rule say the same of several elements that all differ.

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, set_of};

use super::exchange::{Room, exchanged};
use crate::compact::estimate::{literal_variables, variables};
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};

/// Elements that can change places in a rule: the tuples of variables that stand for them, any two of which differ, and all
/// variables that change places with these. The head mentions none of them.
#[derive(Debug, PartialEq)]
pub(super) struct Elements {
    pub(super) keys: Vec<Vec<u32>>,
    pub(super) moved: VariableSet,
}

/// A rule in which what is required of several elements is required of each alone.
pub(super) struct Separated {
    /// What is required of the first.
    pub(super) own: Vec<FlatLiteral>,
    /// The variables that only this has.
    pub(super) block: VariableSet,
    /// What is not about the elements.
    pub(super) rest: Vec<FlatLiteral>,
}

impl Elements {
    /// The elements of a rule, in the order in which it compares them.
    pub(super) fn of(rule: &FlatRule) -> Vec<Elements> {
        let body: Vec<&FlatLiteral> = rule.body.iter().collect();
        let head = variables(&rule.head.arguments);
        let pairs: Vec<[Vec<u32>; 2]> =
            rule.body.iter().filter_map(|it| compared(it, head)).collect();
        let inner = body.iter().map(|it| literal_variables(it)).fold(0, |all, it| all | it) & !head;
        let mut room = Room::default();
        let mut found: Vec<Elements> = Vec::new();
        for first in pairs.iter().flatten() {
            if found.iter().any(|it| it.keys.contains(first)) {
                continue;
            }
            let mut keys = vec![first.clone()];
            let mut exchanges: Vec<VariableSet> = Vec::new();
            for other in pairs.iter().filter_map(|[one, other]| match () {
                () if one == first => Some(other),
                () if other == first => Some(one),
                () => None,
            }) {
                let exchange = exchanged(&body, (first, other), inner, &mut room);
                let Some(exchange) = exchange.filter(|_| !keys.contains(other)) else { continue };
                // It changes the places of these two alone.
                let of_others = keys[1..].iter().flatten().copied();
                let own = set_of(other.iter().copied());
                if exchange & set_of(of_others) == 0 && exchanges.iter().all(|it| it & own == 0) {
                    keys.push(other.clone());
                    exchanges.push(exchange);
                }
            }
            if keys.len() > 1 {
                let moved = exchanges.iter().fold(0, |all, it| all | it);
                found.push(Elements { keys, moved });
            }
        }
        found.extend(single(rule, head, &found));
        found
    }

    /// Whether a literal says that two of the elements differ.
    pub(super) fn are_compared(&self, literal: &FlatLiteral) -> bool {
        compared(literal, 0).is_some_and(|it| it.iter().all(|side| self.keys.contains(side)))
    }

    /// The rule by what is about which elements; none if something is about several of them.
    pub(super) fn separated(&self, rule: &FlatRule) -> Option<Separated> {
        let others: Vec<&FlatLiteral> =
            rule.body.iter().filter(|it| !self.are_compared(it)).collect();
        // What shares variables that change places is about the same element.
        let block = |key: &[u32]| {
            let mut block = set_of(key.iter().copied());
            loop {
                let touching = others.iter().map(|it| literal_variables(it) & self.moved);
                let all = touching.filter(|it| it & block != 0).fold(block, |all, it| all | it);
                if all == block {
                    return block;
                }
                block = all;
            }
        };
        let blocks: Vec<VariableSet> = self.keys.iter().map(|it| block(it)).collect();
        let mut all = 0;
        for &block in &blocks {
            if block & all != 0 {
                return None;
            }
            all |= block;
        }
        if all != self.moved {
            return None;
        }
        let of = |block: VariableSet| {
            others.iter().filter(move |it| literal_variables(it) & block != 0).map(|&it| it.clone())
        };
        let rest = others.iter().filter(|it| literal_variables(it) & all == 0);
        let (own, rest) = (of(blocks[0]).collect(), rest.map(|&it| it.clone()).collect());
        Some(Separated { own, block: blocks[0], rest })
    }
}

/// Elements that fulfil conditions and have to differ from others, each alone, but for those that are known.
fn single(rule: &FlatRule, head: VariableSet, known: &[Elements]) -> Vec<Elements> {
    let mut found: Vec<Elements> = Vec::new();
    for key in rule.body.iter().flat_map(|it| sides(it, head)) {
        if known.iter().chain(&found).any(|it| it.keys.contains(&key)) {
            continue;
        }
        let own = set_of(key.iter().copied());
        let all = rule.body.iter().map(literal_variables);
        let elsewhere = all.clone().filter(|it| it & own == 0).fold(head, |all, it| all | it);
        let together = all.filter(|it| it & own != 0).fold(0, |all, it| all | it);
        found.push(Elements { keys: vec![key], moved: own | together & !elsewhere });
    }
    found
}

/// The tuples of variables, none of these, that a literal compares with something.
pub(super) fn sides(literal: &FlatLiteral, none_of: VariableSet) -> Vec<Vec<u32>> {
    let LiteralKind::Distinct(left, right) = &literal.kind else { return Vec::new() };
    let tuple = |it: &[Argument]| it.iter().map(|it| it.variable()).collect::<Option<Vec<u32>>>();
    let is_key = |variables: &Vec<u32>| {
        let all = set_of(variables.iter().copied());
        all.count_ones() as usize == variables.len() && all & none_of == 0
    };
    [left, right].into_iter().filter_map(|it| tuple(it)).filter(is_key).collect()
}

/// The tuples of variables, none of these, that a literal says differ.
pub(super) fn compared(literal: &FlatLiteral, none_of: VariableSet) -> Option<[Vec<u32>; 2]> {
    let LiteralKind::Distinct(left, right) = &literal.kind else { return None };
    let tuple = |it: &[Argument]| it.iter().map(|it| it.variable()).collect::<Option<Vec<u32>>>();
    let sides = [tuple(left)?, tuple(right)?];
    let all = variables(left) | variables(right);
    let are_different = all.count_ones() as usize == 2 * sides[0].len();
    (are_different && all & none_of == 0).then_some(sides)
}
