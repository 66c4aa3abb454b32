//! Why a text is no game description.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::Language;
use crate::kif::{DEFAULT_NESTING, Diagnostic, Span};

/// Why a text is no game description, with all that is needed to show where.
#[derive(Clone, Error)]
pub struct ParseError {
    /// The errors, in the order of the text; at least one.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more errors there are than `diagnostics` has.
    pub omitted: usize,
    /// The text that the diagnostics' places count in.
    pub text: Arc<str>,
    /// What the text is called, such as the name of its file.
    pub name: String,
}

/// As for [`fmt::Display`]: `main` may return the error, and what is then printed is for people.
impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ParseError {
    /// The errors with the lines of the text that they are about, underlined ([`Diagnostic::snippet`]).
    #[must_use]
    pub fn snippets(&self) -> String {
        let snippets = self.diagnostics.iter().map(|it| it.snippet(&self.name, &self.text));
        snippets.collect::<Vec<_>>().join("\n")
    }

    /// The error of who reads GDL, where the text is in another language or a mixture: that is said, and not what follows from it.
    #[must_use]
    pub fn by_language(mut self) -> Self {
        match Language::of_text(&self.text, DEFAULT_NESTING) {
            Ok(Language::Gdl) => {}
            Ok(language) => {
                let command = match language {
                    Language::RealTime => "realtime",
                    _ => "market",
                };
                let message =
                    format!("the description is in {language}, and this command reads GDL");
                let fault = Diagnostic::error("GF0801", message, Span::default());
                let help = format!("`groundfrog {command} --help` shows what can be done with it");
                self.diagnostics = vec![fault.with_help(help)];
                self.omitted = 0;
            }
            // What is no KIF is said already.
            Err(mixture) if mixture.code == "GF0801" => self.diagnostics.insert(0, *mixture),
            Err(_) => {}
        }
        self
    }

    /// Whether nothing is wrong but that there is more text, or deeper nesting, than can be read.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        self.omitted == 0 && self.diagnostics.iter().all(Diagnostic::is_bound)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.diagnostics.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", diagnostic.display(&self.name, &self.text))?;
        }
        if self.omitted > 0 {
            write!(f, "\n{}: {} more errors", self.name, self.omitted)?;
        }
        Ok(())
    }
}

/// Why a list or a word is no statement, formula or term.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum StatementError {
    #[error("there are no statements")]
    NoStatements,
    #[error("`()` means nothing")]
    EmptyList,
    #[error("a list must start with a name, not with another list")]
    ListAsName,
    #[error("the variable `{0}` stands where a predicate should")]
    VariableAsPredicate(String),
    #[error("the variable `{0}` stands where a function should")]
    VariableAsFunction(String),
    #[error("`<=` must be followed by a head")]
    NoHead,
    #[error("`{0}` cannot be the head of a rule or a fact")]
    ConnectiveAsHead(String),
    #[error("a rule cannot stand inside another statement")]
    NestedRule,
    #[error("`{name}` takes {}, not {found}", arguments(*.expected))]
    Arity { name: String, expected: u32, found: usize },
    #[error("`{0}` needs at least one branch")]
    NoBranches(String),
    #[error(
        "`{0}(` is infix notation: rules are read as KIF, where the name comes after the parenthesis"
    )]
    Infix(String),
}

impl StatementError {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::NoStatements => "GF0101",
            Self::EmptyList => "GF0102",
            Self::ListAsName => "GF0103",
            Self::VariableAsPredicate(_) => "GF0104",
            Self::VariableAsFunction(_) => "GF0105",
            Self::NoHead => "GF0106",
            Self::ConnectiveAsHead(_) => "GF0107",
            Self::NestedRule => "GF0108",
            Self::Arity { .. } => "GF0109",
            Self::NoBranches(_) => "GF0110",
            Self::Infix(_) => "GF0111",
        }
    }

    pub(super) fn help(&self) -> Option<&'static str> {
        match self {
            Self::ListAsName | Self::EmptyList => Some("is there a `(` too many?"),
            Self::NestedRule => Some("most likely a `)` is missing before it"),
            Self::Arity { name, found: 2.., .. } if name == "not" => {
                Some("to negate several formulas, write `(not (or ...))` or several `(not ...)`")
            }
            Self::Arity { name, .. } => form(name),
            Self::NoBranches(name) if name == "or" => {
                Some("an `or` of nothing would never hold; delete the rule if that is meant")
            }
            Self::NoBranches(_) => Some("an `and` of nothing would always hold; delete it"),
            Self::Infix(_) => Some(
                "write `(legal robot a)` for `legal(robot, a)`, `(<= head condition ...)` for `head :- condition, ...`, and `?x` for \
                 a variable",
            ),
            Self::ConnectiveAsHead(name) if name == "distinct" => Some(
                "which terms are distinct is known without facts: delete it, or write it as a condition in the body of a rule",
            ),
            Self::ConnectiveAsHead(_) => Some("only a predicate can be defined by a statement"),
            _ => None,
        }
    }
}

/// How a keyword is written that takes a certain number of arguments.
fn form(keyword: &str) -> Option<&'static str> {
    let form = match keyword {
        "role" => "write `(role NAME)`",
        "init" => "write `(init FLUENT)`, as `(init (cell 1 1 empty))`",
        "true" => "write `(true FLUENT)`, as `(true (cell 1 1 empty))`",
        "next" => "write `(next FLUENT)`, as `(next (cell 1 1 empty))`",
        "base" => "write `(base FLUENT)`, as `(base (cell 1 1 empty))`",
        "does" => "write `(does ROLE MOVE)`, as `(does robot (mark 1 1))`",
        "legal" => "write `(legal ROLE MOVE)`, as `(legal robot (mark 1 1))`",
        "input" => "write `(input ROLE MOVE)`, as `(input robot (mark 1 1))`",
        "sees" => "write `(sees ROLE PERCEPT)`",
        "percept" => "write `(percept ROLE PERCEPT)`, as `(percept robot (lamp on))`",
        "goal" => "write `(goal ROLE VALUE)`, as `(goal robot 100)`",
        "terminal" => "write `terminal` alone",
        "distinct" => "write `(distinct TERM TERM)`",
        "not" => "write `(not LITERAL)`",
        _ => return None,
    };
    Some(form)
}

/// `count` arguments, in words.
pub(super) fn arguments(count: u32) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
