//! What a figure shows: axes, lines, points with the names of their games, and how values are spread.

mod drawing;

use super::axis::Axis;
use super::style::Series;

/// A point, and the text about it.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) title: String,
}

/// Points of one kind. Those of a curve are found by pointing at them, but not seen.
#[derive(Clone, Debug)]
struct Points {
    series: Series,
    are_seen: bool,
    points: Vec<Point>,
}

/// A line of one kind; one that was fitted to points is drawn through.
#[derive(Clone, Debug)]
struct Line {
    series: Series,
    is_fitted: bool,
    points: Vec<(f64, f64)>,
}

/// How values are spread along x, in the row y.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    pub(super) series: Series,
    pub(super) y: f64,
    /// 5th, 25th, 50th, 75th and 95th percentile.
    pub(super) percentiles: [f64; 5],
    pub(super) title: String,
}

/// What the legend shows before a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Mark,
    Line,
    Bar,
}

/// What a figure shows.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    x: Axis,
    y: Axis,
    lines: Vec<Line>,
    points: Vec<Points>,
    spreads: Vec<Spread>,
    legend: Vec<(Series, Sample, String)>,
}

impl Plot {
    pub(super) fn new(x: Axis, y: Axis) -> Self {
        Plot { x, y, lines: vec![], points: vec![], spreads: vec![], legend: vec![] }
    }

    /// Adds a line to the legend.
    pub(super) fn explain(&mut self, series: Series, sample: Sample, text: impl Into<String>) {
        self.legend.push((series, sample, text.into()));
    }

    /// Adds points to be seen.
    pub(super) fn scatter(&mut self, series: Series, points: Vec<Point>) {
        self.points.push(Points { series, are_seen: true, points });
    }

    /// Adds points that are found by pointing at them.
    pub(super) fn hidden(&mut self, series: Series, points: Vec<Point>) {
        self.points.push(Points { series, are_seen: false, points });
    }

    pub(super) fn line(&mut self, series: Series, points: Vec<(f64, f64)>) {
        self.lines.push(Line { series, is_fitted: false, points });
    }

    /// Adds the graph of a function that was fitted to points.
    pub(super) fn fitted(&mut self, series: Series, points: Vec<(f64, f64)>) {
        self.lines.push(Line { series, is_fitted: true, points });
    }

    /// Whether there is such a graph.
    pub(super) fn has_fitted(&self) -> bool {
        self.lines.iter().any(|it| it.is_fitted)
    }

    pub(super) fn spread(&mut self, spread: Spread) {
        self.spreads.push(spread);
    }

    /// The ends of both axes: least x, largest x, least y, largest y.
    pub(super) fn ends(&self) -> [f64; 4] {
        [self.x.low, self.x.high, self.y.low, self.y.high]
    }
}
