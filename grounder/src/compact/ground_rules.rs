//! Passes over ground rules.
//!
//! [`keep_relevant`] keeps what the game uses: demand, atom by atom. [`moves`] merges rules that differ in the move of a role
//! alone. Then, in turns until nothing changes, [`equal_views`] makes one view of those that have the same rules, [`inline`]
//! removes atoms that only stand for others, and [`subsumption`](crate::simplify::subsumption) removes rules that say nothing
//! new. At last [`factoring`] lets rules share what they have in common.
//! What holds in every reachable state is found by [`invariants`](super::invariants).

pub(crate) mod equal_views;
pub(crate) mod factoring;
pub(crate) mod inline;
pub(crate) mod moves;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{Edits, RuleStore};

use crate::ticker::Ticker;

/// Removes the rules that no root depends on. Atoms are numbered below `atoms`.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn keep_relevant(
    rules: &mut RuleStore,
    atoms: usize,
    is_root: impl Fn(u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    const REACHED: u8 = 1;
    const PASSED: u8 = 2;
    let mut marks: Vec<u8> = (0..atoms as u32).map(|it| u8::from(is_root(it))).collect();
    // Once through the rules in order, which is much faster than following the atoms; left for the agenda are
    // atoms that are reached only when some of their rules have been passed.
    let mut agenda: Vec<u32> = Vec::new();
    for rule in rules.iter() {
        ticker.tick()?;
        let head = &mut marks[rule.head as usize];
        if *head & REACHED == 0 {
            *head |= PASSED;
            continue;
        }
        for literal in rule.body {
            let mark = &mut marks[literal.atom() as usize];
            if *mark & REACHED == 0 {
                if *mark & PASSED != 0 {
                    agenda.push(literal.atom());
                }
                *mark |= REACHED;
            }
        }
    }
    if !agenda.is_empty() {
        let by_head = rules.by_head(atoms, |head| marks[head as usize] & PASSED != 0);
        while let Some(atom) = agenda.pop() {
            for &rule in by_head.row(atom as usize).iter() {
                ticker.tick()?;
                for literal in rules.rule(rule as usize).body {
                    let mark = &mut marks[literal.atom() as usize];
                    if *mark & REACHED == 0 {
                        *mark |= REACHED;
                        agenda.push(literal.atom());
                    }
                }
            }
        }
    }
    let mut edits = Edits::default();
    for (rule, &head) in rules.heads().iter().enumerate() {
        if marks[head as usize] & REACHED == 0 {
            edits.drop(rule);
        }
    }
    if !edits.is_empty() {
        rules.edit(&edits);
    }
    Ok(())
}
