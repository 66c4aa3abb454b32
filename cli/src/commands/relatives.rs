//! Reading descriptions in the relatives of GDL.

use std::path::Path;

use groundfrog::GroundError;
use groundfrog::description::{Language, ParseError};
use groundfrog::kif::{DEFAULT_NESTING, Diagnostic, Severity, Span, decode};
use groundfrog::options::Limits;
use groundfrog_languages::rules::Rulebook;
use groundfrog_languages::{market, realtime};

use super::Session;
use crate::failure::Failure;
use crate::source;
use crate::supervisor::Supervisor;

/// Reads and checks a description that must be in a language, and reports its warnings.
pub(super) fn read(
    path: &Path,
    wanted: Language,
    given: Option<Language>,
    session: &Session,
) -> Result<Rulebook, Failure> {
    let Session { supervisor, reporter } = session;
    let (name, bytes) = source::read(path, supervisor)?;
    let language = match given {
        Some(language) => language,
        None => language_of(&name, &bytes)?,
    };
    if language != wanted {
        let instead = match (language, wanted) {
            (Language::Gdl, Language::RealTime) => {
                format!(
                    ": `groundfrog translate {name} --to rtgdl` makes a game in real time of it"
                )
            }
            (Language::Market, _) => ": `groundfrog market` runs it".to_owned(),
            (Language::RealTime, _) => ": `groundfrog realtime` plays it".to_owned(),
            (Language::Gdl, _) => String::new(),
        };
        let message = format!("`{name}` is in {language} and not in {wanted}{instead}");
        return Err(Failure::Source(message));
    }
    let limits = Limits { stop: Some(supervisor.stop()), ..Limits::default() };
    let book = Rulebook::read(&bytes, wanted, &name, &limits)?;
    let found = match wanted {
        Language::Market => market::check(&book),
        _ => realtime::check(&book),
    };
    let (errors, warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
        found.into_iter().partition(|it| it.severity == Severity::Error);
    let description = &book.description;
    reporter.warnings(&warnings, &description.name, &description.source);
    if !errors.is_empty() {
        return Err(GroundError::description(description, errors).into());
    }
    Ok(book)
}

/// The language of a text.
fn language_of(name: &str, bytes: &[u8]) -> Result<Language, Failure> {
    let fail = |diagnostic: Diagnostic, text: &str| {
        let error = ParseError {
            diagnostics: vec![diagnostic],
            omitted: 0,
            text: text.into(),
            name: name.to_owned(),
        };
        Failure::from(GroundError::from(error))
    };
    let text = decode(bytes).map_err(|(error, text)| fail((&error).into(), &text))?;
    if text.trim().is_empty() {
        let nothing = Diagnostic::error("GF0101", "there are no statements", Span::default());
        return Err(fail(nothing, &text));
    }
    Language::of_text(&text, DEFAULT_NESTING).map_err(|it| fail(*it, &text))
}

/// What evaluations may use.
pub(super) fn limits(supervisor: &Supervisor) -> Limits {
    Limits { stop: Some(supervisor.stop()), ..Limits::default() }
}

/// A text of moves or messages.
pub(super) fn script(path: &Path) -> Result<String, Failure> {
    let (name, bytes) = source::contents(path)?;
    String::from_utf8(bytes).map_err(|_| Failure::Source(format!("`{name}` is not in UTF-8")))
}
