//! Times and sizes as people read them, and statistics of many games.

/// Seconds with three digits and a unit.
pub fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 0.9995 => format!("{} s", three_digits(seconds)),
        _ if seconds >= 0.000_999_5 => format!("{} ms", three_digits(seconds * 1e3)),
        _ => format!("{} µs", three_digits(seconds * 1e6)),
    }
}

/// A number of bytes with three digits and a unit.
pub fn size(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["bytes", "KiB", "MiB"] {
        if size < 999.5 {
            return format!(
                "{} {unit}",
                if unit == "bytes" { bytes.to_string() } else { three_digits(size) }
            );
        }
        size /= 1024.0;
    }
    format!("{} GiB", three_digits(size))
}

/// A number below a thousand, or a few more. Without the formatter of floating-point numbers, which is long and which
/// nothing else in a run needs.
fn three_digits(number: f64) -> String {
    let (scale, decimals) = match number {
        _ if number < 9.995 => (100_u64, 2),
        _ if number < 99.95 => (10, 1),
        _ => (1, 0),
    };
    let scaled = (number * scale as f64).round() as u64;
    let (whole, rest) = (scaled / scale, scaled % scale);
    if decimals == 0 { whole.to_string() } else { format!("{whole}.{rest:0decimals$}") }
}

// Statistics of many games.

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
    fn numbers_have_three_digits() {
        assert_eq!(time(0.000_000_5), "0.50 µs");
        assert_eq!(time(0.012_34), "12.3 ms");
        assert_eq!(time(0.9999), "1.00 s");
        assert_eq!(time(123.4), "123 s");
        assert_eq!(size(12), "12 bytes");
        assert_eq!(size(1000), "0.98 KiB");
        assert_eq!(size(3 << 29), "1.50 GiB");
        assert_eq!(size(12 << 20), "12.0 MiB");
    }

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
