//! The network as JSON, as `docs/propnet.md` describes it.

use std::io::{self, Write};

use serde::Serialize;

use super::{NetGoal, PropNet};
use groundfrog::description::Printer;
use groundfrog::game::GroundGame;

/// The version of the format. It grows when a reader of the last version would misread the new one.
pub const JSON_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'net> {
    format: &'static str,
    version: u32,
    roles: Vec<String>,
    components: Vec<ComponentEntry<'net>>,
    base: &'net [u32],
    init: &'net [u32],
    moves: Vec<MoveEntry>,
    goals: &'net [NetGoal],
    terminal: u32,
}

#[derive(Serialize)]
struct ComponentEntry<'net> {
    kind: &'static str,
    inputs: &'net [u32],
    #[serde(skip_serializing_if = "Option::is_none")]
    atom: Option<String>,
}

#[derive(Serialize)]
struct MoveEntry {
    role: usize,
    #[serde(rename = "move")]
    term: String,
    input: u32,
    legal: u32,
}

/// Writes the network as one JSON object.
///
/// # Errors
/// Those of the writer.
pub fn write_json(net: &PropNet, game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let printer = Printer::new(game.symbols());
    let component = |it: &'_ super::Component| it.atom.map(|atom| game.display(atom).to_string());
    let move_text = |atom| {
        let arguments = game.atom(atom).arguments();
        arguments.last().map(|it| printer.term(it).to_string()).unwrap_or_default()
    };
    let document = Document {
        format: "groundfrog-propnet",
        version: JSON_VERSION,
        roles: game.roles().iter().map(|it| printer.term(it).to_string()).collect(),
        components: net
            .components
            .iter()
            .map(|part| ComponentEntry {
                kind: part.kind.name(),
                inputs: &part.inputs,
                atom: component(part),
            })
            .collect(),
        base: &net.bases,
        init: &net.init,
        moves: net
            .moves
            .iter()
            .zip(game.moves())
            .map(|(of_net, of_game)| MoveEntry {
                role: of_net.role,
                term: move_text(of_game.does),
                input: of_net.input,
                legal: of_net.legal,
            })
            .collect(),
        goals: &net.goals,
        terminal: net.terminal,
    };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}
