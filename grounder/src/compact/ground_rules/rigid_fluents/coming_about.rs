//! What may ever hold.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::GroundLiteral;

use super::settled::{IDLE, Settled};
use crate::game::Course;
use crate::pulse::Pulse;

/// By atom: whether it may hold in some reachable state, whatever negations say that are not settled. The least such set:
/// with the first state, what is true next and moves that are legal.
pub(super) fn coming_about(
    settled: &Settled<'_>,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<bool>, Exceeded> {
    let Settled { rules, course, varying, .. } = settled;
    let mut found = Found { comes: vec![false; settled.atoms()], course };
    course.initial().for_each(|fluent| found.comes[fluent as usize] = true);
    settled.always.iter().for_each(|&atom| _ = found.add(atom));
    // Once through all rules, which is mostly enough.
    let mut left: Vec<u32> = Vec::new();
    for (number, rule) in (0..).zip(rules.iter()).take_while(|_| pulse.beat()) {
        if found.comes[rule.head as usize] || varying[number as usize] == IDLE {
            continue;
        }
        if rule.body.iter().all(|it| it.is_negated() || found.comes[it.atom() as usize]) {
            found.add(rule.head);
        } else {
            left.push(number);
        }
    }
    pulse.finish()?;
    // Then from each atom to the rules that wait for it. By rule: for how many it does.
    let mut waits: Vec<u32> = vec![IDLE; if left.is_empty() { 0 } else { rules.len() }];
    let mut ready: Vec<u32> = Vec::new();
    for &number in left.iter().take_while(|_| pulse.beat()) {
        let body = rules.rule(number as usize).body;
        let lacks = |it: &&GroundLiteral| !it.is_negated() && !found.comes[it.atom() as usize];
        let count = body.iter().filter(lacks).count();
        waits[number as usize] = count as u32;
        if count == 0 {
            ready.push(number);
        }
    }
    pulse.finish()?;
    while let Some(number) = ready.pop() {
        for atom in found.add(rules.heads()[number as usize]).into_iter().flatten() {
            let rules = settled.occurrences.of(GroundLiteral::new(atom, false));
            for &number in rules.iter().take_while(|_| pulse.beat()) {
                let waits = &mut waits[number as usize];
                if *waits != IDLE {
                    *waits -= 1;
                    if *waits == 0 {
                        ready.push(number);
                    }
                }
            }
        }
        pulse.finish()?;
    }
    Ok(found.comes)
}

/// What has been found to come about.
struct Found<'run> {
    comes: Vec<bool>,
    course: &'run Course,
}

impl Found<'_> {
    /// Adds an atom and what it leads to. Returns those of both that are new.
    fn add(&mut self, atom: u32) -> [Option<u32>; 2] {
        let mut is_new = |it: &u32| !std::mem::replace(&mut self.comes[*it as usize], true);
        [Some(atom), self.course.leads_to(atom)].map(|it| it.filter(&mut is_new))
    }
}
