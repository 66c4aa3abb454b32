//! Variables of a body that can change places without changing it.

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, set_of};

use crate::compact::estimate::literal_variables;
use crate::flat::{FlatAtom, FlatLiteral, LiteralKind};
use crate::tuning::MOST_COMPARED;

/// How many pairs of literals may still be compared.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Room(MOST_COMPARED as usize)
    }
}

/// The variables that change places if those of two tuples do, and a body is left as it is, with what that takes of these
/// `variables`; none if no such exchange is found.
pub(super) fn exchanged(
    body: &[&FlatLiteral],
    (one, other): (&[u32], &[u32]),
    variables: VariableSet,
    room: &mut Room,
) -> Option<VariableSet> {
    let pairs = one.iter().copied().zip(other.iter().copied()).collect();
    Exchange::of(body, pairs, variables, room).map(|it| it.moved())
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
        room: &mut Room,
    ) -> Option<Self> {
        let mut exchange = Exchange { pairs };
        let mut next = 0;
        while let Some(&(one, other)) = exchange.pairs.get(next) {
            next += 1;
            for literal in body {
                if literal_variables(literal) & (1 << one | 1 << other) != 0 {
                    room.0 = room.0.checked_sub(body.len())?;
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
