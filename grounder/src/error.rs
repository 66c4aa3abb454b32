//! Why a description could not be grounded.

use std::fmt;
use std::sync::Arc;

use groundfrog_engine::Exceeded;

use crate::description::{Description, ParseError};
use crate::kif::{Diagnostic, Span};

/// Faults of a description, with the text that their places count in.
#[derive(Clone, Debug)]
pub struct Faults {
    /// The errors, in the order of the text; at least one.
    pub diagnostics: Vec<Diagnostic>,
    /// The text.
    pub text: Arc<str>,
    /// What the text is called, such as the name of its file.
    pub name: String,
}

impl Faults {
    /// The errors with the lines of the text that they are about, underlined ([`Diagnostic::snippet`]).
    pub fn snippets(&self) -> String {
        let snippets = self.diagnostics.iter().map(|it| it.snippet(&self.name, &self.text));
        snippets.collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.diagnostics.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", diagnostic.display(&self.name, &self.text))?;
        }
        Ok(())
    }
}

/// Why a description could not be grounded.
#[derive(Clone, thiserror::Error)]
pub enum GroundError {
    /// The text is no description.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The description breaks a rule of GDL that grounding depends on.
    #[error("{0}")]
    Description(Box<Faults>),
    /// Terms grow without bound: the description is outside bounded GDL.
    #[error("{0}")]
    Unbounded(Box<Faults>),
    /// A bound of this program that no option raises: a rule is too long, or stands for too many rules, or its terms
    /// have too many shapes. Nothing is wrong with the description but its size.
    #[error("{0}")]
    TooLarge(Box<Faults>),
    /// A limit was exceeded.
    #[error("{faults}")]
    Limit {
        /// Which limit, and where.
        exceeded: Box<Exceeded>,
        /// The message with its place in the text, if a rule is to blame.
        faults: Box<Faults>,
    },
    /// Two evaluators disagree: an error of this program.
    #[error("the evaluators disagree: {0}")]
    Disagreement(String),
}

/// As for [`fmt::Display`]: `main` may return the error, and what is then printed is for people.
impl fmt::Debug for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl GroundError {
    /// Faults of a description.
    pub fn description(description: &Description, diagnostics: Vec<Diagnostic>) -> Self {
        GroundError::Description(Box::new(faults(description, diagnostics)))
    }

    /// The description is too large for this program.
    pub(crate) fn too_large(description: &Description, diagnostics: Vec<Diagnostic>) -> Self {
        GroundError::TooLarge(Box::new(faults(description, diagnostics)))
    }

    /// A limit was exceeded, perhaps by a rule; `spans` are the places of the rules.
    pub(crate) fn limit(
        description: &Description,
        spans: &[Span],
        exceeded: Box<Exceeded>,
    ) -> Self {
        let origin = exceeded.rule.and_then(|rule| spans.get(rule as usize));
        let span = origin.copied().unwrap_or_default();
        let mut diagnostic = Diagnostic::error("GF0307", exceeded.to_string(), span);
        if exceeded.predicate.is_some() {
            diagnostic = diagnostic.with_remark(format!("this rule, {} so far", exceeded.count));
        }
        let faults = Box::new(faults(description, vec![diagnostic]));
        GroundError::Limit { exceeded, faults }
    }

    /// What is wrong, and where, if a description is to blame.
    pub fn faults(&self) -> Option<&Faults> {
        match self {
            GroundError::Description(faults)
            | GroundError::Unbounded(faults)
            | GroundError::TooLarge(faults)
            | GroundError::Limit { faults, .. } => Some(faults),
            GroundError::Parse(_) | GroundError::Disagreement(_) => None,
        }
    }
}

pub(crate) fn faults(description: &Description, diagnostics: Vec<Diagnostic>) -> Faults {
    Faults { diagnostics, text: Arc::clone(&description.source), name: description.name.clone() }
}
