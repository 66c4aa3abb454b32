//! How figures look: classes that style sheets give their colours, for light and dark.

/// The style of figures. It stands in every SVG file, and once in the page. Colours are those of Okabe and
/// Ito, which colour-blind people can distinguish, lighter on dark; shapes and dashes differ as well.
pub(super) const FIGURE: &str = include_str!("style/figure.css");
/// The style of the page.
pub(super) const PAGE: &str = include_str!("style/page.css");
/// Sorts the table of games; the page says the same without it.
pub(super) const SCRIPT: &str = include_str!("style/sort.js");

/// A kind of points or lines, distinguished by colour, shape and dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Series {
    /// What Groundfrog does by default: one-step, compact.
    Default,
    /// What it is compared with: iterative, flat.
    Other,
    /// Something third, such as components.
    Third,
    /// Quoted from others.
    Quoted,
    /// A line that guides the eye.
    Guide,
}

impl Series {
    /// Its class in style sheets.
    pub(super) fn class(self) -> &'static str {
        match self {
            Series::Default => "s1",
            Series::Other => "s2",
            Series::Third => "s3",
            Series::Quoted => "quoted",
            Series::Guide => "guide",
        }
    }

    /// Its shape around a point, in the units of drawings.
    pub(super) fn shape(self, x: i32, y: i32) -> String {
        match self {
            Series::Default | Series::Guide => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"30\"/>"),
            Series::Other => {
                let (x, y) = (x - 27, y - 27);
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"54\" height=\"54\"/>")
            }
            Series::Third => format!("<path d=\"M{x},{}l36,62h-72z\"/>", y - 38),
            Series::Quoted => format!("<path d=\"M{x},{}l42,42l-42,42l-42,-42z\"/>", y - 42),
        }
    }
}
