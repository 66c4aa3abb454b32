//! What moves do in parts of a game.

use std::collections::{BTreeMap, BTreeSet};

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundLiteral};

use super::{Cones, Joined};
use crate::bodies::Body;

/// More parts are not looked at as those of one move.
const MOST_PARTS: usize = 60;

/// What a rule says that reads a move: its head, and the rest of the body.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Effect {
    /// A fluent that held goes on holding, whatever else does.
    Keeps,
    /// Something else.
    Other(Vec<u32>),
}

/// What moves do.
#[derive(Debug)]
pub(crate) struct Moves {
    /// By role: its moves, each with its number in the game.
    of_role: Vec<Vec<usize>>,
    /// By move: for each fluent, what it does to it.
    effects: Vec<FxHashMap<AtomId, BTreeSet<Effect>>>,
    /// By role: the fluents that some of its moves keep.
    kept: Vec<FxHashSet<AtomId>>,
}

impl Moves {
    pub(crate) fn new(cones: &Cones<'_>) -> Option<Self> {
        let game = cones.game;
        let roles = game.roles().len();
        let number: FxHashMap<AtomId, usize> =
            game.moves().iter().enumerate().map(|(at, it)| (it.does, at)).collect();
        let mut of_role: Vec<Vec<usize>> = vec![Vec::new(); roles];
        for (at, made) in game.moves().iter().enumerate().filter(|it| it.1.legal.is_some()) {
            of_role[made.role.index()].push(at);
        }
        let mut moves = Moves {
            of_role,
            effects: vec![FxHashMap::default(); game.moves().len()],
            kept: vec![FxHashSet::default(); roles],
        };
        for &fluent in &cones.fluents {
            let Some(next) = game.next(fluent) else { continue };
            if cones.budget.is_over() {
                return None;
            }
            let mut views: Vec<AtomId> = cones.cone(next, None).views.into_iter().collect();
            views.sort_unstable();
            for view in views {
                for body in cones.bodies.of(view) {
                    moves.read(cones, &number, fluent, view, body);
                }
            }
        }
        Some(moves)
    }

    fn read(
        &mut self,
        cones: &Cones<'_>,
        number: &FxHashMap<AtomId, usize>,
        fluent: AtomId,
        head: AtomId,
        body: Body<'_>,
    ) {
        let game = cones.game;
        let of_moves = body.iter().filter(|it| number.contains_key(&AtomId(it.atom())));
        for own in of_moves {
            let rest = body.iter().filter(|it| it.atom() != own.atom());
            let is_neutral = |atom: AtomId| {
                atom == fluent || cones.shared.contains(&atom) || game.kind(atom) == AtomKind::Does
            };
            let keeps = Some(head) == game.next(fluent)
                && !own.is_negated()
                && rest.clone().any(|it| AtomId(it.atom()) == fluent && !it.is_negated())
                && rest.clone().all(|it| is_neutral(AtomId(it.atom())));
            let at = number[&AtomId(own.atom())];
            let effect = if keeps {
                self.kept[game.moves()[at].role.index()].insert(fluent);
                Effect::Keeps
            } else {
                let mut said: Vec<u32> =
                    rest.map(|it| it.atom() << 1 | u32::from(it.is_negated())).collect();
                said.sort_unstable();
                said.push(u32::from(own.is_negated()));
                said.push(head.0);
                Effect::Other(said)
            };
            self.effects[at].entry(fluent).or_default().insert(effect);
        }
    }

    /// The fluents that a move does something to. A move that no rule reads does nothing. Where moves of another role keep a whole part
    /// as well, a move that is not mentioned there is one in another part.
    fn touched(
        &self,
        role: usize,
        made: usize,
        parts: &[Vec<AtomId>],
        part_of: &FxHashMap<AtomId, usize>,
    ) -> Vec<AtomId> {
        let effects = &self.effects[made];
        if effects.is_empty() {
            return Vec::new();
        }
        let kept: BTreeSet<Effect> = [Effect::Keeps].into_iter().collect();
        let changed =
            effects.iter().filter(|(it, effect)| **effect != kept || !self.kept[role].contains(it));
        let mut found: Vec<AtomId> = changed.map(|it| *it.0).collect();
        let met: FxHashSet<usize> =
            effects.keys().filter_map(|it| part_of.get(it).copied()).collect();
        let is_elsewhere = |fluent: &AtomId| {
            let part = part_of.get(fluent);
            let by_others =
                self.kept.iter().enumerate().any(|(at, kept)| at != role && kept.contains(fluent));
            by_others && part.is_some_and(|part| parts[*part].len() > 1 && !met.contains(part))
        };
        let lost =
            self.kept[role].iter().filter(|it| !effects.contains_key(it) && !is_elsewhere(it));
        found.extend(lost);
        found
    }

    /// Joins parts that one move does something to, or that the condition of such a move reads.
    pub(crate) fn joined(
        &self,
        cones: &Cones<'_>,
        parts: Vec<Vec<AtomId>>,
        cut: Option<AtomId>,
    ) -> Vec<Vec<AtomId>> {
        let part_of = part_of(&parts);
        let mut joined = Joined::new(parts.len());
        for (role, moves) in self.of_role.iter().enumerate() {
            for &made in moves {
                let touched = self.touched(role, made, &parts, &part_of);
                if touched.is_empty() {
                    continue;
                }
                let mut read: FxHashSet<AtomId> = touched.into_iter().collect();
                for atom in legal(cones, made).flatten().map(|it| AtomId(it.atom())) {
                    read.extend(cones.cone(atom, cut).fluents);
                }
                let mut numbers = read.iter().filter_map(|it| part_of.get(it));
                if let Some(&first) = numbers.next() {
                    numbers.for_each(|&it| joined.join(first, it));
                }
            }
        }
        let mut found: BTreeMap<usize, Vec<AtomId>> = BTreeMap::new();
        for (at, part) in parts.into_iter().enumerate() {
            found.entry(joined.root(at)).or_default().extend(part);
        }
        found.into_values().collect()
    }

    /// The classes of the moves of a role that do the same to these fluents, as lists of moves.
    pub(crate) fn classes(&self, role: usize, fluents: &FxHashSet<AtomId>) -> Vec<Vec<usize>> {
        let mut of: FxHashMap<Vec<(AtomId, BTreeSet<Effect>)>, usize> = FxHashMap::default();
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for &made in &self.of_role[role] {
            let own = self.effects[made].iter().filter(|it| fluents.contains(it.0));
            let mut key: Vec<(AtomId, BTreeSet<Effect>)> =
                own.map(|(fluent, effects)| (*fluent, effects.clone())).collect();
            key.sort();
            let class = *of.entry(key).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(made);
        }
        classes
    }

    /// Parts such that each move is a move in each of them, in all combinations: those are joined whose combinations do not all occur.
    pub(crate) fn compound(
        &self,
        cones: &Cones<'_>,
        parts: &[Vec<AtomId>],
    ) -> Option<Vec<Vec<AtomId>>> {
        if !(2..=MOST_PARTS).contains(&parts.len()) {
            return None;
        }
        let mut joined = Joined::new(parts.len());
        for (role, moves) in self.of_role.iter().enumerate() {
            let mut tuples: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
            for part in parts {
                let classes = self.classes(role, &part.iter().copied().collect());
                for (number, class) in classes.iter().enumerate() {
                    class.iter().for_each(|&it| tuples.entry(it).or_default().push(number));
                }
            }
            for one in 0..parts.len() {
                for other in one + 1..parts.len() {
                    let is_product = |moves: &FxHashSet<usize>| {
                        let pair = |it: &usize| (tuples[it][one], tuples[it][other]);
                        let pairs: BTreeSet<(usize, usize)> = moves.iter().map(pair).collect();
                        let ones: BTreeSet<usize> = pairs.iter().map(|it| it.0).collect();
                        let others: BTreeSet<usize> = pairs.iter().map(|it| it.1).collect();
                        pairs.len() == ones.len() * others.len()
                    };
                    if !self.acting(moves).iter().any(is_product) {
                        joined.join(one, other);
                    }
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<AtomId>> = BTreeMap::new();
        for (at, part) in parts.iter().enumerate() {
            groups.entry(joined.root(at)).or_default().extend(part);
        }
        let groups: Vec<Vec<AtomId>> = groups.into_values().collect();
        self.are_compound(cones, &groups).then_some(groups)
    }

    /// Whether each move is a move in each part, in all combinations, and its condition is one of conditions in these.
    fn are_compound(&self, cones: &Cones<'_>, parts: &[Vec<AtomId>]) -> bool {
        if parts.len() < 2 || parts.iter().any(|it| it.len() < 2) {
            return false;
        }
        let part_of = part_of(parts);
        let sets: Vec<FxHashSet<AtomId>> =
            parts.iter().map(|it| it.iter().copied().collect()).collect();
        let mut is_used = false;
        for (role, moves) in self.of_role.iter().enumerate() {
            if moves.iter().all(|&it| self.effects[it].is_empty()) {
                continue;
            }
            let choices = self.acting(moves).iter().find_map(|acting| {
                let (tuples, choices) = self.product(role, acting, &sets)?;
                self.are_conditions_apart(cones, &part_of, acting, &tuples).then_some(choices)
            });
            let Some(choices) = choices else { return false };
            is_used |= choices > 1;
        }
        is_used
    }

    /// The moves that do something; and all, as doing nothing in each part is a combination too.
    fn acting(&self, moves: &[usize]) -> [FxHashSet<usize>; 2] {
        let acting = moves.iter().copied().filter(|&it| !self.effects[it].is_empty()).collect();
        [acting, moves.iter().copied().collect()]
    }

    /// By move its class in each part, and in how many parts there are several, if the moves are all combinations of classes.
    fn product(
        &self,
        role: usize,
        acting: &FxHashSet<usize>,
        parts: &[FxHashSet<AtomId>],
    ) -> Option<(FxHashMap<usize, Vec<usize>>, usize)> {
        let mut tuples: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let (mut combinations, mut choices) = (1, 0);
        for part in parts {
            let classes = self.classes(role, part);
            let own = classes.iter().filter(|it| it.iter().any(|it| acting.contains(it)));
            let mut count = 0;
            for (number, class) in own.enumerate() {
                count += 1;
                class.iter().for_each(|&it| tuples.entry(it).or_default().push(number));
            }
            choices += usize::from(count > 1);
            combinations *= count;
        }
        let all: BTreeSet<&Vec<usize>> = acting.iter().map(|it| &tuples[it]).collect();
        let is_product = all.len() == combinations && acting.len() == combinations;
        is_product.then_some((tuples, choices))
    }

    /// Whether what a move's condition reads in a part depends only on what the move does there.
    fn are_conditions_apart(
        &self,
        cones: &Cones<'_>,
        part_of: &FxHashMap<AtomId, usize>,
        acting: &FxHashSet<usize>,
        tuples: &FxHashMap<usize, Vec<usize>>,
    ) -> bool {
        let mut known: FxHashMap<(usize, usize), BTreeSet<GroundLiteral>> = FxHashMap::default();
        for &made in acting {
            let mut conditions = legal(cones, made);
            let (Some(condition), None) = (conditions.next(), conditions.next()) else {
                return false;
            };
            let mut own: Vec<BTreeSet<GroundLiteral>> = vec![BTreeSet::new(); tuples[&made].len()];
            for &literal in condition {
                let cone = cones.cone(AtomId(literal.atom()), None).fluents;
                let read: BTreeSet<usize> =
                    cone.iter().filter_map(|it| part_of.get(it).copied()).collect();
                match read.len() {
                    0 => {}
                    1 => read.iter().for_each(|&part| {
                        own[part].insert(literal);
                    }),
                    _ => return false,
                }
            }
            for (part, literals) in own.into_iter().enumerate() {
                let key = (part, tuples[&made][part]);
                if *known.entry(key).or_insert_with(|| literals.clone()) != literals {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the moves of each role do something in one part only, and not all roles in the same.
    pub(crate) fn are_of_roles(&self, parts: &[Vec<AtomId>]) -> bool {
        let part_of = part_of(parts);
        self.of_role.iter().enumerate().all(|(role, moves)| {
            let touched = moves.iter().flat_map(|&made| self.touched(role, made, parts, &part_of));
            let own: BTreeSet<usize> = touched.filter_map(|it| part_of.get(&it).copied()).collect();
            own.len() <= 1
        })
    }
}

/// The conditions by each of which a move is legal.
fn legal<'game>(cones: &Cones<'game>, made: usize) -> impl Iterator<Item = Body<'game>> {
    let legal = cones.game.moves()[made].legal;
    legal.into_iter().flat_map(|it| cones.bodies.of(it))
}

/// By fluent: the number of its part.
fn part_of(parts: &[Vec<AtomId>]) -> FxHashMap<AtomId, usize> {
    let numbered = parts.iter().enumerate();
    numbered.flat_map(|(number, part)| part.iter().map(move |&it| (it, number))).collect()
}
