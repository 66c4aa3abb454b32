//! From the bytes of a file to text.

use std::borrow::Cow;

use super::{Span, SyntaxError};

/// Reads `source` as UTF-8, except that comments may hold any bytes.
///
/// A byte of a comment that is not UTF-8 is taken for the Latin-1 character it would be. Spans
/// count in the text that is returned, which is longer than `source` by such bytes. In the text
/// of an error the offending byte is replaced in the same way.
///
/// # Errors
///
/// [`SyntaxError::TooLong`] and [`SyntaxError::InvalidByte`], with the text as far as it can be
/// shown.
pub fn decode(source: &[u8]) -> Result<Cow<'_, str>, (SyntaxError, String)> {
    if u32::try_from(source.len()).is_err() {
        return Err((SyntaxError::TooLong { bytes: source.len() }, String::new()));
    }
    if let Ok(text) = str::from_utf8(source) {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = String::with_capacity(source.len() + source.len() / 8);
    let mut error = None;
    let mut in_comment = false;
    for chunk in source.utf8_chunks() {
        text.push_str(chunk.valid());
        in_comment = in_comment_after(chunk.valid(), in_comment);
        for &byte in chunk.invalid() {
            let start = text.len();
            text.push(match byte {
                // Latin-1 has only control characters there.
                0x80..=0x9f => char::REPLACEMENT_CHARACTER,
                _ => char::from(byte),
            });
            // The first error is the one that counts; the rest is only decoded for display.
            if error.is_none() && !in_comment {
                error = Some((byte, start..text.len()));
            }
        }
    }
    if u32::try_from(text.len()).is_err() {
        return Err((SyntaxError::TooLong { bytes: text.len() }, String::new()));
    }
    match error {
        None => Ok(Cow::Owned(text)),
        Some((byte, range)) => {
            let span = Span::new(range.start, range.end);
            Err((SyntaxError::InvalidByte { byte, span }, text))
        }
    }
}

/// Whether the text goes on in a comment after `part`, given whether it was in one before.
fn in_comment_after(part: &str, in_comment: bool) -> bool {
    part.bytes().fold(in_comment, |in_comment, byte| match byte {
        b'\n' | b'\r' => false,
        b';' => true,
        _ => in_comment,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_in_comments_is_read() {
        let text = decode(b"(a) ; J\xfcrgen \x93x\x94\n(b)").expect("only a comment is odd");
        assert_eq!(text, "(a) ; Jürgen \u{fffd}x\u{fffd}\n(b)");
    }

    #[test]
    fn utf_8_is_borrowed() {
        assert!(matches!(decode("(é)".as_bytes()), Ok(Cow::Borrowed("(é)"))));
    }

    #[test]
    fn other_bytes_elsewhere_are_errors() {
        let (error, text) = decode(b"; \xe9\n(J\xfcr \xe9)").expect_err("a word is odd");
        assert_eq!(error, SyntaxError::InvalidByte { byte: 0xfc, span: Span::new(7, 9) });
        assert_eq!(text, "; é\n(Jür é)");
        assert!(error.to_string().contains("0xFC"));
    }
}
