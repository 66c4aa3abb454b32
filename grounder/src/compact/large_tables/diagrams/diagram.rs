//! Multi-valued decision diagrams: sets of assignments, each in one canonical way.
//!
//! A node uses the value of the variable of its *level* and has a child for each value; levels ascend
//! along every path. Nodes are made once, and none has the same child for all values, so that two nodes are
//! the same set exactly if they are the same number (Bryant 1986, for variables with many values as in Kam et
//! al. 1998). A node stands for what the values chosen before it still leave open, so what is the same from
//! there on is one node, however many assignments lead to it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Constants};

use crate::ticker::Ticker;

/// Levels of a diagram, or of definitions unfolded into each other: functions call themselves once a level. Protects the stack.
pub(super) const MOST_LEVELS: usize = 512;

/// Children that all operations on diagrams together may look at. Protects the memory.
const MOST_CHILDREN: u64 = 1 << 24;

/// A set of assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Node(u32);

impl Node {
    /// No assignment.
    pub(super) const FALSE: Node = Node(0);
    /// All assignments.
    pub(super) const TRUE: Node = Node(1);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The level of the two nodes that use nothing.
const BOTTOM: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Not,
}

/// All nodes over the same variables.
///
/// What would take too many steps gives nothing, as does what the limits of the run do not allow.
pub(super) struct Diagrams<'ticker, 'run> {
    /// By level: the constants that its variable can be, ascending.
    values: Vec<Vec<u32>>,
    /// By node.
    levels: Vec<u32>,
    /// By node: the first of its children.
    starts: Vec<u32>,
    children: Vec<Node>,
    /// By level and children.
    unique: FxHashMap<Box<[u32]>, Node>,
    applied: FxHashMap<(Operation, Node, Node), Node>,
    /// How many children may be looked at yet.
    steps: u64,
    pub(super) ticker: &'ticker mut Ticker<'run>,
}

impl<'ticker, 'run> Diagrams<'ticker, 'run> {
    /// No nodes yet; all operations together may look at `steps` children, or fewer.
    pub(super) fn new(ticker: &'ticker mut Ticker<'run>, steps: u64) -> Self {
        Diagrams {
            values: Vec::new(),
            levels: vec![BOTTOM; 2],
            starts: vec![0; 2],
            children: Vec::new(),
            unique: FxHashMap::default(),
            applied: FxHashMap::default(),
            steps: steps.min(MOST_CHILDREN),
            ticker,
        }
    }

    /// One more variable, which comes after all others. `values` are ascending.
    pub(super) fn add_level(&mut self, values: Vec<u32>) -> Option<u32> {
        let level = self.values.len();
        self.values.push(values);
        (level < MOST_LEVELS).then_some(level as u32)
    }

    /// The constants that the variable of a level can be.
    pub(super) fn values(&self, level: u32) -> &[u32] {
        &self.values[level as usize]
    }

    /// What is left of a node when the variable of a level, not after its own, has the value at a position.
    pub(super) fn child(&self, node: Node, level: u32, position: usize) -> Node {
        if self.levels[node.index()] == level {
            self.children[self.starts[node.index()] as usize + position]
        } else {
            node
        }
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        self.ticker.tick().ok()
    }

    fn node(&mut self, level: u32, children: &[Node]) -> Node {
        let Some(&first) = children.first() else { return Node::FALSE };
        if children.iter().all(|&it| it == first) {
            return first;
        }
        let key: Box<[u32]> =
            std::iter::once(level).chain(children.iter().map(|it| it.0)).collect();
        let next = Node(self.levels.len() as u32);
        let node = *self.unique.entry(key).or_insert(next);
        if node == next {
            self.levels.push(level);
            self.starts.push(self.children.len() as u32);
            self.children.extend_from_slice(children);
        }
        node
    }

    /// The assignments in both sets.
    pub(super) fn and(&mut self, left: Node, right: Node) -> Option<Node> {
        self.apply(Operation::And, left, right)
    }

    /// The assignments in one of two sets.
    pub(super) fn or(&mut self, left: Node, right: Node) -> Option<Node> {
        self.apply(Operation::Or, left, right)
    }

    /// The assignments in all sets.
    pub(super) fn all(&mut self, mut nodes: Vec<Node>) -> Option<Node> {
        self.sort(&mut nodes);
        nodes.into_iter().try_fold(Node::TRUE, |all, it| self.and(all, it))
    }

    /// Puts sets in an order in which their intersections stay small, whatever their order was: from the last variables
    /// to the first. What some of the last variables have to do with each other is complete, when an earlier one joins
    /// them; of many that have something to do with a few others each, there are more states.
    pub(super) fn sort(&self, nodes: &mut [Node]) {
        nodes.sort_by_cached_key(|&it| Reverse(self.support(it)));
    }

    /// The other assignments.
    pub(super) fn not(&mut self, node: Node) -> Option<Node> {
        self.apply(Operation::Not, node, node)
    }

    fn apply(&mut self, operation: Operation, left: Node, right: Node) -> Option<Node> {
        let (left, right) = (left.min(right), left.max(right));
        match (operation, left) {
            (Operation::Not, Node::FALSE) => return Some(Node::TRUE),
            (Operation::Not, Node::TRUE) => return Some(Node::FALSE),
            (Operation::Not, _) => {}
            (Operation::And, Node::FALSE) | (Operation::Or, Node::TRUE) => return Some(left),
            (Operation::And, Node::TRUE) | (Operation::Or, Node::FALSE) => return Some(right),
            _ if left == right => return Some(left),
            // FALSE comes first of all, TRUE next: neither is the second.
            _ => {}
        }
        let key = (operation, left, right);
        if let Some(&known) = self.applied.get(&key) {
            return Some(known);
        }
        let level = self.levels[left.index()].min(self.levels[right.index()]);
        let count = self.values(level).len();
        let mut children = Vec::with_capacity(count);
        for position in 0..count {
            self.step()?;
            let (left, right) =
                (self.child(left, level, position), self.child(right, level, position));
            children.push(self.apply(operation, left, right)?);
        }
        let node = self.node(level, &children);
        self.applied.insert(key, node);
        Some(node)
    }

    /// The assignments that are in a set with some value of a variable.
    pub(super) fn exists(&mut self, level: u32, node: Node) -> Option<Node> {
        self.project(level, node, &mut FxHashMap::default())
    }

    fn project(
        &mut self,
        eliminated: u32,
        node: Node,
        known: &mut FxHashMap<Node, Node>,
    ) -> Option<Node> {
        let level = self.levels[node.index()];
        if level > eliminated {
            return Some(node);
        }
        if let Some(&known) = known.get(&node) {
            return Some(known);
        }
        let count = self.values(level).len();
        let mut children = Vec::with_capacity(count);
        for position in 0..count {
            self.step()?;
            let child = self.child(node, level, position);
            children.push(self.project(eliminated, child, known)?);
        }
        let projected = if level == eliminated {
            children.iter().try_fold(Node::FALSE, |any, &it| self.or(any, it))?
        } else {
            self.node(level, &children)
        };
        known.insert(node, projected);
        Some(projected)
    }

    /// The levels that a set says something about.
    pub(super) fn support(&self, node: Node) -> BTreeSet<u32> {
        let (mut seen, mut agenda) = (BTreeSet::from([node]), vec![node]);
        let mut support = BTreeSet::new();
        while let Some(node) = agenda.pop() {
            let level = self.levels[node.index()];
            if level == BOTTOM {
                continue;
            }
            support.insert(level);
            let start = self.starts[node.index()] as usize;
            let children = &self.children[start..start + self.values(level).len()];
            agenda.extend(children.iter().filter(|&&it| seen.insert(it)));
        }
        support
    }

    /// The assignments for which arguments, whose variables are levels, are among some rows.
    pub(super) fn relation<'row>(
        &mut self,
        rows: impl Iterator<Item = Constants<'row>>,
        arguments: &[Argument],
    ) -> Option<Node> {
        let levels: BTreeSet<u32> = arguments.iter().filter_map(|it| it.variable()).collect();
        let levels: Vec<u32> = levels.into_iter().collect();
        let mut tuples: Vec<Vec<u32>> = Vec::new();
        for row in rows {
            self.step()?;
            tuples.extend(self.positions(row, arguments, &levels));
        }
        tuples.sort_unstable();
        tuples.dedup();
        self.of_tuples(&tuples, &levels, 0)
    }

    /// The positions of a row's constants among the values of the levels, if they are.
    fn positions(
        &self,
        row: Constants<'_>,
        arguments: &[Argument],
        levels: &[u32],
    ) -> Option<Vec<u32>> {
        let mut positions = vec![u32::MAX; levels.len()];
        for (constant, argument) in row.iter().zip(arguments) {
            match argument {
                Argument::Constant(wanted) if *wanted == constant => {}
                Argument::Constant(_) => return None,
                Argument::Variable(level) => {
                    let found = self.values(*level).binary_search(&constant).ok()? as u32;
                    let column = levels.binary_search(level).ok()?;
                    if !matches!(positions[column], u32::MAX) && positions[column] != found {
                        return None;
                    }
                    positions[column] = found;
                }
            }
        }
        Some(positions)
    }

    /// The set of some tuples over levels, sorted and the same before a column.
    fn of_tuples(&mut self, tuples: &[Vec<u32>], levels: &[u32], column: usize) -> Option<Node> {
        let Some(&level) = levels.get(column) else {
            return Some(if tuples.is_empty() { Node::FALSE } else { Node::TRUE });
        };
        let mut children = vec![Node::FALSE; self.values(level).len()];
        for group in tuples.chunk_by(|left, right| left[column] == right[column]) {
            self.step()?;
            children[group[0][column] as usize] = self.of_tuples(group, levels, column + 1)?;
        }
        Some(self.node(level, &children))
    }

    /// The assignments that give two arguments the same constant.
    pub(super) fn equal(&mut self, left: Argument, right: Argument) -> Option<Node> {
        let constants: Vec<u32> = match (left, right) {
            (Argument::Constant(left), Argument::Constant(right)) => {
                return Some(if left == right { Node::TRUE } else { Node::FALSE });
            }
            (Argument::Constant(constant), _) | (_, Argument::Constant(constant)) => vec![constant],
            (Argument::Variable(left), _) => self.values(left).to_vec(),
        };
        let rows: Vec<[u32; 2]> = constants.into_iter().map(|it| [it, it]).collect();
        self.relation(rows.iter().map(|row| row[..].into()), &[left, right])
    }

    /// The assignments that give two tuples of arguments different constants.
    pub(super) fn distinct(&mut self, left: &[Argument], right: &[Argument]) -> Option<Node> {
        let mut same = Node::TRUE;
        for (&left, &right) in left.iter().zip(right) {
            let equal = self.equal(left, right)?;
            same = self.and(same, equal)?;
        }
        self.not(same)
    }
}
