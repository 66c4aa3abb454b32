//! Reading descriptions in the relatives of GDL; `market` and `translate`.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::Ordering;

use groundfrog::GroundError;
use groundfrog::description::{Language, ParseError};
use groundfrog::kif::{DEFAULT_NESTING, Diagnostic, Severity, Span, decode};
use groundfrog::options::Limits;
use groundfrog::visible::visible_path;
use groundfrog_languages::lines::{Hub, one_line};
use groundfrog_languages::market::serve::{MarketClock, MarketHouse};
use groundfrog_languages::market::{
    Market, MarketError, Policy, Script, check as check_market, run as run_script,
};
use groundfrog_languages::realtime::translate::translate as in_real_time;
use groundfrog_languages::rules::Rulebook;
use groundfrog_languages::{number, realtime};
use groundfrog_reasoner::Random;

use super::Session;
use crate::arguments::{MarketArguments, PolicyChoice, TranslateArguments};
use crate::destination::Destination;
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
        Language::Market => check_market(&book),
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

/// Runs a market.
pub(crate) fn market(arguments: &MarketArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let given = arguments.language.map(Language::from);
    let book = read(&arguments.market, Language::Market, given, session)?;
    let mut market = Market::new(&book, limits(supervisor)).map_err(failure)?;
    let mut policy = match arguments.policy {
        PolicyChoice::First => Policy::First,
        PolicyChoice::Random => Policy::Random(Random::new(arguments.seed)),
    };
    let mut out = super::Lines::new();
    if let Some(path) = &arguments.script {
        let text = script(path)?;
        let script = Script::read(&text, &mut market)
            .map_err(|it| Failure::Source(format!("`{}`: {it}", visible_path(path))))?;
        let stop = supervisor.stop_flag();
        let most = arguments.max_steps;
        run_script(&mut market, &script, &mut policy, most, &mut |lines| {
            out.write(lines.trim_end());
            !stop.load(Ordering::Relaxed)
        })
        .map_err(failure)?;
        return out.finish();
    }
    let address = SocketAddr::new(arguments.listen, arguments.port.unwrap_or_default());
    let hub = Hub::start(address).map_err(|source| Failure::listen(address, source))?;
    out.write(&format!("listens on {}", hub.address()));
    let rules = one_line(&book.description.source).unwrap_or_default();
    let clock = MarketClock {
        join: arguments.join.0,
        step: arguments.step.0,
        rounds: arguments.rounds,
        most_steps: arguments.max_steps,
    };
    let stop = supervisor.stop_flag();
    let house = MarketHouse::new(&hub, &mut market);
    let report = house
        .run(&rules, &clock, &mut policy, &|| stop.load(Ordering::Relaxed), &mut |line| {
            out.write(line);
        })
        .map_err(failure)?;
    out.write(&format!("{} messages received, {} refused", report.received, report.refused));
    out.finish()
}

fn failure(error: MarketError) -> Failure {
    match error {
        MarketError::Steps(_) => Failure::Stopped {
            cause: crate::failure::Cause::Time(std::time::Duration::ZERO),
            message: error.to_string(),
        },
        other => Failure::Game(other.to_string()),
    }
}

/// Writes a game in another language.
pub(crate) fn translate(arguments: &TranslateArguments, session: &Session) -> Result<(), Failure> {
    let Session { supervisor, reporter } = session;
    let destination = Destination::new(arguments.output.as_deref())?;
    let description = source::description(&arguments.game, &arguments.reading, supervisor)?;
    reporter.warnings(&description.warnings, &description.name, &description.source);
    let translation = in_real_time(&description, &number::text(&arguments.turn));
    for (from, to) in &translation.renamed {
        reporter
            .note(&format!("`{from}` is called `{to}`: in rtGDL it would mean something else\n"));
    }
    destination.write(supervisor, |out| out.write_all(translation.text.as_bytes()))
}
