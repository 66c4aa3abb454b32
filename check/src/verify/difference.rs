//! A difference between two reasoners, and how it is shown.

use std::fmt;

use groundfrog::game::{AtomId, GroundGame};

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Who plays.
    Role,
    /// The initial state.
    Initial,
    /// A legal move.
    Legal,
    /// Whether the match is over.
    Terminal,
    /// A goal value.
    Goal,
    /// What a role sees.
    Percepts,
    /// The successor of a state.
    Next,
}

/// An atom that holds for one of two reasoners only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Difference {
    /// What it is about.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub subject: Subject,
    /// The atom, as KIF.
    pub atom: String,
    /// Whether it holds by the oracle. By the tested reasoner it is the opposite.
    pub expected: bool,
    /// A state that shows it, as KIF. No fluent can be left out of it, if it is minimal.
    pub state: Vec<String>,
    /// Whether fluents were left out until none could be.
    pub minimal: bool,
    /// The moves made, each with its role, if the difference is about what follows.
    pub moves: Vec<(String, String)>,
    /// The ground rules for the atom, as KIF, at most [`Difference::MAX_RULES`].
    pub rules: Vec<String>,
    /// How many ground rules there are for the atom.
    pub rule_count: usize,
}

impl Difference {
    /// At most so many rules are kept.
    pub const MAX_RULES: usize = 20;

    pub(crate) fn new(subject: Subject, atom: String, expected: bool) -> Self {
        Difference {
            subject,
            atom,
            expected,
            state: Vec::new(),
            minimal: false,
            moves: Vec::new(),
            rules: Vec::new(),
            rule_count: 0,
        }
    }

    /// Adds the ground rules for the atom.
    pub(super) fn with_rules(mut self, game: Option<&GroundGame>) -> Self {
        let Some(game) = game else { return self };
        let atoms = (0..game.atom_count() as u32).map(AtomId);
        let mut found = atoms.filter(|&atom| game.display(atom).to_string() == self.atom);
        let Some(atom) = found.next() else { return self };
        for rule in game.rules().iter().filter(|rule| rule.head == atom.0) {
            self.rule_count += 1;
            if self.rules.len() < Self::MAX_RULES {
                let literals = rule.body.iter().map(|literal| {
                    let atom = game.display(AtomId(literal.atom()));
                    if literal.is_negated() { format!(" (not {atom})") } else { format!(" {atom}") }
                });
                let body: String = literals.collect();
                self.rules.push(format!("(<= {}{body})", self.atom));
            }
        }
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (does, should) =
            if self.expected { ("does not hold", "holds") } else { ("holds", "does not hold") };
        writeln!(out, "{} {does}; by the reference it {should}", self.atom)?;
        let kind = if self.minimal { "smallest state that shows it" } else { "state" };
        writeln!(out, "{kind}:")?;
        for fluent in &self.state {
            writeln!(out, "    {fluent}")?;
        }
        if !self.moves.is_empty() {
            writeln!(out, "moves:")?;
            for (role, it) in &self.moves {
                writeln!(out, "    (does {role} {it})")?;
            }
        }
        match self.rule_count {
            0 => write!(out, "no ground rule has this head"),
            count => {
                write!(out, "its ground rules ({count}):")?;
                self.rules.iter().try_for_each(|rule| write!(out, "\n    {rule}"))?;
                match count - self.rules.len() {
                    0 => Ok(()),
                    more => write!(out, "\n    and {more} more"),
                }
            }
        }
    }
}
