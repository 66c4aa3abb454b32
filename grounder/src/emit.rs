//! Ground games as text, one format a file. `docs/formats.md` defines each of them.
//!
//! The text of every atom is rendered once; rules are then copied together in one large buffer, which is
//! handed to the writer in pieces of 64 KiB. The writer needs no buffer of its own.

pub mod asp;
mod aspif;
pub mod canonical;
mod chunks;
pub mod kif;
mod summary;
mod texts;

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::str::FromStr;

pub(crate) use asp::Asp;
pub use summary::{Heads, Summary};
pub(crate) use texts::{Notation, Place};

use crate::game::GroundGame;

/// How a ground game is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// A variable-free game description that any GDL player can read.
    #[default]
    Kif,
    /// One sorted rule a line, for comparing grounders.
    Canonical,
    /// A logic program for clingo.
    Asp,
    /// The same in the intermediate format between grounder and solver.
    Aspif,
    /// For programs in any language: a documented, versioned schema.
    Json,
    /// Counts.
    Summary,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::Kif, Format::Canonical, Format::Asp, Format::Aspif, Format::Json, Format::Summary];

    /// The name that [`Format::from_str`] knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Format::Kif => "kif",
            Format::Canonical => "canonical",
            Format::Asp => "asp",
            Format::Aspif => "aspif",
            Format::Json => "json",
            Format::Summary => "summary",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A name that no [`Format`] has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{0}`; there are kif, canonical, asp, aspif, json and summary")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Writes a ground game, and flushes the writer.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Kif => kif::write(game, out),
        Format::Canonical => canonical::write(game, out),
        Format::Asp => asp::write(game, out),
        Format::Aspif => aspif::write(game, out),
        Format::Json => json(game, out),
        Format::Summary => summary::write(game, out),
    }
}

/// As serde writes it.
fn json(game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(64 << 10, out);
    serde_json::to_writer(&mut out, game)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes a ground game as [`write()`], with the number of each rule, from 1 on, in a comment at the end of its line. Only KIF and ASP
/// have such comments; other formats are written without.
///
/// # Errors
/// Those of the writer.
pub fn write_numbered(game: &GroundGame, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let comment = match format {
        Format::Kif => ';',
        Format::Asp => '%',
        _ => return write(game, format, out),
    };
    let mut text = Vec::new();
    write(game, format, &mut text)?;
    // The rules are the last lines, one each.
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    let first = lines - game.rules().len();
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match number.checked_sub(first) {
            None => out.write_all(line)?,
            Some(rule) => {
                out.write_all(line.strip_suffix(b"\n").unwrap_or(line))?;
                writeln!(out, " {comment} {}", rule + 1)?;
            }
        }
    }
    out.flush()
}
