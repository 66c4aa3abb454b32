//! Weights that fit values best.

/// What keeps weights small that nothing tells much of.
const RIDGE: f64 = 1e-3;

/// Least squares by normal equations.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    matrix: Vec<Vec<f64>>,
    values: Vec<f64>,
    count: f64,
}

impl Fit {
    /// For rows of so many features.
    pub(super) fn new(size: usize) -> Self {
        Fit { matrix: vec![vec![0.0; size]; size], values: vec![0.0; size], count: 0.0 }
    }

    /// Adds a row of features and the value that goes with it.
    pub(super) fn add(&mut self, row: &[f64], value: f64) {
        for (at, one) in row.iter().enumerate() {
            for (sum, other) in self.matrix[at].iter_mut().zip(row) {
                *sum += one * other;
            }
            self.values[at] += one * value;
        }
        self.count += 1.0;
    }

    /// The weights, by elimination with the greatest pivot.
    pub(super) fn solve(mut self) -> Vec<f64> {
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
