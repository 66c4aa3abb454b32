//! What a check found.

use std::fmt;
use std::sync::Arc;

use groundfrog_engine::Budget;

use super::CheckOptions;
use super::explore::{Exploration, findings};
use groundfrog::description::Description;
use groundfrog::kif::{Diagnostic, Severity};

/// The fragment of GDL that a description belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fragment {
    /// It has no variables.
    Propositional,
    /// No term can grow from state to state or within one, so that a finite set of ground rules says the
    /// same.
    Bounded,
    /// It is GDL, but a term can grow from state to state.
    Unbounded,
    /// It is no GDL but rtGDL, for games in real time.
    RealTime,
    /// It is no GDL but MSL, for markets.
    Market,
    /// It breaks a rule of GDL, or of the language that it is in.
    NotGdl,
    /// Not found out within the limits.
    Unknown,
}

impl Fragment {
    /// A fixed name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Fragment::Propositional => "propositional",
            Fragment::Bounded => "bounded",
            Fragment::Unbounded => "unbounded",
            Fragment::RealTime => "rtgdl",
            Fragment::Market => "msl",
            Fragment::NotGdl => "not_gdl",
            Fragment::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Fragment::Propositional => "propositional GDL",
            Fragment::Bounded => "bounded GDL",
            Fragment::Unbounded => "GDL, but not bounded",
            Fragment::RealTime => "rtGDL",
            Fragment::Market => "MSL",
            Fragment::NotGdl => "not GDL",
            Fragment::Unknown => "unknown",
        })
    }
}

/// Sizes of a description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Statements with an empty body.
    pub facts: usize,
    /// Statements with a body.
    pub rules: usize,
    /// Atoms and `distinct`s in bodies.
    pub literals: usize,
    /// Predicates that statements define, keywords included.
    pub predicates: usize,
    /// What was found by computing what can hold; none where that was not done.
    pub domains: Option<DomainCounts>,
}

/// Sizes of what can hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DomainCounts {
    /// Players.
    pub roles: usize,
    /// Facts that a state can hold: the size of base.
    pub base: usize,
    /// Moves that can be legal for a role: the size of input.
    pub input: usize,
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// What the text is called, such as the name of its file.
    pub name: String,
    /// The text that places count in.
    pub source: Arc<str>,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The fragment of GDL. Deviations that players tolerate, which are warned of, do not count.
    pub fragment: Fragment,
    /// Whether it uses `sees` or has a role `random`: a game of incomplete information or of chance.
    pub gdl_ii: bool,
    /// Sizes.
    pub counts: Counts,
    /// What was not decided, and why: the checks that need it are missing.
    pub undecided: Option<String>,
    /// What exploring its states found, if that was done: [`explore`](super::explore) is a call of its own.
    pub exploration: Option<Box<Exploration>>,
    /// What else there is to say, a line each.
    pub remarks: Vec<String>,
}

impl CheckReport {
    /// The report about a description in a relative of GDL, which was checked elsewhere.
    pub fn of_relative(
        description: &Description,
        fragment: Fragment,
        diagnostics: Vec<Diagnostic>,
        options: &CheckOptions,
    ) -> Self {
        let is_wrong = diagnostics.iter().any(|it| it.severity == Severity::Error);
        CheckReport {
            name: description.name.clone(),
            source: description.source.clone(),
            diagnostics,
            fragment: if is_wrong { Fragment::NotGdl } else { fragment },
            gdl_ii: false,
            counts: super::counts(description),
            undecided: None,
            exploration: None,
            remarks: Vec::new(),
        }
        .finish(options)
    }

    /// Whether a limit is exceeded, so that nothing more is looked at; the report then says so.
    pub(super) fn is_over(&mut self, budget: &Budget) -> bool {
        let Err(exceeded) = budget.check(0, 0) else { return false };
        self.fragment = Fragment::Unknown;
        self.undecided = Some(format!("the fragment of GDL, and what can hold: {exceeded}"));
        true
    }

    /// The worst severity, if anything was found.
    pub fn severity(&self) -> Option<Severity> {
        self.diagnostics.iter().map(|it| it.severity).max()
    }

    /// How many findings have a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|it| it.severity == severity).count()
    }

    /// Adds the findings of random matches alone: what these cannot decide was not looked for.
    #[must_use]
    pub fn with_findings(
        mut self,
        sampled: &Exploration,
        description: &Description,
        options: &CheckOptions,
    ) -> Self {
        self.diagnostics.extend(findings(sampled, description));
        self.finish(options)
    }

    /// Adds what exploring the states found, and its findings.
    #[must_use]
    pub fn with_exploration(
        mut self,
        exploration: Exploration,
        description: &Description,
        options: &CheckOptions,
    ) -> Self {
        self.diagnostics.extend(findings(&exploration, description));
        self.exploration = Some(Box::new(exploration));
        self.finish(options)
    }

    /// Leaves out findings that the options do not ask for, and sorts the others.
    pub(super) fn finish(mut self, options: &CheckOptions) -> Self {
        self.diagnostics.retain(|it| !options.allowed.contains(&it.code));
        self.diagnostics.sort_by(|one, other| {
            (one.span(), one.code, &one.message).cmp(&(other.span(), other.code, &other.message))
        });
        self.diagnostics.dedup();
        self
    }
}
