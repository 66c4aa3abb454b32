//! The report about a corpus: one page of HTML that needs nothing else, and each figure as SVG.
//!
//! The same records give the same bytes, whatever their order.

pub mod chart;
pub mod html;
mod numbers;
mod tables;

use maud::html;

use crate::record::Record;
use crate::results;
use html::glue;
use numbers::games;
use tables::Figure;

/// The name of the page within its folder.
pub const PAGE: &str = "report.html";

/// The names of all files of a report, and what is in them: each figure, then the page. Of several records of one game (by
/// its hash) the last counts.
pub fn files(records: &[Record]) -> Vec<(String, String)> {
    let records = results::last_of_each(records);
    let figures = [tables::budget(&records), tables::time_of_rules(&records)];
    let svg =
        |it: &Figure| (format!("{}.svg", it.file), it.chart.standalone(it.title).into_string());
    let mut files: Vec<(String, String)> = figures.iter().map(svg).collect();
    files.push((PAGE.to_owned(), page(&records, &figures)));
    files
}

/// The whole page. `records` are sorted.
fn page(records: &[&Record], figures: &[Figure]) -> String {
    let title = format!("Grounding {}", games(records.len()));
    let body = html! {
        header {
            h1 { (title) }
            (tables::lead(records))
            (tables::summary(records))
            p.note {
                "The compact game means the same as the flat one in every state that can be reached, with a fraction of the rules: \
                 the time that it takes once is saved in each state that is played."
            }
        }
        section.figures aria-label="Figures" {
            @for figure in figures {
                figure id=(figure.file) {
                    h2 { (figure.title) }
                    (figure.chart.inline(figure.title))
                    figcaption { (glue(&figure.caption)) }
                }
            }
        }
        p.note.screen { "Point at a dot or a curve to see the name of the game." }
        section { h2 { "What was not done" } (tables::failures(records)) }
        section {
            h2 { "All games" }
            p.note.screen id="sorting" { "Sorted by name." }
            (tables::all_games(records))
        }
        section { h2 { "How it was measured" } (tables::circumstances(records)) }
    };
    html::page(&title, &body, &[])
}

#[cfg(test)]
pub(crate) mod tests;
