//! `groundfrog report`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use groundfrog::visible::visible_path;
use groundfrog_benches::record::Record;
use groundfrog_benches::{report, results};

use super::conclude;
use crate::arguments::ReportArguments;
use crate::destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;

/// Writes a report about the results of `bench`.
pub(crate) fn run(arguments: &ReportArguments) -> Exit {
    let reporter = Reporter::new(arguments.quiet);
    conclude(&work(arguments, &reporter), &reporter)
}

fn work(arguments: &ReportArguments, reporter: &Reporter) -> Result<(), Failure> {
    let mut records = Vec::new();
    for path in &arguments.results {
        records.append(&mut read(path, reporter)?);
    }
    if records.is_empty() {
        let nothing = "none of them has a line that `groundfrog bench` wrote";
        let source = io::Error::new(io::ErrorKind::InvalidData, nothing);
        return Err(Failure::Io { what: "there are no results in the files".into(), source });
    }
    let page = write(&records, &arguments.out)?;
    let number = results::last_of_each(&records).len();
    if number < records.len() {
        reporter.note("warning: there are several results of some games: the last counts\n");
    }
    let games = if number == 1 { "game" } else { "games" };
    reporter.note(&format!("{}: {number} {games}\n", visible_path(&page)));
    Ok(())
}

/// Reads results and warns of what is none.
pub(crate) fn read(path: &Path, reporter: &Reporter) -> Result<Vec<Record>, Failure> {
    let contents = results::read(path)?;
    contents.warnings.iter().for_each(|it| reporter.note(&format!("warning: {it}\n")));
    Ok(contents.records)
}

/// Writes the page and the figures into a folder, which is made if it is not there. Each file is replaced in one step, the
/// page last. Returns the path of the page.
pub(crate) fn write(records: &[Record], folder: &Path) -> Result<PathBuf, Failure> {
    let files = report::files(records);
    fs::create_dir_all(folder)
        .map_err(|source| Failure::io("cannot make the folder", folder, source))?;
    for (name, text) in &files {
        destination::replace_file(&folder.join(name), text.as_bytes())?;
    }
    Ok(folder.join(report::PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let inside = folder.path().join("new/report");
        let page = write(&[], &inside).expect("the folder can be written to");
        assert_eq!(page, inside.join("report.html"));
        fs::write(&page, "torn").expect("the page can be written");
        write(&[], &inside).expect("the files can be replaced");
        let text = fs::read_to_string(page).expect("the page is there");
        assert!(text.contains("</html>"), "{text}");
        let files = fs::read_dir(&inside).expect("the folder is there").count();
        assert_eq!(files, report::files(&[]).len());
    }
}
