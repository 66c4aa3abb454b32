//! Which ground rules are wanted.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use groundfrog::compact::{PassId, Passes};
use groundfrog::ground::{PASSES, Pass};
use serde::Serialize;

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
