//! What can go wrong in an evaluation.

use std::fmt;

use crate::program::PredicateId;

/// What can end an evaluation early: most are limits of a [`crate::Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The deadline passed.
    Time,
    /// Tables, indexes and stored rules together grew beyond the memory limit.
    Memory,
    /// More ground rules than allowed.
    Rules,
    /// A watched table has more rows than allowed.
    TableRows,
    /// More atoms, or rules and literals, than there are numbers for: no limit of the budget.
    Numbers,
    /// The caller's stop flag was raised.
    Cancelled,
}

/// A limit that was exceeded, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exceeded {
    /// Which limit.
    pub limit: Limit,
    /// Its value: milliseconds, bytes, rules, rows or numbers.
    pub allowed: u64,
    /// What was reached when the engine stopped, in the same unit.
    pub reached: u64,
    /// The label of the rule that has cost the most, if one was running.
    pub rule: Option<u32>,
    /// The predicate of that rule, by name.
    pub predicate: Option<String>,
    /// Whether another rule was running, which has cost less.
    pub is_past: bool,
    /// The predicate that was derived, where it has a table.
    pub table: Option<PredicateId>,
    /// How many tuples of that predicate, or ground rules of that rule, there were already.
    pub count: u64,
}

impl Exceeded {
    /// A limit that was exceeded, without the place.
    pub fn new(limit: Limit, allowed: u64, reached: u64) -> Self {
        Exceeded {
            limit,
            allowed,
            reached,
            rule: None,
            predicate: None,
            is_past: false,
            table: None,
            count: 0,
        }
    }

    /// Whether it is a limit on what all rules take together, so that another than the running one may be to blame.
    pub(crate) fn is_on_all(&self) -> bool {
        matches!(self.limit, Limit::Time | Limit::Memory | Limit::Rules)
    }
}

/// Bytes in the largest unit of which there is one.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x400 => format!("{bytes} bytes"),
        0x400..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Limit::Time => write!(out, "the time limit of {} ms was exceeded", self.allowed)?,
            Limit::Memory => write!(
                out,
                "the memory limit of {} was exceeded ({} in use)",
                size(self.allowed),
                size(self.reached)
            )?,
            Limit::TableRows => write!(out, "a table has more than {} rows", self.allowed)?,
            Limit::Numbers => {
                write!(out, "more than {} atoms or literals cannot be numbered", self.allowed)?;
            }
            Limit::Rules => write!(out, "more than {} ground rules", self.allowed)?,
            Limit::Cancelled => write!(out, "stopped on request")?,
        }
        if let Some(predicate) = &self.predicate {
            let place = if self.is_past { "most of it for" } else { "while deriving" };
            write!(out, ", {place} `{predicate}` ({} so far)", self.count)?;
        }
        Ok(())
    }
}

/// Why an evaluation did not finish.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// A predicate depends on its own negation.
    #[error("not stratified: {} depends on its own negation", .cycle.first().map_or("", String::as_str))]
    NotStratified {
        /// The predicates of one such cycle; the first is negated in a rule of the last.
        cycle: Vec<String>,
    },
    /// A limit of the budget was exceeded.
    #[error("{0}")]
    Limit(Box<Exceeded>),
}

impl From<Exceeded> for EngineError {
    fn from(exceeded: Exceeded) -> Self {
        EngineError::Limit(Box::new(exceeded))
    }
}
