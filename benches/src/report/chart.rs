//! Figures as SVG: axes, and on them curves, points and bars that show a text on pointing at them.

use groundfrog::visible::visible;
use maud::{Markup, PreEscaped, html};

use super::numbers::count;

/// The style of figures. It stands in every SVG file, and once in the page. Colours are those of Okabe and
/// Ito, which colour-blind people can distinguish, lighter on dark; shapes and dashes differ as well.
pub(super) const STYLE: &str = include_str!("style/figure.css");

/// The size of a drawing, in tenths of a pixel.
const WIDTH: i32 = 5400;
const HEIGHT: i32 = 4000;
/// The ends of the axes.
const LEFT: i32 = 900;
const RIGHT: i32 = WIDTH - 220;
const TOP: i32 = 760;
const BOTTOM: i32 = HEIGHT - 500;
/// The size of text, the height of a line of the legend, and the width of an entry.
const TEXT: i32 = 130;
const LINE: i32 = 200;
const ENTRY: i32 = 2400;

/// Values beyond are drawn as these: a logarithmic axis has no zero.
const LEAST: f64 = 1e-9;
const MOST: f64 = 1e18;
/// More ticks than this crowd an axis.
const MOST_TICKS: i32 = 9;

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    name: String,
    /// The ends: of a logarithmic axis, powers of ten.
    ends: (f64, f64),
    is_logarithmic: bool,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// A logarithmic axis of seconds on which all values find room.
    pub fn time(name: &str, values: impl IntoIterator<Item = f64>) -> Self {
        Self::logarithmic(name, values, |power| {
            let (unit, of) = match power {
                0.. => ("s", 0),
                -3.. => ("ms", -3),
                -6.. => ("µs", -6),
                _ => ("ns", -9),
            };
            format!("{} {unit}", count(10u64.pow((power - of).unsigned_abs())))
        })
    }

    /// A logarithmic axis of counts on which all values find room.
    pub fn count(name: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let values = values.into_iter().map(|it| it.max(1.0));
        Self::logarithmic(name, values, |power| count(10u64.pow(power.unsigned_abs())))
    }

    fn logarithmic(
        name: &str,
        values: impl IntoIterator<Item = f64>,
        label: impl Fn(i32) -> String,
    ) -> Self {
        let powers = values.into_iter().map(|it| it.clamp(LEAST, MOST).log10());
        let ends = powers.map(|it| (it, it)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (low, high) = ends.unwrap_or_default();
        let first = low.floor() as i32;
        let last = (high.ceil() as i32).max(first + 1);
        let step = (last - first) / MOST_TICKS + 1;
        let ticks = (first..=last).step_by(step as usize);
        Axis {
            name: name.to_owned(),
            ends: (first.into(), last.into()),
            is_logarithmic: true,
            ticks: ticks.map(|power| (power.into(), label(power))).collect(),
        }
    }

    /// From nothing to everything.
    pub fn share(name: &str) -> Self {
        let ticks = (0..=4).map(|it| (f64::from(it) / 4.0, format!("{} %", it * 25)));
        let ticks = ticks.collect();
        Axis { name: name.to_owned(), ends: (0.0, 1.0), is_logarithmic: false, ticks }
    }

    /// A row for each name, the first at the bottom: their places are 0, 1, 2, …
    pub fn names(names: impl IntoIterator<Item = String>) -> Self {
        let ticks: Vec<(f64, String)> =
            names.into_iter().enumerate().map(|(place, name)| (place as f64, name)).collect();
        let ends = (-0.6, ticks.len().max(1) as f64 - 0.4);
        Axis { name: String::new(), ends, is_logarithmic: false, ticks }
    }

    /// Where a value is between the ends of the axis, 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let value = if self.is_logarithmic { value.clamp(LEAST, MOST).log10() } else { value };
        self.place_of_tick(value).clamp(0.0, 1.0)
    }

    fn place_of_tick(&self, value: f64) -> f64 {
        (value - self.ends.0) / (self.ends.1 - self.ends.0)
    }
}

/// A kind of points or lines, distinguished by colour, shape and dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// What Groundfrog does by default.
    First,
    /// What it is compared with.
    Second,
    /// Something else.
    Third,
    /// What that is compared with.
    Fourth,
}

impl Series {
    /// Its class in style sheets.
    fn class(self) -> &'static str {
        match self {
            Series::First => "s1",
            Series::Second => "s2",
            Series::Third => "s3",
            Series::Fourth => "s4",
        }
    }
}

/// What a figure shows.
#[derive(Debug)]
pub struct Chart {
    x: Axis,
    y: Axis,
    drawn: Vec<Markup>,
    legend: Vec<Markup>,
}

impl Chart {
    /// A figure without anything on it.
    pub fn new(x: Axis, y: Axis) -> Self {
        Chart { x, y, drawn: Vec::new(), legend: Vec::new() }
    }

    fn at(&self, x: f64, y: f64) -> (i32, i32) {
        let along =
            |share: f64, from: i32, to: i32| from + (share * f64::from(to - from)).round() as i32;
        (along(self.x.place(x), LEFT, RIGHT), along(self.y.place(y), BOTTOM, TOP))
    }

    /// Which share of so many games has at most the value: `games` are sorted by theirs, each with the text about it.
    pub fn stairs(&mut self, series: Series, words: &str, games: &[(f64, String)], whole: usize) {
        let share = |number: usize| number as f64 / whole.max(1) as f64;
        let mut path = format!("M{LEFT},{BOTTOM}");
        for (before, (value, _)) in games.iter().enumerate() {
            let (x, y) = self.at(*value, share(before + 1));
            path += &format!("H{x}V{y}");
        }
        path += &format!("H{RIGHT}");
        let hits = games
            .iter()
            .enumerate()
            .map(|(before, (value, title))| dot(self.at(*value, share(before + 1)), 45, title));
        let class = series.class();
        self.drawn.push(html! {
            path class={ "line " (class) } d=(path) {}
            g.hit { @for hit in hits { (hit) } }
        });
        self.explain(words, &|(x, y)| {
            html! { path class={ "line " (class) } d=(format!("M{x},{y}h220")) {} }
        });
    }

    /// Points with the texts about them.
    pub fn scatter(&mut self, series: Series, words: &str, points: &[(f64, f64, String)]) {
        let mark = |(x, y): (i32, i32), title: &str| match series {
            Series::First | Series::Third => dot((x, y), 30, title),
            Series::Second | Series::Fourth => html! {
                rect x=(x - 27) y=(y - 27) width="54" height="54" { title { (visible(title)) } }
            },
        };
        let marks = points.iter().map(|(x, y, title)| mark(self.at(*x, *y), title));
        let class = format!("mark {}", series.class());
        self.drawn.push(html! { g class=(class) { @for mark in marks { (mark) } } });
        self.explain(words, &|(x, y)| html! { g class=(class) { (mark((x + 100, y), words)) } });
    }

    /// A bar in a row, with its ends and what is between them.
    pub fn bar(&mut self, row: usize, [low, middle, high]: [f64; 3], title: &str) {
        let [low, middle, high] = [low, middle, high].map(|it| self.at(it, row as f64));
        let (x, y) = (low.0, low.1 - 50);
        self.drawn.push(html! {
            g.bar.s1 {
                title { (visible(title)) }
                rect x=(x) y=(y) width=((high.0 - x).max(6)) height="100" {}
                path.middle d=(format!("M{},{y}v100", middle.0)) {}
            }
        });
    }

    /// Adds an entry to the legend: a sample, drawn at its left end, and words.
    fn explain(&mut self, words: &str, sample: &dyn Fn((i32, i32)) -> Markup) {
        let number = self.legend.len() as i32;
        let (x, y) = (LEFT - 400 + number % 2 * ENTRY, LINE * (number / 2) + 120);
        self.legend.push(html! { (sample((x, y))) (text(x + 270, y + 45, "start", words)) });
    }

    /// The drawing as an element of HTML; `about` is what it shows.
    pub fn inline(&self, about: &str) -> Markup {
        self.svg(about, "")
    }

    /// The drawing as a file of its own.
    pub fn standalone(&self, about: &str) -> Markup {
        self.svg(about, STYLE)
    }

    fn svg(&self, about: &str, style: &str) -> Markup {
        let along = |axis: &Axis, tick: f64, from: i32, to: i32| {
            from + (axis.place_of_tick(tick) * f64::from(to - from)).round() as i32
        };
        html! {
            svg.figure xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(about) {
                @if !style.is_empty() { style { (PreEscaped(style)) } }
                @for (tick, label) in &self.x.ticks {
                    @let x = along(&self.x, *tick, LEFT, RIGHT);
                    path.grid d=(format!("M{x},{TOP}V{BOTTOM}")) {}
                    (text(x, BOTTOM + 190, "middle", label))
                }
                @for (tick, label) in &self.y.ticks {
                    @let y = along(&self.y, *tick, BOTTOM, TOP);
                    path.grid d=(format!("M{LEFT},{y}H{RIGHT}")) {}
                    (text(LEFT - 60, y + 45, "end", label))
                }
                path.frame d=(format!("M{LEFT},{TOP}V{BOTTOM}H{RIGHT}")) {}
                @for part in self.drawn.iter().chain(&self.legend) { (part) }
                (text(LEFT - 400, TOP - 130, "start", &self.y.name))
                (text((LEFT + RIGHT) / 2, HEIGHT - 90, "middle", &self.x.name))
                @if self.drawn.is_empty() {
                    (text((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2, "middle", "nothing measured"))
                }
            }
        }
    }
}

fn dot((x, y): (i32, i32), radius: i32, title: &str) -> Markup {
    html! { circle cx=(x) cy=(y) r=(radius) { title { (visible(title)) } } }
}

fn text(x: i32, y: i32, anchor: &str, words: &str) -> Markup {
    html! { text x=(x) y=(y) font-size=(TEXT) text-anchor=(anchor) { (visible(words)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_told_in_readable_units() {
        let labels =
            |axis: Axis| -> Vec<String> { axis.ticks.into_iter().map(|it| it.1).collect() };
        let all = ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"];
        assert_eq!(labels(Axis::time("time", [3e-6, 12.0])), all);
        assert_eq!(
            labels(Axis::count("rules", [100.0, 2e3])),
            ["100", "1\u{202f}000", "10\u{202f}000"]
        );
        assert_eq!(labels(Axis::share("games")), ["0 %", "25 %", "50 %", "75 %", "100 %"]);
    }

    #[test]
    fn there_is_room_for_every_value() {
        for values in [vec![], vec![0.0], vec![7.0], vec![1e-12, 1e300], vec![999.0, 1001.0]] {
            let axis = Axis::time("", values.clone());
            assert!((1..=10).contains(&axis.ticks.len()), "{values:?}: {:?}", axis.ticks);
            for value in values {
                let place = axis.place(value);
                assert!((0.0..=1.0).contains(&place), "{value} is at {place}");
            }
        }
        let axis = Axis::time("", [1e-3, 10.0]);
        assert_eq!([1e-3, 0.1, 10.0].map(|it| axis.place(it)), [0.0, 0.5, 1.0]);
    }
}
