//! What helps a person: taking a move back, and a hint.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answer::Refusal;
use super::shown_match::{MatchLog, ShownMatch};
use super::{Shared, matches};
use groundfrog_player::strategy::{Decision, StrategyError, StrategyOptions, Turn};
use groundfrog_player::{StrategyKind, build_strategy};

/// Time to prepare the search for a hint, and to search.
const PREPARE: Duration = Duration::from_millis(500);
const SEARCH: Duration = Duration::from_secs(1);

/// Goes back to the last turn in which a person had a choice: to a match of its own, which begins with the moves before that turn.
pub(super) fn undo(
    shared: &Arc<Shared>,
    shown: &Arc<ShownMatch>,
) -> Result<Arc<ShownMatch>, Refusal> {
    let (Some(played), Some(game)) = (&shown.played, shown.game()) else {
        return Err(Refusal::conflict("nothing can be taken back in the record of a match"));
    };
    if shown.seats.iter().any(|it| it.kind == "remote") {
        return Err(Refusal::conflict("players over HTTP take nothing back"));
    }
    if game.imperfect {
        return Err(Refusal::conflict("nothing is taken back in a game with percepts"));
    }
    let history = {
        let log = shown.log();
        if log.goes_on_as.is_some() {
            return Err(Refusal::conflict("the match goes on as another already"));
        }
        let chose = |turn: &usize| {
            let legal = log.positions[*turn].legal.iter().zip(&played.persons);
            legal.into_iter().any(|(legal, person)| person.is_some() && legal.len() > 1)
        };
        let turn = (0..log.turns.len()).rev().find(chose);
        let turn = turn.ok_or_else(|| Refusal::conflict("there is no choice to take back"))?;
        log.turns[..turn].iter().map(|it| it.moves.clone()).collect()
    };
    let next = matches::begin(shared, game, &played.request, history)?;
    shown.change(|it| it.goes_on_as = Some(next.id.clone()));
    shown.abort();
    Ok(next)
}

/// The move that a search would make for a person, by what the person knows.
pub(super) fn hint(
    shared: &Shared,
    shown: &ShownMatch,
    role: &str,
    turn: usize,
) -> Result<Decision, Refusal> {
    let (Some(played), Some(game)) = (&shown.played, shown.game()) else {
        return Err(Refusal::conflict("the match is not played here"));
    };
    let seat = shown.seats.iter().position(|it| it.role == role && it.kind == "person");
    let seat = seat.ok_or_else(|| Refusal::fault(format!("`{role}` is no person's role")))?;
    let learned = {
        let log = shown.log();
        if log.status.is_over() || log.turns.len() != turn {
            return Err(Refusal::conflict("the match is in another turn"));
        }
        learned(&log, seat, game.imperfect)
    };
    shared.check_memory()?;
    let options = StrategyOptions {
        seed: shared.options.seed,
        threads: shared.options.threads,
        memory: Some(shared.options.memory / 2),
        stop: Some(shared.bounds(&shown.stop)),
        rules: played.rules.clone(),
        ..StrategyOptions::default()
    };
    let search = || {
        let mut strategy = build_strategy(StrategyKind::Auto, &game.description, role, &options)?;
        strategy.prepare(Instant::now() + PREPARE)?;
        learned.iter().try_for_each(|it| strategy.observe(it))?;
        strategy.choose(Instant::now() + SEARCH)
    };
    let found = search().map_err(|error: StrategyError| Refusal::fault(error.to_string()))?;
    match found.is_guess() {
        true => Err(Refusal::busy("the rules are not ground yet: ask for a hint later")),
        false => Ok(found),
    }
}

/// What a role has learned in each turn.
pub(super) fn learned(log: &MatchLog, role: usize, imperfect: bool) -> Vec<Turn> {
    let turn = |report: &crate::referee::TurnReport| match imperfect {
        true => Turn::Percepts {
            own: Some(report.moves[role].clone()),
            percepts: report.percepts[role].clone(),
        },
        false => Turn::Moves(report.moves.clone()),
    };
    log.turns.iter().map(turn).collect()
}
