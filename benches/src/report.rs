//! The report about a corpus: one page of HTML that needs nothing else, and each figure as SVG.
//!
//! The same records give the same bytes, whatever their order.

mod axis;
mod figures;
pub mod html;
mod literature;
mod markup;
mod merge;
mod numbers;
mod page;
mod plot;
mod style;
mod summary;
mod table;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use crate::record::Record;
pub use merge::Merger;

/// The name of the page within its folder.
pub const PAGE: &str = "report.html";

/// The names of all files of a report, and what is in them: each figure, then the page. Of several records of one game (by
/// its hash) the last counts.
pub fn files(records: &[Record]) -> Vec<(String, String)> {
    let records = merge::in_order(records);
    let figures = figures::figures(&records);
    let svg = |it: &figures::Figure| (format!("{}.svg", it.file), it.plot.standalone(it.title));
    let mut files: Vec<(String, String)> = figures.iter().map(svg).collect();
    files.push((PAGE.to_owned(), page::page(&records, &figures)));
    files
}
