//! Rules in KIF with a remark beside each line.

use std::fmt::Write;

/// Remarks stand in one column, but not beyond this one.
const WIDEST: usize = 64;

/// A text that is being written.
#[derive(Default)]
pub(super) struct Listing {
    text: String,
    /// The last thing written is a rule.
    after_rule: bool,
}

/// An atom or a literal, with a remark that may be empty.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) remark: String,
}

impl Line {
    pub(super) fn new(text: impl ToString, remark: impl Into<String>) -> Self {
        Line { text: text.to_string(), remark: remark.into() }
    }

    pub(super) fn plain(text: impl ToString) -> Self {
        Self::new(text, "")
    }
}

impl Listing {
    /// A line of comment.
    pub(super) fn comment(&mut self, comment: impl AsRef<str>) {
        writeln!(self.text, "{}", format!("; {}", comment.as_ref()).trim_end())
            .expect("a string takes everything");
    }

    /// An empty line and a line of comment.
    pub(super) fn heading(&mut self, comment: impl AsRef<str>) {
        self.gap();
        self.comment(comment);
    }

    /// An empty line, unless nothing stands before it.
    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.after_rule = false;
    }

    /// A rule, or a fact if the body is empty. Rules stand apart from each other and from facts.
    pub(super) fn rule(&mut self, head: Line, body: Vec<Line>) {
        if self.after_rule {
            self.gap();
        }
        let is_rule = !body.is_empty() || !head.text.starts_with('(');
        let count = body.len();
        let mut lines = vec![Line {
            text: if is_rule { format!("(<= {}", head.text) } else { head.text },
            ..head
        }];
        lines.extend(body.into_iter().map(|it| Line { text: format!("    {}", it.text), ..it }));
        if is_rule {
            lines[count].text.push(')');
        }
        let remarked = lines.iter().filter(|line| !line.remark.is_empty());
        self.after_rule = is_rule;
        let widest = remarked.map(|line| line.text.chars().count()).max().unwrap_or(0);
        let column = widest.min(WIDEST);
        for Line { text, remark } in lines {
            self.text.push_str(&text);
            if !remark.is_empty() {
                let gap = column.saturating_sub(text.chars().count()) + 2;
                write!(self.text, "{:gap$}; {remark}", "").expect("a string takes everything");
            }
            self.text.push('\n');
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// A number with its noun: `1 rule`, `2 rules`.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
