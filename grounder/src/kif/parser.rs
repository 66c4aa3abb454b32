//! From tokens to trees of lists and words.

use super::{Lexer, Span, SyntaxError, TokenKind};

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

/// A list or a word of [`Sexprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    span: Span,
    /// How many nodes the list has, itself and all below included; 0 for a word.
    size: u32,
}

/// Trees of lists and words, each with its place in the text.
///
/// The nodes are stored in the order of the text, each list before its members, so that a list's
/// members are found by stepping over whole subtrees and a node takes 12 bytes.
#[derive(Clone, Debug, Default)]
pub struct Sexprs {
    nodes: Vec<TreeNode>,
}

impl Sexprs {
    /// No trees.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes all trees away and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// The outermost lists and words.
    #[must_use]
    pub fn roots(&self) -> Children<'_> {
        Children { trees: self, next: 0, end: self.next_id() }
    }

    /// The members of a list; none for a word.
    #[must_use]
    pub fn children(&self, node: NodeId) -> Children<'_> {
        Children { trees: self, next: node.0 + 1, end: node.0 + self.node(node).size.max(1) }
    }

    /// Whether a node is a list.
    #[must_use]
    pub fn is_list(&self, node: NodeId) -> bool {
        self.node(node).size > 0
    }

    /// Where a node stands; a list's place includes its parentheses.
    #[must_use]
    pub fn span(&self, node: NodeId) -> Span {
        self.node(node).span
    }

    fn add_word(&mut self, span: Span) -> NodeId {
        self.add(TreeNode { span, size: 0 })
    }

    fn open_list(&mut self, span: Span) -> NodeId {
        self.add(TreeNode { span, size: 1 })
    }

    /// Ends a list: all nodes added since belong to it.
    fn close_list(&mut self, list: NodeId, end: u32) {
        let size = self.next_id() - list.0;
        let node = &mut self.nodes[list.0 as usize];
        node.size = size;
        node.span.end = end;
    }

    fn add(&mut self, node: TreeNode) -> NodeId {
        let id = NodeId(self.next_id());
        self.nodes.push(node);
        id
    }

    fn next_id(&self) -> u32 {
        u32::try_from(self.nodes.len()).expect("fewer nodes than bytes of text")
    }

    fn node(&self, node: NodeId) -> &TreeNode {
        &self.nodes[node.0 as usize]
    }
}

/// The nodes that stand beside each other in one list, or outermost.
#[derive(Clone, Debug)]
pub struct Children<'t> {
    trees: &'t Sexprs,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let node = NodeId(self.next);
        self.next += self.trees.node(node).size.max(1);
        Some(node)
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
