//! HTTP as game servers and players speak it. Whoever reads or writes sets the time for it.

mod body;

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::yield_now;
use tokio::time::timeout;
use web_time::Instant;

use body::{Framing, read_body};

use crate::PeerText;

/// Bytes that the head of a message may have.
const MOST_HEAD: usize = 64 << 10;
/// How many header lines there may be.
const MOST_HEADERS: usize = 100;
/// How many interim answers (status 100 to 199) are passed over.
const MOST_INTERIM: usize = 8;

/// Bytes that are read of a peer before it is the turn of the others.
const BLOCK: usize = 16 << 10;

/// What reading a message may take.
#[derive(Clone, Copy)]
pub struct ReadLimits<'r> {
    /// Bytes that the body may have.
    pub most: usize,
    /// Asked before so many bytes are kept: whether there is room for them.
    pub has_room: &'r (dyn Fn(usize) -> bool + Sync + 'r),
}

impl ReadLimits<'_> {
    fn allow(&self, bytes: usize) -> Result<(), HttpError> {
        if bytes > self.most {
            return Err(HttpError::TooLong(self.most));
        }
        if (self.has_room)(bytes) { Ok(()) } else { Err(HttpError::Busy) }
    }
}

/// What a server asks over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `POST`, `GET`, `OPTIONS` or something else, in upper case.
    pub method: String,
    /// The message: the body, or what the path of GET says.
    pub text: String,
    /// The site whose page asks (`Origin`), if a browser says so.
    pub origin: Option<String>,
    /// How that site is related to this one (`Sec-Fetch-Site`), if a browser says so.
    pub fetch_site: Option<String>,
}

/// Why a message over HTTP cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The connection broke or the deadline has passed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The other side sent nothing.
    #[error("the connection was closed without a message")]
    Empty,
    /// The other side speaks something else.
    #[error("no HTTP: {0}")]
    Syntax(String),
    /// More than is allowed.
    #[error("the message has more than {0} bytes")]
    TooLong(usize),
    /// Too much is being read at once.
    #[error("too much is being read at once: send it again")]
    Busy,
    /// The message is no text.
    #[error("the message is not in UTF-8")]
    Encoding,
    /// It is what it is, and not `200`.
    #[error("the answer has status {status}: {text}")]
    Status {
        /// The number.
        status: u16,
        /// What is reported about it.
        text: PeerText,
    },
}

impl HttpError {
    /// Whether the deadline has passed.
    pub fn is_late(&self) -> bool {
        let HttpError::Io(error) = self else { return false };
        matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
    }
}

/// Reads a request within limits; its head has to be complete by a moment. HTTP/1.0 and 1.1, any line ends, bodies with `Content-Length` (counted in
/// bytes, or in characters as some servers do), in chunks, or without a length: then the message ends with its last parenthesis.
///
/// # Errors
/// The connection breaks, the head is late, there is no room, or what comes is no request.
pub async fn read_request<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    head: Instant,
    limits: &ReadLimits<'_>,
) -> Result<Request, HttpError> {
    let mut buffer = Vec::new();
    let parses = |buffer: &[u8]| {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        httparse::Request::new(&mut headers).parse(buffer)
    };
    by(head, read_head(stream, &mut buffer, parses)).await?;
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let head = whole_head(request.parse(&buffer))?;
    let method = request.method.unwrap_or_default().to_ascii_uppercase();
    let path = request.path.unwrap_or_default();
    let value = |name: &str| {
        let found = request.headers.iter().find(|it| it.name.eq_ignore_ascii_case(name))?;
        Some(String::from_utf8_lossy(found.value).trim().to_owned())
    };
    let (origin, fetch_site) = (value("origin"), value("sec-fetch-site"));
    let framing = Framing::of(request.headers, true)?;
    if method != "POST" {
        return Ok(Request { text: path_text(path)?, method, origin, fetch_site });
    }
    if framing.awaits_continue {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
    }
    let text = read_body(stream, buffer.split_off(head), &framing, limits).await?;
    Ok(Request { method, text, origin, fetch_site })
}

/// Reads an answer within limits.
///
/// # Errors
/// The connection breaks, or what comes is no answer with status 200.
pub async fn read_answer<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    limits: &ReadLimits<'_>,
) -> Result<String, HttpError> {
    let mut buffer = Vec::new();
    let parses = |buffer: &[u8]| {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        httparse::Response::new(&mut headers).parse(buffer)
    };
    for _ in 0..=MOST_INTERIM {
        read_head(stream, &mut buffer, parses).await?;
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        let head = whole_head(response.parse(&buffer))?;
        let status = response.code.unwrap_or_default();
        let framing = Framing::of(response.headers, false)?;
        let rest = buffer.split_off(head);
        if (100..200).contains(&status) {
            buffer = rest;
            continue;
        }
        let text = read_body(stream, rest, &framing, limits).await?;
        return match status {
            200 => Ok(text),
            _ => Err(HttpError::Status { status, text: PeerText::from(text) }),
        };
    }
    Err(HttpError::Syntax("interim answers without end".to_owned()))
}

/// What comes of something that has to be done by a moment.
///
/// # Errors
/// It fails, or is late: see [`HttpError::is_late`].
pub async fn by<T>(
    end: Instant,
    act: impl Future<Output = Result<T, HttpError>>,
) -> Result<T, HttpError> {
    let done = timeout(end.saturating_duration_since(Instant::now()), act).await;
    done.unwrap_or_else(|late| Err(io::Error::from(late).into()))
}

/// Reads what comes behind what has come already, when it is its turn. Returns how many bytes there are more: none where the other side
/// has ended.
async fn read_more(
    stream: &mut (impl AsyncRead + Unpin),
    bytes: &mut Vec<u8>,
) -> io::Result<usize> {
    yield_now().await;
    bytes.reserve(BLOCK);
    stream.take(BLOCK as u64).read_buf(bytes).await
}

/// Reads until a head is complete: until an empty line. What cannot become a head is refused once some of it has come.
async fn read_head<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    buffer: &mut Vec<u8>,
    parses: impl Fn(&[u8]) -> httparse::Result<usize>,
) -> Result<(), HttpError> {
    let (mut seen, mut is_first) = (0, true);
    loop {
        // Empty lines before it mean nothing.
        let blank = buffer.iter().take_while(|it| b"\r\n".contains(it)).count();
        buffer.drain(..blank);
        if has_empty_line(buffer, seen) {
            return Ok(());
        }
        if is_first && !buffer.is_empty() {
            is_first = false;
            parses(buffer).map_err(|it| HttpError::Syntax(it.to_string()))?;
        }
        seen = buffer.len();
        if seen >= MOST_HEAD {
            return Err(HttpError::TooLong(MOST_HEAD));
        }
        if read_more(stream, buffer).await? == 0 {
            return Err(match buffer.is_empty() {
                true => HttpError::Empty,
                false => HttpError::Syntax("the head is not complete".to_owned()),
            });
        }
    }
}

/// Whether there is an empty line that does not end before so many bytes.
fn has_empty_line(buffer: &[u8], seen: usize) -> bool {
    let new = &buffer[seen.saturating_sub(2)..];
    let mut ends = new.iter().enumerate().filter(|it| *it.1 == b'\n').map(|it| it.0 + 1);
    ends.any(|end| matches!(&new[end..], [b'\n', ..] | [b'\r', b'\n', ..]))
}

/// How long the head is.
fn whole_head(status: httparse::Result<usize>) -> Result<usize, HttpError> {
    match status.map_err(|it| HttpError::Syntax(it.to_string()))? {
        httparse::Status::Complete(head) => Ok(head),
        httparse::Status::Partial => Err(HttpError::Syntax("the head is not complete".to_owned())),
    }
}

/// An answer, which pages of `origin` may read (`*`: of any site).
pub fn answer_text(status: &str, origin: Option<&str>, text: &str) -> String {
    let origin = origin.map_or_else(String::new, |origin| {
        format!("Access-Control-Allow-Origin: {origin}\r\nVary: Origin\r\n")
    });
    format!(
        "HTTP/1.0 {status}\r\n\
         Content-type: text/acl\r\n\
         Content-length: {}\r\n\
         {origin}\
         Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\n\
         Access-Control-Allow-Age: 86400\r\n\
         Connection: close\r\n\r\n{text}",
        text.len()
    )
}

/// A request to a player.
pub fn request_text(host: &str, path: &str, receiver: &str, text: &str) -> String {
    // A name that is no header value would break the message.
    let receiver: String = receiver.chars().filter(char::is_ascii_graphic).collect();
    format!(
        "POST {path} HTTP/1.0\r\n\
         Host: {host}\r\n\
         Accept: text/delim\r\n\
         Sender: GAMESERVER\r\n\
         Receiver: {receiver}\r\n\
         Content-Type: text/acl\r\n\
         Content-Length: {}\r\n\r\n{text}",
        text.len()
    )
}

/// What the path of a GET says: percent-encoded, with `+` for a space.
fn path_text(path: &str) -> Result<String, HttpError> {
    // A proxy may have the whole address instead of a path.
    let path = path
        .split_once("://")
        .map_or(path, |(_, rest)| rest.find('/').map_or("", |start| &rest[start..]));
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits = tail.get(..2).and_then(|it| std::str::from_utf8(it).ok());
                let byte = digits.and_then(|it| u8::from_str_radix(it, 16).ok());
                let wrong = || HttpError::Syntax("the path has a `%` without two digits".into());
                bytes.push(byte.ok_or_else(wrong)?);
                rest = &tail[2..];
            }
            &other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).map_err(|_| HttpError::Encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded() {
        let text = |path| path_text(path).expect("a path");
        assert_eq!(text("/%28%20INFO%20%29"), "( INFO )");
        assert_eq!(text("/(+PLAY+m+NIL+)"), "( PLAY m NIL )");
        assert_eq!(text("/"), "");
        assert_eq!(text("http://127.0.0.1:9147/(INFO)"), "(INFO)");
        assert_eq!(text("http://127.0.0.1:9147"), "");
        assert!(
            path_text("/%2").is_err() && path_text("/%zz").is_err() && path_text("/%ff").is_err()
        );
    }
}
