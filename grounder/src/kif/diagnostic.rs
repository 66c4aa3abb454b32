//! What is reported about a text, errors and warnings as plain data, and places in it; what can be wrong with its notation.

use std::fmt;

use thiserror::Error;

use crate::visible::{WrittenBy, is_visible, visible, visible_lines};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is wrong; it may be of use to know.
    Note,
    /// The text can be used, but may not mean what its author thinks.
    Warning,
    /// The text cannot be used.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The codes of errors that report a bound of this program.
const BOUNDS: [&str; 5] = ["GF0001", "GF0004", "GF0301", "GF0309", "GF0310"];

/// A remark about one place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark; empty where the message says everything.
    pub text: String,
}

/// An error or a warning about a text, not yet laid out for any reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A fixed name such as `GF0001`: errors of notation are `GF00xx`, errors of statements
    /// `GF01xx`, warnings about a whole description `GF02xx`.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where: the place of the message first, then the places that have to do with it.
    pub labels: Vec<Label>,
    /// Further remarks and advice.
    pub help: Vec<String>,
    /// What tells the finding that this one follows from, if it does from another.
    pub follows: Option<Identity>,
}

/// What tells a finding from others about the same text: its code, its place and its message.
pub type Identity = (&'static str, Span, String);

impl Diagnostic {
    /// An error about one place.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Error, code, message.into(), span)
    }

    /// A warning about one place.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Warning, code, message.into(), span)
    }

    /// A note about one place.
    #[must_use]
    pub fn note(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Note, code, message.into(), span)
    }

    fn new(severity: Severity, code: &'static str, message: String, span: Span) -> Self {
        let labels = vec![Label { span, text: String::new() }];
        Self { severity, code, message, labels, help: Vec::new(), follows: None }
    }

    /// This diagnostic with a remark at its own place.
    #[must_use]
    pub fn with_remark(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    /// This diagnostic with a remark about one more place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// This diagnostic with one more piece of advice.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Whether this follows from another finding.
    #[must_use]
    pub fn follows_from(&self, cause: &Diagnostic) -> bool {
        self.follows.as_ref().is_some_and(|it| {
            (it.0, it.1, it.2.as_str()) == (cause.code, cause.span(), cause.message.as_str())
        })
    }

    /// What tells this finding from others.
    #[must_use]
    pub fn identity(&self) -> Identity {
        (self.code, self.span(), self.message.clone())
    }

    /// The place of the message.
    #[must_use]
    pub fn span(&self) -> Span {
        self.labels.first().map_or_else(Span::default, |label| label.span)
    }

    /// Whether it reports a bound of this program that was exceeded, rather than of a fault of the text: too much text,
    /// nesting that is too deep, a rule that is too long or stands for too many, too many shapes of terms.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.severity == Severity::Error && BOUNDS.contains(&self.code)
    }

    /// Shows the message as `name:line:column: message`, on one line. `source` must be the text
    /// that the diagnostic is about and `name` what the reader calls it.
    pub fn display<'a>(&'a self, name: &'a str, source: &'a str) -> impl fmt::Display + 'a {
        WrittenBy(move |f: &mut fmt::Formatter<'_>| {
            let place = locate(source, self.span().start);
            write!(f, "{}:{place}: {}", visible(name), visible_lines(&self.message))
        })
    }

    /// The message, the line of the text that it is about with its place underlined, and advice: several lines without
    /// colours. `name` is what the text is called, `source` the text that the places count in. Long lines are clipped.
    #[must_use]
    pub fn snippet(&self, name: &str, source: &str) -> String {
        /// How much of a line is shown, in characters.
        const WIDTH: usize = 120;
        let mut text = format!("{}\n", self.display(name, source));
        let Some(label) = self.labels.first().filter(|it| it.span != Span::default()) else {
            return text;
        };
        let place = locate(source, label.span.start);
        let line = source.lines().nth(place.line as usize - 1).unwrap_or_default();
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let column = place.column as usize - 1;
        let first = column.saturating_sub(WIDTH / 2);
        // Each character as one that is seen: places are counted.
        let shown = line.chars().skip(first).take(WIDTH);
        let shown: String = shown
            .map(|it| match it {
                '\t' => ' ',
                it if is_visible(it) => it,
                _ => '\u{fffd}',
            })
            .collect();
        let length = source
            .get(label.span.start as usize..label.span.end as usize)
            .map_or(1, |it| it.lines().next().unwrap_or_default().chars().count());
        let rest = shown.chars().count().saturating_sub(column - first);
        let marks = "^".repeat(length.clamp(1, rest.max(1)));
        let number = place.line.to_string();
        let margin = " ".repeat(number.len());
        let remark = match label.text.is_empty() {
            true => String::new(),
            false => format!(" {}", visible_lines(&label.text)),
        };
        text += &format!("{margin} |\n{number} | {shown}\n");
        text += &format!("{margin} | {}{marks}{remark}\n", " ".repeat(column - first));
        for help in &self.help {
            text += &format!("{margin} = help: {}\n", visible_lines(help));
        }
        text
    }
}

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

/// A range of byte offsets in a text: `start` belongs to it, `end` does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`.
    ///
    /// # Panics
    ///
    /// If an offset does not fit 32 bits. [`super::decode`] lets no text pass that is so long.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let offset = |offset| u32::try_from(offset).expect("a text is shorter than 4 GiB");
        Self { start: offset(start), end: offset(end) }
    }

    /// The part of `source` that lies in the range.
    ///
    /// # Panics
    ///
    /// If the range is not one of this text.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        &source[self.range()]
    }

    /// The range as one of the standard library, to slice with.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as a person counts it; written `line:column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

impl std::fmt::Display for LineColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The line and column of a byte offset. An offset past the end counts as the end.
///
/// Lines end with `\n`, `\r\n` or `\r`. A byte order mark takes no column.
#[must_use]
pub fn locate(source: &str, offset: u32) -> LineColumn {
    let mut offset = source.len().min(offset as usize);
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &source[..offset];
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let bytes = before.as_bytes();
    let ends_line = |&(at, &byte): &(usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => source.as_bytes().get(offset - bytes.len() + at + 1) != Some(&b'\n'),
        _ => false,
    };
    let mut line = 1;
    let mut line_start = 0;
    for (at, _) in bytes.iter().enumerate().filter(ends_line) {
        line += 1;
        line_start = at + 1;
    }
    let column = u32::try_from(before[line_start..].chars().count() + 1)
        .expect("a line is no longer than the offset, which has 32 bits");
    LineColumn { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_name_line_column_and_message() {
        let diagnostic = Diagnostic::error("GF0000", "too odd", Span::new(3, 4))
            .with_remark("this one")
            .with_label(Span::new(0, 1), "unlike this");
        assert_eq!(diagnostic.display("a.kif", "a\nb c").to_string(), "a.kif:2:2: too odd");
        assert_eq!(diagnostic.labels[0].text, "this one");
        assert_eq!(diagnostic.labels[1].text, "unlike this");
    }

    fn at(source: &str, offset: u32) -> String {
        locate(source, offset).to_string()
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(at("", 0), "1:1");
        assert_eq!(at("ab\ncd", 1), "1:2");
        assert_eq!(at("ab\ncd", 2), "1:3");
        assert_eq!(at("ab\ncd", 3), "2:1");
        assert_eq!(at("ab\ncd", 99), "2:3");
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(at("é(", 2), "1:2");
        assert_eq!(at("é(", 1), "1:1");
        assert_eq!(at("\u{feff}(a", 4), "1:2");
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        assert_eq!(at("a\r\nb", 3), "2:1");
        assert_eq!(at("a\rb", 2), "2:1");
        assert_eq!(at("a\r\nb", 2), "1:3");
        assert_eq!(at("\u{feff}a\r\rb", 6), "3:1");
    }
}
