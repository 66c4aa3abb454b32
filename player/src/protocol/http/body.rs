//! Where a body ends.

use std::time::Duration;

use tokio::io::AsyncRead;
use tokio::time::timeout;

use super::{HttpError, ReadLimits, read_more};
use crate::text::Parentheses;

/// How long more is waited for when a message without a length looks complete, or one with a length does not.
const GRACE: Duration = Duration::from_millis(200);
/// Bytes of the line that begins a chunk.
const LONGEST_CHUNK_LINE: usize = 1 << 10;

/// How the end of a body is found.
#[derive(Debug, Default)]
pub(super) struct Framing {
    length: Option<usize>,
    chunked: bool,
    pub(super) awaits_continue: bool,
    /// Whether the other side still waits for an answer on the same connection, so that it does not end with the message.
    asks: bool,
}

impl Framing {
    pub(super) fn of(headers: &[httparse::Header<'_>], asks: bool) -> Result<Self, HttpError> {
        let mut framing = Framing { asks, ..Framing::default() };
        let mut hosts = 0;
        for header in headers {
            let value = String::from_utf8_lossy(header.value).trim().to_ascii_lowercase();
            match header.name.to_ascii_lowercase().as_str() {
                "host" => hosts += 1,
                "content-length" => framing.length = Some(length(&value, framing.length)?),
                "transfer-encoding" if value == "chunked" => framing.chunked = true,
                "transfer-encoding" if value != "identity" => {
                    let value = crate::PeerText::from(value);
                    return Err(HttpError::Syntax(format!("unknown Transfer-Encoding `{value}`")));
                }
                "expect" => framing.awaits_continue = value == "100-continue",
                _ => {}
            }
        }
        if hosts > 1 {
            return Err(HttpError::Syntax("it names more than one Host".to_owned()));
        }
        if framing.chunked && framing.length.is_some() {
            let fault = "it has a Content-Length and comes in chunks";
            return Err(HttpError::Syntax(fault.to_owned()));
        }
        Ok(framing)
    }
}

/// The length that a header says, which is that of headers before.
fn length(value: &str, known: Option<usize>) -> Result<usize, HttpError> {
    let shown = || crate::PeerText::new(value);
    let is_number = !value.is_empty() && value.bytes().all(|it| it.is_ascii_digit());
    let length = value.parse().ok().filter(|_| is_number);
    let length =
        length.ok_or_else(|| HttpError::Syntax(format!("`{}` is no Content-Length", shown())))?;
    match known {
        Some(known) if known != length => {
            Err(HttpError::Syntax(format!("it has two lengths, {known} and {length}")))
        }
        _ => Ok(length),
    }
}

/// Reads the body, of which some bytes have come already.
pub(super) async fn read_body<S: AsyncRead + Unpin>(
    stream: &mut S,
    begun: Vec<u8>,
    framing: &Framing,
    limits: &ReadLimits<'_>,
) -> Result<String, HttpError> {
    let mut body = Body { stream, bytes: begun, limits };
    if framing.chunked {
        return text(body.chunks().await?);
    }
    match framing.length {
        Some(length) => body.counted(length).await?,
        None if framing.asks => body.read_to_last_parenthesis().await?,
        None => while body.more().await? > 0 {},
    }
    text(body.bytes)
}

fn text(bytes: Vec<u8>) -> Result<String, HttpError> {
    String::from_utf8(bytes).map_err(|_| HttpError::Encoding)
}

struct Body<'b, S> {
    stream: &'b mut S,
    bytes: Vec<u8>,
    limits: &'b ReadLimits<'b>,
}

impl<S: AsyncRead + Unpin> Body<'_, S> {
    async fn more(&mut self) -> Result<usize, HttpError> {
        let read = read_more(self.stream, &mut self.bytes).await?;
        self.limits.allow(self.bytes.len())?;
        Ok(read)
    }

    /// As [`Body::more`], but gives up soon.
    async fn perhaps_more(&mut self) -> Result<usize, HttpError> {
        timeout(GRACE, self.more()).await.unwrap_or(Ok(0))
    }

    async fn counted(&mut self, length: usize) -> Result<(), HttpError> {
        if length > self.limits.most {
            return Err(HttpError::TooLong(self.limits.most));
        }
        while self.bytes.len() < length {
            if self.more().await? == 0 {
                let fault = format!("{} of {length} bytes of the body came", self.bytes.len());
                return Err(HttpError::Syntax(fault));
            }
        }
        // Where characters were counted there is more: each beyond ASCII has several bytes.
        if !self.bytes.is_ascii() {
            let mut parentheses = Parentheses::default();
            parentheses.read(&self.bytes);
            while !parentheses.is_complete() {
                let read = self.perhaps_more().await?;
                if read == 0 {
                    break;
                }
                parentheses.read(&self.bytes[self.bytes.len() - read..]);
            }
        }
        Ok(())
    }

    async fn read_to_last_parenthesis(&mut self) -> Result<(), HttpError> {
        let mut parentheses = Parentheses::default();
        parentheses.read(&self.bytes);
        while !parentheses.has_ended() {
            let read = if parentheses.is_open() {
                self.more().await?
            } else {
                self.perhaps_more().await?
            };
            if read == 0 {
                break;
            }
            parentheses.read(&self.bytes[self.bytes.len() - read..]);
        }
        Ok(())
    }

    /// Reads chunks; each is taken out of what has come once it is complete.
    async fn chunks(&mut self) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        let mut at = 0;
        loop {
            let line = &self.bytes[at..];
            let line = &line[..line.len().min(LONGEST_CHUNK_LINE)];
            let size = httparse::parse_chunk_size(line);
            let no_size = || HttpError::Syntax("the size of a chunk is none".into());
            let httparse::Status::Complete((start, size)) = size.map_err(|_| no_size())? else {
                if line.len() == LONGEST_CHUNK_LINE {
                    return Err(no_size());
                }
                self.need_more().await?;
                continue;
            };
            let size = usize::try_from(size).ok().filter(|&it| it <= self.limits.most);
            let size = size.ok_or(HttpError::TooLong(self.limits.most))?;
            if size == 0 {
                return Ok(body);
            }
            let (start, end) = (at + start, at + start + size);
            while self.bytes.len() < end + 2 {
                self.need_more().await?;
            }
            self.limits.allow(body.len() + self.bytes.len())?;
            body.extend_from_slice(&self.bytes[start..end]);
            at = end + 2;
            // Not after each chunk: what has come may hold thousands.
            if at > self.bytes.len() / 2 {
                self.bytes.drain(..at);
                at = 0;
            }
        }
    }

    async fn need_more(&mut self) -> Result<(), HttpError> {
        match self.more().await? {
            0 => Err(HttpError::Syntax("the last chunk is missing".into())),
            _ => Ok(()),
        }
    }
}
