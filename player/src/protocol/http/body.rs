//! Where a body ends.

use std::io::Read;
use std::time::Duration;

use super::{HttpError, Timed};
use crate::text::open_parentheses;

/// How long more is waited for when a message without a length looks complete, or one with a length does not.
const GRACE: Duration = Duration::from_millis(200);

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
        for header in headers {
            let value = String::from_utf8_lossy(header.value).trim().to_ascii_lowercase();
            match header.name.to_ascii_lowercase().as_str() {
                "content-length" => {
                    let length = value.parse().map_err(|_| {
                        HttpError::Syntax(format!("`{value}` is no Content-Length"))
                    })?;
                    framing.length = Some(length);
                }
                "transfer-encoding" if value == "chunked" => framing.chunked = true,
                "transfer-encoding" if value != "identity" => {
                    return Err(HttpError::Syntax(format!("unknown Transfer-Encoding `{value}`")));
                }
                "expect" => framing.awaits_continue = value == "100-continue",
                _ => {}
            }
        }
        Ok(framing)
    }
}

/// Reads the body, of which some bytes have come already.
pub(super) fn read_body(
    stream: &mut Timed<'_>,
    begun: Vec<u8>,
    framing: &Framing,
    most: usize,
) -> Result<String, HttpError> {
    let mut body = Body { stream, bytes: begun, most };
    if framing.chunked {
        return text(body.chunks()?);
    }
    match framing.length {
        Some(length) => body.counted(length)?,
        None if framing.asks => body.read_to_last_parenthesis()?,
        None => while body.more()? > 0 {},
    }
    text(body.bytes)
}

fn text(bytes: Vec<u8>) -> Result<String, HttpError> {
    String::from_utf8(bytes).map_err(|_| HttpError::Encoding)
}

struct Body<'b, 's> {
    stream: &'b mut Timed<'s>,
    bytes: Vec<u8>,
    most: usize,
}

impl Body<'_, '_> {
    fn more(&mut self) -> Result<usize, HttpError> {
        let mut block = [0; 16 << 10];
        let read = self.stream.read(&mut block)?;
        self.take(&block[..read])?;
        Ok(read)
    }

    /// As [`Body::more`], but gives up soon.
    fn perhaps_more(&mut self) -> Result<bool, HttpError> {
        let mut block = [0; 16 << 10];
        let read = self.stream.read_within(GRACE, &mut block)?.unwrap_or(0);
        self.take(&block[..read])?;
        Ok(read > 0)
    }

    fn take(&mut self, block: &[u8]) -> Result<(), HttpError> {
        if self.bytes.len() + block.len() > self.most {
            return Err(HttpError::TooLong(self.most));
        }
        self.bytes.extend_from_slice(block);
        Ok(())
    }

    fn is_complete(&self) -> bool {
        let text = String::from_utf8_lossy(&self.bytes);
        // What has too many closing parentheses will not get better.
        match open_parentheses(&text) {
            Some(open) => open == 0,
            None => !text.trim().is_empty(),
        }
    }

    fn counted(&mut self, length: usize) -> Result<(), HttpError> {
        if length > self.most {
            return Err(HttpError::TooLong(self.most));
        }
        while self.bytes.len() < length {
            if self.more()? == 0 {
                let fault = format!("{} of {length} bytes of the body came", self.bytes.len());
                return Err(HttpError::Syntax(fault));
            }
        }
        // Where characters were counted there is more: each beyond ASCII has several bytes.
        if !self.bytes.is_ascii() {
            while !self.is_complete() && self.perhaps_more()? {}
        }
        Ok(())
    }

    fn read_to_last_parenthesis(&mut self) -> Result<(), HttpError> {
        loop {
            let open = open_parentheses(&String::from_utf8_lossy(&self.bytes));
            match open {
                // A list has ended.
                Some(0) if self.bytes.contains(&b')') => return Ok(()),
                Some(0) | None => {
                    if !self.perhaps_more()? {
                        return Ok(());
                    }
                }
                Some(_) => {
                    if self.more()? == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn chunks(&mut self) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        let mut at = 0;
        loop {
            let size = httparse::parse_chunk_size(&self.bytes[at..]);
            let size = size.map_err(|_| HttpError::Syntax("the size of a chunk is none".into()))?;
            let httparse::Status::Complete((start, size)) = size else {
                self.need_more()?;
                continue;
            };
            let size = usize::try_from(size).ok().filter(|&it| it <= self.most);
            let size = size.ok_or(HttpError::TooLong(self.most))?;
            if size == 0 {
                return Ok(body);
            }
            let end = at + start + size;
            while self.bytes.len() < end + 2 {
                self.need_more()?;
            }
            body.extend_from_slice(&self.bytes[at + start..end]);
            at = end + 2;
        }
    }

    fn need_more(&mut self) -> Result<(), HttpError> {
        match self.more()? {
            0 => Err(HttpError::Syntax("the last chunk is missing".into())),
            _ => Ok(()),
        }
    }
}
