//! Directed graphs: strongly connected components, what can be reached, paths. All in linear time and without recursion, so
//! that long chains are no danger.

use std::collections::VecDeque;
use std::convert::Infallible;

use fxhash::FxHashMap;

use crate::rows::Rows;

/// The edges of a graph, wherever they are kept. Nodes are numbered.
pub trait Edges {
    /// Where among the edges of a node.
    type Place: Copy + Default;

    /// The number of nodes.
    fn nodes(&self) -> usize;

    /// The node that the edge at a place leads to; the place moves on to the next edge. None behind the last one.
    fn next(&self, node: u32, place: &mut Self::Place) -> Option<u32>;

    /// The nodes that the edges of a node lead to.
    fn successors(&self, node: u32) -> impl Iterator<Item = u32> {
        let mut place = Self::Place::default();
        std::iter::from_fn(move || self.next(node, &mut place))
    }
}

/// A graph in compressed sparse rows.
#[derive(Clone, Debug)]
pub struct Graph {
    successors: Rows<u32>,
}

impl Graph {
    /// The graph of some edges, each counted once. Those of a node are in ascending order.
    pub fn new(nodes: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        Graph { successors: Rows::from_pairs(nodes, edges.into_iter()) }
    }

    /// The graph with all edges turned round.
    pub fn reversed(&self) -> Self {
        let edges = (0..).zip(self.successors.iter());
        let turned = edges.flat_map(|(from, row)| row.iter().map(move |&to| (to, from)));
        Graph { successors: Rows::from_pairs(self.nodes(), turned) }
    }

    /// Marks some nodes and all that can be reached from them. What is marked already has been gone on from.
    pub fn reach(&self, marked: &mut [bool], mut from: Vec<u32>) {
        while let Some(node) = from.pop() {
            if !std::mem::replace(&mut marked[node as usize], true) {
                from.extend(self.successors.row(node as usize));
            }
        }
    }

    /// The strongly connected components.
    pub fn components(&self) -> Components {
        let Ok(all) = components(self, 0..self.nodes() as u32, || Ok::<_, Infallible>(()));
        all
    }
}

impl Edges for Graph {
    type Place = u32;

    fn nodes(&self) -> usize {
        self.successors.len()
    }

    #[inline]
    fn next(&self, node: u32, place: &mut u32) -> Option<u32> {
        let found = self.successors.row(node as usize).get(*place as usize).copied();
        *place += 1;
        found
    }
}

const NONE: u32 = u32::MAX;

/// The strongly connected components of a graph, or of a part of it.
#[derive(Clone, Debug)]
pub struct Components {
    /// By component: its nodes, ascending.
    members: Rows<u32>,
    /// By node: its component, or [`NONE`].
    of: Vec<u32>,
    /// By component: whether a node can be reached from itself.
    recursive: Vec<bool>,
}

impl Components {
    /// The number of components.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The nodes of a component, ascending. What they lead to is among them, or in components of smaller numbers.
    #[inline]
    pub fn members(&self, component: usize) -> &[u32] {
        self.members.row(component)
    }

    /// The component of a node, if it was reached.
    #[inline]
    pub fn of(&self, node: u32) -> Option<usize> {
        let component = self.of[node as usize];
        (component != NONE).then_some(component as usize)
    }

    /// Whether two nodes are in the same component.
    #[inline]
    pub fn together(&self, one: u32, other: u32) -> bool {
        let component = self.of[one as usize];
        component != NONE && component == self.of[other as usize]
    }

    /// Whether the nodes of a component can be reached from themselves.
    #[inline]
    pub fn is_recursive(&self, component: usize) -> bool {
        self.recursive[component]
    }
}

/// A node whose edges are being looked at.
struct Call<Place> {
    node: u32,
    place: Place,
    /// Whether one of them led to the node itself.
    own: bool,
}

/// The strongly connected components of what can be reached from the roots, in an order such that edges lead to the same
/// or to earlier ones: Tarjan's algorithm with an explicit stack.
///
/// # Errors
/// What `tick`, which is called at each edge, fails with.
pub fn components<E: Edges, Stop>(
    edges: &E,
    roots: impl Iterator<Item = u32>,
    mut tick: impl FnMut() -> Result<(), Stop>,
) -> Result<Components, Stop> {
    let count = edges.nodes();
    let (mut number, mut low) = (vec![NONE; count], vec![0_u32; count]);
    let (mut found, mut next_number) = (Components::none(count), 0);
    let (mut open, mut calls) = (Vec::new(), Vec::<Call<E::Place>>::new());
    for root in roots {
        let mut entered = (number[root as usize] == NONE).then_some(root);
        loop {
            if let Some(node) = entered.take() {
                number[node as usize] = next_number;
                low[node as usize] = next_number;
                next_number += 1;
                open.push(node);
                calls.push(Call { node, place: E::Place::default(), own: false });
            }
            let Some(call) = calls.last_mut() else { break };
            let node = call.node as usize;
            while let Some(child) = edges.next(call.node, &mut call.place) {
                tick()?;
                if number[child as usize] == NONE {
                    entered = Some(child);
                    break;
                }
                if found.of[child as usize] == NONE {
                    low[node] = low[node].min(number[child as usize]);
                    call.own |= child == call.node;
                }
            }
            if entered.is_some() {
                continue;
            }
            let own = call.own;
            calls.pop();
            if let Some(parent) = calls.last() {
                let parent = parent.node as usize;
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                found.close(node as u32, own, &mut open);
            }
        }
    }
    Ok(found)
}

impl Components {
    fn none(nodes: usize) -> Self {
        Components { members: Rows::default(), of: vec![NONE; nodes], recursive: Vec::new() }
    }

    /// Takes a finished component from the stack of open nodes.
    fn close(&mut self, root: u32, own: bool, open: &mut Vec<u32>) {
        let first = open.iter().rposition(|&it| it == root).expect("the root is open");
        let members = &mut open[first..];
        members.sort_unstable();
        members.iter().for_each(|&it| self.of[it as usize] = self.recursive.len() as u32);
        self.recursive.push(own || members.len() > 1);
        self.members.push(open.drain(first..));
    }
}

/// The nodes of a shortest path, both ends included, through `admitted` nodes alone. There must be one.
pub fn path(edges: &impl Edges, from: u32, to: u32, admitted: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut reached_from = FxHashMap::default();
    reached_from.insert(from, from);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front().filter(|&it| it != to) {
        for child in edges.successors(node).filter(|&it| admitted(it)) {
            reached_from.entry(child).or_insert_with(|| {
                queue.push_back(child);
                node
            });
        }
    }
    let mut path = vec![to];
    while let Some(&node) = path.last().filter(|&&it| it != from) {
        path.push(reached_from[&node]);
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(components: &Components) -> Vec<(Vec<u32>, bool)> {
        let set = |it| (components.members(it).to_vec(), components.is_recursive(it));
        (0..components.len()).map(set).collect()
    }

    #[test]
    fn what_is_led_to_comes_first() {
        let graph = Graph::new(6, vec![(0, 1), (1, 2), (2, 1), (2, 3), (4, 4), (4, 3)]);
        let found = graph.components();
        let one = |it: u32| (vec![it], false);
        let expected = [one(3), (vec![1, 2], true), one(0), (vec![4], true), one(5)];
        assert_eq!(sets(&found), expected);
        assert!(found.together(1, 2) && !found.together(0, 1));
        assert_eq!(found.of(0), Some(2));
    }

    #[test]
    fn only_what_the_roots_reach_is_divided() {
        let graph = Graph::new(4, vec![(0, 1), (2, 3), (3, 2)]);
        let found = components(&graph, [0].into_iter(), || Ok::<_, ()>(())).expect("it goes on");
        assert_eq!(sets(&found), [(vec![1], false), (vec![0], false)]);
        assert!(found.of(2).is_none() && !found.together(2, 3));
        assert!(components(&graph, [0].into_iter(), || Err(())).is_err());
    }

    #[test]
    fn long_chains_need_no_stack() {
        let end = 300_000;
        let graph = Graph::new(end as usize + 1, (0..end).map(|it| (it, it + 1)).collect());
        assert_eq!(graph.components().len(), end as usize + 1);
        assert_eq!(path(&graph, 7, 11, |_| true), [7, 8, 9, 10, 11]);
        let mut marked = vec![false; end as usize + 1];
        graph.reversed().reach(&mut marked, vec![9]);
        assert_eq!(marked.iter().filter(|it| **it).count(), 10);
    }

    #[test]
    fn paths_are_short_and_keep_to_what_is_admitted() {
        let graph = Graph::new(5, vec![(0, 1), (1, 2), (2, 4), (0, 3), (3, 4)]);
        assert_eq!(path(&graph, 0, 4, |_| true), [0, 3, 4]);
        assert_eq!(path(&graph, 0, 4, |it| it != 3), [0, 1, 2, 4]);
        assert_eq!(path(&graph, 4, 4, |_| true), [4]);
    }
}
