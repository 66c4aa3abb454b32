//! A subcommand for each family of games, with an option for each of its parameters.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, Error, FromArgMatches, Subcommand, value_parser};
use groundfrog_corpus::{Family, Parameters, families};

/// The name of the subcommand that writes small random games.
const RANDOM: &str = "random";
/// The name of the subcommand that turns a Turing machine into a game.
const TURING_MACHINE: &str = "turing-machine";

/// Which game to generate, and where to.
#[derive(Clone, Debug)]
pub(crate) struct GameChoice {
    pub(crate) kind: GameKind,
    pub(crate) output: Option<PathBuf>,
}

/// Which game to generate.
#[derive(Clone, Debug)]
pub(crate) enum GameKind {
    /// One of a family.
    Family(&'static Family, Parameters),
    /// A small random one, by its seed.
    Random(u64),
    /// A Turing machine, from the file with its table; none is the busy beaver.
    TuringMachine(Option<PathBuf>),
}

impl FromArgMatches for GameChoice {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::raw(clap::error::ErrorKind::MissingSubcommand, "choose a family\n");
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let output = matches.get_one("output").cloned();
        if name == TURING_MACHINE {
            let kind = GameKind::TuringMachine(matches.get_one("file").cloned());
            return Ok(GameChoice { kind, output });
        }
        let Some(family) = families().iter().find(|family| option_name(family.name()) == name)
        else {
            let seed = matches.get_one("seed").copied().unwrap_or_default();
            return Ok(GameChoice { kind: GameKind::Random(seed), output });
        };
        let mut parameters = Parameters::new();
        for parameter in family.parameters() {
            if let Some(&value) = matches.get_one::<u32>(parameter.name) {
                parameters.set(parameter.name, value);
            }
        }
        Ok(GameChoice { kind: GameKind::Family(family, parameters), output })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for GameChoice {
    fn augment_subcommands(command: Command) -> Command {
        let random = Command::new(RANDOM)
            .about("A small random game that obeys all rules of GDL.")
            .arg(
                Arg::new("seed")
                    .long("seed")
                    .value_name("N")
                    .value_parser(value_parser!(u64))
                    .default_value("0")
                    .help("Another number, another game"),
            )
            .arg(output());
        let machine =
            Command::new(TURING_MACHINE)
                .about("A Turing machine as a game, from its table: GDL, but not bounded.")
                .arg(Arg::new("file").value_name("FILE").value_parser(value_parser!(PathBuf)).help(
                    "The file with the table, `-` reads standard input [default: busy beaver]",
                ))
                .after_help(TABLE_HELP)
                .arg(output());
        let families = families().iter().map(subcommand);
        command.subcommands(families).subcommand(random).subcommand(machine)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        [RANDOM, TURING_MACHINE].contains(&name)
            || families().iter().any(|family| option_name(family.name()) == name)
    }
}

/// What the table of a machine looks like.
const TABLE_HELP: &str = "\
A table has one statement a line; what follows a `;` is a comment:
  blank 0           the symbol of empty cells
  start A           the first state
  accept H          the states in which the machine has accepted
  input 1 0 1       what is on the tape, from the head to the right; may be left out
  A 0 -> 1 R B      in state A on symbol 0: write 1, go right (or L), go on in state B";

/// Names on the command line are written with hyphens.
fn option_name(name: &str) -> String {
    name.replace('_', "-")
}

fn subcommand(family: &'static Family) -> Command {
    let argument = |parameter: &'static groundfrog_corpus::Parameter| {
        let range = i64::from(parameter.min)..=i64::from(parameter.max);
        let name = option_name(parameter.name);
        let alias = (name != parameter.name).then_some(parameter.name);
        Arg::new(parameter.name)
            .long(name)
            .aliases(alias)
            .value_name("N")
            .value_parser(value_parser!(u32).range(range))
            .help(format!(
                "{}, {} to {} [default: {}]",
                capitalised(parameter.meaning),
                parameter.min,
                parameter.max,
                parameter.default
            ))
    };
    let name = option_name(family.name());
    let alias = (name != family.name()).then_some(family.name());
    Command::new(name)
        .aliases(alias)
        .about(family.summary())
        .args(family.parameters().iter().map(argument))
        .arg(output())
}

fn output() -> Arg {
    Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Write to a file instead of standard output")
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|it| it.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}
