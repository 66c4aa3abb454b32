//! The report about a corpus: one page of HTML that needs nothing else, and each figure as SVG.
//!
//! The same records give the same bytes, whatever their order.

mod axis;
mod figures;
mod literature;
mod markup;
mod measure;
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

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::record::Record;
use crate::destination;
use crate::failure::Failure;
pub(crate) use merge::Merger;

/// The name of the page within its folder.
const PAGE: &str = "report.html";

/// Writes the page and the figures into a folder, which is made if it is not there. Each file is replaced
/// in one step, the page last. Of several records of one game (by its hash) the last counts.
///
/// Returns the path of the page.
///
/// # Errors
/// If something cannot be written.
pub(crate) fn write(records: &[Record], folder: &Path) -> Result<PathBuf, Failure> {
    let files = files(records);
    fs::create_dir_all(folder)
        .map_err(|source| Failure::io("cannot make the folder", folder, source))?;
    for (name, text) in &files {
        destination::replace_file(&folder.join(name), text.as_bytes())?;
    }
    Ok(folder.join(PAGE))
}

/// The names of all files of a report, and what is in them. The page comes last.
fn files(records: &[Record]) -> Vec<(String, String)> {
    let records = merge::in_order(records);
    let figures = figures::figures(&records);
    let svg = |it: &figures::Figure| (format!("{}.svg", it.file), it.plot.standalone(it.title));
    let mut files: Vec<(String, String)> = figures.iter().map(svg).collect();
    files.push((PAGE.to_owned(), page::page(&records, &figures)));
    files
}
