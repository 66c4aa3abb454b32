//! `groundfrog translate`.

use groundfrog_languages::number;
use groundfrog_languages::realtime::translate::translate;

use super::Session;
use crate::arguments::TranslateArguments;
use crate::destination::Destination;
use crate::failure::Failure;
use crate::source;

/// Writes a game in another language.
pub(crate) fn work(arguments: &TranslateArguments, session: &Session) -> Result<(), Failure> {
    let Session { supervisor, reporter } = session;
    // There is only one language so far.
    let crate::arguments::TargetChoice::Rtgdl = arguments.to;
    let destination = Destination::new(arguments.output.as_deref())?;
    let description = source::description(&arguments.game, &arguments.reading, supervisor)?;
    reporter.warnings(&description.warnings, &description.name, &description.source);
    let translation = translate(&description, &number::text(&arguments.turn));
    for (from, to) in &translation.renamed {
        reporter
            .note(&format!("`{from}` is called `{to}`: in rtGDL it would mean something else\n"));
    }
    destination.write(supervisor, |out| out.write_all(translation.text.as_bytes()))
}
