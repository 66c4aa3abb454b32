//! What an atom of the ground rules asks for, written out: conjunctions of fluents of which one has to hold (its disjunctive normal form).

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::RulesByHead;
use groundfrog::game::{AtomId, GroundGame};

/// With more alternatives, an atom is not written out.
const MOST: usize = 4096;
/// So many conjunctions are made altogether at most.
const MOST_WORK: usize = 1 << 20;
/// Views may stand so deep upon each other.
const DEEPEST: usize = 64;

/// Literals, ascending: twice the number of a fluent, plus one where it must not hold.
pub(super) type Conjunction = Vec<u32>;

/// Writes atoms out, where these moves are made.
pub(super) struct Alternatives<'game> {
    game: &'game GroundGame,
    by_head: RulesByHead,
    first: u32,
    fluents: u32,
    /// The `does` atoms that hold.
    made: Vec<AtomId>,
    inputs: std::ops::Range<u32>,
    known: FxHashMap<AtomId, Option<Vec<Conjunction>>>,
    /// Conjunctions that may still be made.
    left: usize,
}

impl<'game> Alternatives<'game> {
    pub(super) fn new(game: &'game GroundGame) -> Self {
        let first = game.fluents().next().map_or(0, |it| it.0);
        let input = game.inputs().next().map_or(0, |it| it.0);
        Alternatives {
            game,
            by_head: RulesByHead::new(game),
            first,
            fluents: game.fluents().len() as u32,
            made: Vec::new(),
            inputs: input..input + game.inputs().len() as u32,
            known: FxHashMap::default(),
            left: MOST_WORK,
        }
    }

    /// Lets these moves be made, and no others.
    pub(super) fn make(&mut self, made: Vec<AtomId>) {
        self.made = made;
        self.known.clear();
    }

    /// The alternatives of an atom: none if it never holds. `None` if they are too many or it depends on itself.
    pub(super) fn of(&mut self, atom: AtomId) -> Option<Vec<Conjunction>> {
        self.at(atom, DEEPEST)
    }

    fn at(&mut self, atom: AtomId, depth: usize) -> Option<Vec<Conjunction>> {
        if let Some(fluent) = atom.0.checked_sub(self.first).filter(|&it| it < self.fluents) {
            return Some(vec![vec![fluent << 1]]);
        }
        if self.inputs.contains(&atom.0) {
            return Some(if self.made.contains(&atom) { vec![Vec::new()] } else { Vec::new() });
        }
        if let Some(known) = self.known.get(&atom) {
            return known.clone();
        }
        let depth = depth.checked_sub(1)?;
        // Who asks for it again on the way depends on itself.
        self.known.insert(atom, None);
        let found = self.of_rules(atom, depth);
        self.known.insert(atom, found.clone());
        found
    }

    fn of_rules(&mut self, atom: AtomId, depth: usize) -> Option<Vec<Conjunction>> {
        let game = self.game;
        let rules: Vec<usize> = self.by_head.rules(atom).iter().map(|&it| it as usize).collect();
        let mut all = Vec::new();
        for rule in rules {
            let mut parts = Some(vec![Vec::new()]);
            for literal in game.rules().rule(rule).body.iter() {
                let part = self.at(AtomId(literal.atom()), depth);
                let part =
                    if literal.is_negated() { part.and_then(|it| self.negated(&it)) } else { part };
                parts = match (parts, part) {
                    (_, Some(part)) if part.is_empty() => Some(Vec::new()),
                    (Some(parts), _) if parts.is_empty() => Some(parts),
                    (Some(parts), Some(part)) => self.both(&parts, &part),
                    _ => None,
                };
            }
            all.extend(parts?);
            if all.len() > MOST {
                return None;
            }
        }
        Some(least(all))
    }

    /// What lets both hold.
    fn both(&mut self, one: &[Conjunction], other: &[Conjunction]) -> Option<Vec<Conjunction>> {
        let count = one.len() * other.len();
        self.left = self.left.checked_sub(count).filter(|_| count <= MOST)?;
        let mut all = Vec::new();
        for (one, other) in one.iter().flat_map(|one| other.iter().map(move |other| (one, other))) {
            let mut joined = [&one[..], other].concat();
            joined.sort_unstable();
            joined.dedup();
            if !joined.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
                all.push(joined);
            }
        }
        Some(least(all))
    }

    /// What lets none of these hold.
    fn negated(&mut self, all: &[Conjunction]) -> Option<Vec<Conjunction>> {
        let mut result = vec![Vec::new()];
        for one in all {
            let part: Vec<Conjunction> = one.iter().map(|literal| vec![literal ^ 1]).collect();
            result = self.both(&result, &part)?;
        }
        Some(result)
    }
}

/// Whether the first asks for nothing that the other does not.
pub(super) fn is_part(one: &[u32], other: &[u32]) -> bool {
    one.iter().all(|literal| other.binary_search(literal).is_ok())
}

/// Without those that ask for more than another.
fn least(mut all: Vec<Conjunction>) -> Vec<Conjunction> {
    all.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    all.dedup();
    if all.first().is_some_and(Vec::is_empty) {
        all.truncate(1);
    }
    let singles: FxHashSet<u32> = all.iter().filter(|it| it.len() == 1).map(|it| it[0]).collect();
    all.retain(|it| it.len() < 2 || !it.iter().any(|literal| singles.contains(literal)));
    all
}
