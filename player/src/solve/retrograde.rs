//! What a role can force in each state that play can reach, found from the ends (retrograde analysis): where several choose at the same
//! time, chance moves, or play may come back to a state.
//!
//! In each state the role chooses a row and all others together choose a column, without knowing of each other; the entries are what
//! the states after are worth, on average over the moves of `random`, which are all alike likely (GDL-II). The state is worth
//! what this matrix game is (von Neumann 1928), by linear programming, so it is exact but for rounding. States from which play cannot
//! go round have one value. In the others two bounds begin at the least and the greatest goal of GDL, which is all that is known of play without
//! end, and come closer as long as something changes (least fixpoints). Bounds that do not meet depend on what play without end is worth.

use std::collections::VecDeque;

use groundfrog::game::{GroundGame, RoleId};
use groundfrog_engine::rows::Rows;
use groundfrog_reasoner::state_space::States;
use groundfrog_reasoner::{MoveId, Reasoner, ReasonerError, State, Vocabulary};

use super::position::{Children, Rules};
use super::{
    GREATEST, LEAST, LineStop, MixedMove, RoleValue, Solution, SolveMethod, Undecided, texts,
    values_of,
};
use crate::clock::StateBudget;

/// Bounds that are closer are one value: what rounding leaves of many steps.
const CLOSE: f64 = 1e-6;
/// Bytes of a state besides its words, and of a joint move.
const STATE_BYTES: u64 = 192;
const MOVE_BYTES: u64 = 8;

/// All states that play can reach, as far as there is room for them, numbered breadth first.
struct StateGraph {
    chance: Option<usize>,
    /// By state: how many moves each role has; none at an end, and where it is not known how play goes on.
    choices: Rows<u32>,
    /// By state: where joint moves lead, those of the last role changing fastest.
    children: Rows<u32>,
    /// By state: its parents, one for each joint move.
    parents: Rows<u32>,
    /// By state: the goals at an end, by role; 0 for chance.
    goals: Rows<i64>,
    /// Why it is not known of some states how play goes on.
    obstacle: Option<Undecided>,
    bytes: u64,
}

impl StateGraph {
    fn explore(
        rules: &mut Rules,
        budget: &mut StateBudget<'_>,
        memory: u64,
    ) -> Result<Self, ReasonerError> {
        let chance = rules.reasoner.chance_role().map(RoleId::index);
        let (mut choices, mut children, mut goals) =
            (Rows::default(), Rows::default(), Rows::default());
        let fluents = rules.reasoner.game().fluents().len();
        let mut states = States::new(fluents, rules.reasoner.initial().words(), 1);
        let (mut made, mut obstacle) = (Children::default(), None);
        let (mut looked, mut state) = (0, State::default());
        let entry = STATE_BYTES + rules.words as u64 * 8;
        let bytes = |states: usize, waiting: usize, moves: usize| {
            (states + waiting) as u64 * entry + moves as u64 * MOVE_BYTES
        };
        while looked < states.count() {
            state.copy_from(states.get(looked as u32));
            looked += 1;
            let held = bytes(states.count(), states.count() - looked, children.items().len());
            if !budget.step() {
                obstacle = Some(Undecided::Budget);
                break;
            }
            // The table of states may have to grow.
            let is_full = states.is_full() || children.items().len() > u32::MAX as usize / 2;
            if held > memory / 2 || is_full {
                obstacle = Some(Undecided::Memory);
                break;
            }
            if rules.is_terminal(&state)? {
                let mut own = Vec::new();
                for role in 0..rules.roles {
                    let is_chance = chance == Some(role);
                    own.push(if is_chance {
                        0
                    } else {
                        rules.goal(&state, RoleId(role as u32))?
                    });
                }
                goals.push(own);
                choices.push([]);
                children.push([]);
                continue;
            }
            goals.push([]);
            if !rules.expand_within(&state, &mut made, budget)? {
                obstacle =
                    Some(if budget.is_spent() { Undecided::Budget } else { Undecided::TooWide });
                choices.push([]);
                children.push([]);
                continue;
            }
            choices.push(rules.legal.iter().map(|it| it.len() as u32));
            let next = (0..made.len()).map(|child| made.state(child).words());
            children.push(next.map(|words| states.insert(words, looked as u32 - 1)));
        }
        // Those that were not looked at are known by their numbers alone.
        while children.len() < states.count() {
            goals.push([]);
            choices.push([]);
            children.push([]);
        }
        let bytes = bytes(states.count(), states.count() - looked, children.items().len());
        drop(states);
        let pairs = (0_u32..).zip(children.iter());
        let pairs = pairs.flat_map(|(parent, row)| row.iter().map(move |&child| (child, parent)));
        let parents = Rows::from_pairs(children.len(), pairs);
        Ok(StateGraph { chance, choices, children, parents, goals, obstacle, bytes })
    }

    /// The ends, by number.
    fn ends(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(self.goals.iter()).filter(|it| !it.1.is_empty()).map(|it| it.0)
    }

    /// The greatest goal of a role at an end, if all ends are known.
    fn greatest(&self, role: usize) -> Option<f64> {
        let goals = self.ends().map(|it| self.goals.row(it as usize)[role]);
        goals.max().filter(|_| self.obstacle.is_none()).map(|it| it as f64)
    }

    /// Whether the goals add up to the same at all ends, and all ends are known.
    fn has_one_sum(&self) -> bool {
        let sum =
            |end: u32| self.goals.row(end as usize).iter().map(|&it| i128::from(it)).sum::<i128>();
        let mut sums = self.ends().map(sum);
        let first = sums.next();
        self.obstacle.is_none() && sums.all(|it| Some(it) == first)
    }

    /// Whether a role has a choice in a state, and whether another one has that is not chance.
    fn choosers(&self, state: usize, role: usize) -> [bool; 2] {
        let choices = (0..).zip(self.choices.row(state)).filter(|it| *it.1 > 1);
        choices.fold([false; 2], |[own, others], (it, _)| {
            [own || it == role, others || it != role && Some(it) != self.chance]
        })
    }
}

/// What one role can force in each state.
struct Forced<'graph> {
    graph: &'graph StateGraph,
    role: usize,
    /// By state: the role can force so much, and the others can hold it to so much.
    bounds: Vec<[f64; 2]>,
    /// By state and bound: when it was found, counted from the ends.
    since: Vec<[u32; 2]>,
    /// By state: how many of its joint moves are not settled. Where play may go round, that never is 0.
    open: Vec<u32>,
    /// Whether moves have to be mixed in some state.
    is_mixed: bool,
}

impl<'graph> Forced<'graph> {
    /// `range` is what play without end, or what is not known, may be worth.
    fn new(
        graph: &'graph StateGraph,
        role: usize,
        range: [f64; 2],
        budget: &mut StateBudget<'_>,
    ) -> Self {
        let states = graph.children.len();
        let mut forced = Forced {
            graph,
            role,
            bounds: vec![range; states],
            since: vec![[0; 2]; states],
            open: graph.children.iter().map(|it| it.len() as u32).collect(),
            is_mixed: false,
        };
        forced.settle(budget);
        forced.narrow(budget);
        forced
    }

    /// Finds the values of all states from which play cannot go round, each from those of the states after it.
    fn settle(&mut self, budget: &mut StateBudget<'_>) {
        let graph = self.graph;
        let mut settled: Vec<u32> = Vec::new();
        for end in graph.ends() {
            self.bounds[end as usize] = [graph.goals.row(end as usize)[self.role] as f64; 2];
            settled.push(end);
        }
        let mut count = 0;
        while let Some(state) = settled.pop() {
            for &parent in graph.parents.row(state as usize) {
                let parent = parent as usize;
                self.open[parent] -= 1;
                if self.open[parent] > 0 {
                    continue;
                }
                if !budget.work() {
                    return;
                }
                count += 1;
                self.since[parent] = [count; 2];
                self.bounds[parent] = [self.bound(parent, LOWER); 2];
                settled.push(parent as u32);
            }
        }
    }

    /// Brings the bounds of all other states closer as long as something changes.
    fn narrow(&mut self, budget: &mut StateBudget<'_>) {
        let is_open = |it: &u32| self.open[*it as usize] > 0;
        let mut waiting: VecDeque<u32> =
            (0..self.open.len() as u32).rev().filter(is_open).collect();
        let mut is_waiting: Vec<bool> = self.open.iter().map(|it| *it > 0).collect();
        let mut count = self.open.len() as u32;
        while let Some(state) = waiting.pop_front() {
            if !budget.work() {
                return;
            }
            let state = state as usize;
            is_waiting[state] = false;
            let mut is_changed = false;
            for bound in [LOWER, UPPER] {
                let new = self.bound(state, bound);
                let closer = (new - self.bounds[state][bound]) * [1.0, -1.0][bound];
                if closer > ROUNDING {
                    count = count.saturating_add(1);
                    self.bounds[state][bound] = new;
                    self.since[state][bound] = count;
                    is_changed = true;
                }
            }
            for &parent in self.graph.parents.row(state).iter().filter(|_| is_changed) {
                let is_waiting = &mut is_waiting[parent as usize];
                if self.open[parent as usize] > 0 && !*is_waiting {
                    *is_waiting = true;
                    waiting.push_back(parent);
                }
            }
        }
    }

    /// The matrix of a bound: own moves by joint moves of the others, on average over chance.
    fn matrix(&self, state: usize, bound: usize) -> Vec<Vec<f64>> {
        let choices = self.graph.choices.row(state);
        let children = self.graph.children.row(state);
        let count = |role: usize| choices[role] as usize;
        let rows = count(self.role);
        let chances = self.graph.chance.map_or(1, count);
        let columns = children.len() / rows / chances;
        let mut matrix = vec![vec![0.0; columns]; rows];
        for (number, &child) in children.iter().enumerate() {
            let (mut rest, mut column, mut factor, mut row) = (number, 0, 1, 0);
            for role in (0..choices.len()).rev() {
                let made = rest % count(role);
                rest /= count(role);
                if role == self.role {
                    row = made;
                } else if Some(role) != self.graph.chance {
                    column += made * factor;
                    factor *= count(role);
                }
            }
            matrix[row][column] += self.bounds[child as usize][bound] / chances as f64;
        }
        matrix
    }

    /// A bound of a state, by those of the states after it.
    fn bound(&mut self, state: usize, bound: usize) -> f64 {
        let (value, mixture) = matrix_game(&self.matrix(state, bound));
        self.is_mixed |= mixture.iter().any(|it| (ROUNDING..1.0 - ROUNDING).contains(it));
        value
    }

    /// Notes what is known of the initial state.
    fn decide(&self, value: &mut RoleValue, is_over: bool) {
        if value.decided {
            return;
        }
        let [lower, upper] = self.bounds[0];
        // Who forces the best end there is wants no other.
        let greatest = self.graph.greatest(self.role).filter(|_| !is_over);
        let least_upper = upper.min(greatest.unwrap_or(f64::INFINITY));
        (value.lower, value.upper) = (lower.max(value.lower), upper.min(value.upper));
        if least_upper - lower < CLOSE {
            let near = lower.round();
            value.decide(if (lower - near).abs() < CLOSE { near } else { lower });
        }
    }

    /// How the role mixes its moves in the initial state, if it has a choice there and play does not come back.
    fn strategy(&self, rules: &mut Rules) -> Result<Option<MixedMove>, ReasonerError> {
        if self.graph.goals.row(0).is_empty()
            && self.open[0] == 0
            && self.graph.choices.row(0)[self.role] > 1
        {
            let (_, mixture) = matrix_game(&self.matrix(0, LOWER));
            let root = rules.whole(rules.reasoner.initial());
            rules.find_legal(&root)?;
            let legal = rules.legal[self.role].iter().zip(mixture);
            let moves = legal.map(|(&it, share)| (rules.reasoner.move_text(it), share)).collect();
            let role = rules.reasoner.role_text(RoleId(self.role as u32));
            return Ok(Some(MixedMove { role, history: Vec::new(), moves }));
        }
        Ok(None)
    }

    /// Joint moves that keep what is proven, and with each of which who can force the end comes nearer to it; and why they do not lead
    /// there, if they do not.
    fn line(
        &self,
        rules: &mut Rules,
        budget: &mut StateBudget<'_>,
    ) -> Result<(Vec<MoveId>, Option<LineStop>), ReasonerError> {
        // The others force the end where the role has no more than it has without one.
        let lead = if self.since[0][LOWER] > 0 { LOWER } else { UPPER };
        let (mut line, mut number) = (Vec::new(), 0);
        let mut state = rules.whole(rules.reasoner.initial());
        let mut children = Children::default();
        while self.graph.goals.row(number).is_empty() {
            let [own, others] = self.graph.choosers(number, self.role);
            if own && others {
                return Ok((line, Some(LineStop::Simultaneous)));
            }
            if !rules.expand_within(&state, &mut children, budget)? {
                return Ok((line, Some(LineStop::Unproven)));
            }
            // The one wants much and the others little.
            let gain = |from: usize, to: usize, bound: usize| {
                let sign = if bound == LOWER { 1.0 } else { -1.0 };
                (self.bounds[to][bound] - self.bounds[from][bound]) * sign
            };
            let after = (0..).zip(self.graph.children.row(number));
            let nearer = after.map(|(child, &it)| (child, it as usize)).filter(|&(_, it)| {
                gain(number, it, lead) > -CLOSE && self.since[it][lead] < self.since[number][lead]
            });
            let chooses = if own { LOWER } else { UPPER };
            let best = nearer.min_by(|one, other| {
                gain(number, other.1, chooses).total_cmp(&gain(number, one.1, chooses))
            });
            let Some((child, next)) = best else { return Ok((line, Some(LineStop::Unproven))) };
            line.extend_from_slice(&children.moves[child * rules.roles..(child + 1) * rules.roles]);
            state = children.state(child).clone();
            number = next;
        }
        Ok((line, None))
    }
}

/// Positions of bounds.
const LOWER: usize = 0;
const UPPER: usize = 1;

/// The least and the greatest value that anything may have for a role.
fn range(game: &GroundGame, role: usize) -> [f64; 2] {
    let goals = values_of(game, RoleId(role as u32));
    let widened =
        |[least, most]: [f64; 2], goal: i64| [least.min(goal as f64), most.max(goal as f64)];
    goals.into_iter().fold([LEAST, GREATEST], widened)
}

/// Finds the values that a solution leaves open, and its line if it has none to the end.
pub(super) fn solve(
    mut solution: Solution,
    rules: &mut Rules,
    budget: &mut StateBudget<'_>,
    memory: u64,
) -> Result<Solution, ReasonerError> {
    let graph = StateGraph::explore(rules, budget, memory)?;
    let stop = solution.line_stop;
    let mut is_line_open =
        graph.chance.is_none() && matches!(stop, Some(LineStop::Undecided | LineStop::Unproven));
    for role in (0..rules.roles).filter(|&it| graph.chance != Some(it)) {
        let value = &mut solution.values[role];
        if value.decided && !is_line_open {
            continue;
        }
        let range = range(rules.reasoner.game(), role);
        let forced = Forced::new(&graph, role, range, budget);
        let was_decided = value.decided;
        forced.decide(value, budget.is_spent());
        let is_found = value.decided && !was_decided;
        if forced.is_mixed {
            solution.method = SolveMethod::MatrixGames;
        } else if is_found && solution.method == SolveMethod::AlphaBeta {
            solution.method = SolveMethod::Retrograde;
        }
        if is_found && forced.is_mixed && graph.chance.is_none() {
            solution.strategies.extend(forced.strategy(rules)?);
        }
        if value.decided && is_line_open {
            let (moves, stop) = forced.line(rules, budget)?;
            let is_for_all = rules.roles == 2 && graph.has_one_sum();
            solution.line_role = (!is_for_all).then(|| value.role.clone());
            solution.line = moves.chunks_exact(rules.roles).map(|it| texts(rules, it)).collect();
            (solution.line_is_complete, solution.line_stop) = (stop.is_none(), stop);
            is_line_open = false;
        }
    }
    let mut values = (0..).zip(&solution.values).filter(|it| graph.chance != Some(it.0));
    solution.undecided = match values.all(|it| it.1.decided) {
        true => None,
        false if budget.is_spent() => Some(Undecided::Budget),
        false => graph.obstacle.or(Some(Undecided::Endless)),
    };
    solution.states = budget.steps();
    solution.memory = solution.memory.max(graph.bytes);
    Ok(solution)
}

/// Values that differ by less are the same but for rounding.
pub(super) const ROUNDING: f64 = 1e-9;

/// What can be had by mixing rows where somebody else chooses the column at the same time: the value of a matrix game for who chooses the row and wants much, and how the rows are mixed.
pub(super) fn matrix_game(matrix: &[Vec<f64>]) -> (f64, Vec<f64>) {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let least = |row: &Vec<f64>| row.iter().copied().fold(f64::INFINITY, f64::min);
    let (best, lower) = (0..rows)
        .map(|row| (row, least(&matrix[row])))
        .fold((0, f64::NEG_INFINITY), |best, it| if it.1 > best.1 { it } else { best });
    let most =
        |column: usize| matrix.iter().map(|row| row[column]).fold(f64::NEG_INFINITY, f64::max);
    let upper = (0..columns).map(most).fold(f64::INFINITY, f64::min);
    if upper - lower < ROUNDING {
        let mut pure = vec![0.0; rows];
        pure[best] = 1.0;
        return (lower, pure);
    }
    // With all entries above 0: the most that nonnegative weights of columns can add up to, if no row adds up to more than 1. Slack
    // variables are the rows, whose prices in the end are their weights.
    let shift = 1.0 - matrix.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let width = columns + rows + 1;
    let mut tableau: Vec<Vec<f64>> = (0..rows)
        .map(|row| {
            let mut line = vec![0.0; width];
            line.iter_mut().zip(&matrix[row]).for_each(|(cell, value)| *cell = value + shift);
            line[columns + row] = 1.0;
            line[width - 1] = 1.0;
            line
        })
        .collect();
    let mut prices = vec![0.0; width];
    prices[..columns].fill(-1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    // Bland's rule: it comes to an end.
    while let Some(entering) = (0..width - 1).find(|&it| prices[it] < -ROUNDING) {
        let ratio = |row: usize| tableau[row][width - 1] / tableau[row][entering];
        let leaving =
            (0..rows).filter(|&row| tableau[row][entering] > ROUNDING).min_by(|&one, &other| {
                ratio(one).total_cmp(&ratio(other)).then(basis[one].cmp(&basis[other]))
            });
        // All entries are above 0, so that the weights are bounded.
        let Some(leaving) = leaving else { break };
        let pivot = tableau[leaving][entering];
        tableau[leaving].iter_mut().for_each(|cell| *cell /= pivot);
        let line = tableau[leaving].clone();
        let others = tableau.iter_mut().enumerate().filter(|(row, _)| *row != leaving);
        for other in others.map(|(_, other)| other).chain([&mut prices]) {
            let factor = other[entering];
            other.iter_mut().zip(&line).for_each(|(cell, value)| *cell -= factor * value);
        }
        basis[leaving] = entering;
    }
    let total = prices[width - 1];
    let mixture = prices[columns..width - 1].iter().map(|price| (price / total).max(0.0)).collect();
    let value = 1.0 / total - shift;
    let near = value.round();
    (if (value - near).abs() < ROUNDING { near } else { value }, mixture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_games_have_their_values() {
        /// Rows of values, the value, and a best mixture of rows.
        type Known = (&'static [&'static [f64]], f64, &'static [f64]);
        let games: [Known; 4] = [
            (&[&[100.0, 0.0], &[0.0, 100.0]], 50.0, &[0.5, 0.5]),
            (
                &[&[50.0, 0.0, 100.0], &[100.0, 50.0, 0.0], &[0.0, 100.0, 50.0]],
                50.0,
                &[1.0 / 3.0; 3],
            ),
            (&[&[100.0, 0.0], &[0.0, 50.0]], 100.0 / 3.0, &[1.0 / 3.0, 2.0 / 3.0]),
            (&[&[10.0, 20.0], &[30.0, 40.0]], 30.0, &[0.0, 1.0]),
        ];
        for (matrix, expected, mixture) in games {
            let rows: Vec<Vec<f64>> = matrix.iter().map(|row| row.to_vec()).collect();
            let (value, found) = matrix_game(&rows);
            assert!((value - expected).abs() < 1e-9, "{value} and not {expected}");
            let is_near = found.iter().zip(mixture).all(|(one, other)| (one - other).abs() < 1e-9);
            assert!(is_near, "{found:?} and not {mixture:?}");
        }
    }
}
