//! Fluents that hold in every reachable state, by ground rules: in the first one, and in each next one if in this one.
//! Others may then hold in none: what could only come about without those.

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{AtomSet, GroundLiteral, RuleStore};

use crate::pulse::Pulse;
use crate::simplify;

/// After so many rounds, in each of which some fluents turn out not to be kept, it is given up.
const MOST_ROUNDS: usize = 16;

/// How one state leads to the next.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// The atoms that say that a fluent is true.
    pub(crate) fluents: Range<u32>,
    /// The atoms that say that a fluent is true next.
    pub(crate) next: Range<u32>,
    /// The fluents of the first state.
    pub(crate) initial: Vec<u32>,
    /// From what is true next to what is true then.
    pub(crate) next_states: Vec<Link>,
    /// From legal moves to moves that are made.
    pub(crate) moves: Vec<Link>,
}

/// Atoms one after the other that each lead to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) count: u32,
}

impl Link {
    fn pairs(self) -> impl Iterator<Item = (u32, u32)> {
        (self.from..self.from + self.count).zip(self.to..)
    }
}

/// Takes the literals that say that a fluent holds which always does out of all rules, and the rules that say that it
/// does not. Returns the heads of the rules that have become shorter, if more fluents always hold than are `known`.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub(crate) fn drop_always_true(
    rules: &mut RuleStore,
    course: &Course,
    known: &mut usize,
    pulse: &mut Pulse<'_>,
) -> Result<Option<AtomSet>, Exceeded> {
    let always = always_true(rules, course, pulse)?;
    let count = always.iter().filter(|&&it| it).count();
    if count <= std::mem::replace(known, count) {
        return Ok(None);
    }
    let fluents = &course.fluents;
    let holds = |atom: u32| fluents.contains(&atom) && always[(atom - fluents.start) as usize];
    Ok(Some(drop_settled(rules, |atom| holds(atom).then_some(true), pulse)?))
}

/// Takes the literals that say that something does not hold which never comes about out of all rules, and the rules that
/// ask for it. Returns the heads of the rules that have become shorter, if any rule has changed.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub(crate) fn drop_never_true(
    rules: &mut RuleStore,
    course: &Course,
    atoms: usize,
    pulse: &mut Pulse<'_>,
) -> Result<Option<AtomSet>, Exceeded> {
    let comes_about = coming_about(rules, course, atoms, pulse)?;
    let before = rules.len();
    let never = |atom: u32| (!comes_about[atom as usize]).then_some(false);
    let shortened = drop_settled(rules, never, pulse)?;
    Ok((rules.len() < before || !shortened.is_empty()).then_some(shortened))
}

/// Drops literals and rules by what is `known` to hold or not to hold. Returns the heads of the rules that have become
/// shorter.
fn drop_settled(
    rules: &mut RuleStore,
    known: impl Fn(u32) -> Option<bool>,
    pulse: &mut Pulse<'_>,
) -> Result<AtomSet, Exceeded> {
    let mut shortened = AtomSet::default();
    rules.retain(|head, body| {
        let (mut fails, mut kept) = (!pulse.beat(), 0);
        for position in 0..body.len() {
            let literal = body[position];
            match known(literal.atom()) {
                Some(holds) => fails |= holds == literal.is_negated(),
                None => {
                    body[kept] = literal;
                    kept += 1;
                }
            }
        }
        if kept < body.len() && !fails {
            shortened.insert(head);
        }
        (!fails).then_some(kept)
    });
    pulse.finish()?;
    Ok(shortened)
}

/// By fluent: whether it always holds, and some rule says so. The greatest set of fluents of the first state that have a
/// rule each which asks for no more than that others of the set hold.
fn always_true(
    rules: &RuleStore,
    course: &Course,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<bool>, Exceeded> {
    let Course { fluents, next, initial, next_states, .. } = course;
    let at = |atom: u32| (atom - fluents.start) as usize;
    let mut is_initial = vec![false; fluents.len()];
    initial.iter().for_each(|&fluent| is_initial[at(fluent)] = true);
    let mut of_next = vec![None; next.len()];
    for (from, to) in next_states.iter().flat_map(|it| it.pairs()) {
        of_next[(from - next.start) as usize] = Some(to).filter(|&it| is_initial[at(it)]);
    }
    // The rules that keep fluents, each with its fluent.
    let mut keeping: Vec<(u32, &[GroundLiteral])> = Vec::new();
    for rule in rules.iter().take_while(|_| pulse.beat()) {
        if next.contains(&rule.head)
            && let Some(fluent) = of_next[(rule.head - next.start) as usize]
            && rule.body.iter().all(|it| {
                !it.is_negated() && fluents.contains(&it.atom()) && is_initial[at(it.atom())]
            })
        {
            keeping.push((fluent, rule.body));
        }
    }
    pulse.finish()?;
    let mut holds = vec![false; fluents.len()];
    keeping.iter().for_each(|(fluent, _)| holds[at(*fluent)] = true);
    for _ in 0..MOST_ROUNDS {
        let before = keeping.len();
        keeping.retain(|(_, body)| pulse.beat() && body.iter().all(|it| holds[at(it.atom())]));
        pulse.finish()?;
        if keeping.len() == before {
            return Ok(holds);
        }
        holds.fill(false);
        keeping.iter().for_each(|(fluent, _)| holds[at(*fluent)] = true);
    }
    Ok(Vec::new())
}

/// By atom: whether it may hold in some reachable state, whatever negations say. The least such set: with the first state,
/// what is true next and moves that are legal.
fn coming_about(
    rules: &RuleStore,
    course: &Course,
    atoms: usize,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<bool>, Exceeded> {
    let mut positive = RuleStore::default();
    positive.reserve(rules.len() + course.initial.len(), rules.literals().len());
    course.initial.iter().for_each(|&fluent| positive.push(fluent, &[]));
    for (from, to) in course.next_states.iter().chain(&course.moves).flat_map(|it| it.pairs()) {
        positive.push(to, &[GroundLiteral::new(from, false)]);
    }
    let mut body = Vec::new();
    for rule in rules.iter().take_while(|_| pulse.beat()) {
        body.clear();
        body.extend(rule.body.iter().filter(|it| !it.is_negated()));
        positive.push(rule.head, &body);
    }
    pulse.finish()?;
    simplify::least_model(&positive, atoms, pulse)
}

#[cfg(test)]
mod tests {
    use groundfrog_engine::Budget;

    use super::*;

    /// Atoms 0 to 9 are fluents, 10 to 19 say that they are true next; the first four hold at first, 20 and 21 are legal
    /// moves, 30 and 31 the moves, and what is behind them are views.
    fn settled(given: &[(u32, &[i32])]) -> Vec<(u32, Vec<i32>)> {
        let literal = |it: i32| GroundLiteral::new(it.unsigned_abs() - 1, it < 0);
        let mut rules = RuleStore::default();
        for (head, body) in given {
            rules.push(*head, &body.iter().map(|&it| literal(it)).collect::<Vec<_>>());
        }
        let course = Course {
            fluents: 0..10,
            next: 10..20,
            initial: vec![0, 1, 2, 3],
            next_states: vec![Link { from: 10, to: 0, count: 10 }],
            moves: vec![Link { from: 20, to: 30, count: 2 }],
        };
        let budget = Budget::unlimited();
        let mut pulse = Pulse::new(&budget, 0);
        let mut shortened =
            drop_always_true(&mut rules, &course, &mut 0, &mut pulse).expect("no limit");
        if let Some(shortened) = &mut shortened {
            let never = drop_never_true(&mut rules, &course, 50, &mut pulse).expect("no limit");
            shortened.extend(&never.unwrap_or_default());
        }
        let shortened = shortened.unwrap_or_default();
        let signed =
            |it: &GroundLiteral| (it.atom() as i32 + 1) * if it.is_negated() { -1 } else { 1 };
        let all: Vec<(u32, Vec<i32>)> =
            rules.iter().map(|it| (it.head, it.body.iter().map(signed).collect())).collect();
        for (head, body) in &all {
            let was = given.iter().filter(|it| it.0 == *head);
            let is_shorter = was.clone().all(|it| it.1.len() > body.len());
            assert!(!is_shorter || shortened.contains(*head), "{all:?}");
        }
        all
    }

    /// The first fluent is kept, and the sixth may come about.
    const KEPT: [(u32, &[i32]); 2] = [(10, &[1]), (15, &[-2])];

    fn settled_with_kept(rules: &[(u32, &[i32])]) -> Vec<(u32, Vec<i32>)> {
        let all = settled(&[&KEPT, rules].concat());
        assert_eq!(all[..2], [(10, vec![]), (15, vec![-2])]);
        all[2..].to_vec()
    }

    #[test]
    fn what_is_kept_is_not_asked_for() {
        let rules: [(u32, &[i32]); 3] = [(40, &[1, 6]), (41, &[-1, 6]), (42, &[-2])];
        assert_eq!(settled_with_kept(&rules), [(40, vec![6]), (42, vec![-2])]);
    }

    #[test]
    fn fluents_may_keep_each_other() {
        let rules: [(u32, &[i32]); 4] = [(10, &[2]), (11, &[1, 3]), (12, &[]), (40, &[1, 2, 3])];
        assert_eq!(settled(&rules), [10, 11, 12, 40].map(|it| (it, vec![])));
    }

    #[test]
    fn what_depends_on_anything_else_is_not_kept() {
        // On a move, on what is not true at first, on what is not kept, on what must not hold.
        for body in [&[1, 31][..], &[1, 6], &[1, 4], &[1, -6], &[2]] {
            let rules: [(u32, &[i32]); 3] = [(10, body), (15, &[]), (40, &[1, 6])];
            assert_eq!(settled(&rules), [(10, body.to_vec()), (15, vec![]), (40, vec![1, 6])]);
        }
        assert_eq!(settled(&[(14, &[5]), (40, &[5])]), [(14, vec![5]), (40, vec![5])]);
    }

    #[test]
    fn what_could_only_come_about_otherwise_never_does() {
        // The move is legal only where the first fluent does not hold; the seventh fluent comes from it, and stays.
        let rules: [(u32, &[i32]); 5] =
            [(20, &[-1]), (16, &[31]), (16, &[7]), (40, &[6, -7]), (41, &[6, 7])];
        assert_eq!(settled_with_kept(&rules), [(40, vec![6])]);
        // The same with a move that is legal.
        let rules: [(u32, &[i32]); 4] = [(20, &[-2]), (16, &[31]), (16, &[7]), (40, &[6, -7])];
        let all = rules.map(|(head, body)| (head, body.to_vec()));
        assert_eq!(settled_with_kept(&rules), all);
    }

    #[test]
    fn nothing_is_looked_for_where_nothing_is_kept() {
        let rules: [(u32, &[i32]); 2] = [(16, &[7]), (40, &[-7])];
        assert_eq!(settled(&rules), rules.map(|(head, body)| (head, body.to_vec())));
    }
}
