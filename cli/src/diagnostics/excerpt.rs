//! The lines of a text that a diagnostic is about, long ones clipped.
//!
//! Only these lines are laid out: a file may be one line of 50 MB.

use std::ops::Range;

use groundfrog::kif::{Label, Span, locate};
use groundfrog::visible::visible_lines;

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
pub(super) struct Excerpt<'a> {
    /// The number of the first line, from 1.
    pub(super) first_line: usize,
    /// The offset in the whole text that the excerpt is about.
    pub(super) place: u32,
    /// The lines, separated by line feeds.
    pub(super) text: String,
    /// The beginning of the line is missing.
    pub(super) is_clipped: bool,
    /// The places.
    pub(super) labels: Vec<ExcerptLabel<'a>>,
}

/// A place in an excerpt.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ExcerptLabel<'a> {
    /// The bytes of the excerpt's text.
    pub(super) range: Range<usize>,
    /// The remark.
    pub(super) text: &'a str,
    /// It is the place of the diagnostic itself.
    pub(super) is_first: bool,
}

impl<'a> Excerpt<'a> {
    /// The excerpts that show some labels: a single one where they are close together.
    pub(super) fn of(labels: &'a [Label], source: &str) -> Vec<Self> {
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
    use groundfrog::kif::Span;

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
