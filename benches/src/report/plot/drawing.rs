//! Draws a figure as SVG: axes, grid and labels by plotters, lines and points on top.

use std::fmt::Write;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Plot, Points, Sample};
use crate::report::markup::escape;
use crate::report::style::FIGURE;

/// Units of a drawing in a pixel: plotters places things at whole units.
const SCALE: i32 = 10;
const WIDTH: i32 = 540 * SCALE;
const HEIGHT: i32 = 400 * SCALE;
/// Room on the right, and for the labels below and on the left.
const RIGHT: i32 = 22 * SCALE;
const BELOW: i32 = 50 * SCALE;
const LEFT: i32 = 60 * SCALE;
/// More where rows have names.
const LEFT_OF_NAMES: i32 = 90 * SCALE;
/// The height of a line of the legend, and the size of text.
const LINE: i32 = 20 * SCALE;
const TEXT: i32 = 13 * SCALE;

/// Colours that stand for classes until the drawing is done; plotters knows colours only.
const INK: RGBColor = RGBColor(0, 0, 1);
const FRAME: RGBColor = RGBColor(0, 0, 2);
const GRID: RGBColor = RGBColor(0, 0, 3);
const CLASSES: [(&str, &str); 3] = [("#000001", "ink"), ("#000002", "frame"), ("#000003", "grid")];

impl Plot {
    /// The drawing as an element of HTML; `about` is what it shows.
    pub(in crate::report) fn inline(&self, about: &str) -> String {
        format!("{}{}</svg>\n", head(about), self.content())
    }

    /// The drawing as a file of its own.
    pub(in crate::report) fn standalone(&self, about: &str) -> String {
        format!("{}<style>\n{FIGURE}</style>\n{}</svg>\n", head(about), self.content())
    }

    fn left(&self) -> i32 {
        if self.y.has_names() { LEFT_OF_NAMES } else { LEFT }
    }

    /// The place of the plot within the drawing: left, top, right, bottom.
    fn area(&self) -> [i32; 4] {
        let rows = self.legend_rows().last().map_or(0, |it| it.1 + 1);
        [self.left(), LINE * (rows + 1) + 16 * SCALE, WIDTH - RIGHT, HEIGHT - BELOW]
    }

    fn place(&self, x: f64, y: f64) -> (i32, i32) {
        let [left, top, right, bottom] = self.area();
        let along = |share: f64, from: i32, to: i32| {
            from + (share.clamp(-0.01, 1.01) * f64::from(to - from)).round() as i32
        };
        (along(self.x.place(x), left, right), along(self.y.place(y), bottom, top))
    }

    fn content(&self) -> String {
        let mut svg = self.axes();
        self.write_lines(&mut svg);
        self.write_spreads(&mut svg);
        self.points.iter().for_each(|points| self.write_points(points, &mut svg));
        self.write_legend(&mut svg);
        let is_empty = self.points.iter().all(|it| it.points.is_empty()) && self.spreads.is_empty();
        if is_empty {
            let [left, top, right, bottom] = self.area();
            svg.push_str(&text(
                (left + right) / 2,
                (top + bottom) / 2,
                "middle",
                "nothing measured",
            ));
        }
        svg
    }

    /// Grid, ticks and labels.
    fn axes(&self) -> String {
        let mut svg = String::new();
        {
            let backend = SVGBackend::with_string(&mut svg, (WIDTH as u32, HEIGHT as u32));
            self.draw_axes(&backend.into_drawing_area()).expect("memory can be drawn on");
        }
        let inside = svg.find('>').map_or(0, |it| it + 1);
        let inside = svg[inside..].trim().trim_end_matches("</svg>");
        let mut svg =
            inside.replace(" opacity=\"1\"", "").replace(" font-family=\"sans-serif\"", "");
        for (colour, class) in CLASSES {
            for attribute in ["fill", "stroke"] {
                let pattern = format!("{attribute}=\"{colour}\"");
                svg = svg.replace(&pattern, &format!("class=\"{class}\""));
            }
        }
        svg
    }

    fn draw_axes(
        &self,
        area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let [left, top, right, bottom] = self.area();
        let mut chart = ChartBuilder::on(area)
            .margin_top(top)
            .margin_right(WIDTH - right)
            .x_label_area_size(HEIGHT - bottom)
            .y_label_area_size(left)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let style = TextStyle::from(("sans-serif", f64::from(TEXT) * 1.24)).color(&INK);
        chart
            .configure_mesh()
            .x_labels(self.x.tick_count())
            .y_labels(self.y.tick_count())
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.stroke_width(7))
            .axis_style(FRAME.stroke_width(9))
            .set_all_tick_mark_size(4 * SCALE)
            .x_label_style(style.clone().pos(Pos::new(HPos::Center, VPos::Top)))
            .y_label_style(style)
            .draw()?;
        area.present()?;
        Ok(())
    }

    fn write_lines(&self, svg: &mut String) {
        for line in &self.lines {
            let class = line.series.class();
            let fit = if line.is_fitted { " fit" } else { "" };
            let mut path = String::new();
            for &(x, y) in &line.points {
                let (x, y) = self.place(x, y);
                let _ = write!(path, "{}{x},{y}", if path.is_empty() { "M" } else { "L" });
            }
            let _ = writeln!(svg, "<path class=\"line {class}{fit}\" d=\"{path}\"/>");
        }
    }

    fn write_points(&self, points: &Points, svg: &mut String) {
        let class = if points.are_seen {
            format!("mark {}", points.series.class())
        } else {
            "hit".to_owned()
        };
        let _ = writeln!(svg, "<g class=\"{class}\">");
        for point in &points.points {
            let (x, y) = self.place(point.x, point.y);
            let shape = if points.are_seen {
                points.series.shape(x, y)
            } else {
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"45\"/>")
            };
            svg.push_str(&titled(&shape, &point.title));
        }
        svg.push_str("</g>\n");
    }

    fn write_spreads(&self, svg: &mut String) {
        for spread in &self.spreads {
            let [low, first, middle, third, high] =
                spread.percentiles.map(|it| self.place(it, spread.y).0);
            let y = self.place(spread.percentiles[2], spread.y).1;
            let class = spread.series.class();
            let title = escape(&spread.title);
            let (top, width) = (y - 50, (third - first).max(6));
            let _ = writeln!(
                svg,
                "<g class=\"bar {class}\"><title>{title}</title>\
                 <path d=\"M{low},{y}H{first}M{third},{y}H{high}\"/>\
                 <rect x=\"{first}\" y=\"{top}\" width=\"{width}\" height=\"100\"/>\
                 <path class=\"middle\" d=\"M{middle},{top}v100\"/></g>"
            );
        }
    }

    /// Where the entries of the legend are: left end and row.
    fn legend_rows(&self) -> Vec<(i32, i32)> {
        let left = self.left() - 40 * SCALE;
        let (mut x, mut row) = (left, 0);
        let mut places = Vec::new();
        for (_, _, text) in &self.legend {
            // Text cannot be measured here: an average letter has about half the size.
            let width = 44 * SCALE + text.chars().count() as i32 * TEXT * 54 / 100;
            if x > left && x + width > WIDTH {
                (x, row) = (left, row + 1);
            }
            places.push((x, row));
            x += width;
        }
        places
    }

    fn write_legend(&self, svg: &mut String) {
        for ((series, sample, words), (x, row)) in self.legend.iter().zip(self.legend_rows()) {
            let (middle, y) = (x + 10 * SCALE, LINE * row + 12 * SCALE);
            let class = series.class();
            let _ = match sample {
                Sample::Mark => {
                    writeln!(svg, "<g class=\"mark {class}\">{}</g>", series.shape(middle, y))
                }
                Sample::Line => {
                    writeln!(svg, "<path class=\"line {class}\" d=\"M{},{y}h220\"/>", x - 2 * SCALE)
                }
                Sample::Bar => writeln!(
                    svg,
                    "<g class=\"bar {class}\"><rect x=\"{x}\" y=\"{}\" width=\"180\" height=\"90\"/></g>",
                    y - 45
                ),
            };
            svg.push_str(&text(x + 25 * SCALE, y + 45, "start", words));
        }
        let [left, top, right, _] = self.area();
        svg.push_str(&text(left - 40 * SCALE, top - 13 * SCALE, "start", &self.y.name));
        svg.push_str(&text((left + right) / 2, HEIGHT - 9 * SCALE, "middle", &self.x.name));
    }
}

/// The start of a drawing.
fn head(about: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-label=\"{}\">\n",
        escape(about)
    )
}

fn text(x: i32, y: i32, anchor: &str, words: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{TEXT}\" text-anchor=\"{anchor}\">{}</text>\n",
        escape(words)
    )
}

/// An element without content, with a title that is shown on pointing at it.
fn titled(element: &str, title: &str) -> String {
    let open = element.trim_end_matches("/>");
    let name = open[1..].split(' ').next().unwrap_or_default();
    format!("{open}><title>{}</title></{name}>\n", escape(title))
}
