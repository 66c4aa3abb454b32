//! JSON for programs in any language: format `groundfrog-ground-game`, version 1, as `docs/formats.md`
//! defines it. Written piece by piece, never held in memory.

use std::io::{self, Write};

use super::chunks::Chunks;
use super::kif::{self, Kif};
use super::texts::{self, Texts};
use crate::game::{AtomId, GroundGame};

/// The name of the format.
pub const FORMAT: &str = "groundfrog-ground-game";

/// Raised when a reader of the version before would misread the new one.
pub const VERSION: u32 = 1;

/// Writes the game.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let mut json = Json { game, chunks: Chunks::new(out), digits: itoa::Buffer::new() };
    json.text(&format!("{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\n\"roles\":["));
    json.roles()?;
    let texts = kif::atom_texts(game);
    json.text("],\n\"atoms\":[");
    json.atoms(&texts)?;
    json.text("],\n\"init\":[");
    json.numbers(game.init().iter().map(|atom| atom.0))?;
    json.text("],\n\"base\":[");
    json.numbers(game.fluents().map(|atom| atom.0))?;
    json.text("],\n\"input\":[");
    json.numbers(game.inputs().map(|atom| atom.0))?;
    json.text("],\n\"percept\":[");
    json.numbers(game.percepts().into_iter().map(|atom| atom.0))?;
    json.text("],\n\"next\":[");
    json.list(game.fluents(), |json, fluent| json.atom_or_null(game.next(fluent)))?;
    json.text("],\n\"moves\":[");
    json.moves(&texts)?;
    json.text("],\n\"goals\":[");
    json.goals()?;
    json.text("],\n\"terminal\":");
    json.atom_or_null(game.terminal());
    json.rules()?;
    json.text("}\n");
    json.chunks.finish()
}

struct Json<'a> {
    game: &'a GroundGame,
    chunks: Chunks<'a>,
    digits: itoa::Buffer,
}

impl Json<'_> {
    fn text(&mut self, text: &str) {
        self.chunks.push(text.as_bytes());
    }

    fn number(&mut self, number: u32) {
        self.chunks.push(self.digits.format(number).as_bytes());
    }

    fn atom_or_null(&mut self, atom: Option<AtomId>) {
        match atom {
            Some(atom) => self.number(atom.0),
            None => self.text("null"),
        }
    }

    /// The elements of an array.
    fn list<T>(
        &mut self,
        elements: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) -> io::Result<()> {
        for (position, element) in elements.enumerate() {
            if position > 0 {
                self.chunks.push(b",");
            }
            write(self, element);
            self.chunks.may_flush()?;
        }
        Ok(())
    }

    fn numbers(&mut self, numbers: impl Iterator<Item = u32>) -> io::Result<()> {
        self.list(numbers, Self::number)
    }

    fn roles(&mut self) -> io::Result<()> {
        let game = self.game;
        let mut role = Vec::new();
        self.list(game.roles().iter(), |json, term| {
            role.clear();
            texts::term::<Kif>(game, term, &mut role);
            quoted(&role, json.chunks.buffer());
        })
    }

    fn atoms(&mut self, texts: &Texts) -> io::Result<()> {
        let atoms = 0..self.game.atom_count();
        self.list(atoms, |json, atom| {
            json.text("\n{\"kind\":\"");
            json.text(json.game.kind(AtomId(atom as u32)).name());
            json.text("\",\"text\":");
            quoted(&texts.get(atom)[1..], json.chunks.buffer());
            json.text("}");
        })
    }

    fn moves(&mut self, texts: &Texts) -> io::Result<()> {
        let game = self.game;
        let roles: Vec<usize> = game.roles().iter().map(|role| role_length(game, role)).collect();
        self.list(game.moves().iter(), |json, it| {
            json.text("\n{\"role\":");
            json.number(it.role.0);
            json.text(",\"move\":");
            let role_and_move = kif::role_and_move(texts.get(it.does.index()));
            quoted(&role_and_move[roles[it.role.index()] + 1..], json.chunks.buffer());
            json.text(",\"does\":");
            json.number(it.does.0);
            json.text(",\"legal\":");
            json.atom_or_null(it.legal);
            json.text("}");
        })
    }

    fn goals(&mut self) -> io::Result<()> {
        let game = self.game;
        self.list(game.goals().iter(), |json, goal| {
            json.text("\n{\"role\":");
            json.number(goal.role.0);
            json.text(",\"value\":");
            match goal.value {
                Some(value) => json.chunks.push(json.digits.format(value).as_bytes()),
                None => json.text("null"),
            }
            json.text(",\"atom\":");
            json.number(goal.atom.0);
            json.text("}");
        })
    }

    fn rules(&mut self) -> io::Result<()> {
        let rules = self.game.rules();
        self.text(",\n\"rules\":{\n\"heads\":[");
        self.numbers(rules.heads().iter().copied())?;
        self.text("],\n\"offsets\":[0");
        let mut offset = 0;
        for rule in rules.iter() {
            offset += rule.body.len() as u32;
            self.text(",");
            self.number(offset);
            self.chunks.may_flush()?;
        }
        self.text("],\n\"literals\":[");
        self.numbers(rules.iter().flat_map(|rule| rule.body).map(|literal| literal.code()))?;
        self.text("]}");
        Ok(())
    }
}

fn role_length(game: &GroundGame, role: &crate::description::Term) -> usize {
    let mut text = Vec::new();
    texts::term::<Kif>(game, role, &mut text);
    text.len()
}

/// A string. `text` is UTF-8, as JSON is.
fn quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
