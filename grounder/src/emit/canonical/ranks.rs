//! The order of literals by their text, as numbers.
//!
//! The text of a literal is followed by a space or, at the end of a rule, by a parenthesis. That matters
//! for words: `open)` comes after `open! `, though `open ` comes before. So each word has two ranks. A
//! literal in parentheses is never the beginning of another and has one.

use std::cmp::Ordering;

use crate::emit::texts::Texts;
use crate::game::GroundLiteral;

pub(super) struct Ranks {
    atoms: Vec<u32>,
    /// By literal code.
    followed_by_space: Vec<u32>,
    /// By rank of a literal that is followed by a space.
    at_the_end: Vec<u32>,
    /// By rank.
    literals: Vec<GroundLiteral>,
}

/// An atom and the byte after it.
type Variant = (u32, u8);

impl Ranks {
    /// Ranks the literals of atoms, the texts of which begin with a space.
    pub(super) fn new(texts: &Texts, atom_count: usize) -> Self {
        let text = |atom: u32| &texts.get(atom as usize)[1..];
        let order = |left: &Variant, right: &Variant| {
            compare((text(left.0), left.1), (text(right.0), right.1))
        };
        let is_word = |atom: u32| !text(atom).starts_with(b"(");
        let all = 0..atom_count as u32;
        let mut positive: Vec<Variant> = all.clone().map(|atom| (atom, b' ')).collect();
        positive.extend(all.filter(|&atom| is_word(atom)).map(|atom| (atom, b')')));
        positive.sort_unstable_by(order);
        let atoms: Vec<u32> =
            positive.iter().filter(|(_, after)| *after == b' ').map(|&(atom, _)| atom).collect();
        let mut negative: Vec<Variant> = atoms.iter().map(|&atom| (atom, b')')).collect();
        negative.sort_by(order);
        // No atom begins with `(not `, so the negative literals stand together.
        let before = positive.partition_point(|&(atom, after)| {
            compare((text(atom), after), (b"(not", b' ')).is_lt()
        });
        let count = positive.len() + negative.len();
        let mut ranks = Ranks {
            atoms,
            followed_by_space: vec![0; 2 * atom_count],
            at_the_end: (0..count as u32).collect(),
            literals: Vec::with_capacity(count),
        };
        let (head, tail) = positive.split_at(before);
        head.iter().for_each(|&it| ranks.add_positive(it));
        for &(atom, _) in &negative {
            ranks.add(GroundLiteral::new(atom, true), b' ');
        }
        tail.iter().for_each(|&it| ranks.add_positive(it));
        ranks
    }

    fn add_positive(&mut self, (atom, after): Variant) {
        self.add(GroundLiteral::new(atom, false), after);
    }

    fn add(&mut self, literal: GroundLiteral, after: u8) {
        let rank = self.literals.len() as u32;
        self.literals.push(literal);
        let with_space = &mut self.followed_by_space[literal.code() as usize];
        if after == b' ' {
            *with_space = rank;
        } else {
            self.at_the_end[*with_space as usize] = rank;
        }
    }

    /// The atoms in the order of their texts.
    pub(super) fn atoms(&self) -> &[u32] {
        &self.atoms
    }

    /// The rank of a literal.
    #[inline]
    pub(super) fn followed_by_space(&self, literal: GroundLiteral) -> u32 {
        self.followed_by_space[literal.code() as usize]
    }

    /// The rank, at the end of a rule, of the literal with that rank elsewhere.
    #[inline]
    pub(super) fn at_the_end(&self, rank: u32) -> u32 {
        self.at_the_end[rank as usize]
    }

    /// The literal with a rank.
    #[inline]
    pub(super) fn literal(&self, rank: u32) -> GroundLiteral {
        self.literals[rank as usize]
    }
}

/// Compares two texts, each followed by a byte.
fn compare((left, after_left): (&[u8], u8), (right, after_right): (&[u8], u8)) -> Ordering {
    let common = left.len().min(right.len());
    left[..common].cmp(&right[..common]).then_with(|| {
        let next_left = left.get(common).copied().unwrap_or(after_left);
        let next_right = right.get(common).copied().unwrap_or(after_right);
        next_left.cmp(&next_right).then(left.len().cmp(&right.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::END;
    use super::*;

    #[test]
    fn rules_sort_as_their_lines_do() {
        let atoms = ["open", "open!", "(q open)", "(nota x)", "(no x)", "open*", "~"];
        let mut texts = Texts::with_capacity(atoms.len());
        for atom in atoms {
            texts.add(|out| out.extend_from_slice(format!(" {atom}").as_bytes()));
        }
        let ranks = Ranks::new(&texts, atoms.len());
        let literals: Vec<GroundLiteral> = (0..atoms.len() as u32)
            .flat_map(|atom| [GroundLiteral::new(atom, false), GroundLiteral::new(atom, true)])
            .collect();
        let show = |literal: GroundLiteral| {
            let atom = atoms[literal.atom() as usize];
            if literal.is_negated() { format!("(not {atom})") } else { atom.to_owned() }
        };
        let last = |literal| ranks.at_the_end(ranks.followed_by_space(literal));
        let mut by_rank: Vec<(Vec<u32>, String)> = Vec::new();
        for &first in &literals {
            by_rank.push((vec![last(first), END], format!("{})", show(first))));
            for &second in &literals {
                let key = vec![ranks.followed_by_space(first), last(second), END];
                by_rank.push((key, format!("{} {})", show(first), show(second))));
            }
        }
        by_rank.sort();
        assert!(by_rank.is_sorted_by(|left, right| left.1 < right.1), "{by_rank:#?}");
    }
}
