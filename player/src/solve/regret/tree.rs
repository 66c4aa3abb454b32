//! The tree of all histories, and the information sets of the roles.

use fxhash::FxHashMap;
use groundfrog::description::Printer;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{MoveId, PerceptId, Reasoner, ReasonerError, State, Vocabulary};

use super::MixedMove;
use crate::clock::StateBudget;
use crate::solve::Undecided;
use crate::solve::position::Rules;

/// A history has no more joint moves than this.
pub const LONGEST_HISTORY: usize = 500;
/// About how many bytes a node takes.
const NODE_BYTES: u64 = 128;

/// What roles know: own moves and what was then perceived, from the beginning.
pub(super) type ObservedTurns = Vec<(MoveId, Vec<PerceptId>)>;

/// Why there is no tree.
pub(super) enum NoTree {
    Unsuited(Undecided),
    Failed(ReasonerError),
}

impl From<ReasonerError> for NoTree {
    fn from(error: ReasonerError) -> Self {
        NoTree::Failed(error)
    }
}

/// A history.
#[derive(Debug)]
pub(super) struct InformationNode {
    /// By player: its information set, and how many moves there are in it.
    pub(super) sets: [usize; 2],
    /// Moves of chance; at least 1.
    pub(super) chances: usize,
    /// By moves of the first player, the second player, and chance, which changes fastest; none at an end.
    pub(super) children: Vec<u32>,
    /// By player, at an end.
    pub(super) values: [f64; 2],
}

/// What a player cannot tell apart.
#[derive(Debug)]
pub(super) struct InformationSet {
    player: usize,
    known: ObservedTurns,
    moves: Vec<MoveId>,
    regrets: Vec<f64>,
    /// The mean strategy, not normalised.
    sums: Vec<f64>,
    pub(super) nodes: Vec<u32>,
}

/// All histories.
#[derive(Debug)]
pub(super) struct InformationTree {
    pub(super) nodes: Vec<InformationNode>,
    pub(super) sets: Vec<InformationSet>,
    pub(super) players: usize,
    /// What the values of both players add up to.
    pub(super) sum: f64,
    /// By information set: the strategy of this iteration.
    strategy: Vec<Vec<f64>>,
}

struct Builder<'run, 'watch> {
    rules: &'run mut Rules,
    players: &'run [RoleId],
    budget: &'run mut StateBudget<'watch>,
    most: u64,
    /// The states from the initial one.
    path: Vec<State>,
    tree: InformationTree,
    numbers: FxHashMap<(usize, ObservedTurns), usize>,
}

/// The tree of a game with one or two players besides chance, whose values add up to the same in all ends.
pub(super) fn build(
    rules: &mut Rules,
    players: &[RoleId],
    budget: &mut StateBudget<'_>,
    memory: u64,
) -> Result<InformationTree, NoTree> {
    let root = rules.reasoner.initial().clone();
    let tree = InformationTree {
        nodes: Vec::new(),
        sets: Vec::new(),
        players: players.len(),
        sum: f64::NAN,
        strategy: Vec::new(),
    };
    let most = memory / NODE_BYTES;
    let numbers = FxHashMap::default();
    let path = Vec::new();
    let mut builder = Builder { rules, players, budget, most, path, tree, numbers };
    builder.node(&root, &mut vec![ObservedTurns::new(); players.len()])?;
    Ok(builder.tree)
}

impl Builder<'_, '_> {
    /// Adds a history and all that go on from it. Returns its number.
    fn node(&mut self, state: &State, known: &mut [ObservedTurns]) -> Result<u32, NoTree> {
        let number = self.tree.nodes.len();
        let why = match () {
            () if !self.budget.step() => Some(Undecided::Budget),
            // What was done since can be done again for ever.
            () if self.path.contains(state) => Some(Undecided::Endless),
            () if self.path.len() > LONGEST_HISTORY => Some(Undecided::TooDeep),
            () if number as u64 >= self.most => Some(Undecided::Memory),
            () => None,
        };
        if let Some(why) = why {
            return Err(NoTree::Unsuited(why));
        }
        let node =
            InformationNode { sets: [0; 2], chances: 1, children: Vec::new(), values: [0.0; 2] };
        self.tree.nodes.push(node);
        if self.rules.is_terminal(state)? {
            self.end(number, state)?;
            return Ok(number as u32);
        }
        self.rules.find_legal(state)?;
        let choices = self.rules.legal.clone();
        for (player, &role) in self.players.iter().enumerate() {
            let moves = &choices[role.index()];
            let set = self.set(player, &known[player], moves);
            if self.tree.sets[set].moves != *moves {
                // A role that does not know its moves has no strategy.
                return Err(NoTree::Unsuited(Undecided::ImperfectInformation));
            }
            self.tree.sets[set].nodes.push(number as u32);
            self.tree.nodes[number].sets[player] = set;
        }
        let chance = self.rules.reasoner.chance_role();
        let chances = chance.map_or(vec![MoveId(0)], |it| choices[it.index()].clone());
        self.tree.nodes[number].chances = chances.len();
        let own = |player: usize| match self.players.get(player) {
            Some(role) => choices[role.index()].clone(),
            None => vec![MoveId(0)],
        };
        let mut made: Vec<MoveId> = choices.iter().map(|it| it[0]).collect();
        for &first in &own(0) {
            for &second in &own(1) {
                for &third in &chances {
                    for (role, it) in self.players.iter().zip([first, second]) {
                        made[role.index()] = it;
                    }
                    if let Some(chance) = chance {
                        made[chance.index()] = third;
                    }
                    let child = self.follow(state, &made, known)?;
                    self.tree.nodes[number].children.push(child);
                }
            }
        }
        Ok(number as u32)
    }

    fn follow(
        &mut self,
        state: &State,
        made: &[MoveId],
        known: &mut [ObservedTurns],
    ) -> Result<u32, NoTree> {
        let (mut perceived, mut next) = (Vec::new(), State::default());
        self.rules.reasoner.perceive(state, made, &mut perceived)?;
        self.rules.reasoner.next_state(state, made, &mut next)?;
        for (known, role) in known.iter_mut().zip(self.players) {
            known.push((made[role.index()], perceived[role.index()].clone()));
        }
        self.path.push(state.clone());
        let child = self.node(&next, known)?;
        self.path.pop();
        known.iter_mut().for_each(|it| drop(it.pop()));
        Ok(child)
    }

    fn end(&mut self, number: usize, state: &State) -> Result<(), NoTree> {
        for (player, &role) in self.players.iter().enumerate() {
            let goal = self.rules.goal(state, role)? as f64;
            self.tree.nodes[number].values[player] = goal;
        }
        let sum: f64 = self.tree.nodes[number].values.iter().sum();
        if self.players.len() == 2 && sum != self.tree.sum && !self.tree.sum.is_nan() {
            // What one gets is not what the other loses: strategies have no value by themselves.
            return Err(NoTree::Unsuited(Undecided::ImperfectInformation));
        }
        self.tree.sum = sum;
        Ok(())
    }

    fn set(&mut self, player: usize, known: &ObservedTurns, moves: &[MoveId]) -> usize {
        let next = self.tree.sets.len();
        let number = *self.numbers.entry((player, known.clone())).or_insert(next);
        if number == next {
            self.tree.sets.push(InformationSet {
                player,
                known: known.clone(),
                moves: moves.to_vec(),
                regrets: vec![0.0; moves.len()],
                sums: vec![0.0; moves.len()],
                nodes: Vec::new(),
            });
        }
        number
    }
}

/// Numbers in proportion, adding up to 1; alike where there is nothing to go by.
pub(crate) fn shares(numbers: &[f64]) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    let even = 1.0 / numbers.len() as f64;
    numbers.iter().map(|it| if sum > 0.0 { it / sum } else { even }).collect()
}

impl InformationTree {
    /// One iteration of regret matching for all players; the number counts from 1.
    pub(super) fn iterate(&mut self, number: u32) {
        self.strategy = self.sets.iter().map(|it| shares(&it.regrets)).collect();
        self.walk(0, [1.0; 3], f64::from(number));
        for set in &mut self.sets {
            set.regrets.iter_mut().for_each(|it| *it = it.max(0.0));
        }
    }

    /// What a history is worth by the strategies of this iteration. `reach` is how likely each player, and chance, lets it happen.
    fn walk(&mut self, node: usize, reach: [f64; 3], weight: f64) -> [f64; 2] {
        let InformationNode { sets, chances, ref children, values } = self.nodes[node];
        if children.is_empty() {
            return values;
        }
        let counts: [usize; 2] = self.counts(sets);
        let mut sums = [0.0; 2];
        // By player and move: what the move is worth against what the others play.
        let mut worth = [vec![0.0; counts[0]], vec![0.0; counts[1]]];
        let even = 1.0 / chances as f64;
        let mut child = 0;
        for first in 0..counts[0] {
            for second in 0..counts[1] {
                let likely = [self.likely(sets, 0, first), self.likely(sets, 1, second)];
                for _ in 0..chances {
                    let there = self.nodes[node].children[child] as usize;
                    child += 1;
                    let on = [reach[0] * likely[0], reach[1] * likely[1], reach[2] * even];
                    if on == [0.0; 3] {
                        continue;
                    }
                    let values = self.walk(there, on, weight);
                    worth[0][first] += likely[1] * even * values[0];
                    worth[1][second] += likely[0] * even * values[1];
                    for player in 0..2 {
                        sums[player] += likely[0] * likely[1] * even * values[player];
                    }
                }
            }
        }
        for player in 0..self.players {
            let others = reach[1 - player] * reach[2];
            let set = &mut self.sets[sets[player]];
            for (it, regret) in set.regrets.iter_mut().enumerate() {
                *regret += others * (worth[player][it] - sums[player]);
            }
            for (it, sum) in set.sums.iter_mut().enumerate() {
                *sum += weight * reach[player] * self.strategy[sets[player]][it];
            }
        }
        sums
    }

    /// How many moves each player has; one that is not there has one.
    pub(super) fn counts(&self, sets: [usize; 2]) -> [usize; 2] {
        [0, 1].map(|it| if it < self.players { self.sets[sets[it]].moves.len() } else { 1 })
    }

    fn likely(&self, sets: [usize; 2], player: usize, it: usize) -> f64 {
        if player < self.players { self.strategy[sets[player]][it] } else { 1.0 }
    }

    /// By information set: the mean strategy.
    pub(super) fn means(&self) -> Vec<Vec<f64>> {
        self.sets.iter().map(|it| shares(&it.sums)).collect()
    }

    /// The mean strategies where there is a choice, in words.
    pub(super) fn strategies(&self, rules: &Rules, players: &[RoleId]) -> Vec<MixedMove> {
        let reasoner = &rules.reasoner;
        let printer = Printer::new(reasoner.symbols());
        let percept = |it: &PerceptId| printer.term(&reasoner.percept(*it)).to_string();
        let step = |(own, seen): &(MoveId, Vec<PerceptId>)| {
            (reasoner.move_text(*own), seen.iter().map(percept).collect())
        };
        let sets = self.sets.iter().zip(self.means()).filter(|it| it.0.moves.len() > 1);
        let mut strategies: Vec<MixedMove> = sets
            .map(|(set, mean)| MixedMove {
                role: reasoner.role_text(players[set.player]),
                history: set.known.iter().map(step).collect(),
                moves: set
                    .moves
                    .iter()
                    .zip(mean)
                    .map(|(&it, p)| (reasoner.move_text(it), p))
                    .collect(),
            })
            .collect();
        strategies.sort_by(|one, other| {
            (&one.role, one.history.len(), &one.history).cmp(&(
                &other.role,
                other.history.len(),
                &other.history,
            ))
        });
        strategies
    }

    /// Whether the initial state is terminal.
    pub(super) fn is_over_at_once(&self) -> bool {
        self.nodes.first().is_some_and(|it| it.children.is_empty())
    }

    /// About how much memory the tree takes.
    pub(super) fn bytes(&self) -> u64 {
        self.nodes.len() as u64 * NODE_BYTES
    }
}

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
