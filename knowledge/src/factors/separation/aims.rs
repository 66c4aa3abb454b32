//! What the parts of a puzzle have to reach, by the rules of goals and of ends.

use std::collections::BTreeSet;

use groundfrog::game::{AtomId, GroundLiteral};

use super::{Aim, Separation};

/// Conditions with more alternatives are not written out.
const MOST_ALTERNATIVES: usize = 64;
/// Nor are those with atoms that depend on more atoms one after the other.
const DEEPEST: usize = 20;

/// Literals that hold together.
type Conjunction = BTreeSet<GroundLiteral>;

impl Separation<'_> {
    /// The ways in which a match can be over with a goal value: the value is reached where, by one of them, each part holds what it says. `None` if they
    /// are too many.
    pub fn aims(&self, value: i64) -> Option<Vec<Aim>> {
        let game = self.cones.game;
        let terminal = game.terminal()?;
        let mut all: Vec<Conjunction> = Vec::new();
        for goal in game.goals().iter().filter(|it| it.value == Some(value)) {
            let both = [terminal, goal.atom].map(|it| GroundLiteral::new(it.0, false));
            all.extend(self.all_of(&both, DEEPEST)?);
        }
        all.sort_unstable();
        all.dedup();
        let aims = all.iter().map(|literals| {
            let mut aim: Aim = vec![Vec::new(); self.parts.len()];
            for literal in literals {
                // What is shared, each part has to wait for.
                let read = self.reads(AtomId(literal.atom())).next();
                let is_of = |part: usize| read.is_none_or(|it| it == part);
                let own = aim.iter_mut().enumerate().filter(|it| is_of(it.0));
                own.for_each(|(_, own)| own.push(*literal));
            }
            aim
        });
        Some(aims.collect())
    }

    /// The ends that come by one part and what is shared alone.
    pub(super) fn ends(&self, part: usize) -> Vec<Vec<GroundLiteral>> {
        let Some(terminal) = self.cones.game.terminal() else { return Vec::new() };
        let all = self.alternatives(GroundLiteral::new(terminal.0, false), DEEPEST);
        let is_own = |it: &GroundLiteral| self.reads(AtomId(it.atom())).all(|read| read == part);
        let own = all.unwrap_or_default().into_iter().filter(|it| it.iter().all(is_own));
        own.map(|it| it.into_iter().collect()).collect()
    }

    /// The alternatives by which a literal holds, each a conjunction of literals of which none reads several parts.
    fn alternatives(&self, literal: GroundLiteral, depth: usize) -> Option<Vec<Conjunction>> {
        let game = self.cones.game;
        let atom = AtomId(literal.atom());
        let is_end = Some(atom) == game.terminal() || game.goals().iter().any(|it| it.atom == atom);
        if !is_end && self.reads(atom).nth(1).is_none() {
            return Some(vec![Conjunction::from([literal])]);
        }
        let depth = depth.checked_sub(1)?;
        let mut bodies = self.cones.bodies.of(atom);
        if !literal.is_negated() {
            let mut all = Vec::new();
            for body in bodies {
                all.extend(self.all_of(body, depth)?);
            }
            return (all.len() <= MOST_ALTERNATIVES).then_some(all);
        }
        // In each body one literal fails.
        bodies.try_fold(vec![Conjunction::new()], |all, body| {
            let mut one = Vec::new();
            for it in body {
                let fails = GroundLiteral::new(it.atom(), !it.is_negated());
                one.extend(self.alternatives(fails, depth)?);
            }
            products(&all, &one)
        })
    }

    /// The alternatives by which literals hold together.
    fn all_of(&self, literals: &[GroundLiteral], depth: usize) -> Option<Vec<Conjunction>> {
        literals.iter().try_fold(vec![Conjunction::new()], |all, &literal| {
            products(&all, &self.alternatives(literal, depth)?)
        })
    }
}

/// Each of some conjunctions with each of others, contradictions left out.
fn products(some: &[Conjunction], others: &[Conjunction]) -> Option<Vec<Conjunction>> {
    let mut found: BTreeSet<Conjunction> = BTreeSet::new();
    for one in some {
        for other in others {
            let both: Conjunction = one | other;
            let fails = |it: &GroundLiteral| GroundLiteral::new(it.atom(), !it.is_negated());
            if !both.iter().any(|it| both.contains(&fails(it))) {
                found.insert(both);
            }
        }
        if found.len() > MOST_ALTERNATIVES {
            return None;
        }
    }
    Some(found.into_iter().collect())
}
