//! `groundfrog generate`.

use std::fmt::Write;
use std::path::Path;

use groundfrog_corpus::{families, random_game};

use super::conclude;
use crate::arguments::{GameChoice, GameKind, GenerateArguments};
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// Writes a game of a family, or lists the families.
pub(crate) fn run(arguments: &GenerateArguments) -> Exit {
    let reporter = Reporter::new(false);
    let mut supervisor = Supervisor::start(None, None, false);
    let result = match &arguments.game {
        Some(game) => text(game).and_then(|text| write(game.output.as_deref(), &text, &supervisor)),
        None => write(None, &list(), &supervisor),
    };
    supervisor.finish();
    conclude(&result, &reporter)
}

fn text(game: &GameChoice) -> Result<String, Failure> {
    match &game.kind {
        GameKind::Family(family, parameters) => {
            family.generate(parameters).map_err(|error| Failure::Usage(error.to_string()))
        }
        GameKind::Random(seed) => Ok(random_game(*seed)),
    }
}

fn write(output: Option<&Path>, text: &str, supervisor: &Supervisor) -> Result<(), Failure> {
    Destination::new(output)?.write(supervisor, |out| out.write_all(text.as_bytes()))
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
    text + "random\n    A small random game that obeys all rules of GDL.\n    --seed N    another number, another game, default 0\n"
}
