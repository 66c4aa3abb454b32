//! A description as it stands after a step of the method, in KIF with comments.
//!
//! What is printed comes from the functions that grounding itself uses, so that a reader can follow the
//! method of Vittaut & Méhat (2014) on any game, step by step.

mod flat;
mod forms;
mod lines;
mod listing;
mod passes;
mod rules;
mod tables;

use crate::description::Description;
use crate::error::GroundError;
use crate::options::GroundOptions;

/// A step of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Or-elimination: every `or` has become several rules.
    OrElimination,
    /// Which predicates are static, dynamic and needed.
    Statics,
    /// g(R): what is joined.
    Joined,
    /// g(R) with s(R): what is stored.
    Stored,
    /// Rules and facts specialised to sentence forms.
    Forms,
    /// The program whose fixpoint gives base and input, and what it finds.
    Domains,
    /// The join plan of each rule in the store pass.
    Plan,
    /// What each pass does that makes the game compact.
    Passes,
}

impl Step {
    /// All steps, in the order of the method.
    pub const ALL: [Step; 8] = [
        Step::OrElimination,
        Step::Statics,
        Step::Joined,
        Step::Stored,
        Step::Forms,
        Step::Domains,
        Step::Plan,
        Step::Passes,
    ];
}

/// Prints a description as it stands after a step. The result ends with a line feed.
///
/// # Errors
/// As [`ground`](crate::ground::ground), as far as the step has to go.
pub fn explain(
    description: &Description,
    step: Step,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    match step {
        Step::OrElimination => rules::or_elimination(description, options),
        Step::Statics => rules::statics(description, options),
        Step::Joined => rules::joined(description, options),
        Step::Stored => rules::stored(description, options),
        Step::Forms => forms::forms(description, options),
        Step::Domains => tables::domains(description, options),
        Step::Plan => tables::plan(description, options),
        Step::Passes => passes::passes(description, options),
    }
}
