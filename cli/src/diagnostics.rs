//! Errors and warnings on standard error, with the text that they are about.

mod excerpt;

use std::io::{self, Write};
use std::sync::OnceLock;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use groundfrog::GroundError;
use groundfrog::kif::{Diagnostic, Severity, locate};
use groundfrog::visible::{visible, visible_lines};
use groundfrog_check::CheckReport;

use crate::failure::Failure;
use excerpt::Excerpt;

/// Of more errors or warnings than this only the number is reported.
const MOST_SHOWN: usize = 20;

/// Of more places that one message is about only the number is reported.
const MOST_PLACES: usize = 30;

/// Reports errors and warnings on standard error, in colours if that is a terminal that has them.
pub(crate) struct Reporter {
    /// Made for the first message: most runs have none.
    renderer: OnceLock<Renderer>,
    colours: Colours,
    quiet: bool,
}

/// Where texts are in colours.
#[derive(Clone, Copy)]
enum Colours {
    OnStderr,
    OnStdout,
    Nowhere,
}

impl Reporter {
    /// A quiet reporter reports errors only.
    pub(crate) fn new(quiet: bool) -> Self {
        Reporter { renderer: OnceLock::new(), colours: Colours::OnStderr, quiet }
    }

    /// A reporter whose texts go to standard output, in colours if that is a terminal that has them.
    pub(crate) fn for_stdout(is_plain: bool) -> Self {
        let colours = if is_plain { Colours::Nowhere } else { Colours::OnStdout };
        Reporter { renderer: OnceLock::new(), colours, quiet: false }
    }

    fn renderer(&self) -> &Renderer {
        self.renderer.get_or_init(|| {
            let choice = match self.colours {
                Colours::OnStderr => anstream::AutoStream::choice(&io::stderr()),
                Colours::OnStdout => anstream::AutoStream::choice(&io::stdout()),
                Colours::Nowhere => anstream::ColorChoice::Never,
            };
            match choice {
                anstream::ColorChoice::Never => Renderer::plain(),
                _ => Renderer::styled(),
            }
        })
    }

    /// The findings of a report, from the worst to those of the least severity that is wanted. What follows from another one
    /// stands below it, a line each, and counts for how bad that is.
    pub(crate) fn findings(&self, report: &CheckReport, least: Severity) -> String {
        let (name, source) = (&*visible(&report.name), &*report.source);
        let worst = |it: &Diagnostic| {
            report.consequences(it).map(|it| it.severity).fold(it.severity, Severity::max)
        };
        let causes: Vec<(Severity, &Diagnostic)> = report
            .diagnostics
            .iter()
            .filter(|it| it.follows.is_none())
            .map(|it| (worst(it), it))
            .collect();
        let mut text = String::new();
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let some = causes.iter().filter(|it| it.0 == severity && severity >= least);
            let some: Vec<&Diagnostic> = some.map(|it| it.1).collect();
            for finding in some.iter().take(MOST_SHOWN) {
                text.push_str(&self.diagnostic(finding, name, source));
                text.push('\n');
                text.push_str(&consequences(report, finding, least));
                text.push('\n');
            }
            text.push_str(&more(some.len().saturating_sub(MOST_SHOWN), severity, name));
        }
        text
    }

    /// Reports why a command failed.
    pub(crate) fn failure(&self, failure: &Failure) {
        let text = match failure {
            Failure::Ground(error) => match (&**error, error.faults()) {
                (GroundError::Parse(error), _) => {
                    self.diagnostics(&error.diagnostics, error.omitted, &error.name, &error.text)
                }
                (_, Some(faults)) => {
                    self.diagnostics(&faults.diagnostics, 0, &faults.name, &faults.text)
                }
                (error, None) => self.plain(&error.to_string(), failure.help()),
            },
            Failure::Plan { diagnostic, name, text } => {
                self.diagnostics(std::slice::from_ref(&**diagnostic), 0, name, text)
            }
            _ => self.plain(&failure.to_string(), failure.help()),
        };
        write(&text);
    }

    /// Reports the warnings about a description, unless quiet.
    pub(crate) fn warnings(&self, warnings: &[Diagnostic], name: &str, source: &str) {
        if !self.quiet && !warnings.is_empty() {
            write(&self.diagnostics(warnings, 0, name, source));
        }
    }

    /// Reports something that is neither, unless quiet.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.always(text);
        }
    }

    /// Writes what is wanted even if quiet.
    pub(crate) fn always(&self, text: &str) {
        write(&visible_lines(text));
    }

    /// An error that is about no text.
    fn plain(&self, message: &str, help: Option<&str>) -> String {
        let message = visible_lines(message);
        let error = Group::with_title(Level::ERROR.primary_title(&*message));
        let help = help.map(|help| Group::with_title(Level::HELP.secondary_title(help)));
        // One by one: groups of one report have a line between them that belongs to a text.
        let groups = [Some(error), help].into_iter().flatten();
        groups.map(|it| self.renderer().render(&[it]) + "\n").collect()
    }

    /// All diagnostics about a text, or as many as can be read.
    fn diagnostics(
        &self,
        diagnostics: &[Diagnostic],
        omitted: usize,
        name: &str,
        source: &str,
    ) -> String {
        let name = &*visible(name);
        let mut text = String::new();
        for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
            text.push_str(&self.diagnostic(diagnostic, name, source));
            text.push_str("\n\n");
        }
        let omitted = diagnostics.len().saturating_sub(MOST_SHOWN) + omitted;
        let severity = diagnostics.first().map_or(Severity::Error, |it| it.severity);
        text + &more(omitted, severity, name)
    }

    fn diagnostic(&self, diagnostic: &Diagnostic, name: &str, source: &str) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut title = level.primary_title(visible_lines(&diagnostic.message));
        // Plans of tournaments have faults without codes.
        if !diagnostic.code.is_empty() {
            title = title.id(diagnostic.code);
        }
        let mut group = Group::with_title(title);
        let shown = diagnostic.labels.len().min(MOST_PLACES);
        let excerpts = Excerpt::of(&diagnostic.labels[..shown], source);
        if excerpts.is_empty() {
            group = group.element(Origin::path(name));
        }
        for excerpt in &excerpts {
            let annotations = excerpt.labels.iter().map(|label| {
                let kind =
                    if label.is_first { AnnotationKind::Primary } else { AnnotationKind::Context };
                let text = (!label.text.is_empty()).then(|| visible_lines(label.text));
                kind.span(label.range.clone()).label(text)
            });
            let mut snippet = Snippet::source(excerpt.text.as_str())
                .line_start(excerpt.first_line)
                .annotations(annotations);
            if excerpt.is_clipped {
                // Columns cannot be counted in what is left of the line.
                let place = locate(source, excerpt.place);
                let (line, column) = (place.line as usize, place.column as usize);
                group = group.element(Origin::path(name).line(line).char_column(column));
            } else {
                snippet = snippet.path(name);
            }
            group = group.element(snippet);
        }
        let more = diagnostic.labels.len() - shown;
        if more > 0 {
            group = group.element(Level::NOTE.message(format!("and {more} more places")));
        }
        let help = diagnostic.help.iter().map(|help| Level::HELP.message(visible_lines(help)));
        self.renderer().render(&[group.elements(help)])
    }
}

/// How many findings are not shown, if any.
fn more(count: usize, severity: Severity, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    match count {
        0 => String::new(),
        _ => format!("{name}: and {count} more {}{plural}\n", severity.name()),
    }
}

/// What follows from a finding, a line each.
fn consequences(report: &CheckReport, cause: &Diagnostic, least: Severity) -> String {
    let all: Vec<&Diagnostic> =
        report.consequences(cause).filter(|it| it.severity >= least).collect();
    let mut text = String::new();
    for finding in all.iter().take(MOST_SHOWN) {
        let place = locate(&report.source, finding.span().start);
        let (what, code) = (finding.severity.name(), finding.code);
        let message = visible_lines(&finding.message);
        text.push_str(&format!("   = follows, {place}: {what}[{code}]: {message}\n"));
    }
    if all.len() > MOST_SHOWN {
        text.push_str(&format!("   = and {} more follow\n", all.len() - MOST_SHOWN));
    }
    text
}

/// Writes to standard error. If even that fails, there is nowhere to report it.
fn write(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
