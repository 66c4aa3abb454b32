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

use crate::description::{Keywords, Predicate};
use crate::rules::{Literal, Rules};

/// What the rules say about their predicates.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    parts: FxHashMap<Predicate, Part>,
}

/// The part that a predicate has.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
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

    /// Whether a predicate depends on what the players do.
    pub fn depends_on_moves(&self, predicate: Predicate) -> bool {
        self.part(predicate).depends_on_moves
    }

    /// Notes whether a predicate that a pass has made can change from state to state.
    pub(crate) fn set_dynamic(&mut self, predicate: Predicate, is_dynamic: bool) {
        self.parts.entry(predicate).or_default().is_dynamic = is_dynamic;
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

    fn part(&self, predicate: Predicate) -> Part {
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

/// Of more negations between static predicates it is not asked whether they lie on cycles: each takes time linear in the rules.
const MOST_NEGATIONS: usize = 256;

/// Tells dynamic from static and needed from useless predicates.
pub fn analyse(rules: &Rules) -> Statics {
    analyse_with(rules, &[])
}

/// The same where more predicates are needed than those that have a meaning in play.
pub fn analyse_with(rules: &Rules, needed: &[Predicate]) -> Statics {
    let mut numbers: FxHashMap<Predicate, u32> = FxHashMap::default();
    let mut number = |predicate: Predicate| {
        let next = numbers.len() as u32;
        *numbers.entry(predicate).or_insert(next)
    };
    let keywords = &rules.keywords;
    let changing = always_dynamic(keywords).map(&mut number);
    let roots = [(keywords.role, 1), (keywords.init, 1), (keywords.base, 1), (keywords.input, 2)];
    let roots = roots.map(|(name, arity)| number(Predicate { name, arity }));
    let needed = needed.iter().map(|&it| number(it));
    let fixed = roots;
    let roots: Vec<u32> = changing.into_iter().chain(roots).chain(needed).collect();
    // The first predicate has a rule with the second in its body.
    let mut depends: Vec<(u32, u32)> = Vec::new();
    let mut negations: Vec<(u32, u32)> = Vec::new();
    for rule in &rules.rules {
        let head = number(rule.head.predicate());
        for literal in &rule.body {
            let Some(atom) = literal.atom() else { continue };
            let dependence = (head, number(atom.predicate()));
            depends.push(dependence);
            if matches!(literal, Literal::Negative(_)) {
                negations.push(dependence);
            }
        }
    }
    let mut is_needed = vec![false; numbers.len()];
    let mut is_dynamic = is_needed.clone();
    depends.sort_unstable();
    depends.dedup();
    spread(&mut is_needed, roots, &depends);
    let mut is_used = is_needed.clone();
    let mut dependants: Vec<(u32, u32)> = depends.iter().map(|&(p, q)| (q, p)).collect();
    dependants.sort_unstable();
    spread(&mut is_dynamic, changing.to_vec(), &dependants);
    negations.retain(|it| !is_dynamic[it.0 as usize] && is_needed[it.0 as usize]);
    if !negations.is_empty() {
        spread_cycles(&mut is_dynamic, negations, &dependants, &fixed);
    }
    let mut depends_on_moves = vec![false; numbers.len()];
    spread(&mut depends_on_moves, vec![changing[DOES]], &dependants);
    let dynamic = (0..).zip(&is_dynamic).filter(|it| *it.1).map(|it| it.0);
    spread(&mut is_used, dynamic.collect(), &depends);
    let part = |(predicate, number): (Predicate, u32)| {
        let at = number as usize;
        let part = Part {
            is_dynamic: is_dynamic[at],
            depends_on_moves: depends_on_moves[at],
            is_needed: is_needed[at],
            is_used: is_used[at],
        };
        (predicate, part)
    };
    Statics { parts: numbers.into_iter().map(part).collect() }
}

/// Marks what depends on its own negation, and all that depend on it, if nothing is among these that must be known first.
#[inline(never)]
fn spread_cycles(
    is_dynamic: &mut Vec<bool>,
    mut negations: Vec<(u32, u32)>,
    dependants: &[(u32, u32)],
    fixed: &[u32],
) {
    negations.sort_unstable();
    negations.dedup();
    if negations.len() > MOST_NEGATIONS {
        return;
    }
    negations.retain(|&(head, negated)| {
        let mut above = vec![false; is_dynamic.len()];
        spread(&mut above, vec![head], dependants);
        above[negated as usize]
    });
    if negations.is_empty() {
        return;
    }
    let mut marked = is_dynamic.clone();
    spread(&mut marked, negations.into_iter().map(|it| it.0).collect(), dependants);
    if fixed.iter().all(|&it| is_dynamic[it as usize] || !marked[it as usize]) {
        *is_dynamic = marked;
    }
}

/// Marks the starts and all that can be reached from them over sorted edges. What is marked already has
/// been gone on from.
fn spread(marked: &mut [bool], mut starts: Vec<u32>, edges: &[(u32, u32)]) {
    while let Some(from) = starts.pop() {
        if !std::mem::replace(&mut marked[from as usize], true) {
            let first = edges.partition_point(|edge| edge.0 < from);
            let of_start = edges[first..].iter().take_while(|edge| edge.0 == from);
            starts.extend(of_start.map(|edge| edge.1));
        }
    }
}
