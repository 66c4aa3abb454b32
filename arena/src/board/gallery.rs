//! States of games as pictures in a page that needs nothing else: drawn by the scripts of the page that `serve` offers.

use std::collections::BTreeMap;
use std::fmt::Write;

use groundfrog::visible::{is_visible, visible};
use groundfrog_reasoner::Vocabulary;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{BoardShape, DrawnState, Layout};

/// The scripts, each after those that it imports from. No two of them have a name in common.
const SCRIPTS: [&str; 6] = [
    include_str!("../../web/dom.js"),
    include_str!("../../web/colours.js"),
    include_str!("../../web/icons.js"),
    include_str!("../../web/pieces.js"),
    include_str!("../../web/shapes.js"),
    include_str!("../../web/board.js"),
];

const STYLES: [&str; 2] =
    [include_str!("../../web/theme.css"), include_str!("../../web/board.css")];

/// As many boards of a game are drawn.
const MOST_BOARDS: usize = 4;

/// A state of a game to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    game: Value,
    state: Value,
    caption: String,
}

impl Picture {
    /// A state, by its fluents as KIF; `None` if no board shows it.
    pub fn new(
        (layout, look): (&Layout, &Look),
        reasoner: &mut (impl Vocabulary + ?Sized),
        fluents: &[String],
        caption: String,
    ) -> Option<Self> {
        if layout.boards().is_empty() {
            return None;
        }
        let roles: Vec<String> = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
        let game = json!({
            "title": caption,
            "roles": roles,
            "boards": layout.boards(),
            "look": look,
            "first_row_below": layout.first_row_below(),
            "most_clicks": layout.most_clicks(),
        });
        let state = json!(DrawnState::new(layout, reasoner, fluents));
        Some(Picture { game, state, caption })
    }

    /// What the script draws, as JSON.
    fn data(&self) -> String {
        let data = json!({ "game": self.game, "state": self.state });
        // Text of games must not end the script that holds it.
        let data = data.to_string().replace('<', "\\u003c").replace('&', "\\u0026");
        // What is not seen would be drawn, and turn what is around it.
        let shown = |it: char| match is_visible(it) {
            true => it.to_string(),
            false => format!("\\\\u{{{:x}}}", u32::from(it)),
        };
        data.chars().map(shown).collect()
    }
}

/// Pictures as a part of a page, which draws them when it is opened by [`gallery_script`]. It is well-formed XML, too.
pub fn gallery(pictures: &[Picture]) -> Markup {
    html! {
        style { "\n/*" (PreEscaped("<![CDATA[*/\n")) @for style in STYLES { (PreEscaped(style)) } (PreEscaped("/*]]>")) "*/\n" }
        div.boards {
            @for picture in pictures {
                figure.picture {
                    script type="application/json" { (PreEscaped(picture.data())) }
                    div.boards {}
                    figcaption { (visible(&picture.caption)) }
                }
            }
        }
    }
}

/// The script that draws the pictures of a page.
pub fn gallery_script() -> String {
    let mut script = "(() => {\n\"use strict\";\n".to_owned();
    for line in SCRIPTS.iter().flat_map(|it| it.lines()) {
        if !line.starts_with("import ") && !line.starts_with("export {") {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    let _ = write!(
        script,
        "for (const figure of document.querySelectorAll(\".picture\")) {{\n\
         const {{ game, state }} = JSON.parse(figure.querySelector(\"script\").textContent);\n\
         const turned = {{ flip: game.first_row_below, swap: false }};\n\
         const boards = game.boards.slice(0, {MOST_BOARDS}).map((_, number) => new Board(game, number, turned));\n\
         boards.forEach((it) => it.update(state));\n\
         figure.querySelector(\".boards\").replaceChildren(...boards.map((it) => it.element));\n\
         }}\n}})();\n"
    );
    script
}

// What a game's hint file says of how it looks.

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
