//! Ground games as text, one format a file.

pub mod canonical;
pub mod kif;

use std::io::{self, Write};

use crate::game::GroundGame;

/// How a ground game is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// A variable-free game description.
    #[default]
    Kif,
    /// One sorted rule a line, for comparing grounders.
    Canonical,
}

/// Writes a ground game.
///
/// # Errors
/// Those of the writer.
pub fn write(game: &GroundGame, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Kif => kif::write(game, out),
        Format::Canonical => canonical::write(game, out),
    }
}
