//! Changes of a text, where a finding leaves little choice.

use groundfrog::kif::{Diagnostic, Lexer, Span, Token, TokenKind};

/// A text that takes the place of another; an empty place is where to insert it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub text: String,
}

impl Edit {
    /// The text with all of these edits, whose places do not overlap.
    pub fn apply(edits: &[Edit], source: &str) -> String {
        let mut sorted: Vec<&Edit> = edits.iter().collect();
        sorted.sort_by_key(|it| it.span.start);
        let (mut text, mut end) = (String::new(), 0);
        for edit in sorted {
            let range = edit.span.range();
            text += source.get(end..range.start).unwrap_or_default();
            text += &edit.text;
            end = range.end;
        }
        text + source.get(end..).unwrap_or_default()
    }

    pub(crate) fn insert(place: usize, text: String) -> Self {
        Edit { span: Span::new(place, place), text }
    }

    /// Where a place is after these edits.
    pub(crate) fn moved(edits: &[Edit], place: u32) -> u32 {
        let before = edits.iter().filter(|it| it.span.end <= place);
        before.fold(place, |place, edit| {
            let (old, new) = (edit.span.end - edit.span.start, edit.text.len() as u32);
            (place + new).saturating_sub(old)
        })
    }

    /// Writes the name that a finding suggests wherever the one stands that it is about.
    pub(crate) fn suggested(finding: &Diagnostic, source: &str) -> Vec<Edit> {
        let mut names = finding.help.iter().filter_map(|it| it.strip_prefix(SUGGESTION));
        let name = names.next().and_then(|it| it.split('`').next());
        // A fluent without `true` around it.
        if name.is_none() && finding.help.iter().any(|it| it.contains("write `(true ")) {
            let range = finding.span().range();
            return vec![
                Edit::insert(range.start, "(true ".to_owned()),
                Edit::insert(range.end, ")".to_owned()),
            ];
        }
        match (quoted(&finding.message), name) {
            (Some(wrong), Some(right)) if !right.starts_with('(') => {
                Edit::renamed(wrong, right, source)
            }
            _ => Vec::new(),
        }
    }

    /// Writes a name wherever another one stands.
    pub(crate) fn renamed(wrong: &str, right: &str, source: &str) -> Vec<Edit> {
        let words = tokens(source).filter(|it| it.kind == TokenKind::Word);
        let same = words.filter(|it| it.span.text(source) == wrong);
        same.map(|it| Edit { span: it.span, text: right.to_owned() }).collect()
    }
}

/// How advice begins that suggests another name.
pub(crate) const SUGGESTION: &str = "did you mean `";

/// What a message has between the first two backticks.
pub(crate) fn quoted(message: &str) -> Option<&str> {
    message.split('`').nth(1)
}

/// The tokens of a text, as far as it has any.
pub(crate) fn tokens(source: &str) -> impl Iterator<Item = Token> {
    let mut lexer = Lexer::new(source);
    std::iter::from_fn(move || lexer.next_token().ok()?)
}
