//! What the codes of findings mean, for a terminal.

use std::fmt::Write;

use groundfrog_check::codes;

/// The width of lines of text.
const WIDTH: usize = 80;

/// All codes, a line each.
pub(super) fn list() -> String {
    let line = |code: &codes::Code| {
        format!("{}  {:<7}  {}\n", code.code, code.severity.name(), code.title)
    };
    codes::codes().iter().map(line).collect()
}

/// A section of the page about them: what Markdown marks is indented or underlined, and lines are no longer than a
/// terminal is wide.
pub(super) fn laid_out(section: &str) -> String {
    let (mut text, mut paragraph) = (String::new(), String::new());
    let mut is_code = false;
    for line in section.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            fill(&mut text, &mut paragraph);
            is_code = !is_code;
            if is_code {
                text += match kind.split(' ').nth(1) {
                    Some("wrong") => "\nWrong:\n\n",
                    Some("right") => "\nRight:\n\n",
                    _ => "\nIt says:\n\n",
                };
            }
        } else if is_code {
            writeln!(text, "    {line}").expect("writing to a string cannot fail");
        } else if let Some(title) = line.strip_prefix("### ") {
            writeln!(text, "{title}\n{}", "=".repeat(title.chars().count()))
                .expect("writing to a string cannot fail");
        } else if line.is_empty() {
            fill(&mut text, &mut paragraph);
        } else {
            let starts_item = line.starts_with("- ");
            if starts_item {
                fill(&mut text, &mut paragraph);
            }
            paragraph += if paragraph.is_empty() { "" } else { " " };
            paragraph += &without_links(line.trim()).replace('*', "");
        }
    }
    fill(&mut text, &mut paragraph);
    text
}

/// Adds a paragraph, in lines.
fn fill(text: &mut String, paragraph: &mut String) {
    if paragraph.is_empty() {
        return;
    }
    let indent = if paragraph.starts_with("- ") { "  " } else { "" };
    text.push('\n');
    let mut width = 0;
    for word in paragraph.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            text.push_str(indent);
            width = indent.len();
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
    paragraph.clear();
}

/// `[text](address)` as `text`.
fn without_links(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((text, end)) = after.split_once("](") else { break };
        let Some((_, behind)) = end.split_once(')') else { break };
        plain += before;
        plain += text;
        rest = behind;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_explanation_fits_a_terminal_and_has_no_marks_of_markdown() {
        for code in codes::codes() {
            let text = laid_out(codes::explanation(code.code).expect("each has one"));
            let prose = text.lines().filter(|it| !it.starts_with("    "));
            for line in prose {
                assert!(line.chars().count() <= WIDTH, "{}: {line}", code.code);
                assert!(!["```", "###", "](", "*"].iter().any(|it| line.contains(it)), "{line}");
            }
            assert!(text.starts_with(&format!("{}: {}\n===", code.code, code.title)), "{text}");
        }
    }

    #[test]
    fn a_section_is_laid_out() {
        let section = "### GF1: odd\n\n*Error.* See\n[the page](page.md#x) of it.\n\n```kif wrong\n(a)\n```\n";
        assert_eq!(
            laid_out(section),
            "GF1: odd\n========\n\nError. See the page of it.\n\nWrong:\n\n    (a)\n"
        );
    }
}
