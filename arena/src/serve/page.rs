//! The files of the page.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::answer::Refusal;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// The files by their paths.
macro_rules! files {
    ($($path:literal $kind:ident $file:literal)*) => {
        &[$(($path, $kind, include_str!(concat!("../../web/", $file)))),*]
    };
}

const FILES: &[(&str, &str, &str)] = files! {
    "/" HTML "index.html"
    "/theme.css" STYLE "theme.css"
    "/style.css" STYLE "style.css"
    "/board.css" STYLE "board.css"
    "/main.js" SCRIPT "main.js"
    "/api.js" SCRIPT "api.js"
    "/dom.js" SCRIPT "dom.js"
    "/choose.js" SCRIPT "choose.js"
    "/findings.js" SCRIPT "findings.js"
    "/matches.js" SCRIPT "matches.js"
    "/setup.js" SCRIPT "setup.js"
    "/match.js" SCRIPT "match.js"
    "/moves.js" SCRIPT "moves.js"
    "/match_parts.js" SCRIPT "match_parts.js"
    "/knowledge.js" SCRIPT "knowledge.js"
    "/drag.js" SCRIPT "drag.js"
    "/thumbs.js" SCRIPT "thumbs.js"
    "/board.js" SCRIPT "board.js"
    "/shapes.js" SCRIPT "shapes.js"
    "/colours.js" SCRIPT "colours.js"
    "/icons.js" SCRIPT "icons.js"
    "/pieces.js" SCRIPT "pieces.js"
    "/side.js" SCRIPT "side.js"
};

const ICON: &str = include_str!("../../web/icon.svg");

/// Asks for the token of the page.
pub(super) fn enter_token() -> Response {
    let text = include_str!("../../web/token.html");
    (StatusCode::UNAUTHORIZED, [(header::CONTENT_TYPE, HTML)], text).into_response()
}

/// The file of that path.
pub(super) fn file(path: &str) -> Response {
    if path == "/icon.svg" {
        return ([(header::CONTENT_TYPE, "image/svg+xml")], ICON).into_response();
    }
    match FILES.iter().find(|it| it.0 == path) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => Refusal::missing(format!("there is no `{path}`")).into_response(),
    }
}
