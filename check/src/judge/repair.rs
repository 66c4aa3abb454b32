//! Edits that mend what a finding is about, where its kind leaves little choice.

use groundfrog::description::Description;
use groundfrog::kif::{Diagnostic, Span, TokenKind};

use crate::edit::{Edit, quoted, tokens};
use crate::explore::{Exploration, Verdict};

/// What mends an error of notation or of safety, or a name that is spelled wrong.
pub(super) fn edits(finding: &Diagnostic, source: &str) -> Vec<Edit> {
    let span = finding.span();
    match finding.code {
        "GF0003" => vec![Edit { span, text: " ".to_owned() }],
        "GF0005" => {
            let start = span.range().start;
            let end = finding.labels.get(1).map_or(source.len(), |it| it.span.range().start);
            let part = source.get(start..end).unwrap_or_default();
            // No rule stands inside another list.
            let part = &part[..inner_rule(part).unwrap_or(part.len())];
            vec![Edit::insert(start + code_end(part), ")".repeat(open_lists(part).max(1)))]
        }
        "GF0108" => {
            let before = source.get(..span.range().start).unwrap_or_default();
            vec![Edit::insert(code_end(before), ")".to_owned())]
        }
        "GF0006" | "GF0102" => vec![Edit { span, text: String::new() }],
        "GF0302" => bound_variable(finding, source).unwrap_or_default(),
        _ => Edit::suggested(finding, source),
    }
}

/// What mends a game that sticks or ends without a goal value.
pub(super) fn edits_of_play(
    finding: &Diagnostic,
    exploration: &Exploration,
    description: &Description,
) -> Vec<Edit> {
    let keywords = &description.keywords;
    let (verdict, predicate, name, otherwise) = match finding.code {
        "GF0702" => (&exploration.playability, keywords.legal, "can_move", "legal ROLE noop"),
        "GF0703" => (&exploration.utility, keywords.goal, "has_goal", "goal ROLE 0"),
        _ => return Vec::new(),
    };
    let Verdict::Fails(Some(witness)) = verdict else { return Vec::new() };
    let Some(role) = quoted(&witness.remark) else { return Vec::new() };
    if finding.code == "GF0703" && !witness.remark.ends_with("none") {
        return Vec::new();
    }
    // What the rules say otherwise holds where they say nothing.
    let source = &*description.source;
    let mut unused = name.to_owned();
    while source.contains(&unused) {
        unused.push('_');
    }
    let mut text = String::new();
    let statements = description.statements.iter().filter(|it| it.head.predicate == predicate);
    for statement in statements {
        let Some((first, rest)) = head_and_body(source, statement.span, statement.head.span) else {
            return Vec::new();
        };
        text += &format!("\n(<= ({unused} {first}){rest})");
    }
    text += &format!("\n(<= ({}) (not ({unused} {role})))\n", otherwise.replace("ROLE", role));
    let has_rules = text.matches("\n(<= ").count() > 1;
    let alone = format!("\n({})\n", otherwise.replace("ROLE", role));
    vec![Edit::insert(source.len(), if has_rules { text } else { alone })]
}

/// The first argument of the head of a statement, and its body with a space before it.
fn head_and_body(source: &str, statement: Span, head: Span) -> Option<(&str, String)> {
    let first = tokens(head.text(source)).nth(2).filter(|it| it.kind == TokenKind::Word)?;
    let first = first.span.text(head.text(source));
    if statement == head {
        return Some((first, String::new()));
    }
    let body = source.get(head.range().end..statement.range().end)?.strip_suffix(')')?;
    // A remark at the end of a line must not swallow what is put behind it.
    Some((first, format!(" {}\n", body.trim())))
}

/// Another variable of the rule in the place of one that is bound by nothing, where just one is written nearly the same.
fn bound_variable(finding: &Diagnostic, source: &str) -> Option<Vec<Edit>> {
    let unbound = quoted(&finding.message)?;
    let place = finding.span().range();
    let rule = statement_around(source, place.start)?;
    let text = rule.text(source);
    let words: Vec<Span> =
        tokens(text).filter(|it| it.kind == TokenKind::Word).map(|it| it.span).collect();
    let mut near: Vec<&str> = words
        .iter()
        .map(|it| it.text(text))
        .filter(|word| {
            word.starts_with('?') && *word != unbound && strsim::osa_distance(word, unbound) <= 1
        })
        .filter(|it| it.len() > 2 || unbound.len() > 2)
        .collect();
    near.sort_unstable();
    near.dedup();
    let [bound] = near[..] else { return None };
    let start = rule.range().start;
    let same = words.iter().filter(|it| it.text(text) == unbound).map(|it| it.range());
    let replaced = same.map(|range| Edit {
        span: Span::new(start + range.start, start + range.end),
        text: bound.to_owned(),
    });
    Some(replaced.collect())
}

/// The outermost list around a place.
fn statement_around(source: &str, place: usize) -> Option<Span> {
    let (mut depth, mut start) = (0usize, 0);
    for token in tokens(source) {
        let range = token.span.range();
        match token.kind {
            TokenKind::Open => {
                if depth == 0 {
                    start = range.start;
                }
                depth += 1;
            }
            TokenKind::Close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && start <= place && place < range.end {
                    return Some(Span::new(start, range.end));
                }
            }
            TokenKind::Word => {}
        }
    }
    None
}

/// Where the first rule begins that is inside the list with which a text begins.
fn inner_rule(text: &str) -> Option<usize> {
    let mut open = None;
    for token in tokens(text) {
        let start = token.span.range().start;
        match token.kind {
            TokenKind::Open => open = Some(start),
            TokenKind::Word if token.span.text(text) == "<=" && open.is_some_and(|it| it > 0) => {
                return open;
            }
            TokenKind::Word | TokenKind::Close => open = None,
        }
    }
    None
}

/// How many lists are open at the end of a text.
fn open_lists(text: &str) -> usize {
    tokens(text).fold(0, |depth: usize, token| match token.kind {
        TokenKind::Open => depth + 1,
        TokenKind::Close => depth.saturating_sub(1),
        TokenKind::Word => depth,
    })
}

/// Where the last token of a text ends.
fn code_end(text: &str) -> usize {
    tokens(text).last().map_or(0, |it| it.span.range().end)
}
