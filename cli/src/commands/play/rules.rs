//! The rules that a match is played by.

use std::time::Duration;

use groundfrog::{Description, GroundError, Limits};
use groundfrog_player::machine::Machine;
use groundfrog_reasoner::GroundReasoner;

use crate::arguments::GroundingArguments;
use crate::commands::{compiled, interpreted, limits, playable_within};
use crate::diagnostics::Reporter;
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// Time to open a game, if none is given.
const OPENING: Duration = Duration::from_secs(10);

/// The ground rules, or the rules with variables of a game that is not ground in two thirds of the time.
pub(super) fn machine(
    description: &Description,
    arguments: &GroundingArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<Machine, Failure> {
    let time = supervisor.time_left().unwrap_or(OPENING) * 2 / 3;
    let limits = Limits { time: Some(time), ..limits(&arguments.limits, supervisor) };
    let how = (arguments.rules.passes(), limits);
    let reason = match playable_within(description, arguments, how, supervisor, reporter) {
        Ok(game) => {
            let reasoner = compiled(&game, supervisor, GroundReasoner::new)?;
            return Ok(Machine::Ground(Box::new(reasoner)));
        }
        Err(Failure::Ground(error)) => match *error {
            GroundError::Limit { exceeded, .. } => exceeded.to_string(),
            GroundError::Unbounded(faults) => faults.to_string(),
            error => return Err(error.into()),
        },
        Err(failure) => return Err(failure),
    };
    supervisor.check()?;
    reporter.note(&format!("played by its rules with variables, as it is not ground: {reason}\n"));
    let reasoner = interpreted(description, &arguments.limits, supervisor)?;
    Ok(Machine::Interpreted(Box::new(reasoner)))
}
