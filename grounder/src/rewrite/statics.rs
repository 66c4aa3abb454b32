//! Static and dynamic predicates.
//!
//! A predicate is dynamic if it depends, through any literal, on `true` or `does`; the predicates with a
//! meaning in play (`true does legal next goal terminal sees`) always are. All others are static: the
//! same in every state, computed once, and pruned from what is stored.
//!
//! What is computed once is computed negated literals first. A predicate that depends on its own negation cannot be, and is
//! dynamic as well, with all that depend on it, unless the first state or the roles do: whether an atom of it does so is
//! seen in the ground rules.

use fxhash::FxHashMap;
use groundfrog_engine::graph::Graph;

use crate::description::{Keywords, Predicate};
use crate::rules::{PredicateGraph, Rules};

/// What the rules say about their predicates.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    parts: FxHashMap<Predicate, PredicatePart>,
}

/// The part that a predicate has.
#[derive(Clone, Copy, Debug, Default)]
struct PredicatePart {
    is_dynamic: bool,
    depends_on_moves: bool,
    is_needed: bool,
    is_used: bool,
}

impl Statics {
    /// Whether a predicate can change from state to state.
    pub fn is_dynamic(&self, predicate: Predicate) -> bool {
        self.part(predicate).is_dynamic
    }

    /// Notes that a predicate can change from state to state.
    pub fn set_dynamic(&mut self, predicate: Predicate) {
        self.parts.entry(predicate).or_default().is_dynamic = true;
    }

    /// Whether a predicate depends on what the players do.
    pub fn depends_on_moves(&self, predicate: Predicate) -> bool {
        self.part(predicate).depends_on_moves
    }

    /// Whether the game depends on a predicate: one of `role init legal next goal terminal sees base
    /// input` needs it.
    pub fn is_needed(&self, predicate: Predicate) -> bool {
        self.part(predicate).is_needed
    }

    /// Whether the flat program depends on a predicate: it is needed, dynamic, or one of these needs it.
    pub fn is_used(&self, predicate: Predicate) -> bool {
        self.part(predicate).is_used
    }

    fn part(&self, predicate: Predicate) -> PredicatePart {
        self.parts.get(&predicate).copied().unwrap_or_default()
    }
}

/// Where `does` is among the predicates that are always dynamic.
const DOES: usize = 1;

/// The predicates that are dynamic in any description.
pub fn always_dynamic(keywords: &Keywords) -> [Predicate; 7] {
    let predicate = |name, arity| Predicate { name, arity };
    [
        predicate(keywords.true_, 1),
        predicate(keywords.does, 2),
        predicate(keywords.legal, 2),
        predicate(keywords.next, 1),
        predicate(keywords.goal, 2),
        predicate(keywords.terminal, 0),
        predicate(keywords.sees, 2),
    ]
}

/// Distinguishes dynamic from static and needed from useless predicates.
pub fn analyse(rules: &Rules) -> Statics {
    analyse_with(rules, &[])
}

/// Distinguishes static predicates from dynamic ones where more are needed than those that have a meaning in play.
pub fn analyse_with(rules: &Rules, needed: &[Predicate]) -> Statics {
    let mut predicates = PredicateGraph::new(rules.rules.iter());
    let mut number = |predicate: Predicate| predicates.number(predicate);
    let keywords = &rules.keywords;
    let changing = always_dynamic(keywords).map(&mut number);
    let fixed = [(keywords.role, 1), (keywords.init, 1), (keywords.base, 1), (keywords.input, 2)];
    let fixed = fixed.map(|(name, arity)| number(Predicate { name, arity }));
    let needed = needed.iter().map(|&it| number(it));
    let roots: Vec<u32> = changing.into_iter().chain(fixed).chain(needed).collect();
    let depends = predicates.graph();
    let dependants = depends.reversed();
    let mut is_needed = vec![false; predicates.predicates().len()];
    let mut is_dynamic = is_needed.clone();
    let mut depends_on_moves = is_needed.clone();
    depends.reach(&mut is_needed, roots);
    dependants.reach(&mut is_dynamic, changing.to_vec());
    let negations = predicates.negations().iter().copied();
    let negations = negations.filter(|it| !is_dynamic[it.0 as usize] && is_needed[it.0 as usize]);
    let negations: Vec<(u32, u32)> = negations.collect();
    if !negations.is_empty() {
        spread_cycles(&mut is_dynamic, negations, (&depends, &dependants), &fixed);
    }
    dependants.reach(&mut depends_on_moves, vec![changing[DOES]]);
    let mut is_used = is_needed.clone();
    let dynamic = (0..).zip(&is_dynamic).filter(|it| *it.1).map(|it| it.0);
    depends.reach(&mut is_used, dynamic.collect());
    let part = |(at, &predicate): (usize, &Predicate)| {
        let part = PredicatePart {
            is_dynamic: is_dynamic[at],
            depends_on_moves: depends_on_moves[at],
            is_needed: is_needed[at],
            is_used: is_used[at],
        };
        (predicate, part)
    };
    Statics { parts: predicates.predicates().iter().enumerate().map(part).collect() }
}

/// Marks what depends on its own negation, and all that depend on it, if nothing is among these that must be known first.
fn spread_cycles(
    is_dynamic: &mut Vec<bool>,
    negations: Vec<(u32, u32)>,
    (depends, dependants): (&Graph, &Graph),
    fixed: &[u32],
) {
    let components = depends.components();
    let on_cycles = negations.into_iter().filter(|&(one, other)| components.together(one, other));
    let on_cycles: Vec<u32> = on_cycles.map(|it| it.0).collect();
    if on_cycles.is_empty() {
        return;
    }
    let mut marked = is_dynamic.clone();
    dependants.reach(&mut marked, on_cycles);
    if fixed.iter().all(|&it| is_dynamic[it as usize] || !marked[it as usize]) {
        *is_dynamic = marked;
    }
}
