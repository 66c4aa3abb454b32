//! Moves: rules that differ only in the move say together that a role makes one of some moves.
//!
//! `next(c) <- true(c), does(r, a)` for each of the moves a in S becomes `next(c) <- true(c), some(S)`, with
//! `some(S) <- does(r, a)` for each a in S, once for all rules that speak of the same S. In every state a
//! role makes exactly one move. So where S is most of the moves, as in the frame rules of boards,
//! `not some(others)` takes the place of `some(S)`, with rules for the few other moves. A view that only says
//! which moves are made counts as these moves.

mod grouping;
mod meanings;
mod sets;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::game::{Moves, NOBODY};
use crate::ticker::Ticker;
use grouping::Grouping;
use meanings::Meanings;

use crate::tuning::{MOST_TURNS, PROMISING, SAMPLE, WORTH_A_SAMPLE};
use sets::{Becomes, MoveSets};

/// What merging rules has changed.
#[derive(Debug, Default)]
pub struct Merged {
    /// How many new atoms there are.
    pub atoms: u32,
    /// The heads of new rules.
    pub heads: Vec<u32>,
}

/// Merges rules. New atoms, which stand for sets of moves, are numbered from `first_new`, above all others, in an
/// order that follows from the `code` of the moves. Sums of codes should differ if the moves do.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn merge(
    rules: &mut RuleStore,
    moves: &Moves,
    is_view: impl Fn(u32) -> bool,
    first_new: u32,
    code: impl Fn(u32) -> u64,
    ticker: &mut Ticker<'_>,
) -> Result<Merged, Exceeded> {
    let possible = moves.possible();
    let mut merged = Merged::default();
    for attempt in 0..MOST_TURNS {
        let first_new = first_new + merged.atoms;
        let is_about_moves = about_moves(rules, moves, &is_view, first_new);
        if rules.len() > WORTH_A_SAMPLE {
            let is_sampled = |head: u32| head.is_multiple_of(SAMPLE);
            let sample = Grouping::new(rules, &is_about_moves, attempt, is_sampled, ticker)?;
            if sample.shared() * (PROMISING as f64) < 1.0 {
                break;
            }
        }
        let grouping = Grouping::new(rules, &is_about_moves, attempt, |_| true, ticker)?;
        if grouping.is_worth_a_look() {
            let meanings = Meanings { moves, grouping: &grouping };
            let mut sets = MoveSets::new(&grouping, &meanings, &possible, ticker)?;
            let (definitions, named) = sets.choose(&possible, first_new, &code);
            if sets.is_chosen.contains(&true) {
                *rules = rewrite(rules, &grouping, &sets, &mut merged.heads, ticker)?;
                rules.append(&definitions, |literal| literal);
                merged.heads.extend(first_new..first_new + named);
                merged.atoms += named;
            }
        }
        if !grouping.has_more {
            break;
        }
    }
    Ok(merged)
}

/// By atom below `atoms`: whether it says that one of some moves is made. Besides the moves these are the views
/// all whose rules have one move as their body.
fn about_moves(
    rules: &RuleStore,
    moves: &Moves,
    is_view: &impl Fn(u32) -> bool,
    atoms: u32,
) -> Vec<bool> {
    const MOVE: u8 = 1;
    const OTHER: u8 = 2;
    let mut bodies = vec![0u8; atoms as usize];
    for (rule, &head) in (0..).zip(rules.heads()).filter(|&(_, &head)| is_view(head)) {
        let is_move = match rules.rule(rule).body {
            [it] => !it.is_negated() && moves.mover(it.atom()) != NOBODY,
            _ => false,
        };
        bodies[head as usize] |= if is_move { MOVE } else { OTHER };
    }
    let mut is_about_moves: Vec<bool> = bodies.iter().map(|&it| it == MOVE).collect();
    moves.of_roles().for_each(|it| is_about_moves[it as usize] = true);
    is_about_moves
}

/// Puts the rules that are chosen for each group in its place.
fn rewrite(
    rules: &RuleStore,
    grouping: &Grouping,
    sets: &MoveSets,
    heads: &mut Vec<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<RuleStore, Exceeded> {
    let mut result = RuleStore::default();
    let mut body: Vec<GroundLiteral> = Vec::new();
    // Up to here the rules have been copied or replaced.
    let mut done = 0;
    let grouped = grouping.rules().filter(|&(_, group)| sets.is_chosen[group]);
    for (number, group) in grouped {
        ticker.tick()?;
        result.extend(rules, done..number as usize);
        done = number as usize + 1;
        let first = &grouping.groups[group];
        if first.rule != number {
            continue;
        }
        let rule = rules.rule(number as usize);
        heads.push(rule.head);
        let becomes = || sets.of_group(group).map(|set| set.becomes);
        let is_always = becomes().any(|it| it == Becomes::Always);
        for it in becomes() {
            body.clear();
            let (before, after) = grouping::rest(rule.body, first.position);
            body.extend(before.iter().chain(after));
            match it {
                Becomes::Never => continue,
                Becomes::Literal(_) if is_always => continue,
                Becomes::Always => {}
                Becomes::Literal(literal) => body.push(literal),
            }
            body.sort_unstable();
            body.dedup();
            result.push(rule.head, &body);
            if is_always {
                break;
            }
        }
    }
    result.extend(rules, done..rules.len());
    Ok(result)
}
