//! Nothing follows an end: what is true next in a terminal state is not derived.
//!
//! ```text
//! (<= terminal black_wins)
//! (<= black_wins (true (cell 1 1 black)))
//! (<= (next (cell 1 1 black)) (true (cell 1 1 black)) (not (entered 1 1)))
//! ```
//!
//! The last rule is for terminal states alone and goes; with `(not (true (cell 1 1 black)))` it would do without this
//! literal. The pass `state-invariants` does the same on rules with variables, as far as one condition says it there.

use std::ops::Range;

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{Edits, GroundLiteral, RuleStore};

use crate::simplify::subsumption;
use crate::ticker::Ticker;
use crate::tuning::MOST_VIEWS;

/// Drops the rules about what is true `next` that need a literal by which a state is `terminal`, and takes the opposites
/// of such literals out of the others. Atoms are numbered below `atoms`. Nothing is done if a rule uses what is true
/// next, as it is used at an end, too. Returns the heads of the rules that are dropped.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub(crate) fn drop_following(
    rules: &mut RuleStore,
    atoms: usize,
    (terminal, next): (u32, Range<u32>),
    ticker: &mut Ticker<'_>,
) -> Result<Vec<u32>, Exceeded> {
    let ends = Ends::new(rules, atoms, terminal, ticker)?;
    let (mut edits, mut body) = (Edits::default(), Vec::new());
    let (mut shortened, mut dropped): (Vec<u32>, Vec<u32>) = Default::default();
    let steps = rules.heads().iter().enumerate().filter(|(_, head)| next.contains(head));
    for (number, &head) in steps {
        ticker.tick()?;
        let own = rules.rule(number).body;
        if !own.iter().any(|&it| ends.concern(it)) {
            continue;
        }
        if own.iter().any(|&it| ends.contain(it)) {
            edits.drop(number);
            dropped.push(head);
        } else {
            body.clear();
            body.extend(own.iter().filter(|&&it| !ends.contain(opposite(it))));
            edits.replace(number, &body);
            shortened.push(head);
        }
    }
    let needs_next = || rules.literals().iter().any(|it| next.contains(&it.atom()));
    if edits.is_empty() || needs_next() {
        return Ok(Vec::new());
    }
    rules.edit(&edits);
    if !shortened.is_empty() {
        let mut is_shortened = vec![false; atoms];
        shortened.into_iter().for_each(|head| is_shortened[head as usize] = true);
        subsumption::remove_repeated(rules, atoms, |head| is_shortened[head as usize], ticker)?;
    }
    Ok(dropped)
}

fn opposite(literal: GroundLiteral) -> GroundLiteral {
    GroundLiteral::new(literal.atom(), !literal.is_negated())
}

/// The literals each of which makes a state terminal.
struct Ends {
    /// By atom: [`HOLDS`] and [`FAILS`].
    marks: Vec<u8>,
}

/// A mark: a state where the atom holds is terminal.
const HOLDS: u8 = 1;
/// A mark: a state where the atom does not hold is terminal.
const FAILS: u8 = 2;

impl Ends {
    /// That an atom holds follows from the only literal of one of its rules; that it does not, from the opposite of each
    /// literal of its only rule.
    fn new(
        rules: &RuleStore,
        atoms: usize,
        terminal: u32,
        ticker: &mut Ticker<'_>,
    ) -> Result<Ends, Exceeded> {
        let mut ends = Ends { marks: vec![0; atoms] };
        ends.marks[terminal as usize] = HOLDS;
        for _ in 0..MOST_VIEWS {
            let mut found = false;
            // The rules of what must not fail, and how many there are.
            let mut only: FxHashMap<u32, (usize, u32)> = FxHashMap::default();
            for (number, &head) in rules.heads().iter().enumerate() {
                let mark = ends.marks[head as usize];
                if mark == 0 || !ticker.goes_on(1) {
                    continue;
                }
                if let (HOLDS, &[literal]) = (mark & HOLDS, rules.rule(number).body) {
                    found |= ends.add(literal);
                }
                if mark & FAILS != 0 {
                    only.entry(head).or_insert((number, 0)).1 += 1;
                }
            }
            for (number, _) in only.into_values().filter(|it| it.1 == 1) {
                for &literal in rules.rule(number).body {
                    found |= ends.add(opposite(literal));
                }
            }
            if !found || !ticker.goes_on(1) {
                break;
            }
        }
        ticker.finish()?;
        Ok(ends)
    }

    /// Adds a literal. Returns whether it is new.
    fn add(&mut self, literal: GroundLiteral) -> bool {
        let mark = &mut self.marks[literal.atom() as usize];
        let before = *mark;
        *mark |= if literal.is_negated() { FAILS } else { HOLDS };
        *mark != before
    }

    /// Whether the literal or its opposite is an end.
    #[inline]
    fn concern(&self, literal: GroundLiteral) -> bool {
        self.marks[literal.atom() as usize] != 0
    }

    fn contain(&self, literal: GroundLiteral) -> bool {
        let mark = if literal.is_negated() { FAILS } else { HOLDS };
        self.marks[literal.atom() as usize] & mark != 0
    }
}

#[cfg(test)]
mod tests;
