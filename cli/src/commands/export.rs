//! `groundfrog export`.

use groundfrog::description::{Description, Printer};
use groundfrog::emit::kif;
use groundfrog::export::{asp_program, infix, projection, prolog, sas, smv, timed_asp};
use groundfrog::game::GroundGame;
use groundfrog::prepare::prepare;
use groundfrog::{GroundOptions, Silent, ground};

use super::{limits, read, run_supervised};
use crate::arguments::{ExportArguments, ExportChoice};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::supervisor::Supervisor;

/// Writes a description as a program of another system.
pub(crate) fn run(arguments: &ExportArguments) -> Exit {
    let text = &arguments.text;
    run_supervised(&text.limits, text.quiet, |supervisor, reporter| {
        work(arguments, supervisor, reporter)
    })
}

fn work(
    arguments: &ExportArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    if arguments.projected && arguments.language != ExportChoice::AspProgram {
        return Err(Failure::Usage("--projected is for asp-program only".into()));
    }
    let destination = Destination::new(arguments.text.output.as_deref())?;
    let description = read(&arguments.text.input, supervisor, reporter)?;
    match arguments.language {
        ExportChoice::AspProgram | ExportChoice::Prolog | ExportChoice::TimedAsp => {}
        ExportChoice::Infix => {
            return destination.write(supervisor, |out| infix::write(&description, out));
        }
        ExportChoice::WithDomains | ExportChoice::Sas | ExportChoice::Smv => {
            return write_ground(&description, arguments, &destination, supervisor);
        }
    }
    supervisor.progress().enter(Activity::Grounding);
    let limits = limits(&arguments.text.limits, supervisor);
    let prepared = if arguments.projected {
        projection::projected(&description, &limits)
    } else {
        prepare(&description, &limits)
    };
    let prepared = prepared
        .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?;
    supervisor.check()?;
    match arguments.language {
        ExportChoice::AspProgram => {
            destination.write(supervisor, |out| asp_program::write(&prepared, out))
        }
        ExportChoice::TimedAsp => {
            destination.write(supervisor, |out| timed_asp::write(&prepared, arguments.moves, out))
        }
        _ => destination.write(supervisor, |out| prolog::write(&prepared, out)),
    }
}

/// Writes what the ground rules are needed for.
fn write_ground(
    description: &Description,
    arguments: &ExportArguments,
    destination: &Destination,
    supervisor: &Supervisor,
) -> Result<(), Failure> {
    supervisor.progress().enter(Activity::Grounding);
    let limits = limits(&arguments.text.limits, supervisor);
    // All facts of base are to be there, also those that never change.
    let options = match arguments.language {
        ExportChoice::WithDomains => GroundOptions { limits, ..GroundOptions::flat() },
        _ => GroundOptions { limits, ..GroundOptions::compact() },
    };
    let game = ground(description, &options, &mut Silent)
        .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?
        .game;
    supervisor.check()?;
    let refused = |message: String| Failure::Usage(format!("{}: {message}", description.name));
    let text = match arguments.language {
        ExportChoice::Sas => sas::text(&game).map_err(|error| refused(error.to_string()))?,
        ExportChoice::Smv => smv::text(&game).map_err(|error| refused(error.to_string()))?,
        _ => with_domains(description, &game),
    };
    destination.write(supervisor, |out| out.write_all(text.as_bytes()))
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
