//! The size of ground games: against their descriptions, and how it is distributed.

use super::figure::Figure;
use crate::measure::Measure;
use crate::record::{Grounding, Record};
use crate::report::axis::{Axis, Unit};
use crate::report::numbers::{PowerLaw, count, games, ratio};
use crate::report::plot::{Plot, Point, Sample};
use crate::report::style::Series;
use crate::statistics::{percentile, sorted};

/// Literals of the ground game against literals of the description (figure 4 of Schiffel).
pub(super) fn ground_against_description(records: &[&Record]) -> Figure {
    let all = [(Measure::Flat, Series::Other), (Measure::Compact, Series::Default)].map(
        |(measure, series)| {
            let row = |record: &&Record| {
                let described = record.description.as_ref()?.literals;
                let ground = measure.size(record, |it| it.literals)?;
                (described > 0 && ground > 0).then_some((described, ground, record.game.clone()))
            };
            (measure, series, records.iter().filter_map(row).collect::<Vec<_>>())
        },
    );
    let each = || all.iter().flat_map(|it| &it.2);
    let mut plot = Plot::new(
        Axis::logarithmic("literals of the description", Unit::Count, each().map(|it| it.0 as f64)),
        Axis::logarithmic(
            "literals of the ground rules",
            Unit::Count,
            each().map(|it| it.1 as f64),
        ),
    );
    let mut caption = Vec::new();
    for (measure, series, rows) in &all {
        if rows.is_empty() {
            continue;
        }
        let point = |(described, ground, game): &(u64, u64, String)| Point {
            x: *described as f64,
            y: *ground as f64,
            title: format!(
                "{game}: {} literals, {} ground ones ({})",
                count(*described),
                count(*ground),
                measure.key()
            ),
        };
        plot.scatter(*series, rows.iter().map(point).collect());
        let Some(law) = PowerLaw::fit(rows.iter().map(|it| (it.0 as f64, it.1 as f64))) else {
            plot.explain(*series, Sample::Mark, measure.key());
            caption.push(format!("Too few games for a regression ({}).", measure.key()));
            continue;
        };
        let (factor, exponent, r_squared) = (ratio(law.factor), law.exponent, law.r_squared);
        let formula = format!("{}: {factor} · n^{exponent:.2}, R² = {r_squared:.2}", measure.key());
        plot.explain(*series, Sample::Mark, formula);
        plot.fitted(*series, graph(&law, plot.ends()));
        caption.push(format!(
            "Of {}, the {} form has about {factor} · n^{exponent:.2} literals for the n literals of a \
             description, which explains {:.0} % of the variance (R² = {r_squared:.2}).",
            games(rows.len()),
            measure.key(),
            r_squared * 100.0
        ));
    }
    if caption.is_empty() {
        caption.push("No game was grounded.".to_owned());
    } else if plot.has_fitted() {
        caption.push("The lines are fitted by least squares of the logarithms.".to_owned());
    }
    Figure {
        file: "ground-description",
        title: "Size of the ground game against size of its description",
        caption: caption.join(" "),
        plot,
    }
}

/// The part of a fitted line that is within the plot.
fn graph(law: &PowerLaw, [left, right, bottom, top]: [f64; 4]) -> Vec<(f64, f64)> {
    (0..=200)
        .map(|it| left * (right / left).powf(f64::from(it) / 200.0))
        .map(|x| (x, law.at(x)))
        .filter(|&(_, y)| y >= bottom && y <= top)
        .collect()
}

/// The games with at most so many rules and components (figure 3 of Schiffel).
pub(super) fn counts(records: &[&Record]) -> Figure {
    let curve = |measure: Measure, series, name, count: fn(&Grounding) -> Option<u64>| {
        let row = |record: &&Record| Some((measure.size(record, count)?, record.game.clone()));
        let mut rows: Vec<(u64, String)> = records.iter().filter_map(row).collect();
        rows.sort();
        (series, name, rows)
    };
    let curves = [
        curve(Measure::Flat, Series::Other, "flat rules", |it| it.rules),
        curve(Measure::Compact, Series::Default, "compact rules", |it| it.rules),
        curve(Measure::Compact, Series::Third, "components, compact", |it| it.components),
    ];
    let all = curves.iter().flat_map(|it| it.2.iter().map(|row| row.0.max(1) as f64));
    let mut plot = Plot::new(
        Axis::logarithmic("at most so many", Unit::Count, all),
        Axis::share("share of the games grounded"),
    );
    let [low, high, ..] = plot.ends();
    let mut caption = Vec::new();
    for (series, name, rows) in &curves {
        let share = |number: usize| number as f64 / rows.len() as f64;
        let ascending = sorted(rows.iter().map(|it| it.0 as f64));
        let at = |percent| percentile(&ascending, rows.len(), percent).map(|it| count(it as u64));
        let (Some(median), Some(most)) = (at(50), at(90)) else { continue };
        plot.explain(*series, Sample::Line, *name);
        let mut stairs = vec![(low, 0.0)];
        let mut points = Vec::new();
        for (before, (number, game)) in rows.iter().enumerate() {
            let x = (*number).max(1) as f64;
            stairs.extend([(x, share(before)), (x, share(before + 1))]);
            let title = format!("{game}: {} {name}", count(*number));
            points.push(Point { x, y: share(before + 1), title });
        }
        stairs.push((high, 1.0));
        plot.line(*series, stairs);
        plot.hidden(*series, points);
        caption.push(format!(
            "{name}: median {median}, 90th percentile {most} ({})",
            games(rows.len())
        ));
    }
    let caption = match caption.is_empty() {
        true => "No game was grounded.".to_owned(),
        false => format!(
            "Rules (clauses) and components of the propositional network of the games that could be grounded. \
             In numbers, {}.",
            caption.join("; ")
        ),
    };
    Figure { file: "counts", title: "How many rules and components games have", caption, plot }
}
