//! The parts of a puzzle as ground games of their own.
//!
//! What comes next of the fluents of a part depends on these, on what is shared, and on the move: that is checked by the ground rules, all
//! of which are followed. Moves that these rules read in the same way do the same to a part; they are one class, and one of them
//! stands for all. In a part a move is legal where what the rules ask of it there, and of what is shared, holds. So each match of the
//! game is a match in each of its parts, and what cannot be reached in a part cannot be reached in the game. The other way
//! round need not be true: who puts a match together from matches of the parts has to play it.

use std::collections::BTreeSet;
use std::time::Duration;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::game::{AtomId, GroundGame, GroundLiteral, RuleStore};
use groundfrog::{AtomKind, Budget};

use super::moves::Moves;
use super::{Cones, MOST_LITERALS, divided};

/// What each part has to reach for the match to be over with some value: by part, literals that hold together.
pub type Aim = Vec<Vec<GroundLiteral>>;

/// A puzzle that comes apart.
pub struct Separation<'game> {
    cones: Cones<'game>,
    parts: Vec<Separated>,
}

/// A part.
struct Separated {
    fluents: FxHashSet<AtomId>,
    /// The atoms that depend on these fluents in the same state, and these.
    reading: FxHashSet<AtomId>,
    /// By move: the class that it is of; moves of a class do the same.
    classes: Vec<u32>,
}

/// What is left of a rule by a move.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Effect {
    /// The rule, by its head and number, does not apply.
    Without(u32, usize),
    /// It applies where these literals hold.
    With(u32, Vec<GroundLiteral>),
}

impl<'game> Separation<'game> {
    /// Takes a puzzle apart, if it is proved to come apart. `None` for games of several roles and those that are too large, or if the time is over.
    pub fn new(game: &'game GroundGame, time: Duration) -> Option<Self> {
        if game.roles().len() != 1 || game.rules().literal_count() > MOST_LITERALS {
            return None;
        }
        let cones = Cones::new(game, Budget::within(time))?;
        let moves = Moves::new(&cones)?;
        let (_, parts) = divided(&cones, &moves);
        if parts.len() < 2 {
            return None;
        }
        let parts: Option<Vec<Separated>> = parts
            .into_iter()
            .map(|fluents| {
                let reading = cones.reading(&fluents, None);
                let fluents: FxHashSet<AtomId> = fluents.into_iter().collect();
                Some(Separated { classes: classes(&cones, &fluents)?, reading, fluents })
            })
            .collect();
        Some(Separation { cones, parts: parts? })
    }

    /// Whether a fluent is one of a part.
    pub fn is_of(&self, part: usize, fluent: AtomId) -> bool {
        self.parts[part].fluents.contains(&fluent)
    }

    /// The class of a move in a part, by the move's position in the game: those of a class do the same there.
    pub fn class(&self, part: usize, made: usize) -> u32 {
        self.parts[part].classes[made]
    }

    /// Whether there are states of a part, and of what is shared, in which the match is over whatever the others are in.
    pub fn can_end(&self, part: usize) -> bool {
        let reads = |it: &GroundLiteral| self.reads(AtomId(it.atom())).next().is_some();
        self.ends(part).iter().any(|literals| literals.iter().any(reads))
    }

    /// A part as a game with the same atoms, over where `aim` holds, or where by this part and what is shared alone the match is over. The goal is
    /// `value` where the aim holds, and `other` elsewhere. `None` if the rules of the part read moves that are legal, goals or ends.
    ///
    /// # Panics
    /// If one of the values is none of the game's.
    pub fn subgame(
        &self,
        part: usize,
        aim: &[GroundLiteral],
        [value, other]: [i64; 2],
    ) -> Option<GroundGame> {
        let game = self.cones.game;
        let goal = |wanted: i64| {
            let found = game.goals().iter().find(|it| it.value == Some(wanted));
            found.expect("a value of the game").atom.0
        };
        let (value, other) = (goal(value), goal(other));
        let mut heads: Vec<(u32, Vec<GroundLiteral>)> = self.legal(part);
        if let Some(terminal) = game.terminal() {
            heads.extend(self.ends(part).into_iter().map(|body| (terminal.0, body)));
            heads.push((terminal.0, vec![GroundLiteral::new(value, false)]));
        }
        heads.push((value, aim.to_vec()));
        heads.push((other, vec![GroundLiteral::new(value, true)]));

        let own = &self.parts[part].fluents;
        let is_kept = |fluent: &AtomId| own.contains(fluent) || self.cones.shared.contains(fluent);
        let mut open: Vec<AtomId> =
            game.fluents().filter(is_kept).filter_map(|it| game.next(it)).collect();
        let read = heads.iter().flat_map(|it| &it.1).map(|it| AtomId(it.atom()));
        open.extend(read.filter(|it| it.0 != value));
        let mut rules = RuleStore::default();
        let mut seen: FxHashSet<AtomId> = FxHashSet::default();
        while let Some(atom) = open.pop() {
            if game.is_open(atom) || !seen.insert(atom) {
                continue;
            }
            if !matches!(game.kind(atom), AtomKind::View | AtomKind::Next) {
                return None;
            }
            for body in self.cones.bodies.of(atom) {
                rules.push(atom.0, body);
                open.extend(body.iter().map(|it| AtomId(it.atom())));
            }
        }
        heads.iter().for_each(|(head, body)| rules.push(*head, body));
        let init = game.init().iter().copied().filter(is_kept).collect();
        Some(game.with_rules(rules).with_init(init))
    }

    /// Rules for the legal moves of a part, one move for each class: the literals that this part and what is shared decide.
    fn legal(&self, part: usize) -> Vec<(u32, Vec<GroundLiteral>)> {
        let game = self.cones.game;
        let mut first: FxHashMap<u32, AtomId> = FxHashMap::default();
        let mut found: BTreeSet<(u32, Vec<GroundLiteral>)> = BTreeSet::new();
        let mut free: BTreeSet<u32> = BTreeSet::new();
        for (made, &class) in game.moves().iter().zip(&self.parts[part].classes) {
            let Some(legal) = made.legal else { continue };
            let head = first.entry(class).or_insert(legal).0;
            if free.contains(&head) {
                continue;
            }
            for body in self.cones.bodies.of(legal) {
                let own: Vec<GroundLiteral> = body
                    .iter()
                    .copied()
                    .filter(|it| self.reads(AtomId(it.atom())).all(|read| read == part))
                    .collect();
                if own.is_empty() {
                    free.insert(head);
                }
                found.insert((head, own));
            }
        }
        found.retain(|(head, body)| body.is_empty() || !free.contains(head));
        found.into_iter().collect()
    }

    /// The parts that an atom reads in a state.
    fn reads(&self, atom: AtomId) -> impl Iterator<Item = usize> {
        let parts = self.parts.iter().enumerate();
        parts.filter(move |it| it.1.reading.contains(&atom)).map(|it| it.0)
    }
}

/// By move: the class that it is of for these fluents. `None` if what comes next of them depends on others that are not shared.
fn classes(cones: &Cones<'_>, fluents: &FxHashSet<AtomId>) -> Option<Vec<u32>> {
    let game = cones.game;
    let mut effects: FxHashMap<u32, BTreeSet<Effect>> = FxHashMap::default();
    let mut views: FxHashSet<AtomId> = FxHashSet::default();
    for fluent in fluents.iter().chain(&cones.shared) {
        let cone = game.next(*fluent).map(|it| cones.cone(it, None)).unwrap_or_default();
        let is_kept = |it: &AtomId| fluents.contains(it) || cones.shared.contains(it);
        if cones.budget.is_over() || !cone.fluents.iter().all(is_kept) {
            return None;
        }
        views.extend(cone.views);
    }
    for view in views {
        for (number, body) in cones.bodies.of(view).enumerate() {
            let is_move = |it: &GroundLiteral| game.kind(AtomId(it.atom())) == AtomKind::Does;
            let (does, mut rest): (Vec<_>, Vec<_>) = body.iter().copied().partition(is_move);
            rest.sort_unstable();
            let made: Vec<&GroundLiteral> = does.iter().filter(|it| !it.is_negated()).collect();
            match made[..] {
                // The only role makes one move: the rule applies by all others.
                [] => does.iter().for_each(|literal| {
                    effects
                        .entry(literal.atom())
                        .or_default()
                        .insert(Effect::Without(view.0, number));
                }),
                [only] => {
                    let effect = Effect::With(view.0, rest);
                    effects.entry(only.atom()).or_default().insert(effect);
                }
                // Two moves at once are never made.
                _ => {}
            }
        }
    }
    let mut numbers: FxHashMap<BTreeSet<Effect>, u32> = FxHashMap::default();
    let class = |does: AtomId| {
        let own = effects.remove(&does.0).unwrap_or_default();
        let next = numbers.len() as u32;
        *numbers.entry(own).or_insert(next)
    };
    Some(game.moves().iter().map(|it| it.does).map(class).collect())
}

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
    fn ends(&self, part: usize) -> Vec<Vec<GroundLiteral>> {
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
