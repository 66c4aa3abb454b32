//! What neither visited states nor matches decide, and proofs do.

use groundfrog::RoleId;
use groundfrog_check::explore::{Exploration, Verdict, Witness};
use groundfrog_knowledge::{Analysis, Property, Verdict as Known};
use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, ReasonerError, State, Vocabulary};

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
