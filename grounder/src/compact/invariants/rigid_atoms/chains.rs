//! Long chains, in which each link follows from the one before, take work in proportion to their length.

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
        let body: Vec<_> = body.iter().map(|&(atom, no)| GroundLiteral::new(atom, no)).collect();
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
