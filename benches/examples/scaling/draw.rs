//! The figure: two panels, one line a family.

use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::Point;

const SIZE: (u32, u32) = (960, 440);

/// Colours that can be told apart on white and on black, also by those who see few of them.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x1f, 0x83, 0xd6),
    RGBColor(0xe6, 0x7e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xd1, 0x4f, 0x9e),
    RGBColor(0x8a, 0x6d, 0xf0),
    RGBColor(0x9a, 0x8a, 0x00),
];
/// Lines and words that are read on white and on black.
const INK: RGBColor = RGBColor(0x80, 0x80, 0x80);
const GRID: RGBAColor = RGBAColor(0x80, 0x80, 0x80, 0.25);
const FONT: &str = "sans-serif";

/// Words darker on a light page, lighter on a dark one.
const STYLE: &str =
    "<style>text{fill:#333}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>";

/// A name for people.
fn title(family: &str) -> String {
    family.replace('_', " ")
}

/// The figure as SVG.
pub(super) fn figure(points: &[Point]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let (left, right) = area.split_horizontally(SIZE.0 / 2);
        let time = |it: &Point| it.nanoseconds_per_rule();
        let bytes = |it: &Point| it.bytes_per_rule();
        panel(
            &left,
            points,
            "nanoseconds per ground rule",
            (50.0..2_000.0).log_scale(),
            &time,
            true,
        )?;
        panel(&right, points, "bytes per ground rule", 0.0..32.0, &bytes, false)?;
        area.present()?;
    }
    let end = text.find('>').ok_or("an element ends")? + 1;
    // Some writers begin with a declaration.
    let end = if text.starts_with("<?") {
        end + text[end..].find('>').ok_or("an element ends")? + 1
    } else {
        end
    };
    text.insert_str(end, STYLE);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn panel<Y>(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    points: &[Point],
    caption: &str,
    range: Y,
    value: &dyn Fn(&Point) -> f64,
    legend: bool,
) -> Result<(), Box<dyn Error>>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let font = |size: i32| (FONT, size).into_font().color(&INK);
    let mut chart = ChartBuilder::on(area)
        .caption(caption, font(16))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(58)
        .build_cartesian_2d((8.0..2_500.0).log_scale(), range)?;
    chart
        .configure_mesh()
        .x_desc("cells of the board")
        .axis_desc_style(font(13))
        .label_style(font(12))
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|it| format!("{it:.0}"))
        .y_label_formatter(&|it| format!("{it:.0}"))
        .draw()?;
    let mut families: Vec<&str> = points.iter().map(|it| it.family).collect();
    families.dedup();
    for (family, colour) in families.into_iter().zip(COLOURS) {
        let own = points.iter().filter(|it| it.family == family);
        let own: Vec<(f64, f64)> = own.map(|it| (f64::from(it.cells), value(it))).collect();
        let line =
            chart.draw_series(LineSeries::new(own.iter().copied(), colour.stroke_width(2)))?;
        if legend {
            line.label(title(family)).legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3))
            });
        }
        chart.draw_series(own.iter().map(|&it| Circle::new(it, 3, colour.filled())))?;
    }
    if legend {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(font(13))
            .border_style(TRANSPARENT)
            .draw()?;
    }
    Ok(())
}
