//! How often a rule has the same instance because variables of its body can change places.

use std::hash::{Hash, Hasher};

use fxhash::{FxHashMap, FxHasher};
use groundfrog_engine::projection::{VariableSet, members, set_of};
use groundfrog_engine::{Argument, Arguments};
use smallvec::SmallVec;

use crate::compact::estimate::literal_variables;
use crate::compact::variables::for_each_argument;
use crate::flat::{FlatAtom, FlatLiteral, FormId, LiteralKind};
use crate::symbols::Symbol;
use crate::tuning::complete_tables::repetitions::MOST_COMPARED;

/// Which exchanges of variables count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    /// Those of two variables.
    Alone,
    /// Those that take others along as well.
    Together,
}

/// What a literal uses: a form, by a name, of what is stored or of what can be.
pub(super) type LiteralKey = (FormId, Symbol, bool);

/// By what literals use: orders of the columns in which they say the same.
pub(super) type Symmetries = FxHashMap<LiteralKey, Vec<Vec<usize>>>;

/// What a literal with this atom uses: the state, moves and what can be of both share tables.
pub(super) fn literal_key(literal: &FlatLiteral, atom: &FlatAtom) -> LiteralKey {
    (atom.form, atom.name, literal.stored)
}

/// How many pairs of literals may still be compared.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Room(MOST_COMPARED)
    }
}

/// In how many orders the values of these variables give the same instance, where they are all different: a
/// factor for each set of variables any two of which can change places without changing the body, each alone or together
/// with others, as the two coordinates of a neighbour.
pub(super) fn repetitions(body: &[&FlatLiteral], variables: VariableSet, moved_by: Moved) -> f64 {
    let used = body.iter().map(|it| literal_variables(it)).fold(0, |all, it| all | it);
    let mut left = variables & used;
    let mut factor = 1.0;
    if left.count_ones() < 2 {
        return factor;
    }
    let places = places(body);
    let mut room = Room::default();
    while let Some(one) = members(left).next() {
        left &= !(1 << one);
        let mut size = 1.0;
        let mut moved = 0;
        for other in members(left).filter(|&it| places[it as usize] == places[one as usize]) {
            let may_follow = match moved_by {
                Moved::Alone => 0,
                Moved::Together => variables & used,
            };
            let (pairs, symmetries) = (vec![(one, other)], Symmetries::default());
            let exchange = Exchange::of(body, pairs, may_follow, &symmetries, &mut room);
            let Some(exchange) = exchange else { continue };
            moved |= exchange.moved();
            size += 1.0;
            factor *= size;
        }
        left &= !moved;
    }
    factor
}

/// The variables that change places if those of two tuples do, and a body is left as it is, with what that takes of these
/// `variables`; none if no such exchange is found.
pub(super) fn exchanged(
    body: &[&FlatLiteral],
    (one, other): (&[u32], &[u32]),
    variables: VariableSet,
    symmetries: &Symmetries,
    room: &mut Room,
) -> Option<VariableSet> {
    let pairs = one.iter().copied().zip(other.iter().copied()).collect();
    Exchange::of(body, pairs, variables, symmetries, room).map(|it| it.moved())
}

/// Pairs of variables that change places.
struct Exchange<'a> {
    pairs: Vec<(u32, u32)>,
    symmetries: &'a Symmetries,
}

impl<'a> Exchange<'a> {
    /// The exchange of some pairs of variables, and of as few others as that takes, that leaves a body as it is; none if it
    /// is not found. The others are among these `variables`.
    fn of(
        body: &[&FlatLiteral],
        pairs: Vec<(u32, u32)>,
        variables: VariableSet,
        symmetries: &'a Symmetries,
        room: &mut Room,
    ) -> Option<Self> {
        let mut exchange = Exchange { pairs, symmetries };
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
        Some(Exchange { pairs, ..self })
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
            let as_it_is = || same(&[(&left.arguments, &right.arguments)]);
            let symmetries =
                self.symmetries.get(&literal_key(literal, left)).map_or(&[][..], |it| it);
            let mut in_other_orders = symmetries.iter().filter_map(|order| {
                let right: Arguments = order.iter().map(|&it| right.arguments[it]).collect();
                same(&[(&left.arguments, &right)])
            });
            is_like.then(|| as_it_is().or_else(|| in_other_orders.next())).flatten()
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
        let partner = |it: u32| {
            pairs().find_map(|&(left, right)| match () {
                () if left == it => Some(right),
                () if right == it => Some(left),
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

/// By variable: a number for where it stands in which literals with which constants. Variables that can change places
/// have the same.
fn places(body: &[&FlatLiteral]) -> SmallVec<[u64; 32]> {
    let mut places: SmallVec<[u64; 32]> = SmallVec::new();
    for literal in body {
        let mut of_literal = FxHasher::default();
        literal.form().hash(&mut of_literal);
        for_each_argument(&literal.kind, &mut |it| match it {
            Argument::Constant(it) => it.hash(&mut of_literal),
            Argument::Variable(_) => {}
        });
        // The sides of a comparison may change places, and so do the constants of both.
        let both: [&[Argument]; 2] = match &literal.kind {
            LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => [&atom.arguments, &[]],
            LiteralKind::Distinct(left, right) => [left, right],
        };
        let is_comparison = matches!(literal.kind, LiteralKind::Distinct(..));
        for (place, it) in both.iter().flat_map(|side| side.iter().enumerate()) {
            let Some(variable) = it.variable() else { continue };
            let mut own = FxHasher::default();
            place.hash(&mut own);
            if !is_comparison {
                of_literal.finish().hash(&mut own);
            }
            let variable = variable as usize;
            if places.len() <= variable {
                places.resize(variable + 1, 0);
            }
            places[variable] = places[variable].wrapping_add(own.finish());
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Symbols;

    /// Literals of predicates that are numbers, by their variables.
    fn body(literals: &[(u32, &[u32])], distinct: &[([u32; 2], [u32; 2])]) -> Vec<FlatLiteral> {
        let name = Symbols::default().intern("p");
        let all = |it: &[u32]| it.iter().map(|&it| Argument::Variable(it)).collect();
        let atoms = literals.iter().map(|(form, arguments)| {
            let (form, arguments) = (FormId(*form), all(arguments));
            LiteralKind::Positive(FlatAtom { form, name, arguments })
        });
        let differ = distinct.iter().map(|(one, two)| LiteralKind::Distinct(all(one), all(two)));
        let literal = |kind| FlatLiteral { kind, joined: true, stored: true };
        atoms.chain(differ).map(literal).collect()
    }

    fn count_by(body: &[FlatLiteral], variables: &[u32], moved_by: Moved) -> f64 {
        let body: Vec<&FlatLiteral> = body.iter().collect();
        repetitions(&body, set_of(variables.iter().copied()), moved_by)
    }

    fn count(body: &[FlatLiteral], variables: &[u32]) -> f64 {
        count_by(body, variables, Moved::Together)
    }

    #[test]
    fn coordinates_change_places_together() {
        // Three neighbours of 0 and 1 that are not the same.
        let next: [(u32, &[u32]); 3] = [(7, &[0, 1, 2, 3]), (7, &[0, 1, 4, 5]), (7, &[0, 1, 6, 7])];
        let differ = [([2, 3], [4, 5]), ([6, 7], [2, 3]), ([4, 5], [6, 7])];
        let all = [2, 3, 4, 5, 6, 7];
        assert_eq!(count(&body(&next, &differ), &all), 6.0);
        assert_eq!(count_by(&body(&next, &differ), &all, Moved::Alone), 1.0);
        // One of them is another's neighbour on the right.
        let right = [&next[..], &[(8, &[2, 4])]].concat();
        assert_eq!(count(&body(&right, &differ), &all), 1.0);
        // Two of them are marked, so that only these change places.
        let marked = [&next[..], &[(8, &[2]), (8, &[4])]].concat();
        assert_eq!(count(&body(&marked, &differ), &all), 2.0);
        // The head has what belongs to one.
        assert_eq!(count(&body(&next, &differ), &[2, 3, 4, 5, 6]), 2.0);
    }

    #[test]
    fn single_variables_change_places() {
        let each: [(u32, &[u32]); 4] = [(1, &[0]), (1, &[1]), (1, &[2]), (1, &[3])];
        assert_eq!(count(&body(&each, &[]), &[0, 1, 2, 3]), 24.0);
        assert_eq!(count_by(&body(&each, &[]), &[0, 1, 2, 3], Moved::Alone), 24.0);
        assert_eq!(count(&body(&each, &[]), &[1, 2]), 2.0);
        let symmetric: [(u32, &[u32]); 2] = [(1, &[0, 1]), (1, &[1, 0])];
        assert_eq!(count(&body(&symmetric, &[]), &[0, 1]), 2.0);
        assert_eq!(count(&body(&symmetric[..1], &[]), &[0, 1]), 1.0);
    }
}
