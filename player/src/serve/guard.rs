//! Who may ask.
//!
//! A page of another site must not steer matches here, not even through a name that it lets point to this machine (DNS
//! rebinding): requests need a host that is a number, `localhost` or a name that was allowed, an origin that is the same, and a type
//! of content that no form can send.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::answer::Refusal;

/// Nothing from elsewhere, nothing inline, in no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets a request through if it is one of the page's own, and gives each answer the headers that protect it.
pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match refused(&request, &shared.options.hosts) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
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

fn refused(request: &Request, names: &[String]) -> Option<Refusal> {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|it: &HeaderValue| it.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    let forbidden = |message: String| Some(Refusal::with(StatusCode::FORBIDDEN, message));
    if !is_own(host, names) {
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

/// Whether a host with its port is a number, `localhost`, or an allowed name.
fn is_own(host: &str, names: &[String]) -> bool {
    let name = match host.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((inner, _)) => inner,
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok()
        || names.iter().any(|it| it.eq_ignore_ascii_case(name))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let names = ["board.example".to_owned()];
        for host in [
            "localhost:8000",
            "127.0.0.1:1",
            "[::1]:80",
            "10.0.0.3",
            "LOCALHOST",
            "Board.example:9",
        ] {
            assert!(is_own(host, &names), "{host}");
        }
        for host in ["", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil", "[x]:1"] {
            assert!(!is_own(host, &names), "{host}");
        }
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
}
