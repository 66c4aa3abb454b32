//! Canonical text: one sorted rule a line, for comparing grounders.
//!
//! Lines are not compared as text. Every literal gets a rank, the order of its text among all literals;
//! comparing lines is then comparing rows of numbers. Rules are brought together by their heads, and only
//! the rules of one head are in hand at a time.
//!
//! The text of a literal is followed by a space or, at the end of a rule, by a parenthesis. That matters
//! for words: `open)` comes after `open! `, though `open ` comes before. So each word has two ranks. A
//! literal in parentheses is never the beginning of another and has one.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::ops::Range;

use super::chunks::Chunks;
use super::kif::{atom_texts, push_literal};
use super::texts::Texts;
use crate::game::{AtomId, GroundGame, GroundLiteral, RulesByHead};

/// How every line that is no fact begins, but for the space after it.
const RULE: &[u8] = b"(<=";

/// The rules as sorted lines without repetition: `(<= HEAD LITERAL ...)`, literals sorted, a fact as its
/// head alone.
pub fn lines(game: &GroundGame) -> impl Iterator<Item = String> {
    let mut text = Vec::new();
    write(game, &mut text).expect("memory takes everything");
    let text = String::from_utf8(text).expect("names are UTF-8");
    text.lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// Writes the canonical text.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let texts = atom_texts(game);
    let ranks = Ranks::new(&texts, game.atom_count());
    let by_head = RulesByHead::new(game);
    let mut chunks = Chunks::new(out);
    let is_fact = |&&atom: &&u32| {
        let rules = by_head.rules(AtomId(atom));
        rules.iter().any(|&rule| game.rules().rule(rule as usize).body.is_empty())
    };
    let facts: Vec<u32> = ranks.atoms().iter().filter(is_fact).copied().collect();
    // No fact begins as a rule does, so the rules stand together among them.
    let before = facts.partition_point(|&atom| &texts.get(atom as usize)[1..] < b"(<= ".as_slice());
    write_facts(&facts[..before], &texts, &mut chunks)?;
    let mut bodies = RankedBodies::default();
    for &head in ranks.atoms() {
        bodies.collect(game, &ranks, by_head.rules(AtomId(head)));
        bodies.write(texts.get(head as usize), &texts, &ranks, &mut chunks)?;
    }
    write_facts(&facts[before..], &texts, &mut chunks)?;
    chunks.finish()
}

fn write_facts(facts: &[u32], texts: &Texts, chunks: &mut Chunks<'_>) -> io::Result<()> {
    for &fact in facts {
        chunks.push(&texts.get(fact as usize)[1..]);
        chunks.push(b"\n");
        chunks.may_flush()?;
    }
    Ok(())
}

/// The bodies of the rules of one head, as sorted ranks, each with [`END`] behind it.
#[derive(Default)]
struct RankedBodies {
    ranks: Vec<u32>,
    /// By rule: its first two ranks in one number, which decide nearly always, and where all of them are.
    rules: Vec<(u64, Range<usize>)>,
}

/// The parenthesis that closes a rule comes after the space that leads to the next literal.
const END: u32 = u32::MAX;

impl RankedBodies {
    fn collect(&mut self, game: &GroundGame, ranks: &Ranks, rules: &[u32]) {
        self.ranks.clear();
        self.rules.clear();
        for &rule in rules {
            let body = game.rules().rule(rule as usize).body;
            if body.is_empty() {
                continue;
            }
            let start = self.ranks.len();
            self.ranks.extend(body.iter().map(|&literal| ranks.followed_by_space(literal)));
            let line = &mut self.ranks[start..];
            line.sort_unstable();
            let last = line.len() - 1;
            line[last] = ranks.at_the_end(line[last]);
            self.ranks.push(END);
            let key = u64::from(self.ranks[start]) << 32 | u64::from(self.ranks[start + 1]);
            self.rules.push((key, start..self.ranks.len()));
        }
        let of = |range: &Range<usize>| &self.ranks[range.clone()];
        self.rules.sort_unstable_by(|(left, left_range), (right, right_range)| {
            left.cmp(right).then_with(|| of(left_range).cmp(of(right_range)))
        });
        self.rules.dedup_by(|(left, left_range), (right, right_range)| {
            left == right && of(left_range) == of(right_range)
        });
    }

    fn write(
        &self,
        head: &[u8],
        texts: &Texts,
        ranks: &Ranks,
        chunks: &mut Chunks<'_>,
    ) -> io::Result<()> {
        for (_, range) in &self.rules {
            chunks.push(RULE);
            chunks.push(head);
            for &rank in &self.ranks[range.start..range.end - 1] {
                push_literal(ranks.literal(rank), texts, chunks);
            }
            chunks.push(b")\n");
            chunks.may_flush()?;
        }
        Ok(())
    }
}

struct Ranks {
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
    fn new(texts: &Texts, atom_count: usize) -> Self {
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
    fn atoms(&self) -> &[u32] {
        &self.atoms
    }

    /// The rank of a literal.
    #[inline]
    fn followed_by_space(&self, literal: GroundLiteral) -> u32 {
        self.followed_by_space[literal.code() as usize]
    }

    /// The rank, at the end of a rule, of the literal with that rank elsewhere.
    #[inline]
    fn at_the_end(&self, rank: u32) -> u32 {
        self.at_the_end[rank as usize]
    }

    /// The literal with a rank.
    #[inline]
    fn literal(&self, rank: u32) -> GroundLiteral {
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
