//! Fluents that hold in every reachable state, by ground rules: in the first one, and in each next one if in this one.
//! Others may then hold in none: what could only become true without those.
//!
//! [`kept`] finds fluents that keep each other. From them [`propagation`] goes from literal to literal through the rules that
//! they occur in: bodies become shorter, rules idle. Long chains, in which each link follows from the one before, take work in
//! proportion to their length.

mod propagation;

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};

use self::propagation::{RigidPropagation, Truth};
use crate::game::TransitionMap;
use crate::simplify::{occurrences, subsumption};
use crate::ticker::Ticker;

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
        ticker.ticks(2 * rules.len() as u32)?;
        let occurrences = occurrences(rules, 2 * atoms, |it| Some(it.code()));
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

/// A rule that says that a fluent of the first state is true next if others are true.
struct Keeping<'rules> {
    /// The atom that says that the fluent is true next.
    head: u32,
    fluent: u32,
    body: &'rules [GroundLiteral],
}

impl<'rules> Keeping<'rules> {
    /// The rule, if it uses no more than fluents of the first state, other than by literals that are `is_known`.
    fn new(
        GroundRule { head, body }: GroundRule<'rules>,
        transition_map: &TransitionMap,
        is_known: impl Fn(GroundLiteral) -> bool,
    ) -> Option<Self> {
        let fluent = transition_map.leads_to(head).filter(|&it| transition_map.is_initial(it))?;
        let keeps = |literal: GroundLiteral| {
            is_known(literal) || !literal.is_negated() && transition_map.is_initial(literal.atom())
        };
        body.iter().all(|&it| keeps(it)).then_some(Keeping { head, fluent, body })
    }

    /// The fluents that it uses.
    fn needed(&self, is_known: impl Fn(GroundLiteral) -> bool) -> impl Iterator<Item = u32> {
        self.body.iter().filter(move |it| !is_known(**it)).map(|it| it.atom())
    }
}

/// Finds the greatest set of fluents that have a rule each which uses no more than that others of the set hold, other
/// than by literals that are `is_known`. Returns the atoms that say that they are true next.
fn kept(
    keeping: &[Keeping<'_>],
    transition_map: &TransitionMap,
    is_known: impl Fn(GroundLiteral) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<u32>, Exceeded> {
    let at = |fluent: u32| (fluent - transition_map.fluents.start) as usize;
    // By fluent: how many rules keep it.
    let mut rules = vec![0u32; transition_map.fluents.len()];
    keeping.iter().for_each(|it| rules[at(it.fluent)] += 1);
    let mut all_kept = true;
    for keeping in keeping {
        ticker.tick()?;
        all_kept &= keeping.needed(&is_known).all(|fluent| rules[at(fluent)] > 0);
    }
    if !all_kept {
        drop_those_that_need_others(keeping, is_known, (&mut rules, at), ticker)?;
    }
    let is_kept = |it: &&Keeping<'_>| rules[at(it.fluent)] > 0;
    Ok(keeping.iter().filter(is_kept).map(|it| it.head).collect())
}

/// Counts of the rules of each fluent those only that use no fluent without a rule.
fn drop_those_that_need_others(
    keeping: &[Keeping<'_>],
    is_known: impl Fn(GroundLiteral) -> bool,
    (rules, at): (&mut [u32], impl Fn(u32) -> usize),
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    // The fluents that are demanded, each with the rules that use it.
    let mut users: Vec<(u32, u32)> = Vec::new();
    for (number, rule) in (0..).zip(keeping) {
        ticker.tick()?;
        users.extend(rule.needed(&is_known).map(|fluent| (fluent, number)));
    }
    users.sort_unstable();
    let groups = users.chunk_by(|one, other| one.0 == other.0);
    let mut fallen: Vec<u32> =
        groups.map(|group| group[0].0).filter(|&fluent| rules[at(fluent)] == 0).collect();
    let mut is_dropped = vec![false; keeping.len()];
    while let Some(fluent) = fallen.pop() {
        let first = users.partition_point(|it| it.0 < fluent);
        let of_fluent = users[first..].iter().take_while(|it| it.0 == fluent);
        for &(_, number) in of_fluent {
            ticker.tick()?;
            if !std::mem::replace(&mut is_dropped[number as usize], true) {
                let fluent = keeping[number as usize].fluent;
                rules[at(fluent)] -= 1;
                if rules[at(fluent)] == 0 {
                    fallen.push(fluent);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use groundfrog_engine::{Budget, Limit, Stop};

    use super::*;

    const LINKS: u32 = 4_000;

    /// Counts how often it is read, and reports at last that it was enough.
    #[derive(Debug)]
    struct CountingStop {
        reads: AtomicU32,
        most: u32,
    }

    impl Stop for CountingStop {
        fn is_raised(&self) -> bool {
            self.reads.fetch_add(1, Ordering::Relaxed) >= self.most
        }
    }

    /// A rule: its head, and atoms with whether they are negated.
    type Given = (u32, Vec<(u32, bool)>);

    /// Fluents of the first state are `INITIAL`, those of no first state `LATER`, each with an atom for the next state; then
    /// come views, moves, and atoms for legal ones.
    const INITIAL: u32 = 0;
    const LATER: u32 = LINKS;
    const NEXT: u32 = 2 * LINKS;
    const VIEW: u32 = 4 * LINKS;
    const MOVE: u32 = 5 * LINKS;
    const LEGAL: u32 = 6 * LINKS;

    fn simplified(given: &[Given], most: u32) -> (Result<RuleStore, Exceeded>, u32) {
        let mut rules = RuleStore::default();
        for (head, body) in given {
            let body: Vec<_> =
                body.iter().map(|&(atom, no)| GroundLiteral::new(atom, no)).collect();
            rules.push(*head, &body);
        }
        let mut leads_to = vec![None; 7 * LINKS as usize];
        (0..2 * LINKS).for_each(|fluent| leads_to[(NEXT + fluent) as usize] = Some(fluent));
        (0..LINKS).for_each(|number| leads_to[(LEGAL + number) as usize] = Some(MOVE + number));
        let is_initial = (0..2 * LINKS).map(|fluent| fluent < LATER).collect();
        let transition_map = TransitionMap { fluents: 0..NEXT, is_initial, leads_to };
        let counter = Arc::new(CountingStop { reads: AtomicU32::new(0), most });
        let budget = Budget::unlimited().with_stop(counter.clone());
        let mut ticker = Ticker::new(&budget, 0);
        let states = (0..NEXT, NEXT..VIEW);
        let done = simplify(&mut rules, 7 * LINKS as usize, states, || transition_map, &mut ticker);
        (done.map(|_| rules), counter.reads.load(Ordering::Relaxed))
    }

    /// What is left of rules; the ticker checks limits a few times, where following each link through all rules would take
    /// hundreds.
    fn left_of(given: &[Given]) -> RuleStore {
        let (rules, reads) = simplified(given, u32::MAX);
        assert!((1..10).contains(&reads), "{reads}");
        rules.expect("no limit")
    }

    /// Each fluent is kept unless the one after it is not there: so all are, as the last is.
    fn kept_one_after_the_other() -> Vec<Given> {
        let link = |link: u32| {
            let next = (NEXT + link, vec![(INITIAL + link, false), (VIEW + link, false)]);
            let of_next = (NEXT + link, vec![(MOVE + link, false), (VIEW + link, true)]);
            [next, of_next, (VIEW + link, vec![(INITIAL + link + 1, false)])]
        };
        let last = (NEXT + LINKS - 1, vec![(INITIAL + LINKS - 1, false)]);
        (0..LINKS - 1).flat_map(link).chain([last]).collect()
    }

    #[test]
    fn fluents_that_are_kept_one_after_the_other() {
        let rules = left_of(&kept_one_after_the_other());
        // A fact for each of them, and for the views.
        assert_eq!((rules.len(), rules.literal_count()), (2 * LINKS as usize - 1, 0));
    }

    #[test]
    fn what_is_excluded_one_after_the_other() {
        // A move is legal unless the fluent is there; what comes of the move is what the next link uses. Each stays.
        let link = |link: u32| {
            let condition = if link == 0 { (INITIAL, true) } else { (LATER + link - 1, false) };
            let fluent = NEXT + LATER + link;
            [
                (LEGAL + link, vec![condition]),
                (fluent, vec![(MOVE + link, false)]),
                (fluent, vec![(LATER + link, false)]),
                (VIEW + link, vec![(LATER + link, true)]),
            ]
        };
        let kept = (NEXT, vec![(INITIAL, false)]);
        let rules: Vec<_> = [kept].into_iter().chain((0..LINKS).flat_map(link)).collect();
        let rules = left_of(&rules);
        assert_eq!((rules.len(), rules.literal_count()), (1 + LINKS as usize, 0));
    }

    #[test]
    fn fluents_that_are_not_kept_one_after_the_other() {
        // Nothing keeps the last one; so each of the others falls. The first of another kind does not.
        let link = |it: u32| (NEXT + it, vec![(INITIAL + it + 1, false)]);
        let apart = LINKS - 1;
        let mut given: Vec<Given> = (0..apart - 1).map(link).collect();
        given.push((NEXT + apart, vec![(INITIAL + apart, false)]));
        let rules = left_of(&given);
        assert_eq!((rules.len(), rules.literal_count()), (given.len(), given.len() - 1));
    }

    #[test]
    fn a_long_chain_heeds_limits() {
        for most in 0..2 {
            let (done, reads) = simplified(&kept_one_after_the_other(), most);
            assert_eq!(done.expect_err("it is stopped").limit, Limit::Cancelled);
            assert_eq!(reads, most + 1);
        }
    }
}
