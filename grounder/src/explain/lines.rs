//! Line numbers of many places in one text.

use crate::kif::Span;

/// Where each line of a text begins.
pub(super) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub(super) fn new(source: &str) -> Self {
        let bytes = source.as_bytes();
        let ends_line = |&(at, &byte): &(usize, &u8)| {
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let after = bytes.iter().enumerate().filter(ends_line).map(|(at, _)| at as u32 + 1);
        Lines { starts: std::iter::once(0).chain(after).collect() }
    }

    /// Where a rule comes from, in words.
    pub(super) fn origin(&self, span: Span) -> String {
        if span == Span::default() {
            return "connects the domains".to_owned();
        }
        format!("line {}", self.starts.partition_point(|&start| start <= span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_that_messages_count() {
        let source = "a\nb\r\nc\rd";
        let lines = Lines::new(source);
        for at in 1..source.len() {
            let expected = format!("line {}", crate::kif::locate(source, at as u32).line);
            assert_eq!(lines.origin(Span::new(at, at + 1)), expected, "{at}");
        }
    }
}
