//! `groundfrog generate`.

use std::fmt::Write;
use std::path::Path;

use groundfrog_corpus::{BUSY_BEAVER, families, random_game, turing_machine};

use super::Session;
use crate::arguments::{GameChoice, GameKind, GenerateArguments};
use crate::destination::Destination;
use crate::failure::Failure;
use crate::source;

/// Writes a game of a family, or lists the families.
pub(crate) fn work(arguments: &GenerateArguments, session: &Session) -> Result<(), Failure> {
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
