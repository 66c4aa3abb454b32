//! Checking descriptions in the relatives of GDL.

use groundfrog::description::{Language, ParseOptions};
use groundfrog::kif::{Diagnostic, Span};
use groundfrog_check::{CheckOptions, CheckReport};
use groundfrog_languages::examine::{self as languages, Examined};
use groundfrog_languages::market::explore::{Holds, MarketOptions, explore};
use groundfrog_languages::number;
use groundfrog_languages::rules::Rulebook;

use crate::arguments::CheckArguments;
use crate::commands::relatives;
use crate::failure::Failure;

/// A course of a market is ended after so many steps.
const MOST_STEPS: u64 = 100;
/// Lines of a course that are shown.
const MOST_LINES: usize = 40;

/// The report about a text that is in a relative of GDL, or a mixture; none if it is GDL.
pub(super) fn examine(
    bytes: &[u8],
    parse: &ParseOptions,
    given: Option<Language>,
    arguments: &CheckArguments,
    options: &CheckOptions,
) -> Result<Option<CheckReport>, Failure> {
    let Some(Examined { mut report, market }) =
        languages::examine(bytes, parse, given, options).map_err(Failure::from)?
    else {
        return Ok(None);
    };
    if let Some(book) = market.filter(|_| arguments.explore) {
        visit(&book, arguments, options, &mut report)?;
    }
    Ok(Some(report))
}

/// Explores a market.
fn visit(
    book: &Rulebook,
    arguments: &CheckArguments,
    options: &CheckOptions,
    report: &mut CheckReport,
) -> Result<(), Failure> {
    let samples = arguments.samples.iter().map(|sample| {
        number::parse(sample)
            .ok_or_else(|| Failure::Usage(format!("--samples: `{sample}` is no number")))
    });
    let properties = match &arguments.properties {
        Some(path) => {
            let text = relatives::script(path)?;
            let name = path.to_string_lossy().into_owned();
            Some(Rulebook::read(text.as_bytes(), Language::Market, &name, &options.limits)?)
        }
        None => None,
    };
    let limits = groundfrog::Limits { time: None, ..options.limits.clone() };
    let market_options = MarketOptions {
        samples: samples.collect::<Result<_, _>>()?,
        most_courses: arguments.max_states,
        most_steps: MOST_STEPS,
        limits,
    };
    let deadline = std::time::Instant::now() + super::EXPLORE_TIME;
    let stop = options.limits.stop.clone();
    let is_stopped =
        || std::time::Instant::now() >= deadline || stop.as_ref().is_some_and(|it| it.is_raised());
    let found = explore(book, properties.as_ref(), &market_options, &is_stopped)
        .map_err(|it| Failure::Game(it.to_string()))?;
    let extent = if found.is_complete { "all " } else { "not all: " };
    let samples = arguments.samples.join(", ");
    report.remarks.push(format!(
        "courses              {extent}{} with the numbers {samples}; the maker had a choice {} times",
        found.courses, found.choices
    ));
    if found.unfinished > 0 {
        report.remarks.push(format!(
            "unfinished           {} courses after {MOST_STEPS} steps",
            found.unfinished
        ));
    }
    let in_all = if found.is_complete { "in all courses" } else { "in the courses visited" };
    for (name, holds) in &found.properties {
        match holds {
            Holds::Always => report.remarks.push(format!("{name:<20} holds {in_all}")),
            Holds::NotIn(course) => {
                let message = format!("the property `{name}` does not hold");
                report.diagnostics.push(witness("GF0806", message, course));
            }
        }
    }
    match &found.is_private {
        Holds::Always => report.remarks.push(format!(
            "private              mail depends on own messages alone until the maker acts, {in_all}"
        )),
        Holds::NotIn(courses) => {
            let message = "the mail of a trader depends on the messages of others".to_owned();
            let error = witness("GF0807", message, courses);
            report
                .diagnostics
                .push(Diagnostic { severity: groundfrog::kif::Severity::Note, ..error });
        }
    }
    report.diagnostics.retain(|it| !options.allowed.contains(&it.code));
    Ok(())
}

/// A finding with the course of a market that shows it.
fn witness(code: &'static str, message: String, course: &[String]) -> Diagnostic {
    let shown = course.iter().take(MOST_LINES).cloned().collect::<Vec<_>>().join("\n");
    Diagnostic::error(code, message, Span::default()).with_help(format!("a course:\n{shown}"))
}
