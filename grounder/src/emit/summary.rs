//! How large a ground game is.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};

use crate::game::{AtomId, AtomKind, GroundGame};

/// How many rules there are, by what their heads say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Heads {
    /// Rules for `legal`.
    pub legal: u64,
    /// Rules for `next`.
    pub next: u64,
    /// Rules for `goal`.
    pub goal: u64,
    /// Rules for `terminal`.
    pub terminal: u64,
    /// Rules for `sees`.
    pub sees: u64,
    /// Rules for predicates without a fixed meaning.
    pub other: u64,
}

/// How large a ground game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// How many roles there are.
    pub roles: u64,
    /// How many fluents hold in the initial state.
    pub init: u64,
    /// How many fluents can hold in some state.
    pub base: u64,
    /// How many moves can be legal in some state.
    pub input: u64,
    /// How many atoms are numbered, those without rules included.
    pub atoms: u64,
    /// How many rules there are.
    pub rules: u64,
    /// The rules by what their heads say.
    pub heads: Heads,
    /// How many literals there are in all bodies.
    pub literals: u64,
    /// Bytes of the rules in memory.
    pub bytes: u64,
}

impl Summary {
    /// Counts.
    pub fn new(game: &GroundGame) -> Self {
        let mut heads = Heads::default();
        for &head in game.rules().heads() {
            *match game.kind(AtomId(head)) {
                AtomKind::Legal => &mut heads.legal,
                AtomKind::Next => &mut heads.next,
                AtomKind::Goal => &mut heads.goal,
                AtomKind::Terminal => &mut heads.terminal,
                AtomKind::Sees => &mut heads.sees,
                AtomKind::True | AtomKind::Does | AtomKind::View => &mut heads.other,
            } += 1;
        }
        Summary {
            roles: game.roles().len() as u64,
            init: game.init().len() as u64,
            base: game.fluents().len() as u64,
            input: game.inputs().len() as u64,
            atoms: game.atom_count() as u64,
            rules: game.rules().len() as u64,
            heads,
            literals: game.rules().literal_count() as u64,
            bytes: game.rule_bytes(),
        }
    }
}

impl Display for Summary {
    /// One `name count` a line.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let heads = &self.heads;
        let lines = [
            ("roles", self.roles),
            ("init", self.init),
            ("base", self.base),
            ("input", self.input),
            ("atoms", self.atoms),
            ("rules", self.rules),
            ("  legal", heads.legal),
            ("  next", heads.next),
            ("  goal", heads.goal),
            ("  terminal", heads.terminal),
            ("  sees", heads.sees),
            ("  other", heads.other),
            ("literals", self.literals),
            ("bytes", self.bytes),
        ];
        lines.iter().try_for_each(|(name, count)| writeln!(out, "{name:<10} {count:>12}"))
    }
}

/// Writes the counts.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", Summary::new(game))?;
    out.flush()
}
