//! What the page without a server calls: games are checked, ground, analysed and played by the crates, in the browser.
//!
//! Values go to and fro as JSON.

mod game;

use groundfrog::{
    Description, Format, GroundOptions, Limits, ParseOptions, Silent, ground as ground_rules,
};
use groundfrog_check::{CheckOptions, check_text, json};
use groundfrog_knowledge::AnalysisOptions;
use groundfrog_reasoner::GroundReasoner;
use std::time::Duration;
use wasm_bindgen::prelude::*;

pub use game::Game;

/// What a call may take.
fn limits(seconds: f64) -> Limits {
    let time = Duration::try_from_secs_f64(seconds).ok();
    Limits { time, memory: Some(1 << 30), ..Limits::default() }
}

fn parsed(text: &str, title: &str) -> Result<Description, String> {
    let options = ParseOptions { name: title.to_owned(), ..ParseOptions::default() };
    Description::parse(text.as_bytes(), &options).map_err(|error| error.snippets())
}

fn opened(description: &Description, seconds: f64) -> Result<GroundReasoner, String> {
    let options = GroundOptions { limits: limits(seconds), ..GroundOptions::compact() };
    let reasoner = GroundReasoner::of_description(description, &options, &mut Silent);
    reasoner.map_err(|error| error.to_string())
}

/// The games of the corpus: a list with `name` and `summary`.
#[wasm_bindgen]
pub fn games() -> String {
    let all = groundfrog_corpus::games().iter();
    let playable = all.filter(|it| it.expect == groundfrog_corpus::Outcome::Groundable);
    let lines = playable.map(|it| serde_json::json!({ "name": it.name, "summary": it.summary }));
    serde_json::Value::from_iter(lines).to_string()
}

/// The text of a game of the corpus.
#[wasm_bindgen]
pub fn corpus_text(name: &str) -> Option<String> {
    groundfrog_corpus::game(name).map(|it| it.text.to_owned())
}

/// The report of a check.
#[wasm_bindgen]
pub fn check(text: &str, seconds: f64) -> String {
    let options = CheckOptions { limits: limits(seconds), ..CheckOptions::default() };
    let parse = ParseOptions { name: "rules".to_owned(), ..ParseOptions::default() };
    let report = check_text(text.as_bytes(), &parse, &options);
    let mut all = Vec::new();
    let written = json::write(&[report], &mut all).ok();
    let parsed = written.and_then(|()| serde_json::from_slice::<serde_json::Value>(&all).ok());
    parsed.map_or_else(String::new, |it| it["files"][0].to_string())
}

/// The ground rules in a format of `groundfrog ground`.
///
/// # Errors
/// The text is no game, takes too long, or there is no such format.
#[wasm_bindgen]
pub fn ground(text: &str, format: &str, flat: bool, seconds: f64) -> Result<String, String> {
    let format: Format =
        format.parse().map_err(|error: groundfrog::emit::UnknownFormat| error.to_string())?;
    let options = if flat { GroundOptions::flat() } else { GroundOptions::compact() };
    let options = GroundOptions { limits: limits(seconds), ..options };
    let grounding = ground_rules(&parsed(text, "rules")?, &options, &mut Silent);
    let game = grounding.map_err(|error| error.to_string())?.game;
    let mut out = Vec::new();
    groundfrog::emit::write(&game, format, &mut out).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// What is true of a game, as `groundfrog analyse --format json` has it.
///
/// # Errors
/// The text is no game or takes too long.
#[wasm_bindgen]
pub fn analyse(text: &str, seconds: f64) -> Result<String, String> {
    let description = parsed(text, "rules")?;
    let mut reasoner = opened(&description, seconds)?;
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(1));
    let options = AnalysisOptions { time, ..AnalysisOptions::default() };
    let analysis = groundfrog_knowledge::survey(&description, &mut reasoner, &options);
    let analysis = analysis.map_err(|error| error.to_string())?;
    serde_json::to_string(&analysis).map_err(|error| error.to_string())
}
