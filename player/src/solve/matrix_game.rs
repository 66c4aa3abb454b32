//! Matrix games: what can be had by mixing rows where somebody else chooses the column at the same time.

/// Values that differ by less are the same but for rounding.
pub(super) const ROUNDING: f64 = 1e-9;

/// The value of a matrix game for who chooses the row and wants much, and how the rows are mixed.
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
