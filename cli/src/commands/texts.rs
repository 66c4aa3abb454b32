//! The commands that print a text: `export`, `explain`, `propnet`, `generate`, `completions` and `man`.

use std::fmt::Write;
use std::path::Path;

use groundfrog::GroundOptions;
use groundfrog::description::{Description, Printer};
use groundfrog::emit::kif;
use groundfrog::explain::{Step, explain as explanation};
use groundfrog::export::{asp, infix, projection, prolog, sas, smv};
use groundfrog::game::GroundGame;
use groundfrog::prepare::prepare;
use groundfrog_corpus::{BUSY_BEAVER, families, random_game, turing_machine};
use groundfrog_reasoner::propnet::{PropNet, write_dot, write_json};

use super::Session;
use crate::arguments::{
    Arguments, CompletionsArguments, ExplainArguments, ExportArguments, ExportChoice, GameChoice,
    GameKind, GenerateArguments, ManArguments, NetChoice, PropnetArguments, step_words,
};
use crate::destination::Destination;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::source;

/// Writes a description as a program of another system.
pub(crate) fn export(arguments: &ExportArguments, session: &Session) -> Result<(), Failure> {
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
        ExportChoice::AspProgram => asp::write(&prepared, out),
        ExportChoice::TimedAsp => asp::write_timed(&prepared, arguments.moves, out),
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

/// Prints a description as it stands after a step of the method.
pub(crate) fn explain(arguments: &ExplainArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let destination = Destination::new(arguments.text.output.as_deref())?;
    let description = session.read(&arguments.text.input)?;
    supervisor.progress().enter(Activity::Grounding);
    let options = GroundOptions {
        domains: arguments.method.domains,
        passes: arguments.rules.passes(),
        limits: session.limits(&arguments.text.limits),
        ..GroundOptions::flat()
    };
    let all = Step::ALL.as_slice();
    let steps = arguments.step.as_ref().map_or(all, std::slice::from_ref);
    let mut text = String::new();
    for &step in steps {
        if steps.len() > 1 {
            let (name, about) = step_words(step);
            text += &format!(";;; {name}: {about}\n\n");
        }
        text +=
            &explanation(&description, step, &options).map_err(|error| session.failed(error))?;
        text += if steps.len() > 1 { "\n" } else { "" };
    }
    supervisor.check()?;
    destination.write(supervisor, |out| out.write_all(text.as_bytes()))
}

/// Writes the propositional network of a game, and its counts on standard error.
pub(crate) fn propnet(arguments: &PropnetArguments, session: &Session) -> Result<(), Failure> {
    let Session { supervisor, reporter } = session;
    let destination = Destination::new(arguments.output.as_deref())?;
    let description = session.read(&arguments.game.input)?;
    let game = session.playable(&description, &arguments.game.grounding)?;
    let net = session.compiled(&game, |game| PropNet::new(&game))?;
    destination.write(supervisor, |out| match arguments.format.choice() {
        NetChoice::Dot => write_dot(&net, &game, out),
        NetChoice::Json => write_json(&net, &game, out),
    })?;
    supervisor.without_bar(|| reporter.note(&net.counts().to_string()));
    Ok(())
}

/// Writes a game of a family, or lists the families.
pub(crate) fn generate(arguments: &GenerateArguments, session: &Session) -> Result<(), Failure> {
    let (output, text) = match &arguments.game {
        Some(game) => (game.output.as_deref(), text(game)?),
        None => (None, list()),
    };
    Destination::new(output)?.write(&session.supervisor, |out| out.write_all(text.as_bytes()))
}

fn text(game: &GameChoice) -> Result<String, Failure> {
    match &game.kind {
        GameKind::Family(family, parameters) => {
            family.generate(parameters).map_err(|error| Failure::Usage(error.to_string()))
        }
        GameKind::Random(seed) => Ok(random_game(*seed)),
        GameKind::TuringMachine(file) => machine(file.as_deref()),
    }
}

fn machine(file: Option<&Path>) -> Result<String, Failure> {
    let (name, table) = match file {
        Some(file) => source::contents(file)?,
        None => ("busy_beaver.tm".to_owned(), BUSY_BEAVER.into()),
    };
    let fault = |what: &dyn std::fmt::Display| Failure::Table(format!("{name}: {what}"));
    let table = String::from_utf8(table).map_err(|_| fault(&"the table is not UTF-8"))?;
    turing_machine(&table).map_err(|error| fault(&error))
}

/// All families with their parameters.
fn list() -> String {
    let mut text = String::new();
    for family in families() {
        let name = family.name().replace('_', "-");
        let mut add = |line: std::fmt::Arguments<'_>| {
            text.write_fmt(line).expect("writing to a string cannot fail");
        };
        add(format_args!("{name}\n    {}\n", family.summary()));
        for it in family.parameters() {
            let option = it.name.replace('_', "-");
            add(format_args!(
                "    --{option} N    {}, {} to {}, default {}\n",
                it.meaning, it.min, it.max, it.default
            ));
        }
    }
    text + "\
random
    A small random game that obeys all rules of GDL.
    --seed N    another number, another game, default 0
turing-machine
    A Turing machine as a game: GDL, but not bounded.
    FILE    the file with its table, default the busy beaver with three states
"
}

/// Prints a completion script for a shell.
pub(crate) fn completions(
    arguments: &CompletionsArguments,
    session: &Session,
) -> Result<(), Failure> {
    let mut command = Arguments::whole();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "groundfrog", &mut script);
    Destination::Stdout.write(&session.supervisor, |out| out.write_all(&script))
}

/// Prints a page of the manual.
pub(crate) fn man(arguments: &ManArguments, session: &Session) -> Result<(), Failure> {
    let page = page(arguments.command.as_deref())?;
    Destination::Stdout.write(&session.supervisor, |out| out.write_all(&page))
}

/// The page about a command, or about the program.
fn page(command: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut program = Arguments::whole();
    program.build();
    let about = match command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let unknown =
                || Failure::Usage(format!("there is no command `{name}`: see `groundfrog --help`"));
            found.ok_or_else(unknown)?.name(format!("groundfrog-{name}"))
        }
    };
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(about).render(&mut page);
    rendered.map_err(|source| Failure::Io { what: "cannot lay out the page".into(), source })?;
    Ok(page)
}
