//! States of games as pictures in a page that needs nothing else: drawn by the scripts of the page that `serve` offers.

use std::fmt::Write;

use groundfrog::visible::{is_visible, visible};
use groundfrog_reasoner::{GroundReasoner, Vocabulary};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::{DrawnState, Layout, Look};

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
        reasoner: &mut GroundReasoner,
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
