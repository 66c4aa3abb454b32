//! Checking descriptions: the examples of `docs/checks.md`, the games, the output for programs.

mod explore;
mod games;
mod judge;
mod keywords;
mod knowledge;
mod output;
mod slips;
mod undecided;

use groundfrog::description::ParseOptions;
use groundfrog::kif::{Diagnostic, locate};
use groundfrog_check::{CheckOptions, CheckReport, check_text};

fn check(text: impl AsRef<[u8]>) -> CheckReport {
    let options = ParseOptions { name: "game.kif".to_owned(), ..ParseOptions::default() };
    check_text(text.as_ref(), &options, &CheckOptions::default())
}

/// A finding on one line: place, severity, code, message.
fn show(diagnostic: &Diagnostic, source: &str) -> String {
    let place = locate(source, diagnostic.span().start);
    let severity = format!("{:?}", diagnostic.severity).to_lowercase();
    format!("{place}: {severity} {}: {}", diagnostic.code, diagnostic.message)
}

fn show_all(report: &CheckReport) -> Vec<String> {
    report.diagnostics.iter().map(|it| show(it, &report.source)).collect()
}
