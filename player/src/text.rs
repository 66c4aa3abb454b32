//! Terms as text: the same term is always written the same way.

use groundfrog::kif::{Lexer, NodeId, Sexprs, SyntaxError, TokenKind, decode};

/// How deep lists may be nested in a message. That of a description is limited when it is read.
const NESTING: usize = 512;

/// Writes tokens with one space where one is needed, so that `( mark 1 1 )` becomes `(mark 1 1)`; comments are left out. `None` if the text
/// has a character that KIF does not allow.
pub fn compact(text: &str) -> Option<String> {
    compact_with(text, str::to_owned)
}

/// As [`compact`], with each word replaced.
pub fn compact_with(text: &str, mut word: impl FnMut(&str) -> String) -> Option<String> {
    let text = decode(text.as_bytes()).ok()?;
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    let mut lexer = Lexer::new(&text);
    while let Some(token) = lexer.next_token().ok()? {
        match token.kind {
            TokenKind::Close => {
                out.push(')');
                space = true;
            }
            TokenKind::Open | TokenKind::Word => {
                if space {
                    out.push(' ');
                }
                space = token.kind == TokenKind::Word;
                match token.kind {
                    TokenKind::Word => out.push_str(&word(token.span.text(&text))),
                    _ => out.push('('),
                }
            }
        }
    }
    Some(out)
}

/// The first word or list of a text, and what stands behind it without white space around; `None` if there is no whole one.
pub fn first_expression(text: &str) -> Option<(&str, &str)> {
    let mut lexer = Lexer::new(text);
    let (mut depth, mut start) = (0usize, None);
    while let Some(token) = lexer.next_token().ok()? {
        let range = token.span.range();
        let begin = *start.get_or_insert(range.start);
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.checked_sub(1)?,
            TokenKind::Word => {}
        }
        if depth == 0 {
            let end = range.end;
            return Some((text.get(begin..end)?, text.get(end..)?.trim()));
        }
    }
    None
}

/// The elements of a list that is written in parentheses, each as [`compact`] writes it; `NIL` and `()` are empty.
/// A word alone is a list of one.
pub fn elements(text: &str) -> Option<Vec<String>> {
    let trees = parse(text).ok()?;
    let mut roots = trees.roots();
    let root = roots.next().filter(|_| roots.next().is_none())?;
    elements_of(text, &trees, root)
}

/// The same of a tree of a text.
pub fn elements_of(text: &str, trees: &Sexprs, node: NodeId) -> Option<Vec<String>> {
    if trees.is_list(node) {
        trees.children(node).map(|it| compact(trees.span(it).text(text))).collect()
    } else {
        let word = trees.span(node).text(text);
        Some(if is_nil(word) { Vec::new() } else { vec![word.to_owned()] })
    }
}

/// The trees of a text.
pub fn parse(text: &str) -> Result<Sexprs, SyntaxError> {
    Sexprs::parse(text, NESTING)
}

/// Whether a word says that there is nothing.
pub fn is_nil(word: &str) -> bool {
    word.eq_ignore_ascii_case("nil")
}

/// Counts parentheses in a text that comes in pieces, each of which is looked at once.
#[derive(Debug, Default)]
pub struct Parentheses {
    depth: usize,
    /// Whether there is anything but white space and comments.
    begun: bool,
    in_comment: bool,
    /// Whether a list has been closed.
    closed: bool,
    /// Whether more were closed than opened: what comes then will not make it better.
    broken: bool,
}

impl Parentheses {
    /// Goes on with the next piece.
    pub fn read(&mut self, piece: &[u8]) {
        for &byte in piece {
            match byte {
                b'\n' | b'\r' => self.in_comment = false,
                _ if self.in_comment => {}
                b';' => self.in_comment = true,
                b'(' => {
                    self.depth += 1;
                    self.begun = true;
                }
                b')' => {
                    self.broken |= self.depth == 0;
                    self.depth = self.depth.saturating_sub(1);
                    self.closed = true;
                }
                _ => self.begun |= !byte.is_ascii_whitespace(),
            }
        }
    }

    /// Whether a list is open, so that more has to come.
    pub fn is_open(&self) -> bool {
        self.depth > 0 && !self.broken
    }

    /// Whether a list has ended and none is open.
    pub fn has_ended(&self) -> bool {
        self.closed && self.depth == 0 && !self.broken
    }

    /// Whether there is something, and no list is open.
    pub fn is_complete(&self) -> bool {
        self.broken || (self.begun && self.depth == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_comments_mean_nothing() {
        assert_eq!(compact("( mark\r\n\t1 ; here\n 1 )").as_deref(), Some("(mark 1 1)"));
        assert_eq!(compact("(f(g a)b)(c)").as_deref(), Some("(f (g a) b) (c)"));
        assert_eq!(compact(" noop ").as_deref(), Some("noop"));
        assert_eq!(compact("a\u{1}b"), None);
    }

    #[test]
    fn lists_are_taken_apart() {
        let all = |text| elements(text).unwrap_or_default();
        assert_eq!(all("( ( mark 1 1 ) noop )"), ["(mark 1 1)", "noop"]);
        assert!(all("NIL").is_empty() && all("nil").is_empty() && all("()").is_empty());
        assert_eq!(all("noop"), ["noop"]);
        assert_eq!(elements("(a"), None);
        assert_eq!(elements("a b"), None);
    }

    #[test]
    fn the_first_expression_is_taken_off() {
        assert_eq!(
            first_expression(" (mark (a 1) 2) (why \"so :)\") "),
            Some(("(mark (a 1) 2)", "(why \"so :)\")"))
        );
        assert_eq!(first_expression("noop"), Some(("noop", "")));
        for none in ["", "(mark 1", "))(("] {
            assert_eq!(first_expression(none), None);
        }
    }

    #[test]
    fn parentheses_are_counted_outside_of_comments() {
        let states = |text: &str| {
            let mut whole = Parentheses::default();
            whole.read(text.as_bytes());
            let mut pieces = Parentheses::default();
            text.as_bytes().chunks(1).for_each(|it| pieces.read(it));
            let state = |it: &Parentheses| (it.is_open(), it.has_ended(), it.is_complete());
            assert_eq!(state(&whole), state(&pieces), "{text}");
            state(&whole)
        };
        assert_eq!(states("(a (b) ; )))\n"), (true, false, false));
        assert_eq!(states("(a (b))"), (false, true, true));
        assert_eq!(states("ping"), (false, false, true));
        assert_eq!(states("  \n"), (false, false, false));
        assert_eq!(states("a)"), (false, false, true));
    }
}
