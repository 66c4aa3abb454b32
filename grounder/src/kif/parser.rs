//! From tokens to trees.

use super::{Lexer, NodeId, Sexprs, Span, SyntaxError, TokenKind};

/// How deep lists may be nested where nothing else is given.
pub const DEFAULT_NESTING: usize = 256;

/// Reads the trees of a text one after the other.
#[derive(Clone, Debug)]
pub struct Parser<'s> {
    lexer: Lexer<'s>,
    max_nesting: usize,
    /// The lists that are open, outermost first.
    open: Vec<NodeId>,
    /// The opening parenthesis of the last list that was read completely.
    previous: Option<Span>,
}

impl<'s> Parser<'s> {
    /// Starts at the beginning of `source`, a text that [`super::decode`] has let pass.
    #[must_use]
    pub fn new(source: &'s str, max_nesting: usize) -> Self {
        Self { lexer: Lexer::new(source), max_nesting, open: Vec::new(), previous: None }
    }

    /// Reads one outermost list or word and adds it to `trees`; `None` at the end of the text.
    ///
    /// # Errors
    ///
    /// The next [`SyntaxError`] of the text; there is no use in reading on after it.
    pub fn read(&mut self, trees: &mut Sexprs) -> Result<Option<NodeId>, SyntaxError> {
        self.open.clear();
        let mut next_statement = NextStatement::default();
        while let Some(token) = self.lexer.next_token()? {
            match token.kind {
                TokenKind::Word => {
                    let word = trees.add_word(token.span);
                    if self.open.is_empty() {
                        return Ok(Some(word));
                    }
                }
                TokenKind::Open => {
                    if self.open.len() >= self.max_nesting {
                        return Err(SyntaxError::TooDeep {
                            limit: self.max_nesting,
                            span: token.span,
                        });
                    }
                    if !self.open.is_empty() {
                        next_statement.see(self.lexer.source(), token.span);
                    }
                    self.open.push(trees.open_list(token.span));
                }
                TokenKind::Close => {
                    let Some(list) = self.open.pop() else {
                        return Err(SyntaxError::Unopened {
                            span: token.span,
                            previous: self.previous,
                        });
                    };
                    trees.close_list(list, token.span.end);
                    if self.open.is_empty() {
                        let start = trees.span(list).start;
                        self.previous = Some(Span { start, end: start + 1 });
                        return Ok(Some(list));
                    }
                }
            }
        }
        match self.open.first() {
            None => Ok(None),
            Some(&list) => Err(SyntaxError::Unclosed {
                missing: self.open.len(),
                span: trees.span(list),
                next: next_statement.place(),
            }),
        }
    }
}

impl Sexprs {
    /// Reads all of a text that [`super::decode`] has let pass.
    ///
    /// # Errors
    ///
    /// The first [`SyntaxError`] of the text.
    pub fn parse(source: &str, max_nesting: usize) -> Result<Self, SyntaxError> {
        let mut parser = Parser::new(source, max_nesting);
        let mut trees = Self::new();
        while parser.read(&mut trees)?.is_some() {}
        Ok(trees)
    }
}

/// Where, inside a list, the next statement seems to start: at a parenthesis in the first column.
/// Some descriptions write the literals of a rule there as well, so a rule counts for more.
#[derive(Default)]
struct NextStatement {
    rule: Option<Span>,
    list: Option<Span>,
}

impl NextStatement {
    fn see(&mut self, source: &str, open: Span) {
        let (before, from) = source.split_at(open.start as usize);
        if before.ends_with(['\n', '\r']) {
            self.list.get_or_insert(open);
            if from[1..].trim_start().starts_with("<=") {
                self.rule.get_or_insert(open);
            }
        }
    }

    fn place(&self) -> Option<Span> {
        self.rule.or(self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(source: &str) -> Result<Sexprs, SyntaxError> {
        Sexprs::parse(source, DEFAULT_NESTING)
    }

    /// Writes trees out again with one space between nodes.
    fn show(source: &str, trees: &Sexprs, nodes: super::super::Children<'_>) -> String {
        let show_one = |node| match trees.is_list(node) {
            true => format!("({})", show(source, trees, trees.children(node))),
            false => trees.span(node).text(source).to_owned(),
        };
        nodes.map(show_one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn builds_the_tree_of_the_text() {
        let source = "a(b(c d)( ) e ;)\n)f";
        let trees = parse(source).expect("balanced");
        assert_eq!(show(source, &trees, trees.roots()), "a (b (c d) () e) f");
        let list = trees.roots().nth(1).expect("there are three");
        assert_eq!(trees.span(list), Span::new(1, 18));
        assert_eq!(trees.children(list).count(), 4);
    }

    #[test]
    fn too_deep_is_an_error_at_the_first_parenthesis_too_deep() {
        let deep = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
        assert!(parse(&deep(256)).is_ok());
        let error = SyntaxError::TooDeep { limit: 256, span: Span::new(256, 257) };
        assert_eq!(parse(&deep(257)).expect_err("too deep"), error);
        assert_eq!(parse(&deep(1_000_000)).expect_err("too deep"), error);
        assert!(Sexprs::parse(&deep(1_000_000), usize::MAX).is_ok());
    }

    fn unclosed(source: &str) -> (usize, u32, Option<u32>) {
        match parse(source) {
            Err(SyntaxError::Unclosed { missing, span, next }) => {
                (missing, span.start, next.map(|next| next.start))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_missing_parenthesis_points_at_the_statement() {
        assert_eq!(unclosed("(a)\n(b (c)\n(d)\n"), (1, 4, Some(11)));
        assert_eq!(unclosed("(a"), (1, 0, None));
        assert_eq!(unclosed("(a (b (c"), (3, 0, None));
    }

    #[test]
    fn a_rule_in_the_first_column_is_the_likeliest_next_statement() {
        assert_eq!(unclosed("(<= (a)\n(b\n(c))\n(<= (d)\n(e))"), (1, 0, Some(16)));
    }

    #[test]
    fn a_parenthesis_too_many_is_an_error_at_its_place() {
        let error = parse("(a)\n (b))\n(c)").expect_err("one too many");
        let (span, previous) = (Span::new(8, 9), Some(Span::new(5, 6)));
        assert_eq!(error, SyntaxError::Unopened { span, previous });
        let error = parse(" )").expect_err("one too many");
        assert_eq!(error, SyntaxError::Unopened { span: Span::new(1, 2), previous: None });
    }
}
