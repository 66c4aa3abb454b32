//! Options with a few fixed values, and what they are called in the library.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::Step;
use groundfrog::ground::{PASSES, Pass};
use serde::Serialize;

/// What a choice is called on the command line.
pub(crate) fn name_of(choice: impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// What `export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportChoice {
    /// An answer set program whose grounding, by gringo for instance, is the flat game.
    AspProgram,
    /// A tabled Prolog program for SWI-Prolog that computes base, input and the flat rules when it is run.
    Prolog,
    /// An answer set program about the first `--moves` joint moves, which translations to quantified formulae read.
    TimedAsp,
    /// The description in infix notation.
    Infix,
    /// The description with the base and input that grounding finds.
    WithDomains,
    /// A puzzle as a planning task for Fast Downward.
    Sas,
    /// The ground game as a model for NuSMV and nuXmv.
    Smv,
}

/// What plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReasonerChoice {
    /// The ground rules, one match at a time.
    #[default]
    Ground,
    /// The ground rules, many matches at once.
    BitParallel,
    /// The rules with variables.
    Interpreted,
}

/// What a step is called on the command line, and what it is.
pub(crate) fn step_words(step: Step) -> (String, String) {
    let value = step.to_possible_value().expect("no step is hidden");
    (value.get_name().to_owned(), value.get_help().map(ToString::to_string).unwrap_or_default())
}

// How a command is asked for its format: `--format`, or `--json` for short.

/// The formats of a command, of which the first is the default.
pub(crate) trait Formats: ValueEnum + Default + Send + Sync + 'static {
    /// The one for programs.
    const JSON: Self;
}

// In which format a command writes its result.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct FormatArguments<F: Formats> {
    /// What is written; the first is the default.
    #[arg(long, value_enum)]
    format: Option<F>,

    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl<F: Formats> FormatArguments<F> {
    /// The format that is asked for.
    pub(crate) fn choice(&self) -> F {
        match (&self.format, self.json) {
            (_, true) => F::JSON,
            (Some(format), false) => format.clone(),
            (None, false) => F::default(),
        }
    }
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportChoice {
    /// For people.
    #[default]
    Text,
    /// For programs: a line of JSON with documented fields.
    Json,
}

impl Formats for ReportChoice {
    const JSON: Self = ReportChoice::Json;
}

/// How a propositional network is written.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum NetChoice {
    /// For Graphviz.
    #[default]
    Dot,
    /// For programs in any language: a documented, versioned schema.
    Json,
}

impl Formats for NetChoice {
    const JSON: Self = NetChoice::Json;
}

/// What `check` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingsChoice {
    /// For people: the findings with the source, and a summary.
    #[default]
    Text,
    /// For programs: a documented, versioned schema.
    Json,
    /// For editors and code hosts: SARIF 2.1.0.
    Sarif,
}

impl Formats for FindingsChoice {
    const JSON: Self = FindingsChoice::Json;
}

// Which ground rules are wanted.

// Which ground rules there are.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct FormArguments {
    /// The rules exactly as the method of Vittaut and Méhat defines them, instead of the compact game,
    /// which means the same in every reachable state with far fewer rules.
    #[arg(long)]
    pub(crate) flat: bool,

    /// The residual of the flat rules, with or without `--flat`: drop rules that can never apply and
    /// literals that always hold.
    #[arg(long)]
    pub(crate) simplify: bool,

    /// Leave out passes that make the game compact.
    #[arg(long, value_parser = pass_names(), value_delimiter = ',', value_name = "PASS,...")]
    #[arg(conflicts_with_all = ["flat", "simplify"])]
    pub(crate) without: Vec<PassId>,
}

/// Which ground rules are written: the form of a game, as `--forms` and statistics have it. No sentence form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    /// What the method stores.
    Flat,
    /// The flat program simplified by its well-founded model.
    Residual,
    /// All passes that make the game smaller.
    Compact,
}

impl Form {
    pub(crate) fn is_simplified(self) -> bool {
        self != Form::Flat
    }
}

impl FormArguments {
    /// The passes that make the game compact.
    pub(crate) fn passes(&self) -> Passes {
        if self.form() != Form::Compact {
            return Passes::FLAT;
        }
        Passes::ALL.without_all(&self.without)
    }

    /// Which ground rules are wanted.
    pub(crate) fn form(&self) -> Form {
        match (self.flat, self.simplify) {
            (false, false) => Form::Compact,
            (true, false) => Form::Flat,
            (_, true) => Form::Residual,
        }
    }
}

/// The passes by their names, with a line for each.
fn pass_names() -> impl TypedValueParser<Value = PassId> {
    let value = |pass: &Pass| PossibleValue::new(pass.name).help(pass.summary);
    let is_named = |name: String| Pass::named(&name).map(|it| it.id).ok_or("there is no such pass");
    PossibleValuesParser::new(PASSES.iter().map(value)).try_map(is_named)
}
