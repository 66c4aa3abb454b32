//! The states of one game, visited or met in random matches.

use std::time::Duration;

use groundfrog::RoleId;
use groundfrog::description::Description;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::explore::{
    Exploration, ExploreOptions, SampleOptions, Verdict, Witness, explore as visit, sample,
};
use groundfrog_check::knowledge::know;
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, Verdict as Known, analyse};
use groundfrog_reasoner::{
    GroundReasoner, MoveId, OpenError, Reasoner, ReasonerError, State, Vocabulary,
};

use crate::arguments::CheckArguments;
use crate::failure::Failure;
use crate::memory;
use crate::progress::{Activity, Follower};
use crate::supervisor::Supervisor;

/// What the states show, or why they cannot be visited. The limits are those of grounding and exploring
/// together, what is left of the `time` of the game.
pub(super) fn explore(
    description: &Description,
    arguments: &CheckArguments,
    (limits, time): (&Limits, Duration),
    supervisor: &Supervisor,
) -> Result<Exploration, String> {
    let progress = supervisor.progress();
    let budget = limits.budget();
    progress.enter(Activity::Grounding);
    // Its states are those of the flat game, whose rules may be as many as there are joint moves.
    let options = GroundOptions { limits: limits.clone(), ..GroundOptions::compact() };
    let reasoner = GroundReasoner::of_description(description, &options, &mut Follower(progress));
    let mut reasoner = reasoner.map_err(|error| match error {
        OpenError::Description(error) => {
            Failure::ground(error, supervisor.cause(), Some(time)).to_string()
        }
        error => error.to_string(),
    })?;

    let threads = memory::threads(arguments.threads, 0).map_err(|it| it.to_string())?;
    let mut visited = arguments.explore.then(|| {
        progress.enter(Activity::Exploring);
        let options = ExploreOptions {
            states: arguments.max_states,
            // Tables double as they grow, and other parts of the process need room too.
            memory: limits.memory.map_or(u64::MAX, |it| it / 2),
            time: budget.left(),
            stop: limits.stop.clone(),
            threads,
        };
        visit(&mut reasoner, &options, &mut |now| {
            progress.visit(now.known, arguments.max_states, now.depth);
        })
    });
    let is_complete = visited.as_ref().is_some_and(|it| it.limit.is_none());
    if let Some(playouts) = arguments.playouts.filter(|_| !is_complete) {
        progress.enter(Activity::Playing);
        let options = SampleOptions { playouts, seed: arguments.seed, ..SampleOptions::default() };
        // At least one match is played, so that there is something to report.
        let sampled = sample(&mut reasoner, &options, &mut |played| {
            progress.visit(played, playouts, 0);
            played == 0 || !budget.is_over()
        });
        visited = Some(match visited {
            Some(visited) => together(visited, sampled),
            None => sampled,
        });
    }
    let mut visited = visited.ok_or_else(|| "nothing was requested".to_owned())?;
    if !is_complete {
        let time = budget.left().map_or(PROOF_TIME, |left| PROOF_TIME.min(left / 2));
        let options =
            AnalysisOptions { time, stop: limits.stop.clone(), ..AnalysisOptions::default() };
        let known = analyse(&mut reasoner, &options).map_err(|error| error.to_string())?;
        visited = with_proofs(visited, &known, &mut reasoner).map_err(|error| error.to_string())?;
    }
    visited.knowledge = know(&mut reasoner, arguments.max_states, &mut || !budget.is_over())
        .map_err(|error| error.to_string())?;
    Ok(visited)
}

/// What matches leave undecided is looked for proofs of so long.
const PROOF_TIME: Duration = Duration::from_secs(2);

/// What exploring left undecided, random matches may have decided.
fn together(visited: Exploration, sampled: Exploration) -> Exploration {
    let either = |one: Verdict, other: Verdict| match one {
        Verdict::Undecided => other,
        decided => decided,
    };
    let winnable = visited.winnable.into_iter().zip(sampled.winnable);
    Exploration {
        termination: either(visited.termination, sampled.termination),
        playability: either(visited.playability, sampled.playability),
        utility: either(visited.utility, sampled.utility),
        winnable: winnable.map(|((role, one), (_, other))| (role, either(one, other))).collect(),
        playouts: sampled.playouts,
        ..visited
    }
}

// What neither visited states nor matches decide, and proofs do.

/// What was left undecided and is proved, or refuted by a match.
pub(super) fn with_proofs(
    visited: Exploration,
    known: &Analysis,
    reasoner: &mut GroundReasoner,
) -> Result<Exploration, ReasonerError> {
    let is_in_turns = !known.is_refuted(|it| *it == Property::TurnTaking);
    let may_be_zero_sum = is_in_turns && reasoner.roles().len() == 2;
    let mut decided =
        |verdict: Verdict, is_kind: fn(&Property) -> bool| -> Result<Verdict, ReasonerError> {
            let finding = known.findings.iter().find(|it| is_kind(&it.property));
            match (verdict, finding.map(|it| &it.verdict)) {
                (Verdict::Undecided, Some(Known::Proved)) => Ok(Verdict::Holds(None)),
                (Verdict::Undecided, Some(Known::Refuted { moves })) => {
                    Ok(Verdict::Fails(Some(Box::new(witness(moves, is_kind, reasoner)?))))
                }
                (verdict, _) => Ok(verdict),
            }
        };
    Ok(Exploration {
        termination: decided(visited.termination, |it| matches!(it, Property::Terminating { .. }))?,
        playability: decided(visited.playability, |it| *it == Property::Playable)?,
        utility: decided(visited.utility, |it| *it == Property::OneGoal)?,
        sum: match may_be_zero_sum {
            true => decided(visited.sum, |it| *it == Property::ConstantSum { sum: 100 })?,
            false => visited.sum,
        },
        ..visited
    })
}

/// The match that refutes a property of a kind.
fn witness(
    moves: &[Vec<String>],
    is_kind: fn(&Property) -> bool,
    reasoner: &mut GroundReasoner,
) -> Result<Witness, ReasonerError> {
    let roles: Vec<RoleId> = reasoner.role_ids().collect();
    let mut states: Vec<State> = vec![reasoner.initial().clone()];
    for joint in moves {
        let mut state = states[states.len() - 1].clone();
        let texts = roles.iter().zip(joint);
        let made: Vec<MoveId> =
            texts.filter_map(|(&role, text)| reasoner.find_move(role, text)).collect();
        reasoner.advance(&mut state, &made)?;
        states.push(state);
    }
    let last = &states[states.len() - 1];
    let mut found = Witness { moves: moves.to_vec(), ..Witness::default() };
    found.state = reasoner.state_text(last)?;
    if is_kind(&(Property::Terminating { moves: None })) {
        let first = states.iter().position(|it| it == last).unwrap_or(0);
        found.cycle = found.moves.split_off(first);
        return Ok(found);
    }
    let mut values = Vec::new();
    let mut goals = Vec::new();
    for role in roles {
        let name = reasoner.role_text(role);
        reasoner.goal_values(last, role, &mut values)?;
        let texts: Vec<String> = values.iter().map(i64::to_string).collect();
        let text = if texts.is_empty() { "none".to_owned() } else { texts.join(" and ") };
        if is_kind(&Property::OneGoal) && values.len() != 1 {
            found.remark = format!("the goal values of `{name}`: {text}");
        }
        goals.push(text);
        if is_kind(&Property::Playable) {
            let mut legal = Vec::new();
            reasoner.legal_moves(last, role, &mut legal)?;
            if legal.is_empty() {
                found.remark = format!("`{name}` has no legal move");
            }
        }
    }
    if is_kind(&Property::ConstantSum { sum: 100 }) {
        found.remark = goals.join(" + ");
    }
    Ok(found)
}
