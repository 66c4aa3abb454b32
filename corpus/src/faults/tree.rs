//! Just enough of a reader to find the places in a description where something can be broken.

use std::ops::Range;

/// A word or a list, with its place in the text.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) range: Range<usize>,
    /// The parts of a list; `None` for a word.
    pub(super) parts: Option<Vec<Node>>,
}

impl Node {
    /// The parts of a list; none for a word.
    pub(super) fn parts(&self) -> &[Node] {
        self.parts.as_deref().unwrap_or_default()
    }

    /// The word, or the first word of the list.
    pub(super) fn name<'t>(&self, text: &'t str) -> &'t str {
        match self.parts() {
            [] => &text[self.range.clone()],
            [first, ..] => &text[first.range.clone()],
        }
    }

    /// The node and all inside it.
    pub(super) fn all(&self) -> Vec<&Node> {
        let mut found = vec![self];
        let mut next = 0;
        while let Some(node) = found.get(next).copied() {
            found.extend(node.parts());
            next += 1;
        }
        found
    }
}

/// The statements of a text. Parentheses without a counterpart are passed over.
pub(super) fn read(text: &str) -> Vec<Node> {
    let mut open: Vec<(usize, Vec<Node>)> = vec![(0, Vec::new())];
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b';' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            b'(' => open.push((start, Vec::new())),
            b')' if open.len() > 1 => {
                let (start, parts) = open.pop().expect("more than one");
                let node = Node { range: start..at, parts: Some(parts) };
                open.last_mut().expect("the outermost is left").1.push(node);
            }
            byte if byte.is_ascii_whitespace() || byte == b')' => {}
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"();".contains(byte);
                at = bytes[start..].iter().position(ends).map_or(bytes.len(), |it| start + it);
                let node = Node { range: start..at, parts: None };
                open.last_mut().expect("the outermost is never closed").1.push(node);
            }
        }
    }
    open.swap_remove(0).1
}
