//! How a command is asked for its format: `--format`, or `--json` for short.

use clap::{Args, ValueEnum};

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
