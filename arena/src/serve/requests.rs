//! What the page asks for.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answer::Refusal;

/// Seconds that a clock may have.
const LONGEST_CLOCK: f64 = 600.0;
/// Seconds that a person's clock may have, and has if there is none.
const LONGEST_PERSON_CLOCK: f64 = groundfrog_player::clock::LONGEST.as_secs_f64();

/// Reads a request.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the request is not understood: {error}")))
}

/// A text to be checked.
#[derive(Debug, Deserialize)]
pub(super) struct TextRequest {
    pub(super) text: String,
}

/// A game to be opened: one that is offered, or a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum GameRequest {
    Offered {
        name: String,
    },
    Text {
        text: String,
        #[serde(default)]
        title: String,
    },
}

/// Checks the size of a description.
pub(super) fn within_size(text: &str, most: usize) -> Result<(), Refusal> {
    if text.len() <= most {
        return Ok(());
    }
    let status = axum::http::StatusCode::PAYLOAD_TOO_LARGE;
    let message = format!("the description has {} bytes; {most} are allowed", text.len());
    Err(Refusal::with(status, message))
}

/// A match to be begun.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct MatchRequest {
    /// The game.
    pub(super) game: String,
    /// One for each role but `random`.
    pub(super) players: Vec<PlayerRequest>,
    /// Seconds to prepare.
    pub(super) start_clock: f64,
    /// Seconds for a move.
    pub(super) play_clock: f64,
    /// Seconds that a person has for a move, if that is limited.
    #[serde(default)]
    pub(super) person_clock: Option<f64>,
    /// Seed of what is drawn at random, if it is not the page's.
    #[serde(default)]
    pub(super) seed: Option<u64>,
}

/// Who plays a role.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum PlayerRequest {
    /// Whoever sits at the page.
    Person {
        #[serde(default)]
        name: String,
    },
    /// A strategy.
    BuiltIn { strategy: String },
    /// A player over HTTP.
    Remote { url: String },
}

impl MatchRequest {
    /// Start clock, play clock and the clock of persons.
    pub(super) fn clocks(&self) -> Result<(Duration, Duration, Duration), Refusal> {
        let start = clock("start clock", self.start_clock, 0.0, LONGEST_CLOCK)?;
        let play = clock("play clock", self.play_clock, 0.05, LONGEST_CLOCK)?;
        let person = match self.person_clock {
            Some(seconds) => clock("clock of persons", seconds, 1.0, LONGEST_PERSON_CLOCK)?,
            None => Duration::from_secs_f64(LONGEST_PERSON_CLOCK),
        };
        Ok((start, play, person))
    }
}

fn clock(name: &str, seconds: f64, least: f64, most: f64) -> Result<Duration, Refusal> {
    if (least..=most).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(Refusal::fault(format!("the {name} has to be between {least} and {most} seconds")))
}

/// A person's move.
#[derive(Debug, Deserialize)]
pub(super) struct MoveRequest {
    pub(super) role: String,
    /// Joint moves made before.
    pub(super) turn: u32,
    #[serde(rename = "move")]
    pub(super) action: String,
}

/// A person who would like to know a move.
#[derive(Debug, Deserialize)]
pub(super) struct HintRequest {
    pub(super) role: String,
    /// Joint moves made before.
    pub(super) turn: usize,
}

/// A game whose picture is wanted.
#[derive(Debug, Deserialize)]
pub(super) struct PictureRequest {
    pub(super) name: String,
}

/// What the page knows already, and for whom it is.
#[derive(Debug, Default, Deserialize)]
pub(super) struct SeenVersion {
    /// The version that is known: the answer waits until it is another.
    pub(super) version: Option<u64>,
    /// Moves before this turn are known.
    #[serde(default)]
    pub(super) from: usize,
    /// Through whose eyes a game with hidden states is seen.
    pub(super) role: Option<String>,
}
