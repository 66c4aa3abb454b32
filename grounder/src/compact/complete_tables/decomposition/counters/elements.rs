//! Which parts of a rule say the same of several elements that all differ.
//!
//! These are variables that can change places ([`Exchange`]) without changing the body.

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, set_of};

use crate::compact::estimate::{all_variables, literal_variables, variables};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, LiteralKind};
use crate::tuning::MOST_COMPARED;

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
        let inner = all_variables(&rule.body) & !head;
        // How many pairs of literals may still be compared.
        let mut room = MOST_COMPARED as usize;
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
                let pairs = first.iter().copied().zip(other.iter().copied()).collect();
                let exchange = Exchange::of(&body, pairs, inner, &mut room).map(|it| it.moved());
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
    fn are_compared(&self, literal: &FlatLiteral) -> bool {
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
fn compared(literal: &FlatLiteral, none_of: VariableSet) -> Option<[Vec<u32>; 2]> {
    let LiteralKind::Distinct(left, right) = &literal.kind else { return None };
    let tuple = |it: &[Argument]| it.iter().map(|it| it.variable()).collect::<Option<Vec<u32>>>();
    let sides = [tuple(left)?, tuple(right)?];
    let all = variables(left) | variables(right);
    let are_different = all.count_ones() as usize == 2 * sides[0].len();
    (are_different && all & none_of == 0).then_some(sides)
}

/// Pairs of variables that change places.
struct Exchange {
    pairs: Vec<(u32, u32)>,
}

impl Exchange {
    /// The exchange of some pairs of variables, and of as few others as that takes, that leaves a body as it is; none if it
    /// is not found. The others are among these `variables`.
    fn of(
        body: &[&FlatLiteral],
        pairs: Vec<(u32, u32)>,
        variables: VariableSet,
        room: &mut usize,
    ) -> Option<Self> {
        let mut exchange = Exchange { pairs };
        let mut next = 0;
        while let Some(&(one, other)) = exchange.pairs.get(next) {
            next += 1;
            for literal in body {
                if literal_variables(literal) & (1 << one | 1 << other) != 0 {
                    *room = room.checked_sub(body.len())?;
                    exchange = exchange.extended(body, literal, variables)?;
                }
            }
        }
        Some(exchange)
    }

    /// With what else has to change places so that the body has what a literal becomes.
    fn extended(
        self,
        body: &[&FlatLiteral],
        literal: &FlatLiteral,
        variables: VariableSet,
    ) -> Option<Self> {
        let candidates = body.iter().filter_map(|it| self.maps(literal, it, variables));
        let least = candidates.min_by_key(|it| it.len())?;
        let mut pairs = self.pairs;
        pairs.extend(least);
        Some(Exchange { pairs })
    }

    /// The further pairs with which a literal becomes another.
    fn maps(
        &self,
        literal: &FlatLiteral,
        other: &FlatLiteral,
        variables: VariableSet,
    ) -> Option<Vec<(u32, u32)>> {
        let same = |pairs: &[(&[Argument], &[Argument])]| {
            let mut more = Vec::new();
            let equal = |(left, right): &(&[Argument], &[Argument])| left.len() == right.len();
            let arguments = || pairs.iter().flat_map(|(left, right)| left.iter().zip(*right));
            let is_mapped = pairs.iter().all(equal)
                && arguments()
                    .all(|(&left, &right)| self.becomes(left, right, variables, &mut more));
            is_mapped.then_some(more)
        };
        let atoms = |left: &FlatAtom, right: &FlatAtom| {
            let is_like = left.name == right.name && left.form == right.form;
            is_like.then(|| same(&[(&left.arguments, &right.arguments)])).flatten()
        };
        if (literal.joined, literal.stored) != (other.joined, other.stored) {
            return None;
        }
        match (&literal.kind, &other.kind) {
            (LiteralKind::Positive(left), LiteralKind::Positive(right))
            | (LiteralKind::Negative(left), LiteralKind::Negative(right)) => atoms(left, right),
            (LiteralKind::Distinct(left, right), LiteralKind::Distinct(first, second)) => {
                same(&[(left, first), (right, second)])
                    .or_else(|| same(&[(left, second), (right, first)]))
            }
            _ => None,
        }
    }

    /// Whether an argument becomes another, perhaps with one more pair.
    fn becomes(
        &self,
        argument: Argument,
        other: Argument,
        variables: VariableSet,
        more: &mut Vec<(u32, u32)>,
    ) -> bool {
        let (Argument::Variable(one), Argument::Variable(two)) = (argument, other) else {
            return argument == other;
        };
        let pairs = || self.pairs.iter().chain(more.iter());
        let partner = |variable: u32| {
            pairs().find_map(|&(left, right)| match () {
                () if left == variable => Some(right),
                () if right == variable => Some(left),
                () => None,
            })
        };
        match (partner(one), partner(two)) {
            (Some(it), _) => it == two,
            (None, Some(_)) => false,
            (None, None) if one == two => true,
            (None, None) => {
                let may_be_moved = variables >> one & variables >> two & 1 == 1;
                if may_be_moved {
                    more.push((one, two));
                }
                may_be_moved
            }
        }
    }

    fn moved(&self) -> VariableSet {
        set_of(self.pairs.iter().flat_map(|&(one, other)| [one, other]))
    }
}
