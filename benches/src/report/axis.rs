//! The axes of figures: where a value is, which ticks there are, and how they are labelled.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// More ticks than this crowd an axis.
const MOST_TICKS: i32 = 9;
/// What is below this is drawn as this: a logarithmic axis has no zero.
const LEAST: f64 = 1e-9;

/// What is measured along an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unit {
    /// Seconds.
    Time,
    Count,
    Bytes,
    /// From 0 to 1, shown in per cent.
    Share,
    /// The places 0, 1, 2, … have names.
    Names(Vec<String>),
}

/// An axis.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// What is measured along it.
    pub(super) name: String,
    pub(super) low: f64,
    pub(super) high: f64,
    unit: Unit,
    ticks: Vec<f64>,
}

impl Axis {
    /// A logarithmic axis on which all values find room.
    pub(super) fn logarithmic(
        name: &str,
        unit: Unit,
        values: impl IntoIterator<Item = f64>,
    ) -> Self {
        let (mut low, mut high) = (f64::INFINITY, LEAST);
        for value in values.into_iter().map(on_logarithmic) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = if unit == Unit::Time { (1e-3, 1.0) } else { (1.0, 1e3) };
        }
        let (mut low, mut high) = (round_down(low), round_up(high));
        if high / low < 9.0 {
            let first = decade(low);
            let last = decade(high * 0.999).max(first) + 1;
            (low, high) = (10f64.powi(first), 10f64.powi(last));
        }
        let mut ticks = decades(low, high);
        if ticks.len() < 3 {
            ticks = between_decades(low, high);
        }
        Axis { name: name.to_owned(), low, high, unit, ticks }
    }

    /// From nothing to everything.
    pub(super) fn share(name: &str) -> Self {
        let ticks = vec![0.0, 0.25, 0.5, 0.75, 1.0];
        Axis { name: name.to_owned(), low: 0.0, high: 1.0, unit: Unit::Share, ticks }
    }

    /// A row for each name.
    pub(super) fn names(name: &str, names: Vec<String>) -> Self {
        let count = names.len().max(1);
        let ticks = (0..count).map(|it| it as f64).collect();
        let (low, high) = (-0.6, count as f64 - 0.4);
        Axis { name: name.to_owned(), low, high, unit: Unit::Names(names), ticks }
    }

    /// Whether its places have names, which need more room than numbers.
    pub(super) fn has_names(&self) -> bool {
        matches!(self.unit, Unit::Names(_))
    }

    fn is_logarithmic(&self) -> bool {
        matches!(self.unit, Unit::Time | Unit::Count | Unit::Bytes)
    }

    /// Where a value is between the ends of the axis, 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        if self.is_logarithmic() {
            let lowest = self.low.log10();
            (on_logarithmic(value).log10() - lowest) / (self.high.log10() - lowest)
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// How many ticks it has.
    pub(super) fn tick_count(&self) -> usize {
        self.ticks.len()
    }

    fn label(&self, value: f64) -> String {
        match &self.unit {
            Unit::Time => scaled(value, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]),
            Unit::Count => scaled(value, &[(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")]),
            Unit::Bytes => scaled(value, &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")]),
            Unit::Share => format!("{:.0} %", value * 100.0),
            Unit::Names(names) => names.get(value as usize).cloned().unwrap_or_default(),
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let length = f64::from(limit.1 - limit.0);
        limit.0 + (self.place(*value) * length).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

/// A value as it is drawn where there is no zero.
pub(super) fn on_logarithmic(value: f64) -> f64 {
    value.max(LEAST)
}

/// The power of ten that a value begins with; just below one counts as on it.
fn decade(value: f64) -> i32 {
    (value.log10() + 1e-9).floor() as i32
}

/// The next 1, 2 or 5 times a power of ten that is no larger.
fn round_down(value: f64) -> f64 {
    let power = 10f64.powi(decade(value));
    power * [5.0, 2.0].into_iter().find(|it| it * power <= value * 1.000_001).unwrap_or(1.0)
}

/// The next 1, 2 or 5 times a power of ten that is no smaller.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powi(decade(value));
    power * [1.0, 2.0, 5.0].into_iter().find(|it| it * power >= value * 0.999_999).unwrap_or(10.0)
}

/// Powers of ten within the ends, evenly thinned out where there are many.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (decade(low * 0.999_999) + 1, decade(high));
    let step = (last - first) / MOST_TICKS + 1;
    (first..=last).filter(|it| it % step == 0).map(|it| 10f64.powi(it)).collect()
}

/// 1, 2 and 5 times powers of ten within the ends.
fn between_decades(low: f64, high: f64) -> Vec<f64> {
    let all =
        (decade(low)..=decade(high)).flat_map(|it| [1.0, 2.0, 5.0].map(|of| of * 10f64.powi(it)));
    all.filter(|&it| it >= low * 0.999_999 && it <= high * 1.000_001).collect()
}

/// A number in the largest unit that leaves at least one digit before the point.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let smallest = units.last().copied().unwrap_or((1.0, ""));
    let fits = |it: &&(f64, &str)| value >= it.0 * 0.999_999;
    let (unit, name) = units.iter().find(fits).copied().unwrap_or(smallest);
    let number = format!("{:.2}", value / unit);
    let number = number.trim_end_matches('0').trim_end_matches('.');
    if name.is_empty() { number.to_owned() } else { format!("{number} {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|&it| axis.label(it)).collect()
    }

    #[test]
    fn ticks_are_told_in_readable_units() {
        let time = Axis::logarithmic("time", Unit::Time, [3e-6, 12.0]);
        let all = ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s"];
        assert_eq!(
            (labels(&time).as_slice(), time.low, time.high),
            (&all.map(str::to_owned)[..], 2e-6, 20.0)
        );
        let count = Axis::logarithmic("rules", Unit::Count, [100.0, 2e6]);
        assert_eq!(labels(&count), ["100", "1 k", "10 k", "100 k", "1 M"]);
        let count = Axis::logarithmic("rules", Unit::Count, [1200.0, 9000.0]);
        assert_eq!(labels(&count), ["1 k", "2 k", "5 k", "10 k"]);
        assert_eq!(labels(&Axis::share("games")), ["0 %", "25 %", "50 %", "75 %", "100 %"]);
    }

    #[test]
    fn there_is_room_for_every_value() {
        for values in [vec![], vec![0.0], vec![7.0], vec![1e-12, 1e300], vec![999.0, 1001.0]] {
            let axis = Axis::logarithmic("", Unit::Count, values.clone());
            assert!((1..=10).contains(&axis.tick_count()), "{values:?}: {:?}", axis.ticks);
            for value in values {
                let place = axis.place(value);
                assert!((-1e-6..=1.000_001).contains(&place), "{value} is at {place}");
            }
        }
    }

    #[test]
    fn places_are_known() {
        let axis = Axis::logarithmic("", Unit::Time, [1e-3, 1e-3, 10.0]);
        assert_eq!(axis.map(&1e-3, (0, 1000)), 0);
        assert_eq!(axis.map(&0.1, (0, 1000)), 500);
        assert_eq!(axis.map(&10.0, (1000, 0)), 0);
    }
}
