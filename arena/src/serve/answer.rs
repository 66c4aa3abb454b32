//! Answers in JSON, and what the page asks for.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use groundfrog_player::PeerText;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Shared;

/// Lines of a refusal, and characters of one.
const MOST_LINES: usize = 20;
const LONGEST_LINE: usize = 1000;
/// Bytes of a description that stands beside its findings.
const LONGEST_TEXT: usize = 1 << 20;
/// Bytes of an answer.
const LONGEST: usize = 8 << 20;
/// Bytes of an answer that count for nothing.
const FREE: usize = 16 << 10;

/// Why something is not done, for the person at the page.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    message: String,
    /// What a check finds in the description that is refused.
    findings: Option<Value>,
    /// The description that is refused, if the page does not have it.
    text: Option<String>,
}

impl Refusal {
    /// The request cannot be understood.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::with(StatusCode::BAD_REQUEST, message)
    }

    /// There is no such thing.
    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self::with(StatusCode::NOT_FOUND, message)
    }

    /// It cannot be done now.
    pub(super) fn conflict(message: impl Into<String>) -> Self {
        Self::with(StatusCode::CONFLICT, message)
    }

    /// It is understood and at fault.
    pub(super) fn fault(message: impl Into<String>) -> Self {
        Self::with(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// Too much is going on.
    pub(super) fn busy(message: impl Into<String>) -> Self {
        Self::with(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// An error of this program.
    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::with(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// With a status. The message may have what a peer said: each of its lines is made harmless.
    pub(super) fn with(status: StatusCode, message: impl Into<String>) -> Self {
        let message: String = message.into();
        let lines = message.lines().take(MOST_LINES);
        let lines = lines.map(|it| PeerText::within(it, LONGEST_LINE).into());
        let message = lines.collect::<Vec<String>>().join("\n");
        Refusal { status, message, findings: None, text: None }
    }

    pub(super) fn with_findings(self, findings: Value) -> Self {
        Refusal { findings: Some(findings), ..self }
    }

    /// Adds the description that the findings are about, unless it is very long.
    pub(super) fn with_text(self, text: &[u8]) -> Self {
        let is_shown = self.findings.is_some() && text.len() <= LONGEST_TEXT;
        Refusal { text: is_shown.then(|| String::from_utf8_lossy(text).into_owned()), ..self }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.message });
        if let Some(findings) = self.findings {
            body["check"] = findings;
        }
        if let Some(text) = self.text {
            body["text"] = text.into();
        }
        (self.status, [(header::CONTENT_TYPE, "application/json")], body.to_string())
            .into_response()
    }
}

impl From<BytesRejection> for Refusal {
    fn from(rejection: BytesRejection) -> Self {
        let status = rejection.status();
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => Self::with(status, "the request is too long"),
            _ => Self::with(status, rejection.body_text()),
        }
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Self {
        Self::with(rejection.status(), rejection.body_text())
    }
}

impl From<PathRejection> for Refusal {
    fn from(rejection: PathRejection) -> Self {
        Self::with(rejection.status(), rejection.body_text())
    }
}

/// A small value as an answer.
pub(super) fn answer(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => Refusal::internal(error.to_string()).into_response(),
    }
}

/// A value of any size as an answer, which has its room until it is taken.
pub(super) fn large_answer(shared: &Shared, value: &impl Serialize) -> Result<Response, Refusal> {
    let mut text = Limited(Vec::new());
    if let Err(error) = serde_json::to_writer(&mut text, value) {
        return Err(match error.is_io() {
            true => Refusal::fault(format!("the answer has more than {LONGEST} bytes")),
            false => Refusal::internal(error.to_string()),
        });
    }
    let text = kept(shared, text.0)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// A text to be sent, which has its room until it is taken.
pub(super) fn kept(shared: &Shared, text: Vec<u8>) -> Result<Bytes, Refusal> {
    if text.len() <= FREE {
        return Ok(text.into());
    }
    let room = shared.answers.take(text.len())?;
    Ok(Bytes::from_owner(Kept { text, _room: room }))
}

/// A text of so many bytes at most.
struct Limited(Vec<u8>);

impl io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A text with its room.
struct Kept {
    text: Vec<u8>,
    _room: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// Bytes that count as one.
const UNIT: usize = 1 << 10;

/// Room for so many bytes, of all requests together or of all answers.
pub(super) struct Room(Arc<Semaphore>);

impl Room {
    pub(super) fn new(bytes: usize) -> Self {
        Room(Arc::new(Semaphore::new(bytes / UNIT)))
    }

    /// Takes so many bytes until the permit is dropped.
    pub(super) fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let taken = Arc::clone(&self.0).try_acquire_many_owned(units);
        taken.map_err(|_| Refusal::busy("too much is being sent at once: try again"))
    }
}

// What the page asks for.

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
