//! Features of states, weighed by regression on random playouts.

use std::time::Duration;

use fxhash::FxHashMap;
use groundfrog::RoleId;
use groundfrog::game::GroundGame;
use groundfrog_reasoner::{GroundReasoner, Random, Reasoner, ReasonerError, State, Vocabulary};
use web_time::Instant;

use super::{FuzzyGoal, Grades};
use crate::structures::Structures;
use crate::structures::contents::{Location, locations};

/// A playout is given up after so many joint moves.
const LONGEST: usize = 500;
/// States of each playout that are learned from.
const STATES: u64 = 4;
/// No more kinds of pieces are counted.
const MOST_PIECES: usize = 40;
/// What keeps weights small that nothing tells much of.
const RIDGE: f64 = 1e-3;

/// What is looked at in a state, as a number.
#[derive(Clone, Debug)]
pub enum Feature {
    /// The degree to which a goal is fulfilled.
    Goal(Box<FuzzyGoal>),
    /// How many legal moves a role has, as their logarithm.
    Mobility(RoleId),
    /// How many fluents the last move changed.
    Novelty,
    /// How many things of a kind are on a board, by these fluents.
    Pieces {
        /// What they are.
        name: String,
        /// By fluent: whether it is one.
        fluents: Vec<bool>,
    },
}

/// What states are worth to a role, by a weight for each feature.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The features, each with its weight.
    pub features: Vec<(Feature, f64)>,
    /// What a state is worth without any.
    pub bias: f64,
    /// How much of the variance of the goal is explained in playouts that nothing was learned from: 1 is all.
    pub explained: f64,
    /// Playouts that were learned from.
    pub playouts: usize,
}

impl Estimate {
    /// The value of a state, as a goal from 0 to 100 that is expected, and the state before it if there is one.
    ///
    /// # Errors
    /// Those of the reasoner.
    pub fn value(
        &self,
        reasoner: &mut GroundReasoner,
        state: &State,
        before: Option<&State>,
    ) -> Result<f64, ReasonerError> {
        let mut value = self.bias;
        for (feature, weight) in &self.features {
            value += weight * measure(feature, reasoner, state, before)?;
        }
        Ok((100.0 * value).clamp(0.0, 100.0))
    }
}

fn measure(
    feature: &Feature,
    reasoner: &mut GroundReasoner,
    state: &State,
    before: Option<&State>,
) -> Result<f64, ReasonerError> {
    Ok(match feature {
        Feature::Goal(goal) => goal.degree(state),
        Feature::Mobility(role) => {
            let mut legal = Vec::new();
            if !reasoner.is_terminal(state)? {
                reasoner.legal_moves(state, *role, &mut legal)?;
            }
            (1.0 + legal.len() as f64).ln()
        }
        Feature::Novelty => before.map_or(0.0, |before| {
            let new = state.fluents().filter(|it| !before.contains(*it)).count();
            let gone = before.fluents().filter(|it| !state.contains(*it)).count();
            (1.0 + (new + gone) as f64).ln()
        }),
        Feature::Pieces { fluents, .. } => {
            state.fluents().filter(|it| fluents[it.index()]).count() as f64
        }
    })
}

/// What stands on boards, by kind: pieces of one kind are worth the same, wherever they are, but for their places.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// What they are, one for each board and content.
    pub names: Vec<String>,
    /// By fluent: the number of the kind that it places on a board, if it does.
    pub of: Vec<Option<usize>>,
}

/// The kinds of what stands on the boards of a game, at most 40 of each board.
pub fn kinds(structures: &Structures, game: &GroundGame) -> Kinds {
    let mut names = Vec::new();
    let mut numbers: FxHashMap<(usize, &str), usize> = FxHashMap::default();
    for (board, found) in structures.boards.iter().enumerate() {
        for marker in found.markers.iter().take(MOST_PIECES) {
            numbers.insert((board, &marker.content), names.len());
            names.push(marker.content.clone());
        }
    }
    let kind = |it: Location| numbers.get(&(it.board, it.content.as_str())).copied();
    let of = locations(structures, game).into_iter().map(|it| it.and_then(kind)).collect();
    Kinds { names, of }
}

/// The features that can be looked at in a game.
fn features(reasoner: &GroundReasoner, structures: &Structures) -> Vec<Feature> {
    let game = reasoner.game();
    let grades = Grades::new(structures, game);
    let mut found = Vec::new();
    for other in reasoner.role_ids() {
        // The best goal of each role: what one wants and what the others do.
        let best = game.goals_of(other).filter_map(|it| it.value).max();
        let goals = game.goals_of(other).filter(|it| best.is_some() && it.value == best);
        let goals = goals.filter_map(|it| FuzzyGoal::new(game, it.atom, grades.clone()));
        found.extend(goals.map(|it| Feature::Goal(Box::new(it))));
        found.push(Feature::Mobility(other));
    }
    found.push(Feature::Novelty);
    let kinds = kinds(structures, game);
    for (kind, name) in kinds.names.into_iter().enumerate() {
        let fluents = kinds.of.iter().map(|it| *it == Some(kind)).collect();
        found.push(Feature::Pieces { name, fluents });
    }
    found
}

/// Weighs the features of a game for a role by what random playouts come to, as long as there is time.
///
/// # Errors
/// Those of the reasoner.
pub fn estimate(
    reasoner: &mut GroundReasoner,
    structures: &Structures,
    role: RoleId,
    seed: u64,
    time: Duration,
) -> Result<Estimate, ReasonerError> {
    let end = Instant::now().checked_add(time);
    let features = features(reasoner, structures);
    let mut random = Random::new(seed);
    let mut fit = Fit::new(features.len() + 1);
    let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
    let mut playouts = 0;
    while end.is_none_or(|it| Instant::now() < it) && playouts < 5_000 {
        let mut states = vec![reasoner.initial().clone()];
        let mut moves = Vec::new();
        while states.len() < LONGEST && !reasoner.is_terminal(&states[states.len() - 1])? {
            let mut state = states[states.len() - 1].clone();
            match reasoner.random_joint_move(&state, &mut random, &mut moves) {
                Ok(()) => reasoner.advance(&mut state, &moves)?,
                Err(ReasonerError::NoLegalMove { .. }) => break,
                Err(fault) => return Err(fault),
            }
            states.push(state);
        }
        let last = &states[states.len() - 1];
        if !reasoner.is_terminal(last)? {
            playouts += 1;
            continue;
        }
        let mut goals = Vec::new();
        reasoner.goal_values(last, role, &mut goals)?;
        let Some(&goal) = goals.first() else { continue };
        playouts += 1;
        for _ in 0..STATES.min(states.len() as u64 - 1) {
            let at = random.below(states.len() as u32 - 1) as usize;
            let before = at.checked_sub(1).map(|it| states[it].clone());
            let mut row = vec![1.0];
            for feature in &features {
                row.push(measure(feature, reasoner, &states[at].clone(), before.as_ref())?);
            }
            // Every fifth playout is kept to see how good the weights are.
            match playouts % 5 {
                0 => rows.push((row, goal as f64 / 100.0)),
                _ => fit.add(&row, goal as f64 / 100.0),
            }
        }
    }
    let weights = fit.solve();
    let explained = explained(&weights, &rows);
    let weighed = features.into_iter().zip(weights[1..].iter().copied()).collect();
    Ok(Estimate { features: weighed, bias: weights[0], explained, playouts })
}

/// How much of the variance of values weights explain.
fn explained(weights: &[f64], rows: &[(Vec<f64>, f64)]) -> f64 {
    let mean = rows.iter().map(|it| it.1).sum::<f64>() / rows.len().max(1) as f64;
    let variance: f64 = rows.iter().map(|it| (it.1 - mean).powi(2)).sum();
    let value = |row: &[f64]| row.iter().zip(weights).map(|(it, weight)| it * weight).sum::<f64>();
    let errors: f64 = rows.iter().map(|(row, it)| (it - value(row)).powi(2)).sum();
    if variance <= 0.0 { 0.0 } else { 1.0 - errors / variance }
}

/// Least squares by normal equations.
#[derive(Clone, Debug)]
pub struct Fit {
    matrix: Vec<Vec<f64>>,
    values: Vec<f64>,
    count: f64,
}

impl Fit {
    /// For rows of so many features.
    pub fn new(size: usize) -> Self {
        Fit { matrix: vec![vec![0.0; size]; size], values: vec![0.0; size], count: 0.0 }
    }

    /// Adds a row of features and the value that goes with it.
    pub fn add(&mut self, row: &[f64], value: f64) {
        for (at, one) in row.iter().enumerate() {
            for (sum, other) in self.matrix[at].iter_mut().zip(row) {
                *sum += one * other;
            }
            self.values[at] += one * value;
        }
        self.count += 1.0;
    }

    /// The weights, by elimination with the greatest pivot.
    pub fn solve(mut self) -> Vec<f64> {
        let size = self.values.len();
        for at in 0..size {
            self.matrix[at][at] += RIDGE * self.count.max(1.0);
        }
        for at in 0..size {
            let size_of = |row: &usize| self.matrix[*row][at].abs();
            let pivot = (at..size)
                .max_by(|one, other| size_of(one).total_cmp(&size_of(other)))
                .unwrap_or(at);
            self.matrix.swap(at, pivot);
            self.values.swap(at, pivot);
            let own = self.matrix[at].clone();
            for row in at + 1..size {
                let factor = self.matrix[row][at] / own[at];
                self.matrix[row].iter_mut().zip(&own).for_each(|(it, own)| *it -= factor * own);
                self.values[row] -= factor * self.values[at];
            }
        }
        let mut weights = vec![0.0; size];
        for at in (0..size).rev() {
            let known: f64 = (at + 1..size).map(|it| self.matrix[at][it] * weights[it]).sum();
            weights[at] = (self.values[at] - known) / self.matrix[at][at];
        }
        weights
    }
}
