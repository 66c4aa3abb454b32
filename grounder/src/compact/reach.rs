//! Demand, atom by atom: only rules about atoms that the game asks for are kept.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::RuleStore;

use crate::pulse::Pulse;

/// Which rules have each atom as their head, in compressed sparse rows.
pub(crate) struct RulesByHead {
    offsets: Vec<u32>,
    rules: Vec<u32>,
}

impl RulesByHead {
    pub(crate) fn new(rules: &RuleStore, atoms: usize) -> Self {
        let mut offsets = vec![0u32; atoms + 1];
        for &head in rules.heads() {
            offsets[head as usize + 1] += 1;
        }
        for atom in 0..atoms {
            offsets[atom + 1] += offsets[atom];
        }
        let mut next = offsets.clone();
        let mut by_head = vec![0; rules.len()];
        for (rule, &head) in rules.heads().iter().enumerate() {
            by_head[next[head as usize] as usize] = rule as u32;
            next[head as usize] += 1;
        }
        RulesByHead { offsets, rules: by_head }
    }

    pub(crate) fn of(&self, atom: u32) -> &[u32] {
        let range = self.offsets[atom as usize] as usize..self.offsets[atom as usize + 1] as usize;
        &self.rules[range]
    }
}

/// Removes the rules that no root depends on. Atoms are numbered below `atoms`.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn keep_reachable(
    rules: &mut RuleStore,
    atoms: usize,
    is_root: impl Fn(u32) -> bool,
    pulse: &mut Pulse<'_>,
) -> Result<(), Exceeded> {
    let by_head = RulesByHead::new(rules, atoms);
    let mut reached: Vec<bool> = (0..atoms as u32).map(is_root).collect();
    let mut agenda: Vec<u32> = Vec::new();
    // Once through the rules in order, which is much faster than following the atoms; left for the agenda are
    // atoms that are reached only when some of their rules have been passed.
    for (number, rule) in rules.iter().enumerate().take_while(|_| pulse.beat()) {
        if !reached[rule.head as usize] {
            continue;
        }
        for literal in rule.body {
            let below = literal.atom();
            if !std::mem::replace(&mut reached[below as usize], true)
                && by_head.of(below).first().is_some_and(|&first| first as usize <= number)
            {
                agenda.push(below);
            }
        }
    }
    while let Some(atom) = agenda.pop() {
        for &rule in by_head.of(atom).iter().take_while(|_| pulse.beat()) {
            for literal in rules.rule(rule as usize).body {
                let below = literal.atom();
                if !std::mem::replace(&mut reached[below as usize], true) {
                    agenda.push(below);
                }
            }
        }
    }
    pulse.finish()?;
    rules.retain(|head, body| reached[head as usize].then_some(body.len()));
    Ok(())
}
