//! A judge of rules that somebody or something has written: whether they can be played, and as what they were meant to be.
//!
//! [`judge`] reads, checks and grounds a text, plays random matches, and compares it with recorded playouts or with another game.
//! Everything that is wrong is a [`Reason`] with a place in the text, advice, and where that is possible edits that mend it.

mod reference;
mod repair;

use std::sync::Arc;
use std::time::Duration;

use groundfrog::kif::{Diagnostic, Severity};
use groundfrog::{Budget, Description, GroundOptions, Limits, ParseOptions, Silent};

pub use crate::edit::Edit;

use crate::edit::quoted;
use crate::explore::{self, ExploreOptions, NO_END, SampleOptions};
use crate::slips::is_slip;
use crate::verify::{Trace, replay};
use crate::{CheckOptions, CheckReport, Fragment, check, check_text};
use groundfrog_reasoner::GroundReasoner;

/// What rules are judged by.
#[derive(Clone, Debug)]
pub struct JudgeOptions {
    /// What reading, checking and grounding may use, and the time for everything.
    pub limits: Limits,
    /// Random matches that are played.
    pub playouts: u64,
    /// Another number, other random matches.
    pub seed: u64,
    /// A match that is longer is given up.
    pub max_length: u32,
    /// Recorded playouts, which the rules must allow and continue as recorded.
    pub trace: Option<Arc<Trace>>,
    /// A game with the same roles and moves, which the rules must play like; its fluents may be others.
    pub reference: Option<GroundReasoner>,
}

impl Default for JudgeOptions {
    /// A second, 8 matches of at most 1000 joint moves.
    fn default() -> Self {
        JudgeOptions {
            limits: Limits { time: Some(Duration::from_secs(1)), ..Limits::default() },
            playouts: 8,
            seed: 1,
            max_length: 1000,
            trace: None,
            reference: None,
        }
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReasonKind {
    /// The text is no description.
    Syntax,
    /// A variable has no value.
    Safety,
    /// It is no game that can be ground: terms grow, or something depends on its own negation.
    Fragment,
    /// It breaks another rule of GDL.
    Restriction,
    /// A match comes to a state that no match may come to.
    Playability,
    /// It does not play as was recorded.
    Trace,
    /// It does not play as the other game.
    Reference,
    /// Nothing wrong: a limit was reached, so that nothing is decided.
    Limit,
}

impl ReasonKind {
    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            ReasonKind::Syntax => "syntax",
            ReasonKind::Safety => "safety",
            ReasonKind::Fragment => "fragment",
            ReasonKind::Restriction => "restriction",
            ReasonKind::Playability => "playability",
            ReasonKind::Trace => "trace",
            ReasonKind::Reference => "reference",
            ReasonKind::Limit => "limit",
        }
    }

    fn of(finding: &Diagnostic) -> Self {
        match finding.code {
            _ if finding.is_bound() => ReasonKind::Limit,
            "GF0302" => ReasonKind::Safety,
            "GF0305" | "GF0306" => ReasonKind::Fragment,
            "GF0307" => ReasonKind::Limit,
            code if code < "GF0200" => ReasonKind::Syntax,
            code if code > "GF0700" && code < "GF0800" => ReasonKind::Playability,
            _ => ReasonKind::Restriction,
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What kind of thing.
    pub kind: ReasonKind,
    /// What, where, and what to do. Differences from a trace or another game have no code.
    pub finding: Diagnostic,
    /// What would mend it, all together; none if that is not known.
    pub edits: Vec<Edit>,
}

/// What a judge says of a text.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The text that places count in.
    pub source: Arc<str>,
    /// The fragment of GDL.
    pub fragment: Fragment,
    /// Why it is not valid, or why that is not known.
    pub reasons: Vec<Reason>,
    /// What its author should look at all the same.
    pub warnings: Vec<Diagnostic>,
}

impl Judgement {
    /// Whether the rules are those of a game that can be played, as it was meant; `None` if a limit was reached before that was
    /// known.
    ///
    /// ```
    /// use groundfrog_check::judge::{JudgeOptions, judge};
    /// let nim = groundfrog_corpus::game("nim").expect("a game").text;
    /// let judged = |text: &str| judge(text.as_bytes(), &JudgeOptions::default());
    /// assert_eq!(judged(nim).valid(), Some(true));
    /// let wrong = judged(&nim[..nim.len() - 2]);
    /// assert_eq!(wrong.valid(), Some(false));
    /// assert_eq!(judged(&wrong.mended().expect("an edit")).valid(), Some(true));
    /// ```
    pub fn valid(&self) -> Option<bool> {
        let is_limit = |it: &Reason| it.kind == ReasonKind::Limit;
        match () {
            () if self.reasons.is_empty() => Some(true),
            () if self.reasons.iter().all(is_limit) => None,
            () => Some(false),
        }
    }

    /// The text with the edits of the first reason that has any; `None` if there is none.
    pub fn mended(&self) -> Option<String> {
        let reason = self.reasons.iter().find(|it| !it.edits.is_empty())?;
        Some(Edit::apply(&reason.edits, &self.source))
    }

    fn of_report(report: CheckReport, further: Vec<Reason>) -> Self {
        // What is surely not meant is no game as it was meant, whether it can be played or not.
        let (errors, others): (Vec<_>, Vec<_>) = report.diagnostics.into_iter().partition(is_wrong);
        let warnings = others.into_iter().filter(|it| it.severity == Severity::Warning);
        let mut reasons: Vec<Reason> =
            errors.into_iter().map(|it| of_finding(it, &report.source)).collect();
        reasons.extend(further);
        let is_decided = reasons.iter().any(|it| it.kind != ReasonKind::Limit);
        if let Some(undecided) = report.undecided.filter(|_| !is_decided) {
            reasons.push(limit(undecided));
        }
        Judgement {
            source: report.source,
            fragment: report.fragment,
            reasons,
            warnings: warnings.collect(),
        }
    }
}

/// Whether a finding says that the rules are not those of a game, or not of the one that was meant: errors, slips, and that nothing lets
/// anybody move or ends a match. Where a goal is missing is seen at the end of a match.
fn is_wrong(finding: &Diagnostic) -> bool {
    let name = quoted(&finding.message).unwrap_or_default();
    let is_missing = finding.code == "GF0402" && ["legal", "terminal"].contains(&name);
    finding.severity == Severity::Error || is_slip(finding) || is_missing
}

fn of_finding(finding: Diagnostic, source: &str) -> Reason {
    let edits = repair::edits(&finding, source);
    Reason { kind: ReasonKind::of(&finding), finding, edits }
}

fn limit(message: String) -> Reason {
    let finding =
        Diagnostic { labels: Vec::new(), ..Diagnostic::error("", message, Default::default()) };
    Reason { kind: ReasonKind::Limit, finding, edits: Vec::new() }
}

/// Judges a text. The result does not depend on the time that it takes, unless the limit is reached.
pub fn judge(text: &[u8], options: &JudgeOptions) -> Judgement {
    let budget = options.limits.budget();
    let check_options = CheckOptions { limits: options.limits.clone(), ..CheckOptions::default() };
    let parse = ParseOptions { deadline: budget.deadline(), ..ParseOptions::default() };
    let Ok(description) = Description::parse(text, &parse) else {
        return Judgement::of_report(check_text(text, &parse, &check_options), Vec::new());
    };
    let mut report = check(&description, &check_options);
    // Play tells why no match can end.
    if report.diagnostics.iter().any(|it| is_wrong(it) && it.code != NO_END) {
        return Judgement::of_report(report, Vec::new());
    }
    let limits = Limits { time: budget.left(), ..options.limits.clone() };
    let compact = GroundOptions { limits, ..GroundOptions::compact() };
    let further = match GroundReasoner::of_description(&description, &compact, &mut Silent) {
        Ok(mut reasoner) => played(&mut reasoner, &description, &budget, options),
        Err(fault) => vec![limit(fault.to_string())],
    };
    if further.iter().any(|it| it.kind == ReasonKind::Playability) {
        report.diagnostics.retain(|it| it.code != NO_END);
    }
    Judgement::of_report(report, further)
}

/// So many states are visited where no match ends.
const FEW_STATES: u64 = 1 << 14;

/// What is wrong with a game that can be ground.
fn played(
    reasoner: &mut GroundReasoner,
    description: &Description,
    budget: &Budget,
    options: &JudgeOptions,
) -> Vec<Reason> {
    let sample = SampleOptions {
        playouts: options.playouts,
        seed: options.seed,
        max_length: options.max_length,
    };
    let mut late = false;
    let few = ExploreOptions {
        states: FEW_STATES,
        time: budget.left().map(|it| it / 2),
        stop: options.limits.stop.clone(),
        ..ExploreOptions::default()
    };
    let exploration = explore::glance(reasoner, &sample, &few, &mut |_| {
        late = late || budget.is_over();
        !late
    });
    let findings = explore::findings(&exploration, description).into_iter();
    let errors = findings.filter(|it| it.severity == Severity::Error);
    let mut reasons: Vec<Reason> = errors
        .map(|finding| {
            let edits = repair::edits_of_play(&finding, &exploration, description);
            Reason { kind: ReasonKind::Playability, finding, edits }
        })
        .collect();
    if let Some(trace) = &options.trace {
        let game = Arc::clone(reasoner.game());
        reasons.extend(match replay(reasoner, trace, Some(&game), &mut Silent) {
            Ok(report) => report.difference.map(|it| reference::reason(&it, description)),
            Err(fault) => Some(limit(fault.to_string())),
        });
    }
    if let Some(other) = &options.reference {
        let found = reference::compare(reasoner, &mut other.clone(), &sample, &|| budget.is_over());
        reasons.extend(match found {
            Ok(reference::Comparison::Same) => None,
            Ok(reference::Comparison::Late) => {
                late = true;
                None
            }
            Ok(reference::Comparison::Disagreement(it)) => Some(it.reason(description)),
            Err(fault) => Some(limit(fault.to_string())),
        });
    }
    if late {
        reasons.push(limit("time ran out before all matches were played".to_owned()));
    }
    reasons
}
