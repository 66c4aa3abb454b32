//! A reasoner against recorded playouts.

use super::VerifyReport;
use super::answers::{Answers, sorted};
use super::difference::{Difference, Subject};
use super::error::VerifyError;
use super::spelling::Spelling;
use super::trace::{Trace, TracePosition};
use groundfrog::game::GroundGame;
use groundfrog_reasoner::{PlayoutObserver, Reasoner, State};

/// Compares a reasoner with recorded playouts. The case of recorded letters does not count where just one name is meant.
///
/// # Errors
/// The reasoner has no answer, or the trace is of another game.
pub fn replay(
    tested: &mut dyn Reasoner,
    trace: &Trace,
    game: Option<&GroundGame>,
    observer: &mut dyn PlayoutObserver,
) -> Result<VerifyReport, VerifyError> {
    let mut report = VerifyReport::default();
    let roles: Vec<String> = tested.role_ids().map(|it| tested.role_text(it)).collect();
    let start = Answers::of_start(tested).map_err(VerifyError::Tested)?;
    let total = trace.playouts().count() as u64;
    let mut spelling = Spelling::default();
    for playout in trace.playouts() {
        observer.played(report.playouts, Some(total));
        let playout: Vec<_> = playout.iter().map(|it| spelling.of(it, tested)).collect();
        for (index, position) in playout.iter().enumerate() {
            report.states += 1;
            // A step may not have been recorded.
            let next = playout.get(index + 1).filter(|it| it.step - 1 == position.step);
            if let Some(found) = compare(tested, (&roles, &start), position, next)? {
                report.difference = Some(found.with_rules(game));
                return Ok(report);
            }
        }
        report.playouts += 1;
    }
    observer.played(total, Some(total));
    Ok(report)
}

/// The first difference between what a reasoner says of a position and what is recorded.
fn compare(
    tested: &mut dyn Reasoner,
    (roles, start): (&[String], &Answers),
    position: &TracePosition,
    next: Option<&TracePosition>,
) -> Result<Option<Difference>, VerifyError> {
    let located = |difference| Some(Difference { state: position.state.clone(), ..difference });
    let recorded = recorded(position, roles)?;
    if let Some(difference) = start.difference(&recorded, roles) {
        return Ok(located(difference));
    }
    let mut state = State::default();
    for fluent in &position.state {
        match tested.find_fluent(fluent) {
            Some(number) => state.insert(number),
            None => {
                let atom = format!("(true {fluent})");
                return Ok(located(Difference::new(Subject::Next, atom, true)));
            }
        }
    }
    let answers = Answers::of_state(tested, &state).map_err(VerifyError::Tested)?;
    if let Some(difference) = answers.difference(&recorded, roles) {
        return Ok(located(difference));
    }
    let (Some(moves), Some(next)) = (&position.moves, next) else { return Ok(None) };
    let made: Vec<(String, String)> = roles
        .iter()
        .filter_map(|it| moves.get_key_value(it))
        .map(|(role, it)| (role.clone(), it.clone()))
        .collect();
    if made.len() != roles.len() {
        return Err(VerifyError::Roles { trace: made.len(), game: roles.len() });
    }
    let mut numbers = Vec::with_capacity(roles.len());
    for (role, (name, it)) in tested.role_ids().zip(&made) {
        let is_legal = answers.legal[role.index()].binary_search(it).is_ok();
        match tested.find_move(role, it).filter(|_| is_legal) {
            Some(number) => numbers.push(number),
            None => {
                let atom = format!("(legal {name} {it})");
                return Ok(located(Difference::new(Subject::Legal, atom, true)));
            }
        }
    }
    let answers = Answers::of_step(tested, &state, &numbers).map_err(VerifyError::Tested)?;
    let recorded = Answers { next: Some(sorted(next.state.iter().cloned())), ..Answers::default() };
    let difference = answers.difference(&recorded, roles);
    Ok(difference.and_then(|it| located(Difference { moves: made, ..it })))
}

/// What is recorded of a position itself.
fn recorded(position: &TracePosition, roles: &[String]) -> Result<Answers, VerifyError> {
    if roles.len() != position.legal.len() && !position.legal.is_empty() {
        return Err(VerifyError::Roles { trace: position.legal.len(), game: roles.len() });
    }
    if roles.len() < position.goal.len() {
        return Err(VerifyError::Roles { trace: position.goal.len(), game: roles.len() });
    }
    let legal = |role| sorted(position.legal.get(role).into_iter().flatten().cloned());
    let goals = |role| sorted(position.goal.get(role).into_iter().flatten().map(i64::to_string));
    // What was recorded for no role is not compared.
    let recorded = |empty: bool| if empty { &[] } else { roles };
    Ok(Answers {
        initial: (position.step == 0).then(|| sorted(position.state.iter().cloned())),
        terminal: Some(position.terminal),
        legal: recorded(position.legal.is_empty()).iter().map(legal).collect(),
        goals: recorded(position.goal.is_empty()).iter().map(goals).collect(),
        ..Answers::default()
    })
}
