//! What may ever hold.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::GroundLiteral;

use super::propagation::{IDLE, RigidPropagation};
use crate::game::TransitionMap;
use crate::ticker::Ticker;

/// By atom: whether it may hold in some reachable state, whatever negations say that are not decided. The least such set:
/// with the first state, what is true next and moves that are legal.
pub(super) fn reachable_atoms(
    propagation: &RigidPropagation<'_>,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<bool>, Exceeded> {
    let RigidPropagation { rules, transition_map, varying, .. } = propagation;
    let mut found = Reached { reached: vec![false; propagation.atoms()], transition_map };
    transition_map.initial().for_each(|fluent| found.reached[fluent as usize] = true);
    propagation.always.iter().for_each(|&atom| _ = found.add(atom));
    // Once through all rules, which is mostly enough.
    let mut left: Vec<u32> = Vec::new();
    for (number, rule) in (0..).zip(rules.iter()) {
        ticker.tick()?;
        if found.reached[rule.head as usize] || varying[number as usize] == IDLE {
            continue;
        }
        if rule.body.iter().all(|it| it.is_negated() || found.reached[it.atom() as usize]) {
            found.add(rule.head);
        } else {
            left.push(number);
        }
    }
    // Then from each atom to the rules that wait for it. By rule: for how many it does.
    let mut waits: Vec<u32> = vec![IDLE; if left.is_empty() { 0 } else { rules.len() }];
    let mut ready: Vec<u32> = Vec::new();
    for &number in left.iter() {
        ticker.tick()?;
        let body = rules.rule(number as usize).body;
        let lacks = |it: &&GroundLiteral| !it.is_negated() && !found.reached[it.atom() as usize];
        let count = body.iter().filter(lacks).count();
        waits[number as usize] = count as u32;
        if count == 0 {
            ready.push(number);
        }
    }
    while let Some(number) = ready.pop() {
        for atom in found.add(rules.heads()[number as usize]).into_iter().flatten() {
            let rules = propagation.occurrences.of(GroundLiteral::new(atom, false));
            for &number in rules.iter() {
                ticker.tick()?;
                let waits = &mut waits[number as usize];
                if *waits != IDLE {
                    *waits -= 1;
                    if *waits == 0 {
                        ready.push(number);
                    }
                }
            }
        }
    }
    Ok(found.reached)
}

/// What has been found to become true.
struct Reached<'run> {
    reached: Vec<bool>,
    transition_map: &'run TransitionMap,
}

impl Reached<'_> {
    /// Adds an atom and what it leads to. Returns those of both that are new.
    fn add(&mut self, atom: u32) -> [Option<u32>; 2] {
        let mut is_new = |it: &u32| !std::mem::replace(&mut self.reached[*it as usize], true);
        [Some(atom), self.transition_map.leads_to(atom)].map(|it| it.filter(&mut is_new))
    }
}
