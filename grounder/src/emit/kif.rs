//! KIF: a variable-free game description that any player can read.

use crate::game::{AtomId, GroundGame};
use crate::kif::Printer;

/// The facts about roles, the initial state, base and input.
pub fn facts(game: &GroundGame) -> impl Iterator<Item = String> + '_ {
    let printer = Printer::new(game.symbols());
    let roles = game.roles().iter().map(move |role| format!("(role {})", printer.term(role)));
    let fluent = move |atom: AtomId| printer.term(&game.atom(atom).arguments()[0]).to_string();
    let init = game.init().iter().map(move |&atom| format!("(init {})", fluent(atom)));
    let base = game.fluents().map(move |atom| format!("(base {})", fluent(atom)));
    let input = game.moves().iter().map(move |it| {
        let arguments = game.atom(it.does).arguments();
        format!("(input {} {})", printer.term(&arguments[0]), printer.term(&arguments[1]))
    });
    roles.chain(init).chain(base).chain(input)
}

/// Writes the facts and the rules.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    for fact in facts(game) {
        writeln!(out, "{fact}")?;
    }
    for rule in game.rules().iter() {
        write!(out, "(<= {}", game.display(AtomId(rule.head)))?;
        for literal in rule.body {
            let atom = game.display(AtomId(literal.atom()));
            if literal.is_negated() {
                write!(out, " (not {atom})")?;
            } else {
                write!(out, " {atom}")?;
            }
        }
        writeln!(out, ")")?;
    }
    Ok(())
}
