//! The moves that several atoms speak of together.

use crate::compact::ground_rules::moves::meanings::Meanings;
use crate::game::Moves;

/// Unites what atoms say about moves.
pub(super) struct Union<'run> {
    moves: &'run Moves,
    /// By move, in words of 64: whether it is among them. Clear between two unions.
    bits: Vec<u64>,
    of_roles: Vec<OfRole>,
}

/// The moves of a role.
#[derive(Clone, Default)]
struct OfRole {
    /// Whether there are any, possible or not.
    is_there: bool,
    /// The possible ones, ascending.
    possible: Vec<u32>,
}

impl<'run> Union<'run> {
    pub(super) fn new(moves: &'run Moves, roles: usize) -> Self {
        let bits = vec![0; moves.movers.len().div_ceil(64)];
        Union { moves, bits, of_roles: vec![OfRole::default(); roles] }
    }

    /// Unites moves, as atoms say. Returns the roles that these are of, ascending, with the possible moves of
    /// each.
    pub(super) fn unite(
        &mut self,
        atoms: &[u32],
        meanings: &Meanings<'_>,
    ) -> impl Iterator<Item = (u32, &[u32])> {
        for it in &mut self.of_roles {
            it.is_there = false;
            it.possible.clear();
        }
        let mut add = |atom: u32| {
            let of_role = &mut self.of_roles[self.moves.mover(atom) as usize];
            of_role.is_there = true;
            if self.moves.is_possible(atom) {
                of_role.possible.push(atom);
            }
        };
        let moves = atoms.iter().flat_map(|it| meanings.of(it));
        for &it in moves {
            let position = it - self.moves.first;
            self.bits[position as usize / 64] |= 1 << (position % 64);
        }
        for (first, word) in (self.moves.first..).step_by(64).zip(&mut self.bits) {
            let mut left = std::mem::take(word);
            while left != 0 {
                add(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
        let of_roles = (0..).zip(&self.of_roles).filter(|(_, it)| it.is_there);
        of_roles.map(|(role, it)| (role, &it.possible[..]))
    }
}
