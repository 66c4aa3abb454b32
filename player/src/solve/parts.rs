//! Puzzles by their parts: each is solved by itself, and the matches of all are put together.
//!
//! A value that a part cannot help to reach is refuted, as each match is a match in each part. A match that is put together is played by the
//! rules of the whole game. What neither shows is left to the search of the whole.

use std::sync::Arc;
use std::time::Duration;

use fxhash::FxHashMap;
use groundfrog::game::{GroundGame, GroundLiteral, RoleId};
use groundfrog_knowledge::factors::{Aim, Separation};
use groundfrog_reasoner::{FluentId, MoveId, Reasoner, ReasonerError, State};

use super::position::Rules;
use super::puzzle::Puzzle;
use super::values_of;
use crate::clock::StateBudget;

/// Parts are looked for no longer than this.
const FINDING: Duration = Duration::from_secs(5);

/// What is known of a puzzle by its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ByParts {
    /// It does not come apart, or nothing is known by its parts.
    Nothing,
    /// No end is worth more than this.
    AtMost(i64),
    /// No end is worth more than this one, and the moves to it.
    Best(i64, Vec<MoveId>),
}

/// A match of a part: by move its class there. Moves that leave the part as it is are left out.
type PartMatch = Vec<u32>;

/// What came of the search of a part.
#[derive(Clone, Debug)]
enum Found {
    Match(PartMatch),
    Impossible,
    Nothing,
}

/// Solves a puzzle by its parts, within a budget and so many bytes.
pub(crate) fn solve(
    rules: &mut Rules,
    budget: &mut StateBudget<'_>,
    bytes: u64,
) -> Result<ByParts, ReasonerError> {
    let game = Arc::clone(rules.reasoner.game());
    let time = budget.time_left().map_or(FINDING, |it| FINDING.min(it / 4));
    let Some(separation) = Separation::new(&game, time) else { return Ok(ByParts::Nothing) };
    let values = values_of(&game, RoleId(0));
    let Some(&least) = values.first() else { return Ok(ByParts::Nothing) };
    let mut known = ByParts::Nothing;
    let mut parts =
        Parts { separation: &separation, game: &game, bytes, least, found: FxHashMap::default() };
    for &value in values.iter().skip(1).rev() {
        let Some(aims) = separation.aims(value) else { return Ok(known) };
        let mut is_refuted = true;
        for aim in &aims {
            match parts.matches(aim, value, budget)? {
                None => is_refuted = false,
                Some(matches) if matches.len() < aim.len() => {}
                Some(matches) => {
                    if let Some(moves) = together(&separation, rules, &matches, value)? {
                        return Ok(ByParts::Best(value, moves));
                    }
                    is_refuted = false;
                }
            }
        }
        if !is_refuted {
            return Ok(known);
        }
        let below = values.iter().rev().find(|it| **it < value);
        known = ByParts::AtMost(*below.expect("the least value is below"));
    }
    Ok(known)
}

/// The parts of a puzzle, and what was found of each for what it was to reach.
struct Parts<'game> {
    separation: &'game Separation<'game>,
    game: &'game GroundGame,
    bytes: u64,
    least: i64,
    found: FxHashMap<(usize, Vec<GroundLiteral>), Found>,
}

impl Parts<'_> {
    /// A match for each part that reaches what it has to; fewer if one cannot, and `None` if that is not known.
    fn matches(
        &mut self,
        aim: &Aim,
        value: i64,
        budget: &mut StateBudget<'_>,
    ) -> Result<Option<Vec<PartMatch>>, ReasonerError> {
        let mut matches = Vec::new();
        let mut is_known = true;
        for (part, literals) in aim.iter().enumerate() {
            let key = (part, literals.clone());
            let found = match self.found.get(&key) {
                Some(found) => found.clone(),
                None => {
                    let found = self.search(part, literals, value, budget)?;
                    self.found.insert(key, found.clone());
                    found
                }
            };
            match found {
                Found::Match(moves) => matches.push(moves),
                Found::Impossible => return Ok(Some(Vec::new())),
                Found::Nothing => is_known = false,
            }
        }
        Ok(is_known.then_some(matches))
    }

    fn search(
        &self,
        part: usize,
        aim: &[GroundLiteral],
        value: i64,
        budget: &mut StateBudget<'_>,
    ) -> Result<Found, ReasonerError> {
        if aim.is_empty() {
            return Ok(Found::Match(Vec::new()));
        }
        let Some(subgame) = self.separation.subgame(part, aim, [value, self.least]) else {
            return Ok(Found::Nothing);
        };
        // What is too large to compile is not solved by parts.
        let Ok(mut rules) = Rules::new(Arc::new(subgame)) else { return Ok(Found::Nothing) };
        let found = Puzzle::new(&rules, value, self.bytes).run(&mut rules, budget)?;
        match found.best {
            Some((reached, moves)) if reached == value => {
                Ok(Found::Match(self.changing(part, &mut rules, &moves)?))
            }
            _ if found.is_proven => Ok(Found::Impossible),
            _ => Ok(Found::Nothing),
        }
    }

    /// The classes of those moves that change something in the part.
    fn changing(
        &self,
        part: usize,
        rules: &mut Rules,
        moves: &[MoveId],
    ) -> Result<PartMatch, ReasonerError> {
        let own: Vec<FluentId> = self
            .game
            .fluents()
            .zip(0..)
            .filter(|it| self.separation.is_of(part, it.0))
            .map(|it| FluentId(it.1))
            .collect();
        let mut state = rules.reasoner.initial().clone();
        let mut next = State::default();
        let mut classes = Vec::new();
        for &made in moves {
            rules.reasoner.next_state(&state, &[made], &mut next)?;
            if own.iter().any(|&it| state.contains(it) != next.contains(it)) {
                classes.push(self.separation.class(part, made.0 as usize));
            }
            std::mem::swap(&mut state, &mut next);
        }
        Ok(classes)
    }
}

/// A match of the whole made of one in each part that ends with the value: all at once, or one after the other in either order, those last that
/// can end the match.
fn together(
    separation: &Separation<'_>,
    rules: &mut Rules,
    matches: &[PartMatch],
    value: i64,
) -> Result<Option<Vec<MoveId>>, ReasonerError> {
    let longest = matches.iter().map(Vec::len).max().unwrap_or(0);
    let at_once = (0..longest).map(|step| {
        let own = matches.iter().enumerate();
        own.filter_map(|(part, moves)| Some((part, *moves.get(step)?))).collect()
    });
    let (last, first): (Vec<usize>, Vec<usize>) =
        (0..matches.len()).partition(|&it| separation.can_end(it));
    let steps = |part: &usize| {
        let part = *part;
        matches[part].iter().map(move |&class| vec![(part, class)])
    };
    let ways: [Vec<Vec<(usize, u32)>>; 3] = [
        at_once.collect(),
        first.iter().chain(&last).flat_map(steps).collect(),
        first.iter().rev().chain(last.iter().rev()).flat_map(steps).collect(),
    ];
    for way in &ways {
        if let Some(moves) = played(separation, rules, way, value)? {
            return Ok(Some(moves));
        }
    }
    Ok(None)
}

/// Plays by steps that each say of which class the move is in some parts; the moves, if the match ends with the value.
fn played(
    separation: &Separation<'_>,
    rules: &mut Rules,
    way: &[Vec<(usize, u32)>],
    value: i64,
) -> Result<Option<Vec<MoveId>>, ReasonerError> {
    let mut state = rules.whole(rules.reasoner.initial());
    let mut next = State::default();
    let mut moves = Vec::new();
    for step in way {
        if rules.is_terminal(&state)? {
            return Ok(None);
        }
        rules.find_legal(&state)?;
        let fits = |action: &&MoveId| {
            step.iter().all(|&(part, class)| separation.class(part, action.0 as usize) == class)
        };
        let Some(&made) = rules.legal[0].iter().find(fits) else { return Ok(None) };
        rules.reasoner.next_state(&state, &[made], &mut next)?;
        std::mem::swap(&mut state, &mut next);
        moves.push(made);
    }
    let is_reached = rules.is_terminal(&state)? && rules.goal(&state, RoleId(0))? == value;
    Ok(is_reached.then_some(moves))
}
