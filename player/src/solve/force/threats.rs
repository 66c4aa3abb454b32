//! Threats: fluents that alone are missing from a row that ends the match as a side wants. Moves come by how many more of them they leave; nothing
//! proven rests on that.

use std::sync::Arc;

use fxhash::FxHashMap;
use groundfrog::RulesByHead;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_reasoner::{MoveId, Random};
use smallvec::SmallVec;

use super::super::position::Rules;
use super::added;

/// What a threat is worth beside the rows through what a move may add.
const THREAT: f32 = 10.0;
/// Shorter rows do not tell which moves are good before there is a threat.
const SHORTEST: usize = 3;
/// With more rows of a role it takes longer to look at them than at states.
const MOST_ROWS: usize = 256;
/// With more sets of fluents, or so much work, there are none.
const MOST: usize = 4096;
const MOST_WORK: usize = 1 << 20;
/// Views may stand so deep upon each other.
const DEEPEST: usize = 64;
/// Playouts in which it is seen which fluents keep others from being added, and when longer ones are given up.
const PLAYOUTS: u32 = 300;
const LONGEST: u32 = 500;
/// So often a fluent must have been added before it is believed what keeps it from that.
const ENOUGH: u32 = 16;

/// A row of fluents, as a mask over the words of a state.
type Row = Vec<u64>;

/// The rows of a game by what they are worth to a role, and what was seen in random play.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// By role: the value that goes with each row.
    of_roles: Vec<Vec<(i64, Row)>>,
    seen: Arc<Seen>,
}

/// What was seen in random play.
#[derive(Debug, Default)]
struct Seen {
    /// By fluent: after what it was never added.
    blocks: Vec<Row>,
    /// By move: what was added by it.
    adds: Vec<Row>,
}

/// The rows that one side wants.
#[derive(Clone, Debug, Default)]
struct Side {
    rows: Vec<Row>,
    /// By fluent: its rows.
    with: Vec<Vec<u32>>,
    /// By move: the rows through what it may add, as a share of the most.
    shares: Vec<f32>,
}

/// The rows that two sides want.
#[derive(Clone, Debug)]
pub(super) struct Threats {
    sides: [Side; 2],
    seen: Arc<Seen>,
}

impl Rows {
    /// Those of a game, as far as there is time.
    pub(crate) fn new(game: &GroundGame, rules: &mut Rules, may_go_on: impl Fn() -> bool) -> Self {
        let words = rules.words;
        let mut unfolding = Unfolding::new(game);
        let mask = |row: &Vec<u32>| {
            let mut mask = vec![0_u64; words];
            row.iter().for_each(|&it| mask[it as usize / 64] |= 1 << (it % 64));
            mask
        };
        let mut of_role = |role: u32| {
            let mut rows = Vec::new();
            for goal in game.goals_of(RoleId(role)) {
                let found = unfolding.atom(goal.atom, DEEPEST);
                let long = found.iter().filter(|it| it.len() >= SHORTEST);
                rows.extend(
                    goal.value
                        .into_iter()
                        .flat_map(|it| long.clone().map(move |row| (it, mask(row)))),
                );
            }
            if rows.len() > MOST_ROWS {
                rows.clear();
            }
            rows
        };
        let of_roles: Vec<_> = (0..rules.roles as u32).map(&mut of_role).collect();
        if of_roles.iter().all(Vec::is_empty) {
            return Rows::default();
        }
        Rows { of_roles, seen: Arc::new(Seen::new(game, rules, may_go_on)) }
    }

    /// The rows of a role with values of its own that are wanted, and those that others want; none if one of these sides has none.
    pub(super) fn threats(&self, role: usize, is_wanted: impl Fn(i64) -> bool) -> Option<Threats> {
        let side = |wants: bool| {
            let rows = self.of_roles.get(role).into_iter().flatten();
            let rows = rows.filter(|it| is_wanted(it.0) == wants).map(|it| it.1.clone());
            Side::new(rows.collect(), &self.seen)
        };
        let sides = [side(true), side(false)];
        let has_all = sides.iter().all(|it| !it.rows.is_empty());
        has_all.then(|| Threats { sides, seen: Arc::clone(&self.seen) })
    }
}

impl Side {
    fn new(rows: Vec<Row>, seen: &Seen) -> Self {
        let mut with = vec![Vec::new(); seen.blocks.len()];
        for (number, row) in (0..).zip(&rows) {
            fluents(row).for_each(|it| with[it].push(number));
        }
        let through = |adds: &Row| fluents(adds).map(|it| with[it].len()).sum::<usize>() as f32;
        let through: Vec<f32> = seen.adds.iter().map(through).collect();
        let most = through.iter().copied().fold(1.0, f32::max);
        Side { rows, with, shares: through.into_iter().map(|it| it / most).collect() }
    }
}

/// The threats of each side in a state.
pub(super) type Present = [SmallVec<[usize; 16]>; 2];

impl Threats {
    /// By side: its threats in a state.
    pub(super) fn of(&self, state: &[u64]) -> Present {
        self.sides.each_ref().map(|side| {
            let mut threats = SmallVec::new();
            side.rows.iter().for_each(|row| self.note(row, state, &mut threats));
            threats
        })
    }

    /// What a move is worth to a side: the threats that it makes and those that it ends, and the rows through what it may add.
    pub(super) fn score(
        &self,
        side: usize,
        present: &Present,
        made: MoveId,
        (before, after): (&[u64], &[u64]),
    ) -> f32 {
        let own = &self.sides[side];
        let mut threats = present[side].clone();
        for row in added(before, after).flat_map(|it| &own.with[it]) {
            self.note(&own.rows[*row as usize], after, &mut threats);
        }
        let new = threats.len() - present[side].len();
        let ended = present[1 - side].iter().filter(|&&it| self.is_blocked(it, after)).count();
        THREAT * (new + ended) as f32 + own.shares[made.index()]
    }

    /// Notes what is missing from a row.
    fn note(&self, row: &[u64], state: &[u64], threats: &mut SmallVec<[usize; 16]>) {
        if let Some(it) = self.missing(row, state)
            && !threats.contains(&it)
        {
            threats.push(it);
        }
    }

    /// The only fluent of a row that does not hold, if it can still be added.
    fn missing(&self, row: &[u64], state: &[u64]) -> Option<usize> {
        let mut found = None;
        for (index, (row, state)) in row.iter().zip(state).enumerate() {
            let missing = row & !state;
            if missing != 0 {
                if found.is_some() || !missing.is_power_of_two() {
                    return None;
                }
                found = Some(index * 64 + missing.trailing_zeros() as usize);
            }
        }
        found.filter(|&it| !self.is_blocked(it, state))
    }

    fn is_blocked(&self, fluent: usize, state: &[u64]) -> bool {
        state.iter().zip(&self.seen.blocks[fluent]).any(|(state, block)| state & block != 0)
    }
}

impl Seen {
    fn new(game: &GroundGame, rules: &mut Rules, may_go_on: impl Fn() -> bool) -> Self {
        let join =
            |to: &mut Row, from: &[u64]| to.iter_mut().zip(from).for_each(|(to, it)| *to |= it);
        let none = vec![0; rules.words];
        let mut ever = none.clone();
        let mut after = vec![(0, none.clone()); game.fluents().len()];
        let mut adds = vec![none.clone(); game.moves().len()];
        let mut random = Random::new(2);
        for _ in (0..PLAYOUTS).take_while(|_| may_go_on()) {
            let (mut held, mut before, mut last) = (none.clone(), none.clone(), Vec::new());
            rules.reasoner.playout_observed(&mut random, LONGEST, |state, moves| {
                for fluent in added(&before, state) {
                    after[fluent].0 += 1;
                    join(&mut after[fluent].1, &held);
                    for made in &last {
                        let made: &MoveId = made;
                        adds[made.index()][fluent / 64] |= 1 << (fluent % 64);
                    }
                }
                join(&mut held, state);
                before.fill(0);
                before[..state.len()].copy_from_slice(state);
                last = moves.to_vec();
            });
            join(&mut ever, &held);
        }
        let block = |(count, after): &(u32, Row)| match *count < ENOUGH {
            true => none.clone(),
            false => ever.iter().zip(after).map(|(ever, after)| ever & !after).collect(),
        };
        Seen { blocks: after.iter().map(block).collect(), adds }
    }
}

/// The fluents of a mask.
fn fluents(mask: &[u64]) -> impl Iterator<Item = usize> {
    let of_word = |(index, &word): (usize, &u64)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
    };
    mask.iter().enumerate().flat_map(of_word)
}

/// Unfolds atoms down to fluents.
struct Unfolding<'game> {
    game: &'game GroundGame,
    by_head: RulesByHead,
    first: u32,
    fluents: u32,
    known: FxHashMap<AtomId, Vec<Vec<u32>>>,
    work: usize,
}

impl<'game> Unfolding<'game> {
    fn new(game: &'game GroundGame) -> Self {
        let first = game.fluents().next().map_or(0, |it| it.0);
        let (fluents, by_head) = (game.fluents().len() as u32, RulesByHead::new(game));
        Unfolding { game, by_head, first, fluents, known: FxHashMap::default(), work: 0 }
    }

    /// The sets of fluents that let an atom hold, whatever must not hold beside; none if they are too many, and not those with moves.
    fn atom(&mut self, atom: AtomId, depth: usize) -> Vec<Vec<u32>> {
        if self.game.is_open(atom) {
            let fluent = atom.0.checked_sub(self.first).filter(|&it| it < self.fluents);
            return fluent.map(|it| vec![it]).into_iter().collect();
        }
        if let Some(known) = self.known.get(&atom) {
            return known.clone();
        }
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        // Who asks for it again on the way depends on itself.
        self.known.insert(atom, Vec::new());
        let mut all = Vec::new();
        for rule in self.by_head.rules(atom).to_vec() {
            let mut sets = vec![Vec::new()];
            for literal in
                self.game.rules().rule(rule as usize).body.iter().filter(|it| !it.is_negated())
            {
                let part = self.atom(AtomId(literal.atom()), depth);
                self.work += sets.len() * part.len();
                if sets.len() * part.len() > MOST || self.work > MOST_WORK {
                    return Vec::new();
                }
                let joined = |one: &Vec<u32>, other: &Vec<u32>| [&one[..], other].concat();
                sets = sets
                    .iter()
                    .flat_map(|one| part.iter().map(move |it| joined(one, it)))
                    .collect();
            }
            all.extend(sets);
        }
        all.iter_mut().for_each(|it| it.sort_unstable());
        all.iter_mut().for_each(Vec::dedup);
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST {
            all.clear();
        }
        self.known.insert(atom, all.clone());
        all
    }
}
