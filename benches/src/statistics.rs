//! Statistics of many games.

/// The values in ascending order.
pub(crate) fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The least value that at least so many per cent of `all` do not exceed (nearest rank). Values that are
/// missing count as larger than those in `ascending`; none if it is one of them.
pub(crate) fn percentile(ascending: &[f64], all: usize, percent: usize) -> Option<f64> {
    let rank = (all * percent).div_ceil(100).max(1);
    ascending.get(rank - 1).copied()
}

/// The geometric mean of what is above zero; none if nothing is.
pub(crate) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut number) = (0.0, 0u32);
    for value in values.into_iter().filter(|&it| it > 0.0 && it.is_finite()) {
        sum += value.ln();
        number += 1;
    }
    (number > 0).then(|| (sum / f64::from(number)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_games_count_as_slow() {
        let times = [1.0, 2.0, 3.0];
        assert_eq!(percentile(&times, 3, 50), Some(2.0));
        assert_eq!(percentile(&times, 4, 50), Some(2.0));
        assert_eq!(percentile(&times, 4, 75), Some(3.0));
        assert_eq!(percentile(&times, 4, 90), None);
        assert_eq!(percentile(&[], 0, 50), None);
    }

    #[test]
    fn geometric_means() {
        let mean = geometric_mean([1.0, 4.0, 16.0]).expect("three numbers");
        assert!((mean - 4.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean([0.0]), None);
    }
}
