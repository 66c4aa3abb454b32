//! Automorphisms of a graph by individualisation and refinement.

use fxhash::FxHashSet;

use super::graph::Graph;
use super::partition::{Partition, Trace};
use crate::formula::Limits;

/// So many branches are tried for one image of one vertex.
const MOST_BRANCHES: usize = 500;

/// Where each vertex goes.
pub(crate) type Permutation = Vec<u32>;

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
    limits: &'run Limits,
    levels: Vec<Level>,
    /// All cells have one vertex.
    last: Partition,
    branches: usize,
    is_cut: bool,
}

/// The automorphisms of a graph, as they move some of its vertices.
pub(crate) fn automorphisms(graph: &Graph, moved: &[u32], limits: &Limits) -> Found {
    let Some(mut search) = Search::new(graph, moved, limits) else {
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
    fn new(graph: &'run Graph, moved: &[u32], limits: &'run Limits) -> Option<Self> {
        let mut last = Partition::new(graph, limits);
        let mut levels = Vec::new();
        let all: Vec<u32> = (0..graph.len() as u32).collect();
        for (vertices, counts) in [(moved, true), (&all, false)] {
            while let Some(start) = last.smallest_cell(vertices) {
                if limits.is_over() {
                    return None;
                }
                let before = last.clone();
                let point = before.cell(start)[0];
                let mut trace = Trace::new();
                last.individualise(graph, point, &mut trace, None, limits);
                levels.push(Level { before, point, trace, counts });
            }
        }
        if limits.is_over() {
            return None;
        }
        Some(Search { graph, limits, levels, last, branches: 0, is_cut: false })
    }

    /// An automorphism that takes the point of a level to a vertex.
    fn extend(
        &mut self,
        depth: usize,
        mut partition: Partition,
        image: u32,
    ) -> Option<Permutation> {
        self.branches += 1;
        if self.branches > MOST_BRANCHES || self.limits.is_over() {
            self.is_cut = true;
            return None;
        }
        let expected = &self.levels[depth].trace;
        if !partition.individualise(
            self.graph,
            image,
            &mut Trace::new(),
            Some(expected),
            self.limits,
        ) {
            self.is_cut |= self.limits.is_over();
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
