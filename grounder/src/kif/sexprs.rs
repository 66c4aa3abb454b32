//! Trees of lists and words.

use super::Span;

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

    pub(super) fn add_word(&mut self, span: Span) -> NodeId {
        self.add(TreeNode { span, size: 0 })
    }

    pub(super) fn open_list(&mut self, span: Span) -> NodeId {
        self.add(TreeNode { span, size: 1 })
    }

    /// Ends a list: all nodes added since belong to it.
    pub(super) fn close_list(&mut self, list: NodeId, end: u32) {
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
