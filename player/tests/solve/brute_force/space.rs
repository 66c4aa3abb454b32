//! All states of a small game, by rules with variables.

use std::collections::BTreeMap;

use groundfrog::description::Printer;
use groundfrog::{Description, RoleId};
use groundfrog_reasoner::{
    InterpretedReasoner, MoveId, PerceptId, Reasoner, ReasonerError, State, Vocabulary,
};

/// What a role can force, and what it can be held to.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub lower: f64,
    pub upper: f64,
}

/// What play without end may be worth, or what is at fault.
const UNKNOWN: Bounds = Bounds { lower: 0.0, upper: 100.0 };

/// A joint move: the moves, where they lead, and what each role perceives.
pub struct Step {
    pub moves: Vec<MoveId>,
    pub next: usize,
    pub seen: Vec<Vec<PerceptId>>,
}

pub enum Node {
    /// The goals of the players.
    End(Vec<i64>),
    Inner(Vec<Step>),
    /// A role has no legal move, or it is an end and has not one goal for each.
    Faulty {
        is_end: bool,
    },
}

pub struct Space {
    pub rules: InterpretedReasoner,
    pub nodes: Vec<Node>,
}

/// All joint moves, if every role has a move.
fn joint_moves(rules: &mut InterpretedReasoner, state: &State) -> Option<Vec<Vec<MoveId>>> {
    let mut joint = vec![Vec::new()];
    for role in rules.role_ids() {
        let mut legal = Vec::new();
        rules.legal_moves(state, role, &mut legal).expect("a state of this game");
        let longer = |made: Vec<MoveId>| {
            legal.iter().map(move |&it| [&made[..], &[it]].concat()).collect::<Vec<_>>()
        };
        joint = joint.into_iter().flat_map(longer).collect();
    }
    Some(joint).filter(|it| !it.is_empty())
}

impl Space {
    /// All states that play can reach, unless they or their joint moves are too many.
    pub fn explore(mut rules: InterpretedReasoner, most: usize, most_moves: usize) -> Option<Self> {
        let mut states = vec![rules.initial().clone()];
        let mut nodes = Vec::new();
        let mut moves = 0;
        while nodes.len() < states.len() {
            let state = states[nodes.len()].clone();
            if rules.is_terminal(&state).expect("a state of this game") {
                nodes.push(end(&mut rules, &state));
                continue;
            }
            let Some(joint) = joint_moves(&mut rules, &state) else {
                nodes.push(Node::Faulty { is_end: false });
                continue;
            };
            moves += joint.len();
            let mut steps = Vec::new();
            for made in joint {
                if moves > most_moves {
                    return None;
                }
                let (mut next, mut seen) = (State::default(), Vec::new());
                rules.next_state(&state, &made, &mut next).expect("legal moves");
                rules.perceive(&state, &made, &mut seen).expect("legal moves");
                let number = states.iter().position(|it| *it == next).unwrap_or(states.len());
                if number == states.len() {
                    states.push(next);
                }
                steps.push(Step { moves: made, next: number, seen });
            }
            if states.len() > most {
                return None;
            }
            nodes.push(Node::Inner(steps));
        }
        Some(Space { rules, nodes })
    }

    /// The roles but chance.
    pub fn players(&self) -> Vec<RoleId> {
        let chance = self.chance();
        self.rules.role_ids().filter(|&it| Some(it) != chance).collect()
    }

    pub fn chance(&self) -> Option<RoleId> {
        self.rules.chance_role().filter(|_| self.rules.roles().len() > 1)
    }

    pub fn is_faulty(&self) -> bool {
        self.nodes.iter().any(|it| matches!(it, Node::Faulty { .. }))
    }

    pub fn is_hidden(&self, description: &Description) -> bool {
        groundfrog_reasoner::open::is_imperfect(description) && self.rules.roles().len() > 1
    }

    fn goals(&self, role: RoleId) -> impl Iterator<Item = i64> + '_ {
        let player = self.players().iter().position(|&it| it == role).expect("a player");
        self.nodes.iter().filter_map(move |node| match node {
            Node::End(goals) => Some(goals[player]),
            _ => None,
        })
    }

    /// The best goal at an end for a role.
    pub fn greatest(&self, role: RoleId) -> f64 {
        // What is at fault might have been an end.
        let known = self.goals(role).max().filter(|_| !self.is_faulty());
        known.map_or(f64::INFINITY, |it| it as f64)
    }

    /// The least and the greatest goal at an end; where there is none, anything.
    pub fn range(&self, role: RoleId) -> [f64; 2] {
        let (least, most) = (self.goals(role).min(), self.goals(role).max());
        [
            least.map_or(f64::INFINITY, |it| it as f64),
            most.map_or(f64::NEG_INFINITY, |it| it as f64),
        ]
    }

    /// Whether the goals of all ends add up to the same.
    pub fn has_one_sum(&self) -> bool {
        let sums: Vec<i64> = self
            .nodes
            .iter()
            .filter_map(|node| match node {
                Node::End(goals) => Some(goals.iter().sum()),
                _ => None,
            })
            .collect();
        let is_odd = |it: &Node| matches!(it, Node::Faulty { is_end: true });
        !self.nodes.iter().any(is_odd) && sums.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// What the goals of the first end add up to.
    pub fn sum(&self) -> f64 {
        let sum = |node: &Node| match node {
            Node::End(goals) => Some(goals.iter().sum::<i64>() as f64),
            _ => None,
        };
        self.nodes.iter().find_map(sum).unwrap_or(f64::NAN)
    }

    pub fn percept_text(&self, percept: PerceptId) -> String {
        Printer::new(self.rules.symbols()).term(&self.rules.percept(percept)).to_string()
    }

    /// What a role can force from the initial state: bounds of all states, from none on, until nothing changes.
    pub fn forced(&self, role: RoleId) -> Bounds {
        let player = self.players().iter().position(|&it| it == role).expect("a player");
        let mut bounds = vec![UNKNOWN; self.nodes.len()];
        // Values that come ever closer to something need as many rounds as they have digits.
        for _ in 0..self.nodes.len() + 200 {
            let mut is_changed = false;
            for (number, node) in self.nodes.iter().enumerate().rev() {
                let new = match node {
                    Node::End(goals) => {
                        Bounds { lower: goals[player] as f64, upper: goals[player] as f64 }
                    }
                    Node::Inner(steps) => self.of_steps(role, steps, &bounds),
                    Node::Faulty { .. } => UNKNOWN,
                };
                is_changed |= new.lower > bounds[number].lower + 1e-9;
                is_changed |= new.upper < bounds[number].upper - 1e-9;
                bounds[number] = new;
            }
            if !is_changed {
                break;
            }
        }
        bounds[0]
    }

    fn of_steps(&self, role: RoleId, steps: &[Step], bounds: &[Bounds]) -> Bounds {
        let chance = self.chance();
        let mut rows: BTreeMap<MoveId, BTreeMap<Vec<MoveId>, Vec<Bounds>>> = BTreeMap::new();
        for step in steps {
            let others = self.rules.role_ids().filter(|&it| it != role && Some(it) != chance);
            let others = others.map(|it| step.moves[it.index()]).collect();
            let row = rows.entry(step.moves[role.index()]).or_default();
            row.entry(others).or_default().push(bounds[step.next]);
        }
        let matrix = |of: fn(&Bounds) -> f64| -> Vec<Vec<f64>> {
            let mean = |all: &Vec<Bounds>| all.iter().map(of).sum::<f64>() / all.len() as f64;
            rows.values().map(|row| row.values().map(mean).collect()).collect()
        };
        let (lower, upper) = (matrix(|it| it.lower), matrix(|it| it.upper));
        Bounds { lower: matrix_value(&lower), upper: matrix_value(&upper) }
    }

    /// The states of a line, and the goals of the players at its end, if it comes to one.
    pub fn replayed(&mut self, line: &[Vec<String>]) -> (Vec<usize>, Option<Vec<i64>>) {
        let (mut states, mut here) = (vec![0], 0);
        for texts in line {
            let roles: Vec<RoleId> = self.rules.role_ids().collect();
            let made: Vec<MoveId> = roles
                .into_iter()
                .zip(texts)
                .map(|(role, text)| self.rules.find_move(role, text).expect("a move"))
                .collect();
            let Node::Inner(steps) = &self.nodes[here] else {
                panic!("the line goes on at an end")
            };
            here = steps.iter().find(|it| it.moves == made).expect("legal moves").next;
            states.push(here);
        }
        match &self.nodes[here] {
            Node::End(goals) => (states, Some(goals.clone())),
            _ => (states, None),
        }
    }

    /// Whether play can come back to a state.
    pub fn goes_round(&self) -> bool {
        // What has no way on but to what is left out is left out.
        let mut left: Vec<bool> = vec![true; self.nodes.len()];
        loop {
            let goes_on = |node: &Node, left: &[bool]| match node {
                Node::Inner(steps) => steps.iter().any(|it| left[it.next]),
                _ => false,
            };
            let found = (0..left.len()).find(|&it| left[it] && !goes_on(&self.nodes[it], &left));
            let Some(found) = found else { return left.contains(&true) };
            left[found] = false;
        }
    }
}

fn end(rules: &mut InterpretedReasoner, state: &State) -> Node {
    let chance = rules.chance_role();
    let mut goals = Vec::new();
    for role in rules.role_ids().filter(|&it| Some(it) != chance) {
        match rules.goal(state, role) {
            Ok(goal) => goals.push(goal),
            Err(ReasonerError::NoGoal { .. } | ReasonerError::ManyGoals { .. }) => {
                return Node::Faulty { is_end: true };
            }
            Err(error) => panic!("{error}"),
        }
    }
    Node::End(goals)
}

/// The value of a matrix game for who chooses rows and wants much: that of a square part of it in which both make the other indifferent
/// (Shapley & Snow 1950).
fn matrix_value(matrix: &[Vec<f64>]) -> f64 {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let parts = |of: usize, size: usize| {
        let members = move |mask: u32| (0..of).filter(move |it| mask >> it & 1 == 1).collect();
        (0..1_u32 << of).filter(move |it| it.count_ones() as usize == size).map(members)
    };
    for size in 1..=rows.min(columns) {
        for own in parts(rows, size) {
            let own: Vec<usize> = own;
            for others in parts(columns, size) {
                let others: Vec<usize> = others;
                let part = |row: usize, column: usize| matrix[own[row]][others[column]];
                let Some((mix, value)) = indifferent(size, part) else { continue };
                let Some((counter, _)) = indifferent(size, |one, other| part(other, one)) else {
                    continue;
                };
                let holds = (0..columns).all(|column| {
                    let sum: f64 = (0..size).map(|it| mix[it] * matrix[own[it]][column]).sum();
                    sum > value - 1e-7
                });
                let is_held = matrix.iter().all(|row| {
                    let sum: f64 = (0..size).map(|it| counter[it] * row[others[it]]).sum();
                    sum < value + 1e-7
                });
                if holds && is_held {
                    return value;
                }
            }
        }
    }
    panic!("{matrix:?} has no value")
}

/// Weights of rows, none below 0, by which all columns are worth the same, and how much that is.
fn indifferent(size: usize, part: impl Fn(usize, usize) -> f64) -> Option<(Vec<f64>, f64)> {
    // A row for each column, and that the weights add up to 1; the last unknown is the value.
    let mut system: Vec<Vec<f64>> = (0..size)
        .map(|column| (0..size).map(|row| part(row, column)).chain([-1.0, 0.0]).collect())
        .collect();
    system.push((0..size).map(|_| 1.0).chain([0.0, 1.0]).collect());
    for column in 0..=size {
        let pivot = (column..=size).max_by(|&one, &other| {
            system[one][column].abs().total_cmp(&system[other][column].abs())
        })?;
        if system[pivot][column].abs() < 1e-9 {
            return None;
        }
        system.swap(column, pivot);
        let pivot = system[column].clone();
        for (_, row) in system.iter_mut().enumerate().filter(|it| it.0 != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(one, other)| *one -= factor * other);
        }
    }
    let solution: Vec<f64> = (0..=size).map(|it| system[it][size + 1] / system[it][it]).collect();
    let (weights, value) = solution.split_at(size);
    weights.iter().all(|it| *it > -1e-9).then(|| (weights.to_vec(), value[0]))
}
