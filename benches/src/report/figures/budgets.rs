//! The share of games that are done within a time.

use super::figure::Figure;
use crate::measure::Measure;
use crate::quantities::time;
use crate::record::Record;
use crate::report::axis::{Axis, Unit, on_logarithmic};
use crate::report::literature::MEDIAN_TIMES;
use crate::report::numbers::{games, share};
use crate::report::plot::{Plot, Point, Sample};
use crate::report::style::Series;
use crate::statistics::{percentile, sorted};

/// Base and input (figures 3 and 4 of Vittaut and Méhat).
pub(super) fn domains(records: &[&Record]) -> Figure {
    let curves = [
        Curve::new(Measure::OneStep, Series::Default, "one-step", records),
        Curve::new(Measure::Iterative, Series::Other, "iterative", records),
    ];
    Figure {
        file: "domains-budget",
        title: "Games whose base and input are known within a time",
        caption: caption(&curves, ""),
        plot: plot(&curves, &[]),
    }
}

/// Grounding (figure 6 of Vittaut and Méhat).
pub(super) fn grounding(records: &[&Record]) -> Figure {
    let curves = [
        Curve::new(Measure::Compact, Series::Default, "compact", records),
        Curve::new(Measure::Flat, Series::Other, "flat", records),
    ];
    let others = MEDIAN_TIMES.map(|it| (it.median, it.who));
    let note = if curves.iter().all(|curve| curve.done.is_empty()) {
        ""
    } else {
        " The diamonds are the medians of gringo on a public collection of games, quoted: \
                its machine and runs are others."
    };
    Figure {
        file: "grounding-budget",
        title: "Games grounded within a time",
        caption: caption(&curves, note),
        plot: plot(&curves, &others),
    }
}

/// The games of one measurement, the fastest first.
struct Curve<'a> {
    series: Series,
    name: &'static str,
    done: Vec<(f64, &'a Record)>,
    requested: usize,
}

impl<'a> Curve<'a> {
    fn new(measure: Measure, series: Series, name: &'static str, records: &[&'a Record]) -> Self {
        let seconds = |record: &&'a Record| Some((measure.seconds(record)?, *record));
        let mut done: Vec<_> = records.iter().filter_map(seconds).collect();
        // Games of equal time stay in their order.
        done.sort_by(|a, b| a.0.total_cmp(&b.0));
        let requested = records.iter().filter(|record| measure.is_requested(record)).count();
        Curve { series, name, done, requested }
    }

    fn share(&self, number: usize) -> f64 {
        number as f64 / self.requested.max(1) as f64
    }

    /// The stairs from the left end to the right one.
    fn stairs(&self, low: f64, high: f64) -> Vec<(f64, f64)> {
        let mut points = vec![(low, 0.0)];
        for (before, &(seconds, _)) in self.done.iter().enumerate() {
            let seconds = on_logarithmic(seconds);
            points.push((seconds, self.share(before)));
            points.push((seconds, self.share(before + 1)));
        }
        points.push((high, self.share(self.done.len())));
        points
    }

    fn points(&self) -> Vec<Point> {
        let point = |(before, &(seconds, record)): (usize, &(f64, &Record))| Point {
            x: seconds,
            y: self.share(before + 1),
            title: format!(
                "{}: {} {}, game {} of {}",
                record.game,
                self.name,
                time(seconds),
                before + 1,
                self.requested
            ),
        };
        self.done.iter().enumerate().map(point).collect()
    }
}

fn plot(curves: &[Curve<'_>], others: &[(f64, &'static str)]) -> Plot {
    let times = curves.iter().flat_map(|curve| curve.done.iter().map(|it| it.0));
    let is_empty = curves.iter().all(|curve| curve.done.is_empty());
    let others = if is_empty { &[] } else { others };
    let times = times.chain(others.iter().map(|it| it.0));
    let x = Axis::logarithmic("wall-clock time of a game", Unit::Time, times);
    let mut plot = Plot::new(x, Axis::share("share of games done"));
    let [low, high, ..] = plot.ends();
    for curve in curves.iter().filter(|curve| curve.requested > 0) {
        let label = format!("{}: {} of {}", curve.name, curve.done.len(), curve.requested);
        plot.explain(curve.series, Sample::Line, label);
        plot.line(curve.series, curve.stairs(low, high));
        plot.hidden(curve.series, curve.points());
    }
    if !others.is_empty() {
        plot.explain(Series::Quoted, Sample::Mark, "medians of gringo, quoted");
        let point = |&(x, who): &(f64, &str)| Point {
            x,
            y: 0.5,
            title: format!("{who}: median {}, quoted, on another machine", time(x)),
        };
        plot.scatter(Series::Quoted, others.iter().map(point).collect());
    }
    plot
}

fn caption(curves: &[Curve<'_>], note: &str) -> String {
    let mut text = String::new();
    for curve in curves.iter().filter(|curve| curve.requested > 0) {
        let times = sorted(curve.done.iter().map(|it| it.0));
        let within = |limit: f64| share(times.partition_point(|&it| it < limit), curve.requested);
        let half = match percentile(&times, curve.requested, 50) {
            Some(median) => format!("half of the games take at most {}", time(median)),
            None => "less than half of the games are done".to_owned(),
        };
        text += &format!(
            "{}: {half}; {} take less than 10 ms, {} less than 1 s; {}. ",
            sentence(curve.name),
            within(0.01),
            within(1.0),
            match curve.requested - curve.done.len() {
                0 => "all are done".to_owned(),
                1 => "1 game is not done".to_owned(),
                number => games(number) + " are not done",
            }
        );
    }
    if text.is_empty() {
        return "No game was measured this way.".to_owned();
    }
    text.trim_end().to_owned() + note
}

/// A word at the start of a sentence.
fn sentence(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}
