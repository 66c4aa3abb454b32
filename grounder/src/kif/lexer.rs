//! From the bytes of a file to text, and from text to parentheses and words.

use std::borrow::Cow;

use super::{Span, SyntaxError};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything else up to white space, a parenthesis or a comment.
    Word,
}

/// A parenthesis or a word, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its place.
    pub span: Span,
}

/// What a byte outside of comments does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Part of a word.
    Word,
    Space,
    Open,
    Close,
    /// The start of a comment.
    Comment,
    /// A control character.
    Control,
    /// Part of a longer character, which decides.
    Wide,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Word; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte < 0x20 || byte == 0x7f {
            classes[byte] = Class::Control;
        } else if byte >= 0x80 {
            classes[byte] = Class::Wide;
        }
        byte += 1;
    }
    // Space, tab, line feed, vertical tab, form feed, carriage return.
    let spaces = *b" \t\n\x0b\x0c\r";
    let mut at = 0;
    while at < spaces.len() {
        classes[spaces[at] as usize] = Class::Space;
        at += 1;
    }
    classes[b'(' as usize] = Class::Open;
    classes[b')' as usize] = Class::Close;
    classes[b';' as usize] = Class::Comment;
    classes
};

/// Splits a text into tokens, leaving white space, comments and a byte order mark out.
#[derive(Clone, Debug)]
pub struct Lexer<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Lexer<'s> {
    /// Starts at the beginning of `source`, a text that [`super::decode`] has let pass.
    #[must_use]
    pub fn new(source: &'s str) -> Self {
        let at = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { source, at }
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// The next token, or `None` at the end of the text.
    ///
    /// # Errors
    ///
    /// [`SyntaxError::InvisibleCharacter`] for control characters and the like.
    pub fn next_token(&mut self) -> Result<Option<Token>, SyntaxError> {
        let bytes = self.source.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let kind = match CLASSES[usize::from(byte)] {
                Class::Space => {
                    self.at += 1;
                    continue;
                }
                Class::Comment => {
                    let rest = &bytes[self.at..];
                    let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                    self.at += length.unwrap_or(rest.len());
                    continue;
                }
                Class::Wide if self.wide_space()? => continue,
                Class::Open => TokenKind::Open,
                Class::Close => TokenKind::Close,
                Class::Word | Class::Wide | Class::Control => TokenKind::Word,
            };
            let start = self.at;
            match kind {
                TokenKind::Open | TokenKind::Close => self.at += 1,
                TokenKind::Word => self.word()?,
            }
            return Ok(Some(Token { kind, span: Span::new(start, self.at) }));
        }
        Ok(None)
    }

    /// Goes to the end of the word that starts here.
    fn word(&mut self) -> Result<(), SyntaxError> {
        let bytes = self.source.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match CLASSES[usize::from(byte)] {
                Class::Word => self.at += 1,
                Class::Control => return Err(self.invisible(char::from(byte))),
                Class::Wide => {
                    let character = self.wide();
                    if character.is_whitespace() {
                        break;
                    }
                    if is_invisible(character) {
                        return Err(self.invisible(character));
                    }
                    self.at += character.len_utf8();
                }
                Class::Space | Class::Open | Class::Close | Class::Comment => break,
            }
        }
        Ok(())
    }

    /// Skips the character here if it is white space outside of ASCII, such as a no-break space.
    fn wide_space(&mut self) -> Result<bool, SyntaxError> {
        let character = self.wide();
        if is_invisible(character) {
            return Err(self.invisible(character));
        }
        if character.is_whitespace() {
            self.at += character.len_utf8();
            return Ok(true);
        }
        Ok(false)
    }

    fn wide(&self) -> char {
        self.source[self.at..].chars().next().expect("there is a byte here")
    }

    fn invisible(&self, character: char) -> SyntaxError {
        let span = Span::new(self.at, self.at + character.len_utf8());
        SyntaxError::InvisibleCharacter { character, span }
    }
}

/// Whether a character beyond ASCII would change a name without anybody seeing it: control
/// characters, those that set the direction of text, joiners and byte order marks.
fn is_invisible(character: char) -> bool {
    (character.is_control() && !character.is_whitespace())
        || matches!(character,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

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

    fn words(source: &str) -> Result<Vec<&str>, SyntaxError> {
        let mut lexer = Lexer::new(source);
        let mut words = Vec::new();
        while let Some(token) = lexer.next_token()? {
            words.push(token.span.text(source));
        }
        Ok(words)
    }

    #[test]
    fn splits_at_white_space_parentheses_and_comments() {
        assert_eq!(
            words("(<= (p ?n++)x;c ( \r\n\t\x0c++ 01)"),
            Ok(vec!["(", "<=", "(", "p", "?n++", ")", "x", "++", "01", ")"])
        );
        assert_eq!(words("; nothing but a comment"), Ok(vec![]));
        assert_eq!(words("\u{feff}(a)"), Ok(vec!["(", "a", ")"]));
    }

    #[test]
    fn a_carriage_return_ends_a_comment() {
        assert_eq!(words("a ; b\rc"), Ok(vec!["a", "c"]));
    }

    #[test]
    fn other_letters_and_spaces_are_what_they_look_like() {
        assert_eq!(words("größe\u{a0}π\u{3000}x"), Ok(vec!["größe", "π", "x"]));
        assert_eq!(words("\u{2009}x\u{85}"), Ok(vec!["x"]));
    }

    #[test]
    fn invisible_characters_are_errors() {
        for (source, character, start) in [
            ("(a \0)", '\0', 3),
            ("(a\x1b)", '\x1b', 2),
            ("a\u{200b}", '\u{200b}', 1),
            ("a \u{feff}", '\u{feff}', 2),
            ("\u{9b}", '\u{9b}', 0),
            ("\x7f", '\x7f', 0),
        ] {
            let span = Span::new(start, start + character.len_utf8());
            assert_eq!(words(source), Err(SyntaxError::InvisibleCharacter { character, span }));
        }
        assert_eq!(words("a ; \0\x1b\u{200b}"), Ok(vec!["a"]));
    }

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
