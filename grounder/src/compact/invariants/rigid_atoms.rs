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

#[cfg(test)]
mod tests {
    use groundfrog_engine::Budget;

    use super::*;

    /// Atoms 0 to 9 are fluents, 10 to 19 say that they are true next; the first four hold at first, 20 and 21 are legal
    /// moves, 30 and 31 the moves, and what is behind them are views.
    fn simplified(given: &[(u32, &[i32])]) -> Vec<(u32, Vec<i32>)> {
        let literal = |it: i32| GroundLiteral::new(it.unsigned_abs() - 1, it < 0);
        let mut rules = RuleStore::default();
        for (head, body) in given {
            rules.push(*head, &body.iter().map(|&it| literal(it)).collect::<Vec<_>>());
        }
        let mut leads_to = vec![None; 22];
        (0..10).for_each(|fluent| leads_to[10 + fluent as usize] = Some(fluent));
        (leads_to[20], leads_to[21]) = (Some(30), Some(31));
        let is_initial = (0..10).map(|fluent| fluent < 4).collect();
        let transition_map = TransitionMap { fluents: 0..10, is_initial, leads_to };
        let budget = Budget::unlimited();
        let mut ticker = Ticker::new(&budget, 0);
        simplify(&mut rules, 50, (0..10, 10..20), || transition_map, &mut ticker)
            .expect("no limit");
        let signed =
            |it: &GroundLiteral| (it.atom() as i32 + 1) * if it.is_negated() { -1 } else { 1 };
        rules.iter().map(|it| (it.head, it.body.iter().map(signed).collect())).collect()
    }

    /// The first fluent is kept, and the sixth may become true.
    const KEPT: [(u32, &[i32]); 2] = [(10, &[1]), (15, &[-2])];

    fn simplified_with_kept(rules: &[(u32, &[i32])]) -> Vec<(u32, Vec<i32>)> {
        let all = simplified(&[&KEPT, rules].concat());
        assert_eq!(all[..2], [(10, vec![]), (15, vec![-2])]);
        all[2..].to_vec()
    }

    #[test]
    fn what_is_kept_is_not_asked_for() {
        let rules: [(u32, &[i32]); 3] = [(40, &[1, 6]), (41, &[-1, 6]), (42, &[-2])];
        assert_eq!(simplified_with_kept(&rules), [(40, vec![6]), (42, vec![-2])]);
    }

    #[test]
    fn fluents_may_keep_each_other() {
        let rules: [(u32, &[i32]); 4] = [(10, &[2]), (11, &[1, 3]), (12, &[]), (40, &[1, 2, 3])];
        assert_eq!(simplified(&rules), [10, 11, 12, 40].map(|it| (it, vec![])));
    }

    #[test]
    fn fluents_may_keep_each_other_once_something_never_holds() {
        let rules: [(u32, &[i32]); 4] = [(10, &[2, -41]), (11, &[1]), (12, &[3]), (40, &[-3])];
        assert_eq!(simplified(&rules), [10, 11, 12].map(|it| (it, vec![])));
    }

    #[test]
    fn what_depends_on_anything_else_is_not_kept() {
        // On a move, on what is not true at first, on what is not kept, on what must not hold.
        for body in [&[1, 31][..], &[1, 6], &[1, 4], &[1, -6], &[2]] {
            let rules: [(u32, &[i32]); 3] = [(10, body), (15, &[]), (40, &[1, 6])];
            assert_eq!(simplified(&rules), [(10, body.to_vec()), (15, vec![]), (40, vec![1, 6])]);
        }
        assert_eq!(simplified(&[(14, &[5]), (40, &[5])]), [(14, vec![5]), (40, vec![5])]);
    }

    #[test]
    fn what_could_only_come_about_otherwise_never_does() {
        // The move is legal only where the first fluent does not hold; the seventh fluent comes from it, and stays.
        let rules: [(u32, &[i32]); 5] =
            [(20, &[-1]), (16, &[31]), (16, &[7]), (40, &[6, -7]), (41, &[6, 7])];
        assert_eq!(simplified_with_kept(&rules), [(40, vec![6])]);
        // The same with a move that is legal.
        let rules: [(u32, &[i32]); 4] = [(20, &[-2]), (16, &[31]), (16, &[7]), (40, &[6, -7])];
        let all = rules.map(|(head, body)| (head, body.to_vec()));
        assert_eq!(simplified_with_kept(&rules), all);
    }

    #[test]
    fn nothing_is_looked_for_where_nothing_is_kept() {
        let rules: [(u32, &[i32]); 2] = [(16, &[7]), (40, &[-7])];
        assert_eq!(simplified(&rules), rules.map(|(head, body)| (head, body.to_vec())));
    }
}
