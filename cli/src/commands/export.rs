//! `groundfrog export`.

use groundfrog::GroundOptions;
use groundfrog::description::{Description, Printer};
use groundfrog::emit::kif;
use groundfrog::export::{asp_program, infix, projection, prolog, sas, smv, timed_asp};
use groundfrog::game::GroundGame;
use groundfrog::prepare::prepare;

use super::Session;
use crate::arguments::{ExportArguments, ExportChoice};
use crate::destination::Destination;
use crate::failure::Failure;
use crate::progress::Activity;

/// Writes a description as a program of another system.
pub(crate) fn work(arguments: &ExportArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    if arguments.projected && arguments.language != ExportChoice::AspProgram {
        return Err(Failure::Usage("--projected is for asp-program only".into()));
    }
    let destination = Destination::new(arguments.text.output.as_deref())?;
    let description = session.read(&arguments.text.input)?;
    match arguments.language {
        ExportChoice::AspProgram | ExportChoice::Prolog | ExportChoice::TimedAsp => {}
        ExportChoice::Infix => {
            return destination.write(supervisor, |out| infix::write(&description, out));
        }
        ExportChoice::WithDomains | ExportChoice::Sas | ExportChoice::Smv => {
            return write_ground(&description, arguments, &destination, session);
        }
    }
    supervisor.progress().enter(Activity::Grounding);
    let limits = session.limits(&arguments.text.limits);
    let prepared = match arguments.projected {
        true => projection::projected(&description, &limits),
        false => prepare(&description, &limits),
    };
    let prepared = prepared.map_err(|error| session.failed(error))?;
    supervisor.check()?;
    destination.write(supervisor, |out| match arguments.language {
        ExportChoice::AspProgram => asp_program::write(&prepared, out),
        ExportChoice::TimedAsp => timed_asp::write(&prepared, arguments.moves, out),
        _ => prolog::write(&prepared, out),
    })
}

/// Writes what the ground rules are needed for.
fn write_ground(
    description: &Description,
    arguments: &ExportArguments,
    destination: &Destination,
    session: &Session,
) -> Result<(), Failure> {
    let limits = session.limits(&arguments.text.limits);
    // All facts of base are to be there, also those that never change.
    let options = match arguments.language {
        ExportChoice::WithDomains => GroundOptions { limits, ..GroundOptions::flat() },
        _ => GroundOptions { limits, ..GroundOptions::compact() },
    };
    let game = session.ground(description, &options)?.game;
    let refused = |message: String| Failure::Usage(format!("{}: {message}", description.name));
    let text = match arguments.language {
        ExportChoice::Sas => sas::text(&game).map_err(|error| refused(error.to_string()))?,
        ExportChoice::Smv => smv::text(&game).map_err(|error| refused(error.to_string()))?,
        _ => with_domains(description, &game),
    };
    destination.write(&session.supervisor, |out| out.write_all(text.as_bytes()))
}

/// The statements, and the facts about base and input in the place of the description's own.
fn with_domains(description: &Description, game: &GroundGame) -> String {
    let printer = Printer::new(&description.symbols);
    let keywords = &description.keywords;
    let is_own = |name| name == keywords.base || name == keywords.input;
    let statements = description.statements.iter().filter(|it| !is_own(it.head.predicate));
    let mut text: String = statements.map(|it| format!("{}\n", printer.wrapped(it))).collect();
    for fact in kif::facts(game) {
        if fact.starts_with("(base ") || fact.starts_with("(input ") {
            text.push_str(&fact);
            text.push('\n');
        }
    }
    text
}
