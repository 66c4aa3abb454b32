//! Checking descriptions in the relatives of GDL.

use groundfrog::GroundError;
use groundfrog::description::{Language, ParseOptions};
use groundfrog::kif::{Diagnostic, Span, decode};
use groundfrog_check::{CheckOptions, CheckReport, Fragment, check_text};
use groundfrog_languages::market::explore::{Holds, MarketOptions, explore};
use groundfrog_languages::rules::Rulebook;
use groundfrog_languages::{market, number, realtime};

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
    let Ok(text) = decode(bytes) else { return Ok(None) };
    let language = match given {
        Some(language) => language,
        None => match Language::of_text(&text, parse.max_nesting) {
            Ok(language) => language,
            Err(mixture) if mixture.code == "GF0801" => {
                let mut report = check_text(bytes, parse, options);
                report.diagnostics.insert(0, *mixture);
                report.fragment = Fragment::NotGdl;
                return Ok(Some(report));
            }
            Err(_) => return Ok(None),
        },
    };
    let fragment = match language {
        Language::Gdl => return Ok(None),
        Language::RealTime => Fragment::RealTime,
        Language::Market => Fragment::Market,
    };
    let book = match Rulebook::read(bytes, language, &parse.name, &options.limits) {
        Ok(book) => book,
        Err(GroundError::Parse(error)) => {
            let mut report = check_text(b"", parse, options);
            report.source = error.text;
            report.diagnostics = error.diagnostics;
            return Ok(Some(report));
        }
        Err(error) => return Err(error.into()),
    };
    let found = match fragment {
        Fragment::Market => market::check(&book),
        _ => realtime::check(&book),
    };
    let mut report = CheckReport::of_relative(&book.description, fragment, found, options);
    match fragment {
        _ if report.fragment == Fragment::NotGdl => {}
        Fragment::Market if arguments.explore => visit(&book, arguments, options, &mut report)?,
        Fragment::Market => {}
        _ => report.remarks.push(groundable(&book, options)),
    }
    Ok(Some(report))
}

/// Whether a game in real time can be ground.
fn groundable(book: &Rulebook, options: &CheckOptions) -> String {
    match realtime::GroundRealTime::new(book, options.limits.clone()) {
        Ok(ground) => {
            format!("ground               {} rules with symbolic lifetimes", ground.rule_count())
        }
        Err(error) => format!("not ground           {}", error.reason),
    }
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
            let name = path.display().to_string();
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
