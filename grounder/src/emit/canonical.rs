//! Canonical text: one sorted rule a line, for comparing grounders.
//!
//! Lines are not compared as text. Every literal gets a rank, the order of its text among all literals;
//! comparing lines is then comparing rows of numbers. Rules are brought together by their heads, and only
//! the rules of one head are in hand at a time.

mod ranks;

use std::io::{self, Write};
use std::ops::Range;

use super::chunks::Chunks;
use super::kif::{atom_texts, push_literal};
use super::texts::Texts;
use crate::game::{AtomId, GroundGame, RulesByHead};
use ranks::Ranks;

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
