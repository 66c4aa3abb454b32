//! What can be wrong with the notation of a text.

use thiserror::Error;

use super::{Diagnostic, Span};

/// Why a text is not KIF.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxError {
    /// The text has 4 GiB or more, so that offsets do not fit 32 bits.
    #[error("the text must be shorter than 4 GiB")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Outside of comments there is a byte that is not part of UTF-8 text.
    #[error("the byte 0x{byte:02X} is not valid UTF-8 (only comments may hold such bytes)")]
    InvalidByte {
        /// The byte.
        byte: u8,
        /// The character that stands for it in the decoded text.
        span: Span,
    },
    /// Outside of comments there is a character that nobody can see.
    #[error("the invisible character U+{:04X} is not allowed outside of comments", u32::from(*.character))]
    InvisibleCharacter {
        /// The character.
        character: char,
        /// Its place.
        span: Span,
    },
    /// Lists are nested deeper than allowed.
    #[error("lists are nested more than {limit} deep")]
    TooDeep {
        /// The deepest nesting allowed.
        limit: usize,
        /// The first parenthesis too deep.
        span: Span,
    },
    /// A list is still open at the end of the text.
    #[error("this parenthesis is never closed: {missing} `)` missing")]
    Unclosed {
        /// How many lists are open at the end.
        missing: usize,
        /// The opening parenthesis of the statement that has no end.
        span: Span,
        /// The opening parenthesis of what looks like the next statement.
        next: Option<Span>,
    },
    /// There is a closing parenthesis where nothing is open.
    #[error("this `)` closes nothing")]
    Unopened {
        /// The parenthesis.
        span: Span,
        /// The opening parenthesis of the list that ended before it.
        previous: Option<Span>,
    },
}

impl SyntaxError {
    /// The error's fixed name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "GF0001",
            Self::InvalidByte { .. } => "GF0002",
            Self::InvisibleCharacter { .. } => "GF0003",
            Self::TooDeep { .. } => "GF0004",
            Self::Unclosed { .. } => "GF0005",
            Self::Unopened { .. } => "GF0006",
        }
    }

    /// Where the error is.
    #[must_use]
    pub fn span(&self) -> Span {
        match *self {
            Self::TooLong { .. } => Span::default(),
            Self::InvalidByte { span, .. }
            | Self::InvisibleCharacter { span, .. }
            | Self::TooDeep { span, .. }
            | Self::Unclosed { span, .. }
            | Self::Unopened { span, .. } => span,
        }
    }
}

impl From<&SyntaxError> for Diagnostic {
    fn from(error: &SyntaxError) -> Self {
        let diagnostic = Diagnostic::error(error.code(), error.to_string(), error.span());
        match *error {
            SyntaxError::InvalidByte { byte: 0xfe | 0xff, .. } => {
                diagnostic.with_help("if the file is in UTF-16, save it in UTF-8")
            }
            SyntaxError::InvalidByte { .. } => diagnostic.with_help("save the file in UTF-8"),
            SyntaxError::InvisibleCharacter { character: '\0', .. } => {
                diagnostic.with_help("if the file is in UTF-16, save it in UTF-8")
            }
            SyntaxError::InvisibleCharacter { .. } => diagnostic
                .with_help("it would be part of the name it touches; delete it or write a space"),
            SyntaxError::Unclosed { next: Some(next), .. } => diagnostic
                .with_label(next, "this looks like the next statement, but is still inside")
                .with_help("most likely a `)` is missing before it"),
            SyntaxError::Unopened { previous: Some(previous), .. } => diagnostic
                .with_label(previous, "the list that starts here had already ended")
                .with_help("either this `)` is one too many or a `(` is missing before it"),
            _ => diagnostic,
        }
    }
}
