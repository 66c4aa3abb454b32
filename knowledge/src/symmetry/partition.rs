//! Ordered partitions of the vertices of a graph, made as fine as their neighbours tell them apart.

use std::collections::VecDeque;

use fxhash::FxHashSet;

use super::graph::{Graph, hash};
use crate::formula::Limits;

/// Vertices in cells, one after the other. What order the cells have does not depend on the numbers of the vertices.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    /// The vertices of the first cell, then those of the second, and so on.
    pub(crate) vertices: Vec<u32>,
    /// By vertex: where it is in `vertices`.
    places: Vec<u32>,
    /// By vertex: where its cell begins.
    starts: Vec<u32>,
    /// By the beginning of a cell: how many vertices it has.
    sizes: Vec<u32>,
}

/// Cells between two looks at the clock.
const SPLITS: usize = 256;

/// What happened in a refinement, to be compared with another.
pub(crate) type Trace = Vec<u64>;

impl Partition {
    /// The finest partition that colours and neighbours tell.
    pub(crate) fn new(graph: &Graph, limits: &Limits) -> Self {
        let size = graph.len();
        let mut vertices: Vec<u32> = (0..size as u32).collect();
        vertices.sort_by_key(|&it| (graph.colours[it as usize], it));
        let mut partition = Partition {
            vertices,
            places: vec![0; size],
            starts: vec![0; size],
            sizes: vec![0; size],
        };
        let mut start = 0;
        let mut queue = VecDeque::new();
        for at in 0..size {
            let vertex = partition.vertices[at] as usize;
            let begins = at == 0
                || graph.colours[vertex] != graph.colours[partition.vertices[at - 1] as usize];
            if begins {
                start = at;
                queue.push_back(at as u32);
            }
            partition.places[vertex] = at as u32;
            partition.starts[vertex] = start as u32;
            partition.sizes[start] += 1;
        }
        partition.refine(graph, queue, &mut Trace::new(), None, limits);
        partition
    }

    /// Gives a vertex a cell of its own and refines. With another trace: whether the same happened.
    pub(crate) fn individualise(
        &mut self,
        graph: &Graph,
        vertex: u32,
        trace: &mut Trace,
        expected: Option<&Trace>,
        limits: &Limits,
    ) -> bool {
        let start = self.starts[vertex as usize];
        self.swap(self.places[vertex as usize], start);
        let size = self.sizes[start as usize];
        self.sizes[start as usize] = 1;
        if size > 1 {
            self.sizes[start as usize + 1] = size - 1;
            for at in start + 1..start + size {
                self.starts[self.vertices[at as usize] as usize] = start + 1;
            }
        }
        self.refine(graph, VecDeque::from([start]), trace, expected, limits)
    }

    /// The vertices of the cell that begins there.
    pub(crate) fn cell(&self, start: u32) -> &[u32] {
        &self.vertices[start as usize..(start + self.sizes[start as usize]) as usize]
    }

    /// Where the cell of a vertex begins.
    pub(crate) fn start(&self, vertex: u32) -> u32 {
        self.starts[vertex as usize]
    }

    /// The smallest cell of several vertices, the first of which is one of these.
    pub(crate) fn smallest_cell(&self, vertices: &[u32]) -> Option<u32> {
        let starts = vertices.iter().map(|&it| self.start(it));
        let open = starts.filter(|&it| self.sizes[it as usize] > 1);
        open.min_by_key(|&it| (self.sizes[it as usize], it))
    }

    fn swap(&mut self, one: u32, other: u32) {
        self.vertices.swap(one as usize, other as usize);
        for at in [one, other] {
            self.places[self.vertices[at as usize] as usize] = at;
        }
    }

    /// Splits cells by how many neighbours of which kind they have in the cells of the queue.
    fn refine(
        &mut self,
        graph: &Graph,
        mut queue: VecDeque<u32>,
        trace: &mut Trace,
        expected: Option<&Trace>,
        limits: &Limits,
    ) -> bool {
        let mut queued: FxHashSet<u32> = queue.iter().copied().collect();
        let mut signs: Vec<u64> = vec![0; self.vertices.len()];
        let mut touched: Vec<u32> = Vec::new();
        let (mut compared, mut splits) = (0, 0);
        while let Some(splitter) = queue.pop_front() {
            splits += 1;
            if splits % SPLITS == 0 && limits.is_over() {
                return false;
            }
            queued.remove(&splitter);
            touched.clear();
            for &vertex in self.cell(splitter) {
                for &(edge, other) in graph.near(vertex) {
                    if signs[other as usize] == 0 {
                        touched.push(other);
                    }
                    signs[other as usize] = signs[other as usize].wrapping_add(hash(&edge) | 1);
                }
            }
            let mut cells: Vec<u32> = touched.iter().map(|&it| self.start(it)).collect();
            cells.sort_unstable();
            cells.dedup();
            for start in cells {
                self.split(start, &signs, (&mut queue, &mut queued), trace);
            }
            touched.iter().for_each(|&it| signs[it as usize] = 0);
            let new = compared..trace.len();
            if expected.is_some_and(|it| it.get(new.clone()) != Some(&trace[new])) {
                return false;
            }
            compared = trace.len();
        }
        expected.is_none_or(|it| it.len() == trace.len())
    }

    /// Splits a cell by the signs of its vertices.
    fn split(
        &mut self,
        start: u32,
        signs: &[u64],
        (queue, queued): (&mut VecDeque<u32>, &mut FxHashSet<u32>),
        trace: &mut Trace,
    ) {
        let size = self.sizes[start as usize];
        let range = start as usize..(start + size) as usize;
        let sign = |vertex: u32| signs[vertex as usize];
        let first = sign(self.vertices[start as usize]);
        if self.vertices[range.clone()].iter().all(|&it| sign(it) == first) {
            trace.push(hash(&(start, first)));
            return;
        }
        self.vertices[range.clone()].sort_unstable_by_key(|&it| (sign(it), it));
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for at in range {
            let vertex = self.vertices[at];
            let begins = at as u32 == start || sign(vertex) != sign(self.vertices[at - 1]);
            if begins {
                parts.push((at as u32, 0));
                trace.push(hash(&(at, sign(vertex))));
            }
            let part = parts.last_mut().expect("the first begins one");
            part.1 += 1;
            self.places[vertex as usize] = at as u32;
            self.starts[vertex as usize] = part.0;
        }
        parts.iter().for_each(|&(at, size)| self.sizes[at as usize] = size);
        // The largest part tells nothing that the others and the whole do not.
        let largest = parts.iter().max_by_key(|it| (it.1, std::cmp::Reverse(it.0))).map(|it| it.0);
        let was_queued = queued.contains(&start);
        for (at, _) in parts {
            if (was_queued || Some(at) != largest) && queued.insert(at) {
                queue.push_back(at);
            }
        }
    }
}
