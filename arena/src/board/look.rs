//! What a game's hint file says of how it looks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::BoardShape;

/// A hint file, `NAME.look.toml` beside `NAME.kif`: it overrides what rules and words say. Every part may be left out.
///
/// ```toml
/// first_row = "below"        # or "above"
/// shape = "hexagonal"        # of the first board: grid, hexagonal, ring, rings, pits, stacks
/// facts = ["height"]         # fluents that are listed, not drawn
/// blank = "nobody"           # what is drawn as an empty place
///
/// [colours]                  # of roles
/// west = "ivory"
///
/// [pieces]                   # of contents: a piece of chess, an icon, "disc", "crowned", "fill", "nothing", or letters
/// hut = "crate"
/// elder = { draw = "king", colour = "red" }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Look {
    /// Where the first row is.
    pub first_row: Option<FirstRow>,
    /// How the places of the first board lie.
    pub shape: Option<BoardShape>,
    /// Names of fluents that are facts.
    pub facts: Vec<String>,
    /// The content that is drawn as an empty place.
    pub blank: Option<String>,
    /// Colours of roles.
    pub colours: BTreeMap<String, String>,
    /// How contents are drawn.
    pub pieces: BTreeMap<String, Drawing>,
}

/// Where the first row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstRow {
    /// Above all others.
    Above,
    /// Below all others.
    Below,
}

/// How a content is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Drawing {
    /// In its owner's colour.
    Named(String),
    /// In a colour of its own.
    Coloured {
        /// What is drawn.
        draw: String,
        /// The colour.
        colour: String,
    },
}

/// Why a hint file is none, with the line and what was expected there.
#[derive(Debug, thiserror::Error)]
#[error("the hint file of the game: {0}")]
pub struct LookError(#[from] toml::de::Error);

impl Look {
    /// Reads a hint file.
    ///
    /// # Errors
    /// It is no TOML, or has something that hint files have not.
    pub fn parse(text: &str) -> Result<Self, LookError> {
        Ok(toml::from_str(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_file_is_read_and_what_it_has_not_is_named() {
        let text = "first_row = \"below\"\nshape = \"hexagonal\"\nfacts = [\"height\"]\n[colours]\nwest = \"ivory\"\n\
            [pieces]\nhut = \"crate\"\nelder = { draw = \"king\", colour = \"red\" }\n";
        let look = Look::parse(text).expect("is a hint file");
        assert_eq!(look.first_row, Some(FirstRow::Below));
        assert_eq!(look.shape, Some(BoardShape::Hexagonal));
        assert_eq!(look.pieces["hut"], Drawing::Named("crate".to_owned()));
        let king = Drawing::Coloured { draw: "king".to_owned(), colour: "red".to_owned() };
        assert_eq!(look.pieces["elder"], king);
        let error = Look::parse("first_row = \"below\"\nboards = 3\n").expect_err("has no boards");
        let text = error.to_string();
        assert!(text.contains("line 2") && text.contains("`boards`"), "{text}");
    }
}
