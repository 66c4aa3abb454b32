//! Checking descriptions in whatever language they are in.

use groundfrog::GroundError;
use groundfrog::description::{Description, Language, ParseOptions};
use groundfrog::kif::decode;
use groundfrog_check::{CheckOptions, CheckReport, Fragment, check_and_glance, check_text};

use crate::rules::Rulebook;
use crate::{market, realtime};

/// What is found in a text that is in a relative of GDL, or a mixture.
#[derive(Debug)]
pub struct Examined {
    /// What a check found.
    pub report: CheckReport,
    /// The rules of a market in which nothing is wrong.
    pub market: Option<Rulebook>,
}

/// Checks a text: what GDL says by a glance at a few matches, too, and what is in rtGDL, MSL or a mixture by what that is.
pub fn check_any(
    text: &[u8],
    parse: &ParseOptions,
    options: &CheckOptions,
    seed: u64,
) -> CheckReport {
    let parsed = Description::parse(text, parse);
    let is_plain = parsed.as_ref().is_ok_and(has_roles);
    let examined = (!is_plain).then(|| examine(text, parse, None, options));
    match (examined, parsed) {
        (Some(Ok(Some(examined))), _) => examined.report,
        (_, Ok(description)) => check_and_glance(&description, options, seed),
        (_, Err(_)) => check_text(text, parse, options),
    }
}

/// Whether a description has roles. One that has is GDL, and need not be looked through for what it is.
pub fn has_roles(description: &Description) -> bool {
    description.statements.iter().any(|it| it.head.predicate == description.keywords.role)
}

/// The findings in a text that is in a relative of GDL, or a mixture; none if it is GDL. A language that is given is not looked for.
///
/// # Errors
/// It cannot be read within the limits.
pub fn examine(
    bytes: &[u8],
    parse: &ParseOptions,
    given: Option<Language>,
    options: &CheckOptions,
) -> Result<Option<Examined>, GroundError> {
    let alone = |report| Ok(Some(Examined { report, market: None }));
    let Ok(text) = decode(bytes) else { return Ok(None) };
    let language = match given.map_or_else(|| Language::of_text(&text, parse.max_nesting), Ok) {
        Ok(language) => language,
        Err(mixture) if mixture.code == "GF0801" => {
            let mut report = check_text(bytes, parse, options);
            report.diagnostics.insert(0, *mixture);
            report.fragment = Fragment::NotGdl;
            return alone(report);
        }
        Err(_) => return Ok(None),
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
            return alone(report);
        }
        Err(error) => return Err(error),
    };
    let found = match fragment {
        Fragment::Market => market::check(&book),
        _ => realtime::check(&book),
    };
    let report = CheckReport::of_relative(&book.description, fragment, found, options);
    let market = (report.fragment == Fragment::Market).then_some(book);
    Ok(Some(Examined { report, market }))
}
