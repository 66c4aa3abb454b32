//! Errors and warnings on standard error, with the text that they are about.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::OnceLock;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use groundfrog::GroundError;
use groundfrog::kif::{Diagnostic, Label, Severity, Span, locate};
use groundfrog::visible::{visible, visible_lines};
use groundfrog_check::CheckReport;

use crate::failure::Failure;

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

// The lines of a text that a diagnostic is about, long ones clipped. Only these lines are laid out: a file may be one line of 50 MB.

/// More lines than this are not shown in one piece.
const MOST_LINES: usize = 12;
/// Lines longer than this are clipped: characters.
const LONGEST_LINE: usize = 120;
/// What is shown of a clipped line before the place in question: characters.
const BEFORE: usize = 40;
/// Marks where a line was clipped.
const ELLIPSIS: &str = "...";

/// Some consecutive lines with the places in them.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt<'a> {
    /// The number of the first line, from 1.
    first_line: usize,
    /// The offset in the whole text that the excerpt is about.
    place: u32,
    /// The lines, separated by line feeds.
    text: String,
    /// The beginning of the line is missing.
    is_clipped: bool,
    /// The places.
    labels: Vec<ExcerptLabel<'a>>,
}

/// A place in an excerpt.
#[derive(Debug, PartialEq, Eq)]
struct ExcerptLabel<'a> {
    /// The bytes of the excerpt's text.
    range: Range<usize>,
    /// The remark.
    text: &'a str,
    /// It is the place of the diagnostic itself.
    is_first: bool,
}

impl<'a> Excerpt<'a> {
    /// The excerpts that show some labels: a single one where they are close together.
    fn of(labels: &'a [Label], source: &str) -> Vec<Self> {
        let places = || labels.iter().enumerate().filter(|(_, label)| !is_nowhere(label.span));
        let start = places().map(|(_, label)| label.span.start as usize).min();
        let end = places().map(|(_, label)| label.span.end as usize).max();
        let (Some(start), Some(end)) = (start, end) else { return Vec::new() };
        let together = lines(source, start, end);
        let fits = together.len() <= MOST_LINES
            && together.last().is_some_and(|last| last.end >= end)
            && together.iter().all(|line| line.len() <= LONGEST_LINE);
        if !fits {
            return places()
                .map(|(number, label)| Self::single(label, number == 0, source).shown())
                .collect();
        }
        let mut excerpt = Self::new(source, start);
        excerpt.place = labels[0].span.start;
        let mut offsets = Vec::new();
        for line in &together {
            offsets.push(excerpt.text.len());
            excerpt.text.push_str(&source[line.clone()]);
            excerpt.text.push('\n');
        }
        let offset = |at: u32| {
            let line = together.partition_point(|line| line.start <= at as usize) - 1;
            offsets[line] + (at as usize).min(together[line].end) - together[line].start
        };
        excerpt.labels = places()
            .map(|(number, label)| ExcerptLabel {
                range: offset(label.span.start)..offset(label.span.end),
                text: &label.text,
                is_first: number == 0,
            })
            .collect();
        vec![excerpt.shown()]
    }

    /// The same with characters that are not seen written out; a byte order mark is left out.
    fn shown(mut self) -> Self {
        if let Some(text) = self.text.strip_prefix('\u{feff}') {
            let mark = self.text.len() - text.len();
            for label in &mut self.labels {
                let Range { start, end } = label.range;
                label.range = start.saturating_sub(mark)..end.saturating_sub(mark);
            }
            self.text = text.to_owned();
        }
        let place = |at: usize| visible_lines(&self.text[..at]).len();
        for label in &mut self.labels {
            label.range = place(label.range.start)..place(label.range.end);
        }
        self.text = visible_lines(&self.text).into_owned();
        self
    }

    fn new(source: &str, start: usize) -> Self {
        let place = start as u32;
        let first_line = locate(source, place).line as usize;
        Excerpt { first_line, place, text: String::new(), is_clipped: false, labels: Vec::new() }
    }

    /// The first line of a label, clipped.
    fn single(label: &'a Label, is_first: bool, source: &str) -> Self {
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        let mut excerpt = Self::new(source, start);
        let line = lines(source, start, start).swap_remove(0);
        let end = end.min(line.end);
        let from = back(source, line.start, start, BEFORE);
        let to = forward(source, from, line.end, LONGEST_LINE);
        excerpt.is_clipped = from > line.start;
        if excerpt.is_clipped {
            excerpt.text.push_str(ELLIPSIS);
        }
        let offset = excerpt.text.len();
        excerpt.text.push_str(&source[from..to]);
        if to < line.end {
            excerpt.text.push_str(ELLIPSIS);
        }
        excerpt.labels.push(ExcerptLabel {
            range: start - from + offset..end.clamp(start, to) - from + offset,
            text: &label.text,
            is_first,
        });
        excerpt
    }
}

/// The lines from that of `start` to that of `end`, without their ends, but no more than are shown.
fn lines(source: &str, start: usize, end: usize) -> Vec<Range<usize>> {
    let is_end = |c: char| c == '\n' || c == '\r';
    let mut at = source[..start].rfind(is_end).map_or(0, |before| before + 1);
    let mut found = Vec::new();
    while found.len() <= MOST_LINES {
        let line_end = source[at..].find(is_end).map_or(source.len(), |length| at + length);
        found.push(at..line_end);
        let ending = if source[line_end..].starts_with("\r\n") { 2 } else { 1 };
        at = line_end + ending;
        if at > end || at > source.len() {
            break;
        }
    }
    found
}

/// The offset so many characters before `at`, but not before `least`.
fn back(source: &str, least: usize, at: usize, characters: usize) -> usize {
    let before = source[least..at].char_indices().rev().take(characters).last();
    before.map_or(at, |(offset, _)| least + offset)
}

/// The offset so many characters after `at`, but not after `most`.
fn forward(source: &str, at: usize, most: usize, characters: usize) -> usize {
    source[at..most].char_indices().nth(characters).map_or(most, |(offset, _)| at + offset)
}

/// Whether a diagnostic is about no place in particular.
fn is_nowhere(span: Span) -> bool {
    span == Span::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(start: usize, end: usize) -> Label {
        Label { span: Span::new(start, end), text: "here".into() }
    }

    fn marked(excerpt: &Excerpt<'_>) -> Vec<String> {
        excerpt.labels.iter().map(|it| excerpt.text[it.range.clone()].to_owned()).collect()
    }

    #[test]
    fn places_close_together_share_an_excerpt() {
        let source = "(a)\r\n(bc d)\r\n(e)\n(f)";
        let labels = [label(5, 11), label(13, 16)];
        let excerpts = Excerpt::of(&labels, source);
        assert_eq!(excerpts.len(), 1);
        assert_eq!(excerpts[0].text, "(bc d)\n(e)\n");
        assert_eq!(excerpts[0].first_line, 2);
        assert_eq!(marked(&excerpts[0]), ["(bc d)", "(e)"]);
        assert!(excerpts[0].labels[0].is_first && !excerpts[0].labels[1].is_first);
    }

    #[test]
    fn places_far_apart_have_excerpts_of_their_own() {
        let source = format!("(a)\n{}(b)", "\n".repeat(40));
        let labels = [label(44, 47), label(0, 3)];
        let excerpts = Excerpt::of(&labels, &source);
        let shown: Vec<_> = excerpts.iter().map(|it| (it.first_line, it.text.as_str())).collect();
        assert_eq!(shown, [(42, "(b)"), (1, "(a)")]);
    }

    #[test]
    fn long_lines_are_clipped_around_the_place() {
        let source = format!("{}(bad){}", "é".repeat(1_000_000), "x".repeat(1_000_000));
        let labels = [label(2_000_000, 2_000_005)];
        let excerpts = Excerpt::of(&labels, &source);
        assert_eq!(marked(&excerpts[0]), ["(bad)"]);
        assert!(excerpts[0].text.starts_with("...é") && excerpts[0].text.ends_with("x..."));
        assert_eq!(excerpts[0].text.chars().count(), LONGEST_LINE + 6);
    }

    #[test]
    fn long_places_are_cut_at_the_end_of_the_line() {
        let source = format!("(a\n{})", "b\n".repeat(100));
        let labels = [label(0, source.len())];
        let excerpts = Excerpt::of(&labels, &source);
        assert_eq!(marked(&excerpts[0]), ["(a"]);
        let wide = format!("({})", "ü".repeat(500));
        let labels = [label(0, wide.len())];
        assert_eq!(marked(&Excerpt::of(&labels, &wide)[0])[0].chars().count(), LONGEST_LINE);
    }

    #[test]
    fn what_is_not_seen_is_written_out() {
        let source = "\u{feff}(a \u{1b}[1m \u{202e}b)\r\n";
        let start = source.find('b').expect("it is there");
        let labels = [label(start, start + 1), label(3, 4)];
        let excerpts = Excerpt::of(&labels, source);
        assert_eq!(excerpts[0].text, "(a \\u{1b}[1m \\u{202e}b)\n");
        assert_eq!(marked(&excerpts[0]), ["b", "("]);
    }

    #[test]
    fn nowhere_and_the_end_of_the_text_are_places_too() {
        assert_eq!(Excerpt::of(&[label(0, 0)], "(a)"), []);
        let labels = [label(4, 4)];
        let excerpts = Excerpt::of(&labels, "(a)\n");
        assert_eq!((excerpts[0].first_line, marked(&excerpts[0])), (2, vec![String::new()]));
    }
}
