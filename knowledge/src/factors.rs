//! Parts of a game that do not influence each other.
//!
//! What comes next of a fluent depends on other fluents and on moves. Fluents that depend on no moves, a clock or whose turn it is,
//! are *shared*: each part has them. Of the others, those that depend on each other are one part. A move may do something in
//! several parts; moves that do the same in a part are of one class there (Cox et al., "Factoring General Games", 2009; Hufschmitt et
//! al., "Exploiting Game Decompositions in Monte Carlo Tree Search", 2018).

mod moves;
mod separation;

use std::collections::BTreeMap;
use std::time::Duration;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::game::{AtomId, GroundGame};
use groundfrog::{AtomKind, Budget};
use serde::Serialize;

use crate::bodies::Bodies;
use crate::families::forms;
use moves::Moves;
pub use separation::{Aim, Separation};

/// No more atoms are tried as what ends one part and begins the next.
const MOST_GATES: usize = 40;
/// Games with more literals in ground rules are not looked at.
const MOST_LITERALS: usize = 200_000;

/// How the parts of a game come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combination {
    /// Nothing comes apart.
    Whole,
    /// A role has moves in one part only, all parts going on at once.
    Roles,
    /// A move is a move in each part at once.
    Compound,
    /// A move is a move in one part of those that the role chooses from.
    Choice,
    /// A part begins where the one before it is over.
    Serial,
}

/// How the ends of parts make the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// The game is over with the first part that is.
    First,
    /// It is over with the last.
    All,
    /// It is over with what is shared: a clock.
    Shared,
    /// Otherwise.
    Mixed,
}

/// A part of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its fluents, as patterns.
    pub patterns: Vec<String>,
    /// Its fluents.
    #[serde(skip)]
    pub fluents: Vec<AtomId>,
    /// By role: how many different things it can do in this part, doing nothing included.
    pub moves: Vec<usize>,
    /// By role: whether its goal depends on this part.
    pub is_goal_of: Vec<bool>,
}

/// How a game comes apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Factors {
    /// How the parts come together.
    pub combination: Combination,
    /// How their ends do.
    pub ends: Ends,
    /// Patterns of fluents that depend on no moves, and are in all parts.
    pub shared: Vec<String>,
    /// The parts; one if the game is whole.
    pub parts: Vec<Part>,
}

/// Finds the parts of a ground game. A game that was ground [flat](groundfrog::GroundOptions::flat) shows most: passes that make a game
/// compact put together what parts have in common. None for games that are too large, or if the time is over.
pub fn factors(game: &GroundGame, time: Duration) -> Option<Factors> {
    let budget = Budget::within(time);
    if game.rules().iter().map(|it| it.body.len() + 1).sum::<usize>() > MOST_LITERALS {
        return None;
    }
    let cones = Cones::new(game, budget)?;
    let moves = Moves::new(&cones)?;
    let (combination, parts) = divided(&cones, &moves);
    Some(cones.factors(&moves, combination, parts))
}

/// The fluents of each part, and how the parts come together.
fn divided(cones: &Cones<'_>, moves: &Moves) -> (Combination, Vec<Vec<AtomId>>) {
    let base = cones.parts(None);
    if let Some(parts) = moves.compound(cones, &base) {
        return (Combination::Compound, parts);
    }
    let parts = moves.joined(cones, base, None);
    match parts.len() {
        0 | 1 => match cones.serial(moves) {
            Some(parts) => (Combination::Serial, parts),
            None => (Combination::Whole, parts),
        },
        2 if cones.gate(&parts).is_some() => (Combination::Serial, cones.in_order(parts)),
        _ if moves.are_of_roles(&parts) => (Combination::Roles, parts),
        _ => (Combination::Choice, parts),
    }
}

/// What atoms depend on.
pub(crate) struct Cones<'game> {
    pub(crate) game: &'game GroundGame,
    pub(crate) bodies: Bodies<'game>,
    /// Fluents that depend on no moves.
    pub(crate) shared: FxHashSet<AtomId>,
    /// Fluents on which something depends that matters.
    fluents: Vec<AtomId>,
    pub(crate) budget: Budget,
}

/// What an atom depends on in the same state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cone {
    pub(crate) fluents: FxHashSet<AtomId>,
    pub(crate) moves: FxHashSet<AtomId>,
    pub(crate) views: FxHashSet<AtomId>,
}

impl<'game> Cones<'game> {
    fn new(game: &'game GroundGame, budget: Budget) -> Option<Self> {
        let bodies = Bodies::new(game);
        let shared = FxHashSet::default();
        let mut cones = Cones { game, bodies, shared, fluents: Vec::new(), budget };
        cones.fluents = cones.relevant();
        let mut of: FxHashMap<AtomId, Cone> = FxHashMap::default();
        for &fluent in &cones.fluents {
            if cones.budget.is_over() {
                return None;
            }
            of.insert(fluent, cones.next(fluent, None));
        }
        let mut shared: FxHashSet<AtomId> =
            of.iter().filter(|(_, cone)| cone.moves.is_empty()).map(|(&it, _)| it).collect();
        loop {
            let before = shared.len();
            let kept =
                shared.iter().copied().filter(|it| of[it].fluents.is_subset(&shared)).collect();
            shared = kept;
            if shared.len() == before {
                break;
            }
        }
        cones.shared = shared;
        Some(cones)
    }

    /// Fluents that goals, ends or legal moves depend on, now or later.
    fn relevant(&self) -> Vec<AtomId> {
        let mut found: FxHashSet<AtomId> = FxHashSet::default();
        let mut open: Vec<AtomId> = self.bodies.conditions().collect();
        while let Some(atom) = open.pop() {
            if found.insert(atom) {
                open.extend(self.bodies.read(atom));
                let is_fluent = self.game.is_open(atom) && self.game.kind(atom) == AtomKind::True;
                open.extend(self.game.next(atom).filter(|_| is_fluent));
            }
        }
        self.game.fluents().filter(|it| found.contains(it)).collect()
    }

    /// What an atom depends on, not looking into `cut`.
    pub(crate) fn cone(&self, atom: AtomId, cut: Option<AtomId>) -> Cone {
        let mut cone = Cone::default();
        for atom in self.bodies.below([atom], cut) {
            match (self.game.is_open(atom), self.game.kind(atom)) {
                (true, AtomKind::True) => cone.fluents.insert(atom),
                (true, _) => cone.moves.insert(atom),
                (false, _) => cone.views.insert(atom),
            };
        }
        cone
    }

    fn next(&self, fluent: AtomId, cut: Option<AtomId>) -> Cone {
        self.game.next(fluent).map_or_else(Cone::default, |next| self.cone(next, cut))
    }

    /// Fluents that depend on each other or are read together by a condition, shared ones left out. Goals and ends themselves put
    /// parts together, and join nothing.
    fn parts(&self, cut: Option<AtomId>) -> Vec<Vec<AtomId>> {
        let own: Vec<AtomId> = self
            .fluents
            .iter()
            .copied()
            .filter(|it| !self.shared.contains(it) && Some(*it) != cut)
            .collect();
        let reads = self.reading(&own, cut);
        let mut joined = Joined::new(self.game.atom_count());
        let mut open: Vec<(AtomId, AtomId)> =
            own.iter().filter_map(|&it| Some((it, self.game.next(it)?))).collect();
        open.extend(self.conditions(cut).into_iter().map(|it| (it, it)));
        let mut seen: FxHashSet<AtomId> = FxHashSet::default();
        while let Some((node, head)) = open.pop() {
            if !seen.insert(head) {
                continue;
            }
            for atom in self.bodies.read(head).filter(|it| reads.contains(it)) {
                joined.join(node.index(), atom.index());
                if !self.game.is_open(atom) {
                    open.push((atom, atom));
                }
            }
        }
        let mut parts: BTreeMap<usize, Vec<AtomId>> = BTreeMap::new();
        for fluent in own {
            parts.entry(joined.root(fluent.index())).or_default().push(fluent);
        }
        parts.into_values().collect()
    }

    /// The atoms that depend on one of these fluents in the same state, and these.
    fn reading(&self, fluents: &[AtomId], cut: Option<AtomId>) -> FxHashSet<AtomId> {
        let mut heads: FxHashMap<AtomId, Vec<AtomId>> = FxHashMap::default();
        for rule in self.game.rules().iter() {
            for literal in rule.body {
                heads.entry(AtomId(literal.atom())).or_default().push(AtomId(rule.head));
            }
        }
        let mut found: FxHashSet<AtomId> = fluents.iter().copied().collect();
        let mut open: Vec<AtomId> = fluents.to_vec();
        while let Some(atom) = open.pop() {
            for &head in heads.get(&atom).into_iter().flatten() {
                if Some(head) != cut && found.insert(head) {
                    open.push(head);
                }
            }
        }
        found
    }

    /// The atoms without a fixed meaning that legal moves, goals and ends depend on.
    fn conditions(&self, cut: Option<AtomId>) -> Vec<AtomId> {
        let is_view = |it: &AtomId| self.game.kind(*it) == AtomKind::View;
        let found = self.bodies.below(self.bodies.conditions(), cut);
        let mut views: Vec<AtomId> = found.into_iter().filter(is_view).collect();
        views.sort_unstable();
        views
    }

    /// Parts of which one begins where the other is over: an atom that both read splits them.
    fn serial(&self, moves: &Moves) -> Option<Vec<Vec<AtomId>>> {
        let mut uses: FxHashMap<AtomId, usize> = FxHashMap::default();
        for rule in self.game.rules().iter() {
            for literal in rule.body {
                *uses.entry(AtomId(literal.atom())).or_default() += 1;
            }
        }
        let may_split =
            |&(atom, count): &(AtomId, usize)| count > 3 && self.game.kind(atom) == AtomKind::View;
        let mut gates: Vec<(AtomId, usize)> = uses.into_iter().filter(may_split).collect();
        gates.sort_by_key(|&(atom, count)| (std::cmp::Reverse(count), atom));
        gates.into_iter().take(MOST_GATES).find_map(|(gate, _)| {
            if self.budget.is_over() {
                return None;
            }
            let parts = moves.joined(self, self.parts(Some(gate)), Some(gate));
            let parts: Vec<Vec<AtomId>> = parts.into_iter().filter(|it| it.len() > 1).collect();
            let is_split = parts.len() == 2
                && [[0, 1], [1, 0]]
                    .iter()
                    .any(|&[first, second]| self.is_gate(gate, &parts[first], &parts[second]));
            is_split.then(|| self.in_order(parts))
        })
    }

    /// What holds where the second of two parts goes on and does not hold where the first does.
    fn gate(&self, parts: &[Vec<AtomId>]) -> Option<AtomId> {
        let legal = self.game.moves().iter().filter_map(|it| it.legal);
        let mut counts: BTreeMap<AtomId, usize> = BTreeMap::new();
        legal
            .flat_map(|it| self.bodies.read(it))
            .for_each(|it| *counts.entry(it).or_default() += 1);
        let mut gates: Vec<(AtomId, usize)> = counts.into_iter().collect();
        gates.sort_by_key(|&(atom, count)| (std::cmp::Reverse(count), atom));
        let fits = |gate: &AtomId| {
            self.is_gate(*gate, &parts[0], &parts[1]) || self.is_gate(*gate, &parts[1], &parts[0])
        };
        gates.into_iter().take(MOST_GATES).map(|it| it.0).find(fits)
    }

    /// Two parts in the order in which they are played.
    fn in_order(&self, mut parts: Vec<Vec<AtomId>>) -> Vec<Vec<AtomId>> {
        let is_later = |gate: AtomId| self.is_gate(gate, &parts[1], &parts[0]);
        if self.gate(&parts).is_some_and(is_later) {
            parts.swap(0, 1);
        }
        parts
    }

    /// Whether moves of the second part are legal only where the gate holds, and those of the first only where it does not.
    fn is_gate(&self, gate: AtomId, first: &[AtomId], second: &[AtomId]) -> bool {
        let sets: [FxHashSet<AtomId>; 2] = [first, second].map(|it| it.iter().copied().collect());
        let mut met = [false; 2];
        let mut fits = true;
        for legal in self.game.moves().iter().filter_map(|it| it.legal) {
            for body in self.bodies.of(legal) {
                let gated = body.iter().find(|it| AtomId(it.atom()) == gate);
                for (part, set) in sets.iter().enumerate() {
                    let reads = body.iter().any(|literal| {
                        let atom = AtomId(literal.atom());
                        atom != gate
                            && self.cone(atom, Some(gate)).fluents.iter().any(|it| set.contains(it))
                    });
                    if reads {
                        met[part] = true;
                        fits &= gated.is_some_and(|it| it.is_negated() == (part == 0));
                    }
                }
            }
        }
        fits && met == [true, true]
    }

    fn factors(&self, moves: &Moves, combination: Combination, parts: Vec<Vec<AtomId>>) -> Factors {
        let sets: Vec<FxHashSet<AtomId>> =
            parts.iter().map(|it| it.iter().copied().collect()).collect();
        let roles = self.game.roles().len();
        let goal_cones: Vec<FxHashSet<AtomId>> = (0..roles)
            .map(|role| {
                let goals = self.game.goals().iter().filter(|it| it.role.index() == role);
                goals.flat_map(|it| self.cone(it.atom, None).fluents).collect()
            })
            .collect();
        let patterns = |fluents: &FxHashSet<AtomId>| {
            let symbols = self.game.symbols();
            let forms = forms(self.game).into_iter();
            let own = forms.filter(|form| form.fluents.iter().any(|it| fluents.contains(it)));
            own.map(|form| form.pattern(0, symbols)).collect::<Vec<String>>()
        };
        let described = parts
            .iter()
            .zip(&sets)
            .map(|(fluents, set)| Part {
                patterns: patterns(set),
                fluents: fluents.clone(),
                moves: (0..roles).map(|role| moves.classes(role, set).len()).collect(),
                is_goal_of: goal_cones.iter().map(|it| !it.is_disjoint(set)).collect(),
            })
            .collect();
        Factors {
            combination,
            ends: self.ends(&sets),
            shared: patterns(&self.shared),
            parts: described,
        }
    }

    /// How the parts end the game, by the rules of `terminal` and of what these read alone.
    fn ends(&self, parts: &[FxHashSet<AtomId>]) -> Ends {
        let Some(terminal) = self.game.terminal() else { return Ends::Mixed };
        let (mut alone, mut together, mut shared) = (false, false, false);
        for body in self.bodies.of(terminal) {
            let mut read: FxHashSet<usize> = FxHashSet::default();
            for literal in body {
                let cone = self.cone(AtomId(literal.atom()), None).fluents;
                read.extend((0..parts.len()).filter(|&it| !parts[it].is_disjoint(&cone)));
            }
            match read.len() {
                0 => shared = true,
                1 => alone = true,
                _ => together = true,
            }
        }
        match (alone, together, shared) {
            (true, false, _) => Ends::First,
            (false, true, _) => Ends::All,
            (false, false, true) => Ends::Shared,
            _ => Ends::Mixed,
        }
    }
}

/// Sets that grow together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    parents: Vec<usize>,
}

impl Joined {
    pub(crate) fn new(size: usize) -> Self {
        Joined { parents: (0..size).collect() }
    }

    /// Adds a set of its own.
    pub(crate) fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    pub(crate) fn root(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    pub(crate) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }
}
