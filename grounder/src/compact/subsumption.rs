//! Rules that say nothing new: the body contains the body of another rule with the same head, or a literal
//! and its negation.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use super::reach::RulesByHead;
use crate::pulse::Pulse;

/// An atom with more rules is only searched for equal bodies.
const PAIRWISE: usize = 128;

/// A rule of the atom at hand, its body sorted.
#[derive(Clone, Copy)]
struct Candidate {
    rule: u32,
    /// A bit for each literal; a body that contains another has all its bits.
    mask: u64,
    /// Where its literals are in the common buffer.
    start: u32,
    end: u32,
}

impl Candidate {
    fn body<'buffer>(&self, buffer: &'buffer [GroundLiteral]) -> &'buffer [GroundLiteral] {
        &buffer[self.start as usize..self.end as usize]
    }
}

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
    let mut buffer: Vec<GroundLiteral> = Vec::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    for atom in 0..atoms as u32 {
        buffer.clear();
        candidates.clear();
        for &rule in by_head.of(atom).iter().take_while(|_| pulse.beat()) {
            let start = buffer.len();
            buffer.extend_from_slice(rules.rule(rule as usize).body);
            let body = &mut buffer[start..];
            body.sort_unstable();
            if body.windows(2).any(|pair| pair[0].atom() == pair[1].atom()) {
                dropped[rule as usize] = true;
                buffer.truncate(start);
                continue;
            }
            let mask = body.iter().fold(0u64, |mask, it| mask | 1 << (it.code() % 61));
            candidates.push(Candidate {
                rule,
                mask,
                start: start as u32,
                end: buffer.len() as u32,
            });
        }
        if candidates.len() > 1 {
            compare(&mut candidates, &buffer, &mut dropped, pulse);
        }
    }
    pulse.finish()?;
    let changed = dropped.contains(&true);
    if changed {
        let mut rule = 0;
        rules.retain(|_, body| {
            rule += 1;
            (!dropped[rule - 1]).then_some(body.len())
        });
    }
    Ok(changed)
}

/// Marks the rules of one atom that others subsume.
fn compare(
    candidates: &mut [Candidate],
    buffer: &[GroundLiteral],
    dropped: &mut [bool],
    pulse: &mut Pulse<'_>,
) {
    // Shorter bodies first, so that a rule is compared with what could subsume it; equal ones together.
    candidates.sort_unstable_by(|left, right| {
        let key = |it: &Candidate| (it.end - it.start, it.mask);
        let bodies = || left.body(buffer).cmp(right.body(buffer));
        key(left).cmp(&key(right)).then_with(bodies).then(left.rule.cmp(&right.rule))
    });
    let pairwise = candidates.len() <= PAIRWISE;
    for position in 1..candidates.len() {
        if !pulse.beat() {
            return;
        }
        let it = candidates[position];
        let first = if pairwise { 0 } else { position - 1 };
        dropped[it.rule as usize] |= candidates[first..position].iter().any(|other| {
            other.mask & !it.mask == 0 && contains(it.body(buffer), other.body(buffer))
        });
    }
}

/// Whether a sorted set contains another.
fn contains(set: &[GroundLiteral], part: &[GroundLiteral]) -> bool {
    let mut rest = set.iter();
    part.iter().all(|literal| rest.any(|it| it == literal))
}
