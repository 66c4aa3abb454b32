//! Slips of the pen: names and numbers of arguments that are hardly meant, and what follows from them.
//!
//! [`find`] looks at the text alone: fluents, moves and predicates that are made and never read, or read and never made, beside one
//! of the same name with another number of arguments or of nearly the same name; and names that stand once where one that is
//! spelled nearly the same stands elsewhere. [`explain`] then checks the description anew with such a slip mended: what is not
//! found any more follows from it.

mod names;
mod suspects;

use web_time::Instant;

use groundfrog::description::{Description, ParseOptions};
use groundfrog::kif::{Diagnostic, Label, Severity};

use crate::edit::{Edit, quoted};
use crate::{CheckOptions, CheckReport, check_once};
use names::Names;
use suspects::Suspect;

/// Larger descriptions are not checked anew.
const MOST_STATEMENTS: usize = 10_000;
/// So many times is a description checked anew at the most.
const MOST_TRIES: usize = 32;

/// The codes of what others follow from. Those of slips that are surely no part of the game that is meant come first.
const CAUSES: [&str; 4] = ["GF0207", "GF0208", "GF0411", "GF0201"];

/// Whether a finding is about a slip: what was written is surely not what was meant.
pub(crate) fn is_slip(finding: &Diagnostic) -> bool {
    match finding.code {
        "GF0207" | "GF0208" | "GF0411" => true,
        // Something else is defined, or the advice is what to write instead.
        "GF0201" => !finding.help.is_empty(),
        _ => false,
    }
}

/// The slips that the text itself shows.
pub(super) fn find(description: &Description, found: &mut Vec<Diagnostic>) {
    found.extend(suspects::findings(&Names::of(description)));
}

/// Says of each finding which slip it follows from, and finds further slips by what follows from them. `start` is when the
/// first check began, which all of this shares its time with.
pub(super) fn explain(
    report: &mut CheckReport,
    description: &Description,
    options: &CheckOptions,
    start: Instant,
) {
    let mut anew = Anew { description, options, start, cost: start.elapsed(), tries: MOST_TRIES };
    for code in CAUSES {
        for number in 0..report.diagnostics.len() {
            let cause = &report.diagnostics[number];
            if cause.code == code && cause.follows.is_none() {
                let mends = suspects::mends(cause, description);
                let best = anew.best(&report.diagnostics, &mends);
                follow(&mut report.diagnostics, number, &best.unwrap_or_default());
            }
        }
    }
    if !report.diagnostics.iter().any(is_unexplained) {
        return;
    }
    for suspect in suspects::rare(&Names::of(description)) {
        let is_known = |it: &Diagnostic| {
            (it.code, it.span()) == (suspect.finding.code, suspect.finding.span())
        };
        if report.diagnostics.iter().any(is_known) {
            continue;
        }
        let Some(gone) = anew.proof(&report.diagnostics, &suspect) else { continue };
        report.diagnostics.push(suspect.finding);
        let number = report.diagnostics.len() - 1;
        follow(&mut report.diagnostics, number, &gone);
    }
}

/// Whether a finding says that something never happens, and it is not known why.
fn is_unexplained(finding: &Diagnostic) -> bool {
    finding.follows.is_none() && ["GF0602", "GF0607", "GF0709"].contains(&finding.code)
}

/// Marks what follows from a finding: what is gone without it, what is said of the same place, and what follows from these.
fn follow(found: &mut [Diagnostic], cause: usize, gone: &[usize]) {
    let (identity, place) = (found[cause].identity(), found[cause].span());
    let within = |it: &Label| it.span.start <= place.start && place.end <= it.span.end;
    let mut through = Vec::new();
    for (number, finding) in found.iter_mut().enumerate() {
        let is_same = match finding.code {
            "GF0601" | "GF0603" | "GF0607" => finding.labels.first().is_some_and(within),
            "GF0602" => finding.labels.iter().skip(1).any(within),
            _ => false,
        };
        if number != cause && finding.follows.is_none() && (is_same || gone.contains(&number)) {
            through.push(finding.identity());
            finding.follows = Some(identity.clone());
        }
    }
    for finding in found {
        if finding.follows.as_ref().is_some_and(|it| through.contains(it)) {
            finding.follows = Some(identity.clone());
        }
    }
}

/// Checks of a description that was mended.
struct Anew<'a> {
    description: &'a Description,
    options: &'a CheckOptions,
    start: Instant,
    /// What the first check has taken.
    cost: std::time::Duration,
    tries: usize,
}

impl Anew<'_> {
    /// What is found after some edits; none if there is no time, or if they make it worse.
    fn check(&mut self, edits: &[Edit]) -> Option<Vec<Diagnostic>> {
        self.tries = self.tries.checked_sub(1)?;
        let mut options = self.options.clone();
        if let Some(time) = options.limits.time {
            let left = time.checked_sub(self.start.elapsed())?;
            options.limits.time = Some(left.checked_sub(self.cost)?);
        }
        if self.description.statements.len() > MOST_STATEMENTS {
            return None;
        }
        let text = Edit::apply(edits, &self.description.source);
        let mended = Description::parse(text.as_bytes(), &ParseOptions::default()).ok()?;
        let report = check_once(&mended, &options);
        report.undecided.is_none().then_some(report.diagnostics)
    }

    /// The findings that are gone after some edits, and how many others there are then.
    fn gone(&mut self, found: &[Diagnostic], edits: &[Edit]) -> Option<(Vec<usize>, usize)> {
        let after = self.check(edits)?;
        let is_same = |one: &Diagnostic, other: &Diagnostic| {
            one.code == other.code
                && one.message == other.message
                && Edit::moved(edits, one.span().start) == other.span().start
        };
        let remains = |it: &Diagnostic| after.iter().any(|other| is_same(it, other));
        let gone = (0..found.len()).filter(|&it| !remains(&found[it])).collect();
        let is_new = |it: &&Diagnostic| {
            it.severity > Severity::Note && !found.iter().any(|other| is_same(other, it))
        };
        Some((gone, after.iter().filter(is_new).count()))
    }

    /// What is gone after the best of some ways to mend a slip.
    fn best(&mut self, found: &[Diagnostic], mends: &[Vec<Edit>]) -> Option<Vec<usize>> {
        let tried = mends.iter().filter(|it| !it.is_empty());
        let tried = tried.filter_map(|it| self.gone(found, it));
        tried.max_by_key(|(gone, new)| gone.len().saturating_sub(*new)).map(|it| it.0)
    }

    /// What is gone with another name in the place of a suspect, if that shows that the name is a slip: of what never happens something
    /// does then, and all of it where the names are not alike.
    fn proof(&mut self, found: &[Diagnostic], suspect: &Suspect<'_>) -> Option<Vec<usize>> {
        let wrong = quoted(&suspect.finding.message)?;
        let all = found.iter().filter(|it| is_unexplained(it)).count();
        for name in &suspect.names {
            let edits = Edit::renamed(wrong, name, &self.description.source);
            let Some((gone, new)) = self.gone(found, &edits) else { continue };
            let explained = gone.iter().filter(|&&it| is_unexplained(&found[it])).count();
            let least = if suspect.is_alike { 1 } else { all.max(2) };
            if new == 0 && explained >= least {
                return Some(gone);
            }
        }
        None
    }
}
