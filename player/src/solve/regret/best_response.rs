//! What the best responses to the mean strategies get.

use super::tree::InformationTree;

/// One player's best response to the mean strategies of the others.
struct Response<'tree> {
    tree: &'tree InformationTree,
    means: &'tree [Vec<f64>],
    player: usize,
    /// By node: how likely the others let it happen.
    reach: Vec<f64>,
    /// By node, once it is known.
    values: Vec<Option<f64>>,
    /// By information set of the player, once it is known.
    best: Vec<Option<usize>>,
}

impl InformationTree {
    /// By player: what its mean strategy gets at least, and what it could get at most.
    pub(super) fn bounds(&self) -> Vec<(f64, f64)> {
        let means = self.means();
        let responses: Vec<f64> = (0..self.players).map(|it| self.response(&means, it)).collect();
        match responses[..] {
            // What the one does not get the other does.
            [one, other] => vec![(self.sum - other, one), (self.sum - one, other)],
            _ => vec![(self.expected(&means, 0), responses[0])],
        }
    }

    fn response(&self, means: &[Vec<f64>], player: usize) -> f64 {
        let nodes = self.nodes.len();
        let (reach, values) = (vec![0.0; nodes], vec![None; nodes]);
        let best = vec![None; self.sets.len()];
        let mut response = Response { tree: self, means, player, reach, values, best };
        response.reach(0, 1.0);
        response.value(0)
    }

    /// What the strategies are worth to the first player.
    fn expected(&self, means: &[Vec<f64>], node: usize) -> f64 {
        let found = &self.nodes[node];
        if found.children.is_empty() {
            return found.values[0];
        }
        let value = |(child, &there): (usize, &u32)| {
            let first = child / found.chances;
            let likely = means[found.sets[0]][first] / found.chances as f64;
            if likely > 0.0 { likely * self.expected(means, there as usize) } else { 0.0 }
        };
        found.children.iter().enumerate().map(value).sum()
    }
}

impl Response<'_> {
    /// The children of a node: the player's move, how likely the others let it happen, and the node.
    fn children(&self, node: usize) -> Vec<(usize, f64, usize)> {
        let found = &self.tree.nodes[node];
        if found.children.is_empty() {
            // An end is in no information set.
            return Vec::new();
        }
        let counts = self.tree.counts(found.sets);
        let child = |(child, &there): (usize, &u32)| {
            let joint = child / found.chances;
            let moves = [joint / counts[1], joint % counts[1]];
            let other = 1 - self.player;
            let likely = match other < self.tree.players {
                true => self.means[found.sets[other]][moves[other]],
                false => 1.0,
            };
            (moves[self.player], likely / found.chances as f64, there as usize)
        };
        found.children.iter().enumerate().map(child).collect()
    }

    fn reach(&mut self, node: usize, likely: f64) {
        self.reach[node] = likely;
        for (_, part, there) in self.children(node) {
            self.reach(there, likely * part);
        }
    }

    /// What a node is worth if the player answers best from there on.
    fn value(&mut self, node: usize) -> f64 {
        if let Some(value) = self.values[node] {
            return value;
        }
        let found = &self.tree.nodes[node];
        let value = if found.children.is_empty() {
            found.values[self.player]
        } else {
            let best = self.best(found.sets[self.player]);
            let children = self.children(node).into_iter().filter(|it| it.0 == best);
            children.map(|(_, likely, there)| likely * self.value(there)).sum()
        };
        self.values[node] = Some(value);
        value
    }

    /// The move that is best over all nodes of an information set.
    fn best(&mut self, set: usize) -> usize {
        if let Some(best) = self.best[set] {
            return best;
        }
        let tree = self.tree;
        let mut worth: Vec<f64> = vec![0.0; self.means[set].len()];
        for &node in &tree.sets[set].nodes {
            let reach = self.reach[node as usize];
            for (it, likely, there) in self.children(node as usize) {
                worth[it] += reach * likely * self.value(there);
            }
        }
        let best =
            (0..worth.len()).rev().max_by(|&one, &other| worth[one].total_cmp(&worth[other]));
        let best = best.expect("there is a move");
        self.best[set] = Some(best);
        best
    }
}
