//! Who may ask, and how much; and the files of the page.
//!
//! A page of another site must not steer matches here, not even through a name that it lets point to this machine (DNS
//! rebinding): requests need exactly one host, which is this page's own, an origin that is the same, and a type
//! of content that no form can send. Where there is a token, as for a page beyond loopback, they need that too: it is asked for once as
//! `?token=`, then it is kept in a cookie; programs send it as `Authorization: token TOKEN`. Bodies are read here: within a time, a size, and
//! the bytes that all bodies may have together.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::Shared;
use super::answer::Refusal;

/// Nothing from elsewhere, nothing inline, in no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// How long a body may take to come.
const BODY: Duration = Duration::from_secs(20);
/// Bytes of a body that count for nothing.
const FREE: usize = 16 << 10;

/// Lets a request through if it is one of the page's own, and gives each answer the headers that protect it.
pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match admit(&shared, request).await {
        Ok((request, _room)) => next.run(request).await,
        Err(response) => *response,
    };
    let headers = response.headers_mut();
    let set = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    for (name, value) in set {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = HeaderValue::from_static("same-origin");
    headers.insert("cross-origin-resource-policy", policy);
    response
}

/// The request with its whole body, and the room that this takes; or what is answered instead.
async fn admit(
    shared: &Arc<Shared>,
    request: Request,
) -> Result<(Request, Option<OwnedSemaphorePermit>), Box<Response>> {
    let refuse = |it: Refusal| Box::new(it.into_response());
    refused(&request, shared).map_or(Ok(()), |it| Err(refuse(it)))?;
    if let Some(wanted) = &shared.options.token {
        let port = shared.address.port();
        if let Some(place) = entered_token(&request, wanted) {
            return Err(Box::new(let_in_with(&place, wanted, port)));
        }
        if !shows_token(request.headers(), wanted, port) {
            return Err(Box::new(match request.uri().path() {
                "/" => enter_token(),
                _ => Refusal::with(StatusCode::UNAUTHORIZED, "this page asks for its token")
                    .into_response(),
            }));
        }
    }
    if request.method() != Method::POST {
        return Ok((request, None));
    }
    with_body(shared, request).await.map_err(refuse)
}

async fn with_body(
    shared: &Arc<Shared>,
    request: Request,
) -> Result<(Request, Option<OwnedSemaphorePermit>), Refusal> {
    let most = shared.options.most_bytes;
    let (parts, body) = request.into_parts();
    let length = parts.headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|it| it.to_str().ok()).and_then(|it| it.parse().ok());
    let (known, length) = (length.is_some(), length.unwrap_or(most));
    let too_long = || {
        let message = format!("the request is too long: {most} bytes are allowed");
        Refusal::with(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    if length > most {
        return Err(too_long());
    }
    let room = match length > FREE {
        true => Some(shared.bodies.take(length)?),
        false => None,
    };
    let late = |_| Refusal::with(StatusCode::REQUEST_TIMEOUT, "the request did not come in time");
    let bytes = timeout(BODY, to_bytes(body, most)).await.map_err(late)?;
    let bytes = bytes.map_err(|_| match known {
        true => Refusal::bad("the request did not come to its end"),
        false => too_long(),
    })?;
    Ok((Request::from_parts(parts, Body::from(bytes)), room))
}

fn refused(request: &Request, shared: &Shared) -> Option<Refusal> {
    let headers = request.headers();
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|it| it.to_str().ok()).unwrap_or_default();
    if hosts.next().is_some() {
        return Some(Refusal::bad("the request names more than one Host"));
    }
    if request.uri().authority().is_some_and(|it| it.as_str() != host) {
        return Some(Refusal::bad("the request is for another host than its Host"));
    }
    let forbidden = |message: String| Some(Refusal::with(StatusCode::FORBIDDEN, message));
    if !is_own(host, shared.address, &shared.options.hosts) {
        let host = groundfrog_player::PeerText::new(host);
        return forbidden(format!(
            "`{host}` is no name of this page: use the address that was printed, or allow the name with --host"
        ));
    }
    if let Some(origin) = headers.get(header::ORIGIN)
        && !is_same(origin, host)
    {
        return forbidden("requests of other sites are not answered".to_owned());
    }
    (request.method() == Method::POST && !is_json(headers)).then(|| {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Refusal::with(status, "the body has to be of type application/json")
    })
}

/// Whether a host is the page's own, with its port: `localhost` or a number of this machine, or an allowed name. A name that was
/// allowed without a port may also come without one.
fn is_own(host: &str, address: SocketAddr, names: &[String]) -> bool {
    if names.iter().any(|it| it.eq_ignore_ascii_case(host)) {
        return true;
    }
    let port = address.port().to_string();
    let name = match host.rsplit_once(':') {
        Some((name, given)) if given == port => name,
        // The port that browsers leave out.
        None if port == "80" => host,
        _ => return false,
    };
    if names.iter().any(|it| it.eq_ignore_ascii_case(name)) {
        return true;
    }
    let number = match name.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        Some(number) => number.parse().map(IpAddr::V6),
        None => name.parse().map(IpAddr::V4),
    };
    let Ok(number) = number else { return name.eq_ignore_ascii_case("localhost") };
    let listened = address.ip();
    // What a page listens to that listens to all is not known here, and no name can stand for a number.
    listened.is_unspecified()
        || number == listened
        || (number.is_loopback() && listened.is_loopback())
}

/// Whether an origin is the page's own.
fn is_same(origin: &HeaderValue, host: &str) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    rest.is_some_and(|it| it.eq_ignore_ascii_case(host))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let kind = kind.and_then(|it| it.split(';').next()).unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// Where to go on without the token in the address, if the right one was entered.
pub(super) fn entered_token(request: &Request, wanted: &str) -> Option<String> {
    let query = request.uri().query()?;
    let given = query.split('&').find_map(|it| it.strip_prefix("token="))?;
    is_equal(given, wanted).then(|| request.uri().path().to_owned())
}

/// Keeps the token in a cookie and goes on to a path.
pub(super) fn let_in_with(path: &str, token: &str, port: u16) -> Response {
    // Two slashes in the beginning would be another host.
    let place = format!("/{}", path.trim_start_matches(['/', '\\']));
    let cookie = format!("{}={token}; Path=/; HttpOnly; SameSite=Lax", cookie_name(port));
    (StatusCode::SEE_OTHER, [(header::LOCATION, place), (header::SET_COOKIE, cookie)])
        .into_response()
}

/// Whether a request has the token with it.
pub(super) fn shows_token(headers: &HeaderMap, wanted: &str, port: u16) -> bool {
    let texts = |name| headers.get_all(name).iter().filter_map(|it| it.to_str().ok());
    let name = cookie_name(port);
    let mut cookies = texts(header::COOKIE).flat_map(|it| it.split(';'));
    let mut entries = texts(header::AUTHORIZATION);
    cookies.any(|cookie| {
        cookie.trim().split_once('=').is_some_and(|(key, it)| key == name && is_equal(it, wanted))
    }) || entries.any(|entry| {
        let kind = entry.split_once(' ');
        kind.is_some_and(|(kind, it)| {
            kind.eq_ignore_ascii_case("token") && is_equal(it.trim(), wanted)
        })
    })
}

/// The cookie's name: cookies do not tell ports apart.
fn cookie_name(port: u16) -> String {
    format!("groundfrog-{port}")
}

/// Compares in a time that does not tell how much is right.
fn is_equal(given: &str, wanted: &str) -> bool {
    let differing =
        given.bytes().zip(wanted.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == wanted.len() && differing == 0
}

// The files of the page.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let names = ["board.example".to_owned(), "other.example:99".to_owned()];
        let is_own = |host: &str, address: &str| {
            super::is_own(host, address.parse().expect("an address"), &names)
        };
        for host in [
            "localhost:8000",
            "LOCALHOST:8000",
            "127.0.0.1:8000",
            "[::1]:8000",
            "Board.example:8000",
            "board.example",
            "other.example:99",
        ] {
            assert!(is_own(host, "127.0.0.1:8000"), "{host}");
        }
        for host in [
            "",
            "localhost",
            "localhost:8001",
            "localhost:x:8000",
            "localhost:8000:8000",
            "10.0.0.3:8000",
            "evil.example:8000",
            "127.0.0.1.evil.example:8000",
            "localhost.evil:8000",
            "[x]:8000",
            "::1:8000",
            "board.example:9",
            "other.example",
        ] {
            assert!(!is_own(host, "127.0.0.1:8000"), "{host}");
        }
        assert!(is_own("10.0.0.3:8000", "0.0.0.0:8000") && is_own("10.0.0.3:8", "10.0.0.3:8"));
        assert!(!is_own("10.0.0.4:8", "10.0.0.3:8") && is_own("localhost", "127.0.0.1:80"));
    }

    #[test]
    fn origins() {
        let same =
            |origin: &'static str| is_same(&HeaderValue::from_static(origin), "127.0.0.1:8000");
        assert!(same("http://127.0.0.1:8000"));
        for origin in ["null", "http://127.0.0.1:8001", "http://evil.example", "127.0.0.1:8000"] {
            assert!(!same(origin), "{origin}");
        }
    }

    #[test]
    fn tokens_are_compared_as_a_whole() {
        assert!(is_equal("abc", "abc") && is_equal("", ""));
        for given in ["", "ab", "abcd", "abd", "ABC"] {
            assert!(!is_equal(given, "abc"), "{given}");
        }
    }
}
