//! Fluents that hold in every reachable state, by ground rules: in the first one, and in each next one if in this one.
//! Others may then hold in none: what could only become true without those.
//!
//! [`kept`] finds fluents that keep each other. From them [`propagation`] goes from literal to literal through the rules that
//! they occur in: bodies become shorter, rules idle.

#[cfg(test)]
mod chains;
mod kept;
mod occurrences;
mod propagation;

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::game::TransitionMap;
use crate::simplify::subsumption;
use crate::ticker::Ticker;
use kept::{Keeping, kept};
use occurrences::FluentOccurrences;
use propagation::{RigidPropagation, Truth};

/// Rules that are looked at between two checks of the limits.
const PART: usize = 1 << 12;

/// Takes what always holds, because fluents do, out of all rules, and drops the rules that never apply. Returns whether
/// there are any such fluents. Of the atoms, which are numbered below `atoms`, some say what is true `next`; the
/// `transition_map` is made only if they may keep anything.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub(crate) fn simplify(
    rules: &mut RuleStore,
    atoms: usize,
    (fluents, next): (Range<u32>, Range<u32>),
    transition_map: impl FnOnce() -> TransitionMap,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    // Mostly there is no such rule, or it adds to a counter.
    let mut candidates: Vec<u32> = Vec::new();
    let says_next = |head: u32| head.wrapping_sub(next.start) < next.end - next.start;
    let is_fluent = |literal: &GroundLiteral| {
        !literal.is_negated()
            && literal.atom().wrapping_sub(fluents.start) < fluents.end - fluents.start
    };
    let mut first = 0;
    for part in rules.heads().chunks(PART) {
        ticker.ticks(PART as u32)?;
        for (number, _) in (first..).zip(part).filter(|(_, head)| says_next(**head)) {
            // What else a body has stands last, as a rule.
            let body = rules.rule(number).body;
            if body.last().is_none_or(is_fluent) && body.iter().all(is_fluent) {
                candidates.push(number as u32);
            }
        }
        first += PART;
    }
    if candidates.is_empty() {
        return Ok(false);
    }
    let transition_map = transition_map();
    let rule = |number: u32| rules.rule(number as usize);
    let keeping = candidates.into_iter().map(rule);
    let keeping: Vec<_> =
        keeping.filter_map(|it| Keeping::new(it, &transition_map, |_| false)).collect();
    if keeping.is_empty() {
        return Ok(false);
    }
    let heads = kept(&keeping, &transition_map, |_| false, ticker)?;
    if heads.is_empty() {
        return Ok(false);
    }
    let known = {
        let occurrences = FluentOccurrences::new(rules, atoms, ticker)?;
        let mut propagation =
            RigidPropagation::new((rules, &occurrences), &transition_map, atoms, ticker)?;
        propagation.all_follow(&heads);
        propagation.close(ticker)?;
        propagation.into_known()
    };
    drop_known(rules, &known, ticker)?;
    Ok(true)
}

/// Drops literals and rules by what is known. What always holds keeps one rule.
fn drop_known(
    rules: &mut RuleStore,
    known: &[Truth],
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    let atoms = known.len() / 2;
    let (mut is_stored, mut is_shortened) = (vec![false; atoms], vec![false; atoms]);
    rules.retain(|head, body| {
        ticker.tick()?;
        match known[GroundLiteral::new(head, false).code() as usize] {
            Truth::Never => return Ok(None),
            Truth::Always => {
                let is_first = !std::mem::replace(&mut is_stored[head as usize], true);
                return Ok(is_first.then_some(0));
            }
            Truth::Varies => {}
        }
        let mut kept = 0;
        for position in 0..body.len() {
            let literal = body[position];
            match known[literal.code() as usize] {
                Truth::Never => return Ok(None),
                Truth::Always => {}
                Truth::Varies => {
                    body[kept] = literal;
                    kept += 1;
                }
            }
        }
        is_shortened[head as usize] |= kept < body.len();
        Ok(Some(kept))
    })?;
    subsumption::remove_repeated_of(rules, &is_shortened, ticker)
}
