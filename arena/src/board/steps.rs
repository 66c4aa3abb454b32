//! Which arguments of moves are places, and what is no board as nobody clicks on it.

use std::cmp::Reverse;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_knowledge::structures::{Board as Found, Structures};

use super::build::Pattern;
use super::{Board, BoardShape, Edges, Layout, Part, Step};

/// A move has no more clicks than this.
const MOST_STEPS: usize = 8;

impl Layout {
    /// The steps of the moves of a pattern, on the board that fits most of it; of equals on the smallest one.
    pub(super) fn steps(&self, moves: &Pattern) -> Vec<Step> {
        let all = (0..self.grounds.len()).map(|it| (it, self.steps_on(moves, it)));
        let best = all.max_by_key(|(ground, (quality, _))| {
            (*quality, Reverse((self.grounds[*ground].places.len(), *ground)))
        });
        best.map_or_else(Vec::new, |it| it.1.1)
    }

    /// The steps on one board, and how well they fit: places count more than columns.
    pub(super) fn steps_on(&self, moves: &Pattern, number: usize) -> (usize, Vec<Step>) {
        let ground = &self.grounds[number];
        let board = &self.boards[ground.boards[0]];
        let (width, count) = (ground.order.len(), moves.domains.len());
        let (mut steps, mut used, mut leaf) = (Vec::new(), 0, 0);
        while leaf + width <= count && steps.len() < MOST_STEPS {
            let names = |row: &Vec<String>| {
                let names: Vec<&str> = row[leaf..leaf + width].iter().map(String::as_str).collect();
                ground.places.contains_key(&ground.in_order(&names))
            };
            if moves.rows.iter().all(names) {
                let leaves = (leaf..leaf + width).collect();
                steps.push(Step { ground: number, leaves, part: Part::Place, layer: None });
                (used, leaf) = (used + width, leaf + width);
            } else {
                leaf += 1;
            }
        }
        let is_line = matches!(ground.edges, Edges::Between { .. })
            && steps.len() == 2
            && !board.points.is_empty();
        let mut quality = 20 * used + width + usize::from(is_line)
            - usize::from(ground.edges != Edges::None && steps.len() != 2);
        if steps.is_empty() && width > 1 {
            let fits = |leaf: usize, names: &[String]| {
                moves.domains[leaf].iter().all(|it| names.contains(it))
                    && moves.domains[leaf].len() > 1
            };
            let sides = [(Part::Column, &board.columns), (Part::Row, &board.rows)];
            let side = (0..count).flat_map(|leaf| sides.map(|(part, names)| (leaf, part, names)));
            let Some((leaf, part, names)) = side.into_iter().find(|it| fits(it.0, it.2)) else {
                return (0, steps);
            };
            quality = 1 + usize::from(moves.domains[leaf].len() == names.len());
            steps.push(Step { ground: number, leaves: vec![leaf], part, layer: None });
        }
        if ground.layers.len() > 1 && !steps.is_empty() {
            let is_layer = |leaf: &usize| {
                !steps.iter().any(|it| it.leaves.contains(leaf))
                    && moves.domains[*leaf].iter().all(|it| ground.layers.contains(it))
            };
            let Some(layer) = (0..count).find(is_layer) else { return (0, Vec::new()) };
            steps.iter_mut().for_each(|it| it.layer = Some(layer));
        }
        (if steps.is_empty() { 0 } else { quality }, steps)
    }

    /// What nobody clicks on beside what is a board is told as facts: numbers of few keys, a lone mark that wanders on a grid of its own,
    /// and marks that are on no other board.
    pub(super) fn forget_bookkeeping(&mut self, found: &Structures) {
        let is_strip = |it: &Board| it.rows.len() == 1 && it.shape != BoardShape::Stacks;
        let is_wanderer = |it: &Found| it.markers.len() == 1 && it.axes.len() > 1;
        let wanderers: FxHashSet<usize> = found
            .boards
            .iter()
            .filter(|it| is_wanderer(it))
            .filter_map(|it| Some(self.fluents.get(&it.fluents[0].pattern)?.ground))
            .collect();
        let mut has_main = false;
        let mut goes = Vec::new();
        for (number, ground) in self.grounds.iter().enumerate() {
            let board = &self.boards[ground.boards[0]];
            let clicked =
                || self.moves.values().flatten().map(|it| &self.grounds[it.ground].boards);
            let is_clicked = clicked().any(|it| *it == ground.boards);
            let is_bare = self.fluents.values().filter(|it| it.ground == number).all(|it| it.bare);
            let is_needless = match is_strip(board) {
                true => board.quantities || clicked().next().is_some() || self.grounds.len() > 1,
                false => {
                    wanderers.contains(&number) && self.grounds.len() > 1
                        || has_main && is_bare && ground.edges == Edges::None
                }
            };
            goes.push(is_needless && !is_clicked);
            has_main |= !goes[number];
        }
        self.fluents.retain(|_, it| !goes[it.ground]);
        let of = |wanted: bool| -> FxHashSet<usize> {
            let those = (0..goes.len()).filter(|&it| goes[it] == wanted);
            those.flat_map(|it| self.grounds[it].boards.clone()).collect()
        };
        let kept = of(false);
        let gone: FxHashSet<usize> = of(true).difference(&kept).copied().collect();
        let mut numbers = FxHashMap::default();
        let kept = (0..self.boards.len()).filter(|it| !gone.contains(it));
        for (new, old) in kept.enumerate() {
            numbers.insert(old, new);
        }
        let mut number = 0;
        self.boards.retain(|_| (!gone.contains(&number), number += 1).0);
        for ground in &mut self.grounds {
            ground.boards =
                ground.boards.iter().filter_map(|it| numbers.get(it).copied()).collect();
        }
    }
}
