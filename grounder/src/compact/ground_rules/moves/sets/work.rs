//! How much there is to be done for groups of rules, and for which of them it is done.

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;

use crate::compact::ground_rules::moves::grouping::{Grouping, MULTIPLIER};
use crate::compact::ground_rules::moves::meanings::Meanings;
use crate::ticker::Ticker;
use crate::tuning::MOST_LOOKED_AT;

/// What there is to be done for the groups.
pub(super) struct MoveWork {
    /// By group: the first one with the same atoms; groups with the same atoms have the same sets.
    pub(super) alike: Vec<u32>,
    /// By group that is the first with its atoms: how many moves these speak of, each counted as often as it is.
    pub(super) moves: Vec<u32>,
    /// What speaks of more moves is too much work: the groups stay as they are. Not a matter of which groups come
    /// first, or the rules would depend on the order of rows in tables.
    pub(super) most: u32,
}

impl MoveWork {
    pub(super) fn new(
        grouping: &Grouping,
        meanings: &Meanings<'_>,
        ticker: &mut Ticker<'_>,
    ) -> Result<MoveWork, Exceeded> {
        let count = grouping.groups.len();
        let mut work =
            MoveWork { alike: (0..count as u32).collect(), moves: vec![0; count], most: 0 };
        let mut by_atoms: FxHashMap<u64, u32> = FxHashMap::default();
        let mut comparison = SetComparison { marks: vec![0; grouping.uses.len()], last: 0 };
        let groups = grouping.groups.iter().enumerate().filter(|(_, group)| group.rules > 1);
        for (number, _) in groups {
            ticker.tick()?;
            let atoms = grouping.atoms(number);
            let first = by_atoms.entry(unordered_hash(atoms)).or_insert(number as u32);
            if comparison.same(grouping.atoms(*first as usize), atoms) {
                work.alike[number] = *first;
            }
            if work.alike[number] == number as u32 {
                let moves: usize = atoms.iter().map(|it| meanings.of(it).len()).sum();
                work.moves[number] = u32::try_from(moves).unwrap_or(u32::MAX);
            }
        }
        let most = MOST_LOOKED_AT.max(4 * grouping.atom_count()) as u64;
        work.most = u32::MAX;
        if work.moves.iter().map(|&it| u64::from(it)).sum::<u64>() > most {
            let mut moves = work.moves.clone();
            moves.sort_unstable();
            let mut left = most;
            let of_size = moves.chunk_by(|left, right| left == right);
            let fit = of_size.take_while(|same| {
                let all = u64::from(same[0]) * same.len() as u64;
                left.checked_sub(all).map(|rest| left = rest).is_some()
            });
            work.most = fit.last().map_or(0, |it| it[0]);
        }
        Ok(work)
    }
}

/// Compares lists of atoms as sets.
struct SetComparison {
    /// By atom: the last comparison that has found it in the first list, if it has not met it in the second.
    marks: Vec<u32>,
    last: u32,
}

impl SetComparison {
    /// Whether two lists are the same, or have the same atoms, none of them twice.
    fn same(&mut self, left: &[u32], right: &[u32]) -> bool {
        if left == right || left.len() != right.len() {
            return left == right;
        }
        self.last += 1;
        left.iter().for_each(|&it| self.marks[it as usize] = self.last);
        right.iter().all(|&it| std::mem::replace(&mut self.marks[it as usize], 0) == self.last)
    }
}

/// A hash that does not depend on the order.
fn unordered_hash(atoms: &[u32]) -> u64 {
    let mix = |number: u32| {
        let once = u64::from(number).wrapping_add(1).wrapping_mul(MULTIPLIER);
        (once ^ (once >> 32)).wrapping_mul(MULTIPLIER)
    };
    atoms.iter().fold(atoms.len() as u64, |sum, &it| sum.wrapping_add(mix(it)))
}
