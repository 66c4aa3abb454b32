//! A token that a page beyond loopback asks for: once as `?token=`, then it is kept in a cookie. Programs send it as
//! `Authorization: token TOKEN`.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Where to go on without the token in the address, if the right one was entered.
pub(super) fn entered(request: &Request, wanted: &str) -> Option<String> {
    let query = request.uri().query()?;
    let given = query.split('&').find_map(|it| it.strip_prefix("token="))?;
    is_equal(given, wanted).then(|| request.uri().path().to_owned())
}

/// Keeps the token in a cookie and goes on to a path.
pub(super) fn let_in(path: &str, token: &str, port: u16) -> Response {
    // Two slashes in the beginning would be another host.
    let place = format!("/{}", path.trim_start_matches(['/', '\\']));
    let cookie = format!("{}={token}; Path=/; HttpOnly; SameSite=Lax", name(port));
    (StatusCode::SEE_OTHER, [(header::LOCATION, place), (header::SET_COOKIE, cookie)])
        .into_response()
}

/// Whether a request has the token with it.
pub(super) fn is_shown(headers: &HeaderMap, wanted: &str, port: u16) -> bool {
    let texts = |name| headers.get_all(name).iter().filter_map(|it| it.to_str().ok());
    let name = name(port);
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
fn name(port: u16) -> String {
    format!("groundfrog-{port}")
}

/// Compares in a time that does not tell how much is right.
fn is_equal(given: &str, wanted: &str) -> bool {
    let differing =
        given.bytes().zip(wanted.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == wanted.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_compared_as_a_whole() {
        assert!(is_equal("abc", "abc") && is_equal("", ""));
        for given in ["", "ab", "abcd", "abd", "ABC"] {
            assert!(!is_equal(given, "abc"), "{given}");
        }
    }
}
