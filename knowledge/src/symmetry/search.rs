//! Automorphisms of a graph by individualisation and refinement: ordered partitions of its vertices are made as fine as their
//! neighbours tell them apart.

use std::collections::VecDeque;

use fxhash::FxHashSet;

use groundfrog::Budget;

use super::graph::{Graph, hash};

/// Vertices in cells, one after the other. What order the cells have does not depend on the numbers of the vertices.
#[derive(Clone, Debug)]
struct Partition {
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
type Trace = Vec<u64>;

impl Partition {
    /// The finest partition that colours and neighbours tell.
    pub(crate) fn new(graph: &Graph, budget: &Budget) -> Self {
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
        partition.refine(graph, queue, &mut Trace::new(), None, budget);
        partition
    }

    /// Gives a vertex a cell of its own and refines. With another trace: whether the same happened.
    fn individualise(
        &mut self,
        graph: &Graph,
        vertex: u32,
        trace: &mut Trace,
        expected: Option<&Trace>,
        budget: &Budget,
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
        self.refine(graph, VecDeque::from([start]), trace, expected, budget)
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
    fn smallest_cell(&self, vertices: &[u32]) -> Option<u32> {
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
        budget: &Budget,
    ) -> bool {
        let mut queued: FxHashSet<u32> = queue.iter().copied().collect();
        let mut signs: Vec<u64> = vec![0; self.vertices.len()];
        let mut touched: Vec<u32> = Vec::new();
        let (mut compared, mut splits) = (0, 0);
        while let Some(splitter) = queue.pop_front() {
            splits += 1;
            if splits % SPLITS == 0 && budget.is_over() {
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

/// So many branches are tried for one image of one vertex.
const MOST_BRANCHES: usize = 500;

/// Where each vertex goes.
type Permutation = Vec<u32>;

/// What was found of a group.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) generators: Vec<Permutation>,
    /// Of the group that the generators make: how many ways it has to move fluents and moves.
    pub(crate) order: u128,
    /// Whether there are no other automorphisms; otherwise time ran out.
    pub(crate) is_complete: bool,
}

/// One vertex after the other is given a cell of its own, until all are told apart.
struct Level {
    before: Partition,
    point: u32,
    /// What the refinement after that did.
    trace: Trace,
    /// Whether the vertex is one of those whose images count.
    counts: bool,
}

struct Search<'run> {
    graph: &'run Graph,
    budget: &'run Budget,
    levels: Vec<Level>,
    /// All cells have one vertex.
    last: Partition,
    branches: usize,
    is_cut: bool,
}

/// The automorphisms of a graph, as they move some of its vertices.
pub(crate) fn automorphisms(graph: &Graph, moved: &[u32], budget: &Budget) -> Found {
    let Some(mut search) = Search::new(graph, moved, budget) else {
        return Found { order: 1, ..Found::default() };
    };
    let mut generators: Vec<Permutation> = Vec::new();
    let mut order: u128 = 1;
    let base: Vec<u32> = search.levels.iter().map(|it| it.point).collect();
    for depth in (0..base.len()).rev().filter(|&it| search.levels[it].counts).collect::<Vec<_>>() {
        let point = base[depth];
        let before = &search.levels[depth].before;
        let candidates: Vec<u32> = before.cell(before.start(point)).to_vec();
        let fixes = |it: &&Permutation| base[..depth].iter().all(|&at| it[at as usize] == at);
        let mut failed: FxHashSet<u32> = FxHashSet::default();
        for candidate in candidates {
            let own: Vec<&Permutation> = generators.iter().filter(fixes).collect();
            if orbit(point, &own).contains(&candidate) || failed.contains(&candidate) {
                continue;
            }
            search.branches = 0;
            let before = search.levels[depth].before.clone();
            match search.extend(depth, before, candidate) {
                Some(found) => generators.push(found),
                None => failed.extend(orbit(candidate, &own)),
            }
        }
        let own: Vec<&Permutation> = generators.iter().filter(fixes).collect();
        order = order.saturating_mul(orbit(point, &own).len() as u128);
    }
    Found { generators, order, is_complete: !search.is_cut }
}

impl<'run> Search<'run> {
    fn new(graph: &'run Graph, moved: &[u32], budget: &'run Budget) -> Option<Self> {
        let mut last = Partition::new(graph, budget);
        let mut levels = Vec::new();
        let all: Vec<u32> = (0..graph.len() as u32).collect();
        for (vertices, counts) in [(moved, true), (&all, false)] {
            while let Some(start) = last.smallest_cell(vertices) {
                if budget.is_over() {
                    return None;
                }
                let before = last.clone();
                let point = before.cell(start)[0];
                let mut trace = Trace::new();
                last.individualise(graph, point, &mut trace, None, budget);
                levels.push(Level { before, point, trace, counts });
            }
        }
        if budget.is_over() {
            return None;
        }
        Some(Search { graph, budget, levels, last, branches: 0, is_cut: false })
    }

    /// An automorphism that takes the point of a level to a vertex.
    fn extend(
        &mut self,
        depth: usize,
        mut partition: Partition,
        image: u32,
    ) -> Option<Permutation> {
        self.branches += 1;
        if self.branches > MOST_BRANCHES || self.budget.is_over() {
            self.is_cut = true;
            return None;
        }
        let expected = &self.levels[depth].trace;
        if !partition.individualise(
            self.graph,
            image,
            &mut Trace::new(),
            Some(expected),
            self.budget,
        ) {
            self.is_cut |= self.budget.is_over();
            return None;
        }
        let Some(next) = self.levels.get(depth + 1) else {
            let mut image = vec![0; self.graph.len()];
            for (&from, &to) in self.last.vertices.iter().zip(&partition.vertices) {
                image[from as usize] = to;
            }
            return self.graph.is_automorphism(&image).then_some(image);
        };
        let point = next.point;
        let mut images = partition.cell(next.before.start(point)).to_vec();
        // What is its own image makes the permutation smaller.
        images.sort_by_key(|&it| (it != point, it));
        images.into_iter().find_map(|image| self.extend(depth + 1, partition.clone(), image))
    }
}

/// Where permutations take a vertex.
fn orbit(vertex: u32, generators: &[&Permutation]) -> FxHashSet<u32> {
    let mut orbit: FxHashSet<u32> = [vertex].into_iter().collect();
    let mut open = vec![vertex];
    while let Some(at) = open.pop() {
        for generator in generators {
            let image = generator[at as usize];
            if orbit.insert(image) {
                open.push(image);
            }
        }
    }
    orbit
}
