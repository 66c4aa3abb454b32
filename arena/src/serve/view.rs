//! Matches and states as the page gets them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Value, json};

use super::advice::Knowledge;
use super::answer::Refusal;
use super::game::OpenGame;
use super::shown_match::{MatchLog, ShownMatch, ShownSeat};
use crate::Fault;
use crate::board::{DrawnState, MoveWords};
use crate::referee::{PositionReport, SeatReport, TurnReport, is_random};
use groundfrog_player::strategy::Decision;

/// No more moves are returned with what a search knows of them.
const MOST_CANDIDATES: usize = 64;
/// Joint moves of a line that is thought best.
const MOST_LINE: usize = 12;
/// So many legal moves are shown, those of all roles together.
const MOST_MOVES: usize = 5000;
/// A move is told from so many others that were legal.
const MOST_SAID: usize = 300;
/// So many facts of a state are shown.
const MOST_FACTS: usize = 10_000;

/// A match in a list; nothing of one that goes on as another.
pub(super) fn line(shown: &ShownMatch) -> Option<Value> {
    let log = shown.log();
    log.goes_on_as.is_none().then(|| {
        json!({
            "id": shown.id,
            "title": shown.title,
            "started": shown.started,
            "seats": seats(shown),
            "status": log.status,
            "turns": log.turns.len(),
            "goals": goals(shown, &log),
        })
    })
}

/// Who plays, with the names of the roles.
fn seats(shown: &ShownMatch) -> Vec<Value> {
    let seats = shown.roles().into_iter().zip(&shown.seats);
    let kind = |role: &str, it: &ShownSeat| if is_random(role) { "chance" } else { it.kind };
    seats
        .map(|(role, it)| json!({ "role": role, "name": it.name, "kind": kind(&role, it) }))
        .collect()
}

/// The goal value of each role at the end, where there is just one; `random` has none.
fn goals(shown: &ShownMatch, log: &MatchLog) -> Option<Vec<Option<i64>>> {
    let last = log.positions.last().filter(|it| it.terminal)?;
    let value = |it: &Vec<i64>| if let [value] = it[..] { Some(value) } else { None };
    Some(of_players(shown, &last.goals).iter().map(value).collect())
}

/// What all roles but `random` have: it is no player, and has no score and no percepts.
fn of_players<T: Clone>(shown: &ShownMatch, all: &[Vec<T>]) -> Vec<Vec<T>> {
    let of_player = |(role, it): (String, &Vec<T>)| match is_random(&role) {
        true => Vec::new(),
        false => it.clone(),
    };
    shown.roles().into_iter().zip(all).map(of_player).collect()
}

/// A match, with its moves from a turn on, through the eyes of a role if states are hidden.
pub(super) fn summary(shown: &ShownMatch, from: usize, role: Option<&str>) -> Value {
    let version = *shown.version.borrow();
    let log = shown.log();
    let hidden = shown.is_hidden(&log);
    let sees = shown.sight(&log, role);
    let moves = |turn: &TurnReport| -> Vec<Option<String>> {
        let moves = turn.moves.iter().enumerate();
        moves.map(|(role, it)| sees(role).then(|| it.clone())).collect()
    };
    let faults = |turn: &TurnReport| -> Vec<Option<String>> {
        let seats = turn.seats.iter().enumerate();
        seats
            .map(|(role, it)| it.fault.as_ref().filter(|_| sees(role)).map(Fault::reason))
            .collect()
    };
    let new = log.turns.get(from..).unwrap_or_default();
    let words: Vec<Vec<Option<MoveWords>>> = (from..)
        .zip(new)
        .map(|(at, it)| match hidden {
            true => Vec::new(),
            false => said(shown, log.positions.get(at), it),
        })
        .collect();
    let imperfect = shown.game().is_some_and(|it| it.imperfect);
    let percepts = |turn: &TurnReport| imperfect.then(|| seen(shown, turn, &sees));
    json!({
        "id": shown.id,
        "version": version,
        "title": shown.title,
        "game": shown.game().map(|it| it.view()),
        "started": shown.started,
        "clocks": shown.clocks,
        "seats": seats(shown),
        "status": log.status,
        "trouble": log.trouble,
        "hidden": hidden,
        "viewer": role.filter(|_| hidden),
        "turn": log.positions.len().saturating_sub(1),
        "ready": !log.positions.is_empty(),
        "chosen": log.chosen,
        "start_faults": log.start_faults,
        "from": from.min(log.turns.len()),
        "goes_on_as": log.goes_on_as,
        "words": words,
        "percepts": new.iter().map(percepts).collect::<Vec<_>>(),
        "moves": new.iter().map(moves).collect::<Vec<_>>(),
        "faults": new.iter().map(faults).collect::<Vec<_>>(),
        "goals": goals(shown, &log),
        "record": log.record.is_some(),
    })
}

/// What each role perceives in a turn, as far as that is shown.
fn seen(shown: &ShownMatch, turn: &TurnReport, sees: &impl Fn(usize) -> bool) -> Vec<Vec<String>> {
    let percepts = of_players(shown, &turn.percepts).into_iter().enumerate();
    percepts.map(|(role, it)| if sees(role) { it } else { Vec::new() }).collect()
}

/// The moves of a turn in words, by role.
fn said(
    shown: &ShownMatch,
    before: Option<&PositionReport>,
    turn: &TurnReport,
) -> Vec<Option<MoveWords>> {
    let (Some(game), Some(before)) = (shown.game(), before) else { return Vec::new() };
    let state = game.draw(&before.state);
    let words = |(role, made): (usize, &String)| {
        let legal = before.legal.get(role).filter(|it| it.len() <= MOST_SAID && it.contains(made));
        let legal = legal.map_or(std::slice::from_ref(made), |it| it);
        let at = legal.iter().position(|it| it == made)?;
        game.moves(role, legal, &state).swap_remove(at).words
    };
    turn.moves.iter().enumerate().map(words).collect()
}

/// The state after so many joint moves; where it is hidden, what a role knows of it.
pub(super) fn position(
    shown: &ShownMatch,
    turn: usize,
    role: Option<&str>,
    knowledge: Option<Knowledge>,
) -> Result<Value, Refusal> {
    let log = shown.log();
    let position = log.positions.get(turn);
    let position = position
        .ok_or_else(|| Refusal::missing(format!("the match has no state after {turn} turns")))?;
    let hidden = shown.is_hidden(&log);
    let sees = shown.sight(&log, role);
    let legal: Vec<Vec<String>> = position
        .legal
        .iter()
        .enumerate()
        .map(|(role, it)| if sees(role) { it.clone() } else { Vec::new() })
        .collect();
    let made = log.turns.get(turn);
    let before =
        turn.checked_sub(1).and_then(|it| Some((log.positions.get(it)?, log.turns.get(it)?)));
    let own = |moves: &[String]| -> Vec<Option<String>> {
        let moves = moves.iter().enumerate();
        moves.map(|(role, it)| sees(role).then(|| it.clone())).collect()
    };
    let percepts = before.map(|(_, turn)| seen(shown, turn, &sees));
    let seats = made.map(|made| {
        let seats = made.seats.iter().enumerate();
        seats.map(|(role, it)| sees(role).then(|| seat_view(it))).collect::<Vec<_>>()
    });
    let last = before.map(|(_, turn)| own(&turn.moves));
    let mut view = json!({
        "turn": turn,
        "terminal": position.terminal,
        "goals": if hidden { Vec::new() } else { of_players(shown, &position.goals) },
        "percepts": percepts,
        "made": made.map(|it| own(&it.moves)),
        "last": last,
        "seats": seats,
        "hidden": hidden,
    });
    let shown_state = |it: &[String]| it.iter().take(MOST_FACTS).cloned().collect::<Vec<_>>();
    let (state, earlier) = match (hidden, &knowledge) {
        (false, _) => (Some(&position.state), before.map(|it| &it.0.state)),
        (true, Some(Ok((known, before)))) => {
            (Some(&known.holds), before.as_ref().map(|it| &it.holds))
        }
        (true, _) => (None, None),
    };
    view["more_facts"] = json!(state.map_or(0, |it| it.len().saturating_sub(MOST_FACTS)));
    let state = state.map(|it| shown_state(it));
    let earlier = earlier.map(|it| shown_state(it));
    // Drawing takes the rules: others may go on with the match meanwhile.
    drop(log);
    let game = shown.game();
    // Records do not tell what was legal.
    let recorded = state.as_ref().filter(|_| shown.is_record());
    let legal = recorded.and_then(|it| game?.legal(it)).unwrap_or(legal);
    let most = (MOST_MOVES / legal.len().max(1)).max(1);
    let hidden_moves = |it: &Vec<String>| it.len().saturating_sub(most);
    view["more_moves"] = legal.iter().map(hidden_moves).collect();
    let now = state.as_ref().map(|it| draw(game, it));
    let before = earlier.map(|it| draw(game, &it));
    let none = DrawnState::default();
    let legal = legal.iter().enumerate();
    let listed = |(role, it): (usize, &Vec<String>)| {
        moves(game, role, &it[..it.len().min(most)], now.as_ref().unwrap_or(&none))
    };
    view["legal"] = legal.map(listed).collect();
    view["last_clicks"] = last.map_or(Value::Null, |last| {
        let clicks = |(role, it): (usize, &Option<String>)| {
            let made = std::slice::from_ref(it.as_ref()?);
            Some(game?.moves(role, made, &none).remove(0).clicks)
        };
        last.iter().enumerate().map(clicks).map(|it| json!(it)).collect()
    });
    if let Some(knowledge) = knowledge.filter(|_| hidden) {
        view["known"] = known_view(game, &knowledge);
    }
    if let Some(now) = now {
        let then = before;
        let new_cells: Vec<_> = then.as_ref().map_or_else(Vec::new, |it| changed(it, &now));
        let known: HashSet<&String> = then.iter().flat_map(|it| &it.facts).collect();
        let new_facts: Vec<&String> =
            now.facts.iter().filter(|it| then.is_some() && !known.contains(it)).collect();
        view["changed"] = json!(new_cells);
        view["new_facts"] = json!(new_facts);
        view["cells"] = json!(now.cells);
        view["edges"] = json!(now.edges);
        view["facts"] = json!(now.facts);
    }
    Ok(view)
}

/// How much a role knows, and the places of which it does not know all.
fn known_view(game: Option<&std::sync::Arc<OpenGame>>, knowledge: &Knowledge) -> Value {
    match knowledge {
        Err(trouble) => json!({ "trouble": trouble }),
        Ok((known, _)) => {
            let perhaps = &known.perhaps[..known.perhaps.len().min(MOST_FACTS)];
            let places = draw(game, perhaps).cells.into_iter().map(|it| (it.0, it.1, it.2));
            let unsure: BTreeSet<(usize, usize, usize)> = places.collect();
            json!({ "states": known.states, "sampled": known.is_sampled, "unsure": unsure })
        }
    }
}

/// The drawing of a state; all of it is a list if its game is not known.
fn draw(game: Option<&std::sync::Arc<OpenGame>>, state: &[String]) -> DrawnState {
    game.map_or_else(
        || DrawnState { facts: state.to_vec(), ..DrawnState::default() },
        |game| game.draw(state),
    )
}

/// Moves with their clicks.
fn moves(
    game: Option<&std::sync::Arc<OpenGame>>,
    role: usize,
    legal: &[String],
    state: &DrawnState,
) -> Value {
    match game {
        Some(game) => json!(game.moves(role, legal, state)),
        None => legal.iter().map(|it| json!({ "move": it, "clicks": [] })).collect(),
    }
}

/// The places where something else is than before: board, column, row.
fn changed(then: &DrawnState, now: &DrawnState) -> Vec<(usize, usize, usize)> {
    let by_place = |drawing: &DrawnState| {
        let mut places: BTreeMap<(usize, usize, usize), Vec<String>> = BTreeMap::new();
        for (board, column, row, content) in &drawing.cells {
            places.entry((*board, *column, *row)).or_default().push(content.clone());
        }
        places
    };
    let (then, now) = (by_place(then), by_place(now));
    let all: BTreeSet<_> = then.keys().chain(now.keys()).copied().collect();
    all.into_iter().filter(|it| then.get(it) != now.get(it)).collect()
}

/// What a player reported and did.
fn seat_view(seat: &SeatReport) -> Value {
    json!({
        "seconds": seat.time.as_secs_f64(),
        "fault": seat.fault.as_ref().map(Fault::reason),
        "decision": seat.decision.as_ref().filter(|it| !it.method.is_empty()).map(decision),
    })
}

/// What a search knows of a move, as far as it is shown.
fn decision(decision: &Decision) -> Value {
    let mut shown = decision.clone();
    shown.candidates.truncate(MOST_CANDIDATES);
    shown.line.truncate(MOST_LINE);
    json!(shown)
}
