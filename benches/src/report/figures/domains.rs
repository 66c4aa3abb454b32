//! The two ways to compute base and input against each other.

use super::figure::Figure;
use crate::measure::Measure;
use crate::quantities::time;
use crate::record::Record;
use crate::report::axis::{Axis, Unit};
use crate::report::numbers::{games, ratio};
use crate::report::plot::{Plot, Point, Sample};
use crate::report::style::Series;
use crate::statistics::geometric_mean;

/// One-step against iterative (figure 2 of Vittaut and Méhat).
pub(super) fn one_step_against_iterative(records: &[&Record]) -> Figure {
    let both: Vec<(f64, f64, &Record)> = records
        .iter()
        .filter_map(|record| {
            Some((Measure::OneStep.seconds(record)?, Measure::Iterative.seconds(record)?, *record))
        })
        .collect();
    let times = || both.iter().flat_map(|it| [it.0, it.1]);
    let mut plot = Plot::new(
        Axis::logarithmic("time, iterative", Unit::Time, times()),
        Axis::logarithmic("time, one-step", Unit::Time, times()),
    );
    let [low, high, ..] = plot.ends();
    plot.line(Series::Guide, vec![(low, low), (high, high)]);
    plot.explain(Series::Default, Sample::Mark, "a game");
    let faster = both.iter().filter(|it| it.0 < it.1).count();
    let slower = both.iter().filter(|it| it.0 > it.1).count();
    let counts = format!("equal times; {faster} below: one-step is faster, {slower} above");
    plot.explain(Series::Guide, Sample::Line, counts);
    let point = |&(one_step, iterative, record): &(f64, f64, &Record)| Point {
        x: iterative,
        y: one_step,
        title: format!(
            "{}: one-step {}, iterative {}",
            record.game,
            time(one_step),
            time(iterative)
        ),
    };
    plot.scatter(Series::Default, both.iter().map(point).collect());
    Figure {
        file: "one-step-iterative",
        title: "Base and input: one-step against iterative",
        caption: caption(&both, faster, slower),
        plot,
    }
}

fn caption(both: &[(f64, f64, &Record)], faster: usize, slower: usize) -> String {
    let Some(mean) = geometric_mean(both.iter().map(|it| it.1 / it.0)) else {
        return "No game was measured with both methods.".to_owned();
    };
    let agree = both.iter().filter(|it| it.2.domains_agree == Some(true)).count();
    let (factor, word) = if mean >= 1.0 { (mean, "faster") } else { (1.0 / mean, "slower") };
    let found = if agree == both.len() {
        "Both found the same base and input everywhere.".to_owned()
    } else {
        format!("Both are known to have found the same base and input in {}.", games(agree))
    };
    format!(
        "One-step was faster in {faster} of {} (points below the diagonal), slower in {slower}; \
         {} times {word} in the geometric mean. {found}",
        games(both.len()),
        ratio(factor)
    )
}
