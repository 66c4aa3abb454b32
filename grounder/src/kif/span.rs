//! Places in a text.

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
