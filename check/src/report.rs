//! What a check found.

use std::fmt;
use std::sync::Arc;

use fxhash::FxHashSet;
use groundfrog_engine::Budget;

use super::CheckOptions;
use super::edit::quoted;
use super::explore::{Exploration, findings};
use super::slips::is_slip;
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
    /// Errors, warnings and notes: slips first, else in the order of the text, and what follows from a finding behind it.
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
        let report = Self::of_description(description, diagnostics);
        CheckReport { fragment: if is_wrong { Fragment::NotGdl } else { fragment }, ..report }
            .finish(options)
    }

    /// A report of which only the findings are known.
    pub(super) fn of_text(name: String, source: Arc<str>, diagnostics: Vec<Diagnostic>) -> Self {
        CheckReport {
            name,
            source,
            diagnostics,
            fragment: Fragment::NotGdl,
            gdl_ii: false,
            counts: Counts::default(),
            undecided: None,
            exploration: None,
            remarks: Vec::new(),
        }
    }

    /// The same of a description, whose sizes are known.
    pub(super) fn of_description(description: &Description, found: Vec<Diagnostic>) -> Self {
        let report = Self::of_text(description.name.clone(), description.source.clone(), found);
        CheckReport { counts: super::counts(description), ..report }
    }

    /// Says why it is not decided which fragment of GDL it is.
    pub(super) fn leave_open(&mut self, why: String) {
        self.fragment = Fragment::Unknown;
        self.undecided = Some(why);
    }

    /// Whether a limit is exceeded, so that nothing more is looked at; the report then says so.
    pub(super) fn is_over(&mut self, budget: &Budget) -> bool {
        let Err(exceeded) = budget.check(0, 0) else { return false };
        self.leave_open(format!("the fragment of GDL, and what can hold: {exceeded}"));
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
        self.add(findings(sampled, description));
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
        self.add(findings(&exploration, description));
        self.exploration = Some(Box::new(exploration));
        self.finish(options)
    }

    /// Adds what play shows. Where something is written that is surely not meant, that is not the play that is meant, and what
    /// there are no rules about cannot be in order.
    fn add(&mut self, found: Vec<Diagnostic>) {
        let slip = self.diagnostics.iter().find(|it| it.follows.is_none() && is_slip(it));
        let cause = |it: &Diagnostic| slip.or_else(|| self.missing(it)).map(Diagnostic::identity);
        let found: Vec<Diagnostic> =
            found.into_iter().map(|it| Diagnostic { follows: cause(&it), ..it }).collect();
        self.diagnostics.extend(found);
    }

    /// The finding that there are no rules about what another one is about.
    fn missing(&self, finding: &Diagnostic) -> Option<&Diagnostic> {
        let keyword = match finding.code {
            "GF0701" | "GF0709" => "terminal",
            "GF0702" => "legal",
            "GF0703" | "GF0704" | "GF0707" | "GF0708" => "goal",
            _ => return None,
        };
        let is_about =
            |it: &&Diagnostic| it.code == "GF0402" && quoted(&it.message) == Some(keyword);
        self.diagnostics.iter().find(is_about)
    }

    /// The findings that follow from another one.
    pub fn consequences<'a>(
        &'a self,
        cause: &'a Diagnostic,
    ) -> impl Iterator<Item = &'a Diagnostic> {
        self.diagnostics.iter().filter(|it| it.follows_from(cause))
    }

    /// Leaves out findings that the options do not ask for, and sorts the others: slips first, and what follows from a finding
    /// behind it.
    pub(super) fn finish(mut self, options: &CheckOptions) -> Self {
        let mut found = std::mem::take(&mut self.diagnostics);
        found.retain(|it| !options.allowed.contains(&it.code));
        let causes = found.iter().filter(|it| it.follows.is_none());
        let shown: FxHashSet<_> = causes.map(Diagnostic::identity).collect();
        for finding in &mut found {
            finding.follows = finding.follows.take().filter(|it| shown.contains(it));
        }
        let slips = found.iter().filter(|it| it.follows.is_none() && is_slip(it));
        let first = found.iter().filter_map(|it| it.follows.clone());
        let first: FxHashSet<_> = first.chain(slips.map(Diagnostic::identity)).collect();
        let key = |it: &Diagnostic| {
            let cause = it.follows.clone().unwrap_or_else(|| it.identity());
            let is_later = !first.contains(&cause);
            let (code, place, message) = cause;
            (
                is_later,
                place,
                code,
                message,
                it.follows.is_some(),
                it.span(),
                it.code,
                it.message.clone(),
            )
        };
        found.sort_by_cached_key(key);
        found.dedup();
        self.diagnostics = found;
        self
    }
}
