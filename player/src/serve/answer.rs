//! Answers in JSON.

use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::requests::MOST_TEXT;

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

    pub(super) fn with(status: StatusCode, message: impl Into<String>) -> Self {
        Refusal { status, message: message.into(), findings: None, text: None }
    }

    pub(super) fn with_findings(self, findings: Value) -> Self {
        Refusal { findings: Some(findings), ..self }
    }

    /// Adds the description that the findings are about, unless it is longer than one that can be pasted.
    pub(super) fn with_text(self, text: &[u8]) -> Self {
        let is_shown = self.findings.is_some() && text.len() <= MOST_TEXT;
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

/// A value as an answer.
pub(super) fn answer(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => Refusal::internal(error.to_string()).into_response(),
    }
}
