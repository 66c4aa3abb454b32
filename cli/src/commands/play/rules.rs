//! The rules that a match is played by.

use std::time::Duration;

use groundfrog::{Description, GroundError, Limits};
use groundfrog_player::machine::Machine;
use groundfrog_reasoner::GroundReasoner;

use crate::arguments::GroundingArguments;
use crate::commands::Session;
use crate::failure::Failure;

/// Time to open a game, if none is given.
const OPENING: Duration = Duration::from_secs(10);

/// The ground rules, or the rules with variables of a game that is not ground in two thirds of the time.
pub(super) fn machine(
    description: &Description,
    arguments: &GroundingArguments,
    session: &Session,
) -> Result<Machine, Failure> {
    let Session { supervisor, reporter } = session;
    let time = supervisor.time_left().unwrap_or(OPENING) * 2 / 3;
    let limits = Limits { time: Some(time), ..session.limits(&arguments.limits) };
    let passes = arguments.rules.passes();
    let reason = match session.playable_by(description, arguments, passes, limits) {
        Ok(game) => {
            let reasoner = session.compiled(&game, GroundReasoner::new)?;
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
    let reasoner = session.interpreted(description, &arguments.limits)?;
    Ok(Machine::Interpreted(Box::new(reasoner)))
}
