//! Rules that say nothing new: the body contains the body of another rule with the same head, or a literal
//! and its negation.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use super::reach::RulesByHead;
use crate::pulse::Pulse;

/// An atom with more rules is only searched for equal bodies.
const PAIRWISE: usize = 128;

/// Removes subsumed rules, of equal ones all but the first. Returns whether anything changed.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn remove_subsumed(
    rules: &mut RuleStore,
    atoms: usize,
    pulse: &mut Pulse<'_>,
) -> Result<bool, Exceeded> {
    let by_head = RulesByHead::new(rules, atoms);
    let mut dropped = vec![false; rules.len()];
    let mut sorted: Vec<(u64, u32, Vec<GroundLiteral>)> = Vec::new();
    for atom in 0..atoms as u32 {
        let of_atom = by_head.of(atom);
        sorted.clear();
        for &rule in of_atom.iter().take_while(|_| pulse.beat()) {
            let mut body = rules.rule(rule as usize).body.to_vec();
            body.sort_unstable();
            if body.windows(2).any(|pair| pair[0].atom() == pair[1].atom()) {
                dropped[rule as usize] = true;
                continue;
            }
            let mask = body.iter().fold(0u64, |mask, it| mask | 1 << (it.code() % 61));
            sorted.push((mask, rule, body));
        }
        if sorted.len() < 2 {
            continue;
        }
        // Shorter bodies first, so that a rule is compared with what could subsume it.
        sorted.sort_by(|left, right| {
            (left.2.len(), &left.2, left.1).cmp(&(right.2.len(), &right.2, right.1))
        });
        let pairwise = sorted.len() <= PAIRWISE;
        for position in 1..sorted.len() {
            let (mask, rule, body) = &sorted[position];
            let candidates =
                if pairwise { &sorted[..position] } else { &sorted[position - 1..position] };
            let subsumed = candidates.iter().any(|(other_mask, other, shorter)| {
                other_mask & !mask == 0 && !dropped[*other as usize] && (contains(body, shorter))
            });
            let repeats = sorted[position - 1].2 == *body;
            dropped[*rule as usize] |= subsumed || repeats;
        }
    }
    pulse.finish()?;
    let changed = dropped.iter().any(|&it| it);
    if changed {
        let mut rule = 0;
        rules.retain(|_, body| {
            rule += 1;
            (!dropped[rule - 1]).then_some(body.len())
        });
    }
    Ok(changed)
}

/// Whether a sorted set contains another.
fn contains(set: &[GroundLiteral], part: &[GroundLiteral]) -> bool {
    let mut rest = set.iter();
    part.iter().all(|literal| rest.any(|it| it == literal))
}
