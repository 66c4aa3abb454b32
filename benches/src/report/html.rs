//! What pages of HTML have in common: style, sorting of a table, figures; also for pages that are not about grounding.

use super::axis::Axis;
pub use super::markup::{escape, glue};
pub use super::numbers::count;
use super::plot::{Plot, Sample, Spread};
use super::style::{FIGURE, PAGE, SCRIPT, Series};

/// A page that needs nothing else. `title` is plain text, `body` is what `main` holds. A table with the id `games` whose head has two rows is sorted by
/// its columns, if a paragraph with the id `sorting` precedes it.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{PAGE}{FIGURE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(title)
    )
}

/// A share with an interval, 0 to 1.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Whose it is.
    pub name: String,
    /// The share.
    pub middle: f64,
    /// The ends of the interval.
    pub ends: (f64, f64),
    /// What is shown on pointing at it.
    pub title: String,
}

/// A figure with a row for each interval, the first at the top. `about` is what it shows, `axis` what is measured, `legend` what a bar is.
pub fn intervals(about: &str, axis: &str, legend: &str, rows: &[Interval]) -> String {
    /// More letters have no room beside the axis.
    const LONGEST: usize = 12;
    let name = |interval: &Interval| match interval.name.chars().count() {
        0..=LONGEST => interval.name.clone(),
        _ => interval.name.chars().take(LONGEST - 1).chain(['…']).collect(),
    };
    let names = rows.iter().rev().map(name).collect();
    let mut plot = Plot::new(Axis::share(axis), Axis::names("", names));
    plot.explain(Series::Default, Sample::Bar, legend);
    for (place, row) in rows.iter().rev().enumerate() {
        let (low, high) = row.ends;
        plot.spread(Spread {
            series: Series::Default,
            y: place as f64,
            percentiles: [low, low, row.middle, high, high],
            title: row.title.clone(),
        });
    }
    plot.inline(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_figures_can_be_read_back() {
        let row = |name: &str, middle| Interval {
            name: name.to_owned(),
            middle,
            ends: (middle / 2.0, 1.0),
            title: format!("{name}: {middle}"),
        };
        let rows = [row("a name that has no room", 0.25), row("<b>", 1.0)];
        let figure = intervals("scores & more", "score", "95 %", &rows);
        assert!(figure.contains("a name that…") && figure.contains("<title>&lt;b&gt;: 1</title>"));
        let page = page("cup <1>", &format!("<h1>x</h1>{figure}"));
        assert!(page.contains("<title>cup &lt;1&gt;</title>") && page.ends_with("</html>\n"));
        let inside =
            page.split_once("<main>").expect("main").1.split_once("</main>").expect("main").0;
        roxmltree::Document::parse(&format!("<main>{inside}</main>")).expect("well-formed");
    }
}
