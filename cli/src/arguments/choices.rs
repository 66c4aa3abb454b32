//! Options with a few fixed values, and what they are called in the library.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use groundfrog::compact::{PassId, Passes};
use groundfrog::description::Notation;
use groundfrog::emit::Format;
use groundfrog::explain::Step;
use groundfrog::ground::{PASSES, Pass};
use groundfrog::options::{Domains, Engine};
use serde::Serialize;

/// What a choice is called on the command line.
pub(crate) fn name_of(choice: impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Lets a choice stand for what the library calls alike.
macro_rules! stands_for {
    ($choice:ident, $meant:ident: $($name:ident)*) => {
        impl From<$choice> for $meant {
            fn from(choice: $choice) -> Self {
                match choice {
                    $($choice::$name => $meant::$name,)*
                }
            }
        }
    };
}

stands_for! { FormatChoice, Format: Kif Canonical Asp Aspif Json Summary }
stands_for! { NotationChoice, Notation: Kif Infix }
stands_for! { DomainsChoice, Domains: OneStep Iterative Given }
stands_for! { EngineChoice, Engine: Datafrog Naive Compare }

/// What `ground` writes.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum FormatChoice {
    /// A variable-free game description that any GDL player can read.
    #[default]
    Kif,
    /// One sorted rule a line, for comparing grounders.
    Canonical,
    /// A logic program for clingo.
    Asp,
    /// The same in the intermediate format between grounder and solver.
    Aspif,
    /// For programs in any language: a documented, versioned schema.
    Json,
    /// Counts.
    Summary,
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

/// How rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NotationChoice {
    /// Lists: `(legal ?x noop)`.
    Kif,
    /// `legal(X, noop) :- ...`.
    Infix,
}

/// In which language `analyse` writes obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObligationChoice {
    /// Logic programs for clingo.
    Asp,
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

/// How base and input are computed.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum DomainsChoice {
    /// In the one fixpoint that computes everything.
    #[default]
    OneStep,
    /// Round by round, seeded by a fake match (Vittaut and Méhat, section 4.1).
    Iterative,
    /// As the description gives them.
    Given,
}

/// Which evaluator does the work.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum EngineChoice {
    /// Semi-naive rounds on datafrog, planned joins.
    #[default]
    Datafrog,
    /// The textbook evaluator: slow and simple.
    Naive,
    /// Both; the first difference is an error.
    Compare,
}

/// A step of the method.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StepChoice {
    /// Or-elimination: every `or` has become several rules.
    Or,
    /// Which predicates are static, dynamic and needed.
    Statics,
    /// g(R), what is joined: no negated dynamic literals, `base` for `true`, `input` for `does`.
    G,
    /// g(R) with s(R), what is stored, as `(store ...)`.
    S,
    /// Rules and facts specialised to sentence forms: function terms are compiled away.
    Forms,
    /// The program whose fixpoint gives base and input, and what it finds.
    Domains,
    /// The join plan of each rule in the store pass.
    Plan,
    /// What each pass does that makes the game compact, and how much smaller it gets.
    Passes,
}

impl StepChoice {
    /// What it is called on the command line, and what it is.
    pub(crate) fn words(self) -> (String, String) {
        let value = self.to_possible_value().expect("no step is hidden");
        (value.get_name().to_owned(), value.get_help().map(ToString::to_string).unwrap_or_default())
    }
}

impl From<StepChoice> for Step {
    fn from(choice: StepChoice) -> Self {
        match choice {
            StepChoice::Or => Step::OrElimination,
            StepChoice::Statics => Step::Statics,
            StepChoice::G => Step::Joined,
            StepChoice::S => Step::Stored,
            StepChoice::Forms => Step::Forms,
            StepChoice::Domains => Step::Domains,
            StepChoice::Plan => Step::Plan,
            StepChoice::Passes => Step::Passes,
        }
    }
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
