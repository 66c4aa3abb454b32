//! The figures: how many games are done within a time, and the time that ground rules take.

use super::chart::{Axis, Chart, Series};
use super::numbers::{count, ratio};
use crate::job::Task;
use crate::quantities::time;
use crate::record::Record;
use crate::statistics::geometric_mean;

/// What is drawn, the forms first.
const SERIES: [(Task, Series); 4] = [
    (Task::Compact, Series::First),
    (Task::Flat, Series::Second),
    (Task::OneStep, Series::Third),
    (Task::Iterative, Series::Fourth),
];

/// A figure: its name as a file, its title, what one sees, and the drawing.
pub(super) struct Figure {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    pub(super) caption: String,
    pub(super) chart: Chart,
}

/// The share of games that are done within a time (figures 3, 4 and 6 of Vittaut and Méhat).
pub(super) fn budget(records: &[&Record]) -> Figure {
    let curves = SERIES.map(|(task, series)| {
        let game = |record: &&Record| {
            let seconds = record.seconds(task)?;
            Some((seconds, format!("{}: {} {}", record.game, task.name(), time(seconds))))
        };
        let mut games: Vec<(f64, String)> = records.iter().filter_map(game).collect();
        games.sort_by(|a, b| a.0.total_cmp(&b.0));
        (task, series, games)
    });
    let times = curves.iter().flat_map(|it| it.2.iter().map(|game| game.0));
    let x = Axis::time("wall-clock time of a game", times);
    let mut chart = Chart::new(x, Axis::share("share of games done"));
    for (task, series, games) in &curves {
        let requested = records.iter().filter(|it| it.is_requested(*task)).count();
        if !games.is_empty() {
            let words = format!("{}: {} of {requested}", task.name(), games.len());
            chart.stairs(*series, &words, games, requested);
        }
    }
    Figure {
        file: "budget",
        title: "Games done within a time",
        caption: "Grounding to the compact and to the flat form, and base and input alone, one-step and iterative. A curve ends at the \
                  share of the games that was done at all."
            .to_owned(),
        chart,
    }
}

/// Ground rules against time (figure 5 of Vittaut and Méhat).
pub(super) fn time_of_rules(records: &[&Record]) -> Figure {
    // The default is drawn on top.
    let forms = [SERIES[1], SERIES[0]].map(|(task, series)| {
        let game = |record: &&Record| {
            let rules = record.size(task, |it| it.rules).filter(|&it| it > 0)?;
            let seconds = record.seconds(task)?;
            let (form, time) = (task.name(), time(seconds));
            let title = format!("{}: {} {form} rules in {time}", record.game, count(rules));
            Some((rules as f64, seconds, title))
        };
        (task, series, records.iter().filter_map(game).collect::<Vec<_>>())
    });
    let each = || forms.iter().flat_map(|it| &it.2);
    let mut chart = Chart::new(
        Axis::count("ground rules", each().map(|it| it.0)),
        Axis::time("time, from the text to the written rules", each().map(|it| it.1)),
    );
    let mut caption = Vec::new();
    for (task, series, games) in &forms {
        if !games.is_empty() {
            chart.scatter(*series, task.name(), games);
        }
        let large = games.iter().filter(|it| it.0 >= 1e4).map(|it| it.0 / it.1);
        if let Some(mean) = geometric_mean(large) {
            caption.push(format!(
                "Games with at least 10 000 {} rules are grounded at {} million rules a second in the geometric mean.",
                task.name(),
                ratio(mean / 1e6)
            ));
        }
    }
    let caption = caption.join(" ");
    Figure { file: "rules-time", title: "Ground rules against time", caption, chart }
}
