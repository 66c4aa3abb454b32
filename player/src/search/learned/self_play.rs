//! Matches against itself, looking one move ahead, from which values are learned by temporal differences (Tesauro, "Temporal difference
//! learning and TD-Gammon", 1995).

use groundfrog_reasoner::{Random, Reasoner as _, State};

use super::{LearnedValue, MOST_FLUENTS};
use crate::clock::Until;
use crate::error::StrategyError;
use crate::search::{BEST, LONGEST};
use crate::solve::position::{Children, Rules};
use groundfrog::RoleId;

/// How much of a value comes from the end of a match rather than from the next state.
const LAMBDA: f32 = 0.8;
/// How much of an error is made good at once, at first and in the end.
const RATE: (f32, f32) = (0.15, 0.02);
/// Matches after which the rate is between them.
const HALF: f32 = 300.0;
/// One of so many moves is drawn at random.
const RANDOM: u32 = 12;

/// A state of a match, and what its best move leads to.
struct Ply {
    state: State,
    best: f32,
    /// Whether the best move was made.
    is_best: bool,
}

/// Learns from so many states at most; `None` where goals of two roles are not known to have one sum, or a state has too many moves.
pub(in crate::search) fn self_play(
    rules: &mut Rules,
    has_hidden: bool,
    seed: u64,
    until: &Until,
    most: u64,
) -> Result<Option<LearnedValue>, StrategyError> {
    let fluents = rules.reasoner.game().fluents().len();
    if rules.roles != 2 || fluents > MOST_FLUENTS {
        return Ok(None);
    }
    let mut random = Random::new(seed);
    let mut learned = LearnedValue::new(fluents, has_hidden, &mut random);
    let (mut states, mut matches, mut length) = (0, 0_u32, 0);
    let mut children = Children::default();
    let mut plies: Vec<Ply> = Vec::new();
    let mut errors = (0.0, 0.0, 0.0);
    while states < most && !until.is_over() {
        plies.clear();
        let prefix = random.below(1 + length / 4);
        let mut state = rules.whole(&rules.reasoner.initial().clone());
        let mut end = None;
        while plies.len() < LONGEST && states < most {
            if rules.is_terminal(&state)? {
                let Some(value) = end_value(rules, &state)? else { return Ok(None) };
                end = Some(value);
                break;
            }
            if until.is_over() {
                break;
            }
            if !rules.expand(&state, &mut children)? {
                return Ok(None);
            }
            states += children.len() as u64;
            let chooses: Vec<usize> =
                (0..2).filter(|it| rules.legal[*it].len() > 1).collect();
            let drawn = random.below(children.len() as u32) as usize;
            let Some(best) = best(rules, &learned, &children, &chooses, drawn)? else {
                return Ok(None);
            };
            let explores = (plies.len() as u32) < prefix || random.below(RANDOM) == 0;
            let made = if explores || chooses.len() > 1 { drawn } else { best.0 };
            let is_best = made == best.0 || chooses.len() > 1;
            let next = children.state(made).clone();
            plies.push(Ply { state: std::mem::replace(&mut state, next), best: best.1, is_best });
        }
        let Some(end) = end else {
            if until.is_over() || states >= most {
                break;
            }
            // Too long: nothing is learned.
            matches += 1;
            length = LONGEST as u32;
            if matches > 20 && errors.0 == 0.0 {
                return Ok(None);
            }
            continue;
        };
        matches += 1;
        length = plies.len() as u32;
        let rate = RATE.1 + (RATE.0 - RATE.1) / (1.0 + matches as f32 / HALF);
        let mut value = end;
        for ply in plies.iter().rev() {
            value = if ply.is_best { LAMBDA * value + (1.0 - LAMBDA) * ply.best } else { ply.best };
            let known = learned.teach(&ply.state, value, rate);
            let keep = 0.9999;
            errors.0 = errors.0 * keep + 1.0;
            errors.1 = errors.1 * keep + (end - known).powi(2);
            errors.2 = errors.2 * keep + (end - 0.5).powi(2);
        }
    }
    if std::env::var("SHOW").is_ok() {
        eprintln!("matches {matches} states {states} explained {}", 1.0 - errors.1 / errors.2);
    }
    Ok(Some(learned))
}

/// What the first role gets, from 0 to 1; `None` if the goals do not have the sum 100.
fn end_value(rules: &mut Rules, state: &State) -> Result<Option<f32>, StrategyError> {
    let (one, other) = (rules.goal(state, RoleId(0)), rules.goal(state, RoleId(1)));
    let (Ok(one), Ok(other)) = (one, other) else { return Ok(None) };
    Ok((one + other == BEST as i64).then_some(one as f32 / BEST as f32))
}

/// The child that is best for whoever chooses, and its value; of several who choose at once, a child that was drawn.
fn best(
    rules: &mut Rules,
    learned: &LearnedValue,
    children: &Children,
    chooses: &[usize],
    drawn: usize,
) -> Result<Option<(usize, f32)>, StrategyError> {
    let mut best = (drawn, f32::NEG_INFINITY);
    let sign = if chooses == [1] { -1.0 } else { 1.0 };
    let all = 0..children.len();
    let some = if chooses.len() > 1 { drawn..drawn + 1 } else { all };
    for offset in 0..some.len() {
        let child = some.start + (offset + drawn) % some.len();
        let state = children.state(child);
        let value = if rules.is_terminal(state)? {
            let Some(value) = end_value(rules, state)? else { return Ok(None) };
            value
        } else {
            learned.of(state)
        };
        if sign * value > best.1 {
            best = (child, sign * value);
        }
    }
    Ok(Some((best.0, sign * best.1)))
}
