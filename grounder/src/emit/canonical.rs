//! Canonical text: one sorted rule a line, for comparing grounders.

use std::io::{self, Write};

use crate::game::{AtomId, GroundGame};

/// The rules as sorted lines without repetition: `(<= HEAD LITERAL ...)`, literals sorted, a fact as its
/// head alone.
pub fn lines(game: &GroundGame) -> impl Iterator<Item = String> {
    let texts: Vec<String> =
        (0..game.atom_count() as u32).map(|atom| game.display(AtomId(atom)).to_string()).collect();
    let mut lines: Vec<String> = game
        .rules()
        .iter()
        .map(|rule| {
            let head = &texts[rule.head as usize];
            if rule.body.is_empty() {
                return head.clone();
            }
            let mut literals: Vec<String> = rule
                .body
                .iter()
                .map(|literal| {
                    let atom = &texts[literal.atom() as usize];
                    if literal.is_negated() { format!("(not {atom})") } else { atom.clone() }
                })
                .collect();
            literals.sort_unstable();
            literals.dedup();
            format!("(<= {head} {})", literals.join(" "))
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines.into_iter()
}

/// Writes the canonical text.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    for line in lines(game) {
        out.write_all(line.as_bytes())?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
