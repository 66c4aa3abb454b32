//! Statistics of many games, and numbers for people.

/// A number with its thousands set apart.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            // A narrow space that does not break.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A ratio with as many digits as mean something.
pub(super) fn ratio(value: f64) -> String {
    match value {
        _ if !value.is_finite() => "–".to_owned(),
        _ if value >= 100.0 => count(value.round() as u64),
        _ if value >= 9.95 => format!("{value:.1}"),
        _ if value >= 0.1 => format!("{value:.2}"),
        _ if value >= 0.01 => format!("{value:.3}"),
        _ if value >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

/// A share in per cent, rounded down: 100 % is all.
pub(super) fn share(part: usize, whole: usize) -> String {
    (part * 100).checked_div(whole).map_or("–".to_owned(), |it| format!("{it} %"))
}

/// `1 game`, `2 games`.
pub(super) fn games(number: usize) -> String {
    format!("{} game{}", count(number as u64), if number == 1 { "" } else { "s" })
}

/// The power law y = factor · x^exponent that fits best where both axes are logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PowerLaw {
    pub(super) factor: f64,
    pub(super) exponent: f64,
    /// The share of the variance of log y that it explains.
    pub(super) r_squared: f64,
}

impl PowerLaw {
    /// By least squares of the logarithms; none for fewer than three points or a single x.
    pub(super) fn fit(points: impl IntoIterator<Item = (f64, f64)>) -> Option<Self> {
        let points: Vec<(f64, f64)> = points
            .into_iter()
            .filter(|&(x, y)| x > 0.0 && y > 0.0)
            .map(|(x, y)| (x.ln(), y.ln()))
            .collect();
        if points.len() < 3 {
            return None;
        }
        let number = points.len() as f64;
        let mean_x = points.iter().map(|it| it.0).sum::<f64>() / number;
        let mean_y = points.iter().map(|it| it.1).sum::<f64>() / number;
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in points {
            let (x, y) = (x - mean_x, y - mean_y);
            (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
        }
        if xx < 1e-12 {
            return None;
        }
        let exponent = xy / xx;
        let r_squared = if yy < 1e-12 { 1.0 } else { xy * xy / (xx * yy) };
        Some(PowerLaw { factor: (mean_y - exponent * mean_x).exp(), exponent, r_squared })
    }

    pub(super) fn at(&self, x: f64) -> f64 {
        self.factor * x.powf(self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(52_946_288), "52\u{202f}946\u{202f}288");
        assert_eq!([count(0), count(999), count(1000)], ["0", "999", "1\u{202f}000"]);
        assert_eq!([ratio(2.104), ratio(12.34), ratio(0.42)], ["2.10", "12.3", "0.42"]);
        assert_eq!([ratio(0.0384), ratio(4321.4)], ["0.038", "4\u{202f}321"]);
        assert_eq!([share(199, 200), share(200, 200), share(0, 0)], ["99 %", "100 %", "–"]);
        assert_eq!([games(1), games(2)], ["1 game", "2 games"]);
    }

    #[test]
    fn power_laws_are_found_again() {
        let points = [1.0, 10.0, 50.0, 1000.0].map(|x: f64| (x, 3.0 * x.powf(1.5)));
        let law = PowerLaw::fit(points).expect("four points");
        assert!((law.factor - 3.0).abs() < 1e-9 && (law.exponent - 1.5).abs() < 1e-12, "{law:?}");
        assert!((law.r_squared - 1.0).abs() < 1e-12);
        assert!((law.at(4.0) - 24.0).abs() < 1e-9);
        assert_eq!(PowerLaw::fit([(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(PowerLaw::fit([(1.0, 1.0), (2.0, 2.0)]), None);
    }

    #[test]
    fn a_known_regression() {
        // log10: (0, 0), (1, 2), (2, 1): slope 1/2, intercept 1/2, R² = 1/4.
        let law = PowerLaw::fit([(1.0, 1.0), (10.0, 100.0), (100.0, 10.0)]).expect("three points");
        assert!((law.exponent - 0.5).abs() < 1e-12 && (law.r_squared - 0.25).abs() < 1e-12);
        assert!((law.factor - 10f64.sqrt()).abs() < 1e-9);
    }
}
