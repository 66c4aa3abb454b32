//! Ways down the tree: which moves are taken, and what is passed up at the end.
//!
//! Several ways may be under way at once. Moves that they have taken count as tried, so that others go elsewhere, but not in the
//! means (Liu et al., "Watch the unobserved", 2020).
//!
//! A way ends where it would come back to one of its own states: what follows would be counted for a move that it is no merit of. A role does not come
//! back to a state in which it could choose otherwise, unless there is nothing else. Where another role brings it back, as who resists does, or all together do, it has what is
//! proven there and no more; for the one that brings it back the state is worth what it was worth so far.

use groundfrog_reasoner::{Machine, Random, State};

use super::look_ahead::Seen;
use super::tree::{NONE, Tree, Tried};
use super::{BEST, LONGEST};
use crate::strategy::StrategyError;

/// How much a move that was tried less is preferred, for goals from 0 to 1.
const EXPLORATION: f64 = 0.2;

/// A way down from a root.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeWay {
    nodes: Vec<u32>,
    /// By node: positions of the moves of all roles.
    made: Vec<u16>,
    /// The node at its end, if there was room for one.
    end: Option<u32>,
    /// The node of the way that it comes back to.
    back: Option<u32>,
}

/// What is known of a move in a node.
struct Known {
    /// Ways that have taken it.
    tries: u32,
    /// Ways through the state after it that were evaluated, and the sum of what they were worth.
    visits: u32,
    sum: f64,
    bounds: (f64, f64),
    /// Whether by it the role comes back to where it has chosen otherwise.
    comes_back: bool,
}

/// What is at the end of a way.
pub(super) enum End {
    /// Its value is proven.
    Proven,
    /// It comes back to one of its states.
    Back,
    /// It is to be evaluated.
    Leaf(State),
}

impl Tree {
    /// Goes down from a root to what is to be evaluated.
    pub(super) fn descend(
        &mut self,
        root: u32,
        machine: &mut Machine,
        random: &mut Random,
    ) -> Result<(TreeWay, End), StrategyError> {
        let mut way = TreeWay::default();
        let mut node = root;
        self.way += 1;
        loop {
            self.nodes[node as usize].way = self.way;
            if node != root
                && let Some(above) = self.avoid(node, root, &mut way)
            {
                node = above;
            }
            let found = &self.nodes[node as usize];
            way.end = Some(node);
            let is_new = found.visits == 0 || found.moves.is_empty();
            let end = if node != root && found.is_proven() {
                Some(End::Proven)
            } else if (is_new && node != root) || way.nodes.len() > LONGEST {
                Some(End::Leaf(found.state.clone()))
            } else {
                None
            };
            if let Some(end) = end {
                self.nodes[node as usize].pending += 1;
                return Ok((way, end));
            }
            let start = way.made.len();
            match self.stage.as_mut().filter(|(stage, _)| *stage == node) {
                Some((_, stage)) if way.nodes.is_empty() => stage.select(random, &mut way.made),
                _ => self.select(node, random, &mut way.made),
            }
            self.draw_again(node, &mut way.made[start..]);
            way.nodes.push(node);
            let made = &way.made[start..];
            let found = &mut self.nodes[node as usize];
            found.pending += 1;
            for (moves, &position) in found.moves.iter_mut().zip(made) {
                moves[usize::from(position)].pending += 1;
            }
            node = match found.child(made) {
                Some(child) => child,
                None => {
                    let next = self.state_after(node, made, machine)?;
                    let Some(child) = self.node(&next, false) else {
                        way.end = None;
                        return Ok((way, End::Leaf(next)));
                    };
                    self.link(node, made, child);
                    child
                }
            };
            let next = &self.nodes[node as usize];
            if next.way == self.way && !next.is_proven() {
                (way.end, way.back, self.returns) = (None, Some(node), true);
                return Ok((way, End::Back));
            }
        }
    }

    /// Where chance has brought a way back to one of its states, lets it do something else, if it can.
    fn draw_again(&self, node: u32, made: &mut [u16]) {
        let found = &self.nodes[node as usize];
        let Some(chance) = self.chance.filter(|&it| found.moves[it].len() > 1) else { return };
        let drawn = made[chance];
        let count = found.moves[chance].len() as u16;
        for _ in 0..count {
            let child = found.child(made).map(|it| &self.nodes[it as usize]);
            if child.is_none_or(|it| it.way != self.way || it.is_proven()) {
                return;
            }
            made[chance] = (made[chance] + 1) % count;
        }
        made[chance] = drawn;
    }

    /// What a way is worth that comes back to one of its states, by role.
    pub(super) fn coming_back(&self, way: &TreeWay) -> Vec<f64> {
        let chooser = |node: u32| {
            let found = &self.nodes[node as usize];
            self.chooser(found).filter(|&it| found.moves[it].len() > 1)
        };
        let Some((&last, back)) = way.nodes.last().zip(way.back) else { return Vec::new() };
        let by = chooser(last).filter(|_| chooser(last) != chooser(back));
        let found = &self.nodes[back as usize];
        let worth = |role: usize| match by {
            Some(by) if by == role && found.visits > 0 => {
                let (low, high) = found.bounds[role];
                (found.sums[role] / f64::from(found.visits)).clamp(low, high)
            }
            _ => found.bounds[role].0,
        };
        (0..self.roles).map(worth).collect()
    }

    /// Goes back from a node that is proven to the first one above it where another move may be better, so that what is known to be
    /// bad does not count in the means. `None` if the way is to go on or end where it is.
    fn avoid(&mut self, node: u32, root: u32, way: &mut TreeWay) -> Option<u32> {
        let (mut node, mut above) = (node, None);
        while node != root && self.nodes[node as usize].is_proven() {
            let parent = *way.nodes.last()?;
            self.prove(parent);
            let found = &self.nodes[parent as usize];
            let is_avoided = self.chooser(found).is_some_and(|chooser| {
                let (known, own) =
                    (self.nodes[node as usize].bounds[chooser], found.bounds[chooser]);
                known.1 <= own.0 && known.0 < own.1
            });
            if !is_avoided && (parent == root || !found.is_proven()) {
                break;
            }
            way.nodes.pop();
            let start = way.made.len() - self.roles;
            let found = &mut self.nodes[parent as usize];
            found.pending -= 1;
            for (moves, &position) in found.moves.iter_mut().zip(&way.made[start..]) {
                moves[usize::from(position)].pending -= 1;
            }
            way.made.truncate(start);
            (node, above) = (parent, Some(parent));
        }
        above
    }

    /// Passes up what was seen of the end of a way and what it is worth. A way that would be avoided counts for what the ways through the
    /// state that it goes back to were worth so far.
    pub(super) fn finish(&mut self, mut way: TreeWay, root: u32, seen: Seen, values: &[f64]) {
        let Some(end) = way.end else { return self.pass_up(&way, Some(values)) };
        if !self.nodes[end as usize].looked_at && self.has_room() {
            self.look_at(end, seen);
        }
        if !self.nodes[end as usize].is_proven() {
            return self.pass_up(&way, Some(values));
        }
        let Some(above) = self.avoid(end, root, &mut way) else {
            let proven = self.proven(&way);
            return self.pass_up(&way, Some(&proven));
        };
        self.nodes[end as usize].pending -= 1;
        self.nodes[above as usize].pending += 1;
        way.end = Some(above);
        let found = &self.nodes[above as usize];
        let visits = f64::from(found.visits);
        let values = if above != root && found.is_proven() {
            Some(self.proven(&way))
        } else {
            (visits > 0.0).then(|| found.sums.iter().map(|sum| sum / visits).collect())
        };
        self.pass_up(&way, values.as_deref());
    }

    /// What is proven of the end of a way, by role.
    pub(super) fn proven(&self, way: &TreeWay) -> Vec<f64> {
        let end = way.end.map(|it| &self.nodes[it as usize]);
        end.map_or_else(Vec::new, |it| it.bounds.iter().map(|it| it.0).collect())
    }

    /// Passes up what the end of a way is worth, by role; `None` takes the way back.
    pub(super) fn pass_up(&mut self, way: &TreeWay, values: Option<&[f64]>) {
        let visits = u32::from(values.is_some());
        if let (Some((node, stage)), Some(values)) = (&mut self.stage, values)
            && way.nodes.first() == Some(node)
        {
            stage.learn(&way.made[..self.roles], values);
        }
        let mut child = way.end.or(way.back);
        let mut is_new = true;
        if let Some(end) = way.end {
            let found = &mut self.nodes[end as usize];
            found.pending -= 1;
            found.visits += visits;
            add(&mut found.sums, values);
        }
        for (&node, made) in way.nodes.iter().zip(way.made.chunks_exact(self.roles)).rev() {
            let found = &mut self.nodes[node as usize];
            found.pending -= 1;
            found.visits += visits;
            add(&mut found.sums, values);
            for (role, &position) in made.iter().enumerate() {
                let tried = &mut found.moves[role][usize::from(position)];
                tried.pending -= 1;
                tried.visits += visits;
                tried.sum += values.map_or(0.0, |it| it[role]);
            }
            // Where nothing is known of the child, there is nothing new for the node. Joint moves take longer to look at.
            let known = child.map(|it| &self.nodes[it as usize].bounds);
            let is_known = known.is_some_and(|it| it[..] != self.range[..]);
            is_new &= is_known;
            if is_known && (is_new || self.nodes[node as usize].mover != NONE) {
                is_new = self.prove(node);
            }
            child = Some(node);
        }
    }

    /// A joint move: each role takes the move that is best by its mean and by how little it was tried.
    fn select(&self, node: u32, random: &mut Random, made: &mut Vec<u16>) {
        let found = &self.nodes[node as usize];
        let chooser = self.chooser(found);
        // Moves that lead to ways not evaluated yet count as tried.
        let total = f64::from((found.visits + found.pending).max(1)).ln();
        for (role, moves) in found.moves.iter().enumerate() {
            if moves.len() == 1 {
                made.push(0);
                continue;
            }
            if Some(role) == self.chance {
                made.push(random.below(moves.len() as u32) as u16);
                continue;
            }
            let offset = random.below(moves.len() as u32) as usize;
            let mean = match found.visits {
                0 => BEST / 2.0,
                visits => found.sums[role] / f64::from(visits),
            };
            let mut best = (f64::NEG_INFINITY, 0);
            for step in 0..moves.len() {
                let position = if step + offset < moves.len() {
                    step + offset
                } else {
                    step + offset - moves.len()
                };
                let known = self.known(&moves[position], role, chooser == Some(role));
                let score = self.score(&known, found.bounds[role], total, mean);
                if score > best.0 {
                    best = (score, position);
                }
            }
            made.push(best.1 as u16);
        }
    }

    /// What is known of a move of a role, which chooses alone or not.
    fn known(&self, tried: &Tried, role: usize, is_alone: bool) -> Known {
        let Tried { visits, pending, child, sum, .. } = *tried;
        let (bounds, comes_back) = (self.range[role], false);
        let known = Known { tries: visits + pending, visits, sum, bounds, comes_back };
        if !is_alone || child == NONE {
            return known;
        }
        let child = &self.nodes[child as usize];
        let comes_back = child.way == self.way && self.chooser(child) == Some(role);
        let known = Known { bounds: child.bounds[role], comes_back, ..known };
        // Where other moves have led to the state as well, a move is worth what all of them found.
        if child.visits > visits {
            return Known { visits: child.visits, sum: child.sums[role], ..known };
        }
        known
    }

    /// How much a move is wanted, for a role with these bounds in the node, where the moves are worth `mean`.
    fn score(&self, known: &Known, own: (f64, f64), total: f64, mean: f64) -> f64 {
        let bounds = known.bounds;
        if bounds.1 <= own.0 && bounds.0 < own.1 {
            // Proven to be no better than what is there already.
            return bounds.1 / BEST - 1000.0;
        }
        if known.comes_back {
            return -500.0;
        }
        let (tries, visits) = (f64::from(known.tries), f64::from(known.visits));
        // Moves that were not tried are worth what the others are (first-play urgency), so that not all need be tried first.
        let worth = (known.sum + mean) / (visits + 1.0);
        let exploration = EXPLORATION * (total / tries.max(1.0)).sqrt();
        worth.clamp(bounds.0, bounds.1) / BEST + exploration
    }
}

/// Adds what a way was worth.
fn add(sums: &mut [f64], values: Option<&[f64]>) {
    sums.iter_mut().zip(values.into_iter().flatten()).for_each(|(sum, value)| *sum += value);
}
