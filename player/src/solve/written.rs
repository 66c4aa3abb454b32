//! The rules of a game written out as conjunctions over the words of a state, where that is possible: a state's moves, what they change and
//! whether they end the match are then a few masks.
//!
//! For games in which one role chooses at a time and all others make a move that changes with nothing (they are *idle*), in which each
//! move asks for few fluents, and in which the ends are not too many alternatives.

use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_engine::rows::Rows;
use groundfrog_reasoner::{MoveId, Random, Reasoner, ReasonerError};

use super::alternatives::{Alternatives, Conjunction, is_part};
use super::position::Rules;

/// Moves times rules, at most.
const MOST_WORK: usize = 1_000_000;
/// Playouts in which it is seen which fluents keep others from being added.
const PLAYOUTS: u32 = 300;
/// Longer ones are given up.
const LONGEST: u32 = 500;
/// So often a fluent must have been added before it is believed what keeps it from that.
const ENOUGH: u32 = 16;
/// So many joint moves are looked for the idle moves of all roles.
const FIRST_MOVES: usize = 16;

/// What the fluents of one word have to be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Test {
    pub(super) word: u32,
    pub(super) mask: u64,
    pub(super) value: u64,
}

/// Tests of which all have to hold: the first one, and these of a list.
#[derive(Clone, Debug)]
struct Condition {
    first: Test,
    more: std::ops::Range<u32>,
}

/// A conjunction that ends the match.
#[derive(Clone, Debug)]
pub(crate) struct End {
    /// By role, where the conjunction implies them.
    pub(super) goals: Option<Vec<i64>>,
    /// Fluents that have to hold, if none must not.
    pub(super) line: Option<Vec<u32>>,
}

/// The rules of a game, written out.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Words of a state.
    pub(super) words: usize,
    conditions: Vec<Condition>,
    tests: Vec<Test>,
    /// By role: its moves, ascending.
    pub(super) moves: Vec<Vec<u32>>,
    /// By role: the move that it makes while another one chooses.
    idle: Vec<u32>,
    /// By role: a condition that all of its moves but the idle one ask for.
    turns: Vec<u32>,
    /// By move: conditions of which one has to hold, besides that of the turn for all but idle moves.
    legal: Rows<u32>,
    /// By move, words: the fluents that stay.
    keeps: Vec<u64>,
    /// By move: a condition, and what is added where it holds, as a row of `added`.
    effects: Rows<(u32, u32)>,
    added: Rows<(u32, u64)>,
    /// The ends, whose conditions have the same numbers.
    pub(super) ends: Vec<End>,
    /// By literal: the ends that ask for it.
    by_literal: Rows<u32>,
    /// By fluent: the moves that may add it, and the condition.
    adders: Rows<(u32, u32)>,
    /// By fluent, words: after what it was never seen to be added.
    blocks: Vec<u64>,
}

impl Written {
    /// Writes out the rules of a game. `None` if they are of another kind, or there is no time. It is taken for granted that a terminal state
    /// has one goal value for each role.
    pub(super) fn new(
        game: &GroundGame,
        rules: &mut Rules,
        may_go_on: impl Fn() -> bool,
    ) -> Result<Option<Self>, ReasonerError> {
        if game.moves().len().saturating_mul(game.rules().len()) > MOST_WORK {
            return Ok(None);
        }
        let Some(idle) = idle_moves(rules)? else { return Ok(None) };
        let written = Builder::new(game, rules.words, idle).build();
        Ok(written.and_then(|it| it.checked(rules, may_go_on)))
    }

    /// Whether a condition holds.
    #[inline]
    pub(super) fn holds(&self, condition: u32, state: &[u64]) -> bool {
        let Condition { first, more } = &self.conditions[condition as usize];
        let holds = |it: &Test| state[it.word as usize] & it.mask == it.value;
        holds(first) && self.tests[more.start as usize..more.end as usize].iter().all(holds)
    }

    /// The role that chooses, where all others are idle.
    #[inline]
    pub(super) fn mover(&self, state: &[u64]) -> Option<usize> {
        let mut mover = None;
        for (role, &turn) in self.turns.iter().enumerate() {
            if self.holds(turn, state) {
                if mover.is_some() {
                    return None;
                }
                mover = Some(role);
            } else if !self.is_legal(self.idle[role], state) {
                return None;
            }
        }
        mover
    }

    /// Whether a move is legal for the role that chooses, or an idle one for another.
    #[inline]
    pub(super) fn is_legal(&self, made: u32, state: &[u64]) -> bool {
        self.legal.row(made as usize).iter().any(|&condition| self.holds(condition, state))
    }

    /// Writes the state after a move, the others being idle.
    #[inline]
    pub(super) fn make(&self, made: u32, state: &[u64], next: &mut [u64]) {
        let keeps = &self.keeps[made as usize * self.words..];
        for ((next, state), keeps) in next.iter_mut().zip(state).zip(keeps) {
            *next = state & keeps;
        }
        for &(condition, added) in self.effects.row(made as usize) {
            if self.holds(condition, state) {
                for &(word, mask) in self.added.row(added as usize) {
                    next[word as usize] |= mask;
                }
            }
        }
    }

    /// An end that holds in a state, where none did in the state before.
    #[inline]
    pub(super) fn end(&self, before: &[u64], after: &[u64]) -> Option<usize> {
        let mut found = None;
        changes(before, after, |fluent, holds| {
            let literal = fluent << 1 | usize::from(!holds);
            let mut ends = self.by_literal.row(literal).iter();
            found = found.or_else(|| ends.find(|&&end| self.holds(end, after)).copied());
        });
        found.map(|it| it as usize)
    }

    /// The ends that ask for a fluent to hold.
    pub(super) fn ends_with(&self, fluent: usize) -> &[u32] {
        self.by_literal.row(fluent << 1)
    }

    /// The only fluent that the line of an end lacks.
    #[inline]
    pub(super) fn lacks_only(&self, end: u32, state: &[u64]) -> Option<usize> {
        let mut lacks = None;
        let Condition { first, more } = &self.conditions[end as usize];
        let more = &self.tests[more.start as usize..more.end as usize];
        for test in std::iter::once(first).chain(more) {
            let missing = test.mask & !state[test.word as usize];
            if missing != 0 {
                if lacks.is_some() || missing & (missing - 1) != 0 {
                    return None;
                }
                lacks = Some(test.word as usize * 64 + missing.trailing_zeros() as usize);
            }
        }
        lacks
    }

    /// The moves that may add a fluent, and the condition on which each does.
    pub(super) fn adders(&self, fluent: usize) -> &[(u32, u32)] {
        self.adders.row(fluent)
    }

    /// Whether something holds after which a fluent was never added. Nothing proven rests on it.
    #[inline]
    pub(super) fn is_blocked(&self, fluent: usize, state: &[u64]) -> bool {
        let blocks = &self.blocks[fluent * self.words..];
        state.iter().zip(blocks).any(|(state, block)| state & block != 0)
    }

    /// By move: in how many lines that count the fluents stand that it may add, as a share of the most.
    pub(super) fn shares(&self, counts: impl Fn(usize) -> bool) -> Vec<f32> {
        let mut sums = vec![0.0_f32; self.legal.len()];
        for fluent in 0..self.adders.len() {
            let ends = self.ends_with(fluent).iter();
            let lines = ends.filter(|&&end| counts(end as usize)).count();
            self.adders(fluent).iter().for_each(|&(made, _)| sums[made as usize] += lines as f32);
        }
        let most = sums.iter().copied().fold(1.0, f32::max);
        sums.into_iter().map(|sum| sum / most).collect()
    }

    /// Looks at playouts: what blocks fluents. `None` if the rules as written say anything else than the reasoner.
    fn checked(mut self, rules: &mut Rules, may_go_on: impl Fn() -> bool) -> Option<Self> {
        let (words, fluents) = (self.words, self.adders.len());
        let mut random = Random::new(2);
        let (mut ever, mut agrees) = (vec![0; words], true);
        let mut with = vec![(0_u32, vec![0; words]); fluents];
        for _ in 0..PLAYOUTS {
            let mut before: Option<(Vec<u64>, Vec<MoveId>)> = None;
            let mut held = vec![0; words];
            rules.reasoner.playout_observed(&mut random, LONGEST, |state, moves| {
                let mut own = state.to_vec();
                own.resize(words, 0);
                if let Some((before, moves)) = &before {
                    let mut next = vec![0; words];
                    agrees &= self.mover(before).is_some_and(|mover| {
                        let mut others = (0..moves.len()).filter(|&role| role != mover);
                        self.make(moves[mover].0, before, &mut next);
                        others.all(|role| moves[role].0 == self.idle[role])
                            && self.is_legal(moves[mover].0, before)
                    });
                    agrees &= next == own && self.end(before, &own).is_none();
                    changes(before, &own, |fluent, holds| {
                        if holds {
                            let (count, with) = &mut with[fluent];
                            *count += 1;
                            with.iter_mut().zip(&held).for_each(|(with, word)| *with |= word);
                        }
                    });
                }
                held.iter_mut().zip(&own).for_each(|(held, word)| *held |= word);
                before = Some((own, moves.to_vec()));
            });
            if !agrees || !may_go_on() {
                return None;
            }
            ever.iter_mut().zip(&held).for_each(|(ever, word)| *ever |= word);
        }
        for (fluent, (_, with)) in with.iter().enumerate().filter(|it| it.1.0 >= ENOUGH) {
            for word in 0..words {
                self.blocks[fluent * words + word] = ever[word] & !with[word];
            }
        }
        Some(self)
    }
}

/// Calls a function with the fluents that differ, and whether they hold afterwards.
#[inline]
pub(super) fn changes(before: &[u64], after: &[u64], mut visit: impl FnMut(usize, bool)) {
    for (index, (before, after)) in before.iter().zip(after).enumerate() {
        let mut changes = before ^ after;
        while changes != 0 {
            let bit = changes.trailing_zeros() as usize;
            visit(index * 64 + bit, after >> bit & 1 == 1);
            changes &= changes - 1;
        }
    }
}

/// By role: the only move that it has while another one chooses.
fn idle_moves(rules: &mut Rules) -> Result<Option<Vec<u32>>, ReasonerError> {
    let mut idle = vec![None; rules.roles];
    let mut state = rules.reasoner.initial().clone();
    for _ in 0..FIRST_MOVES {
        if rules.is_terminal(&state)? {
            break;
        }
        rules.find_legal(&state)?;
        if rules.legal.iter().filter(|it| it.len() > 1).count() == 1 {
            for (idle, legal) in idle.iter_mut().zip(&rules.legal).filter(|it| it.1.len() == 1) {
                *idle = idle.or(Some(legal[0].0));
            }
        }
        if idle.iter().all(Option::is_some) {
            break;
        }
        let first: Vec<MoveId> = rules.legal.iter().map(|it| it[0]).collect();
        rules.reasoner.advance(&mut state, &first)?;
    }
    Ok(idle.into_iter().collect())
}

/// Writes out what there is in parts.
struct Builder<'game> {
    game: &'game GroundGame,
    alternatives: Alternatives<'game>,
    words: usize,
    idle: Vec<u32>,
    conditions: Vec<Condition>,
    tests: Vec<Test>,
}

impl<'game> Builder<'game> {
    fn new(game: &'game GroundGame, words: usize, idle: Vec<u32>) -> Self {
        let alternatives = Alternatives::new(game);
        Builder { game, alternatives, words, idle, conditions: Vec::new(), tests: Vec::new() }
    }

    /// The number of a condition.
    fn condition(&mut self, literals: &[u32]) -> u32 {
        let words = literals.chunk_by(|one, other| one / 128 == other / 128);
        let tests = words.map(|literals| {
            let mut test = Test { word: literals[0] / 128, ..Test::default() };
            for literal in literals {
                test.mask |= 1 << (literal / 2 % 64);
                test.value |= u64::from(literal & 1 == 0) << (literal / 2 % 64);
            }
            test
        });
        let mut tests = tests;
        let first = tests.next().unwrap_or_default();
        let start = self.tests.len() as u32;
        self.tests.extend(tests);
        self.conditions.push(Condition { first, more: start..self.tests.len() as u32 });
        self.conditions.len() as u32 - 1
    }

    fn build(mut self) -> Option<Written> {
        let (ends, by_literal) = self.ends()?;
        let game = self.game;
        let owners: Vec<usize> = game.moves().iter().map(|it| it.role.index()).collect();
        let mut of_role = vec![Vec::new(); game.roles().len()];
        let mut common: Vec<Option<Conjunction>> = vec![None; of_role.len()];
        let mut found = Vec::new();
        for (number, made) in game.moves().iter().enumerate() {
            let role = owners[number];
            of_role[role].push(number as u32);
            found.push(made.legal.map_or(Some(Vec::new()), |it| self.alternatives.of(it))?);
            for one in found[number].iter().filter(|_| number as u32 != self.idle[role]) {
                let all = common[role].get_or_insert_with(|| one.clone());
                all.retain(|literal| one.contains(literal));
            }
        }
        let common = common.into_iter().collect::<Option<Vec<Conjunction>>>()?;
        let turns = common.iter().map(|it| self.condition(it)).collect();
        let mut legal = Rows::default();
        for (number, mut found) in found.into_iter().enumerate() {
            let role = owners[number];
            if number as u32 != self.idle[role] {
                found.iter_mut().for_each(|it| it.retain(|one| !common[role].contains(one)));
            }
            let row: Vec<u32> = found.iter().map(|it| self.condition(it)).collect();
            legal.push(row);
        }
        let mut written = Written {
            words: self.words,
            conditions: Vec::new(),
            tests: Vec::new(),
            moves: of_role,
            turns,
            legal,
            keeps: Vec::new(),
            effects: Rows::default(),
            added: Rows::default(),
            ends,
            by_literal,
            adders: Rows::default(),
            blocks: vec![0; game.fluents().len() * self.words],
            idle: Vec::new(),
        };
        let mut adders = Vec::new();
        for (number, &role) in owners.iter().enumerate() {
            self.effects(number, role, &mut written, &mut adders)?;
        }
        written.adders = Rows::from_pairs(game.fluents().len(), adders.iter().copied());
        written.conditions = self.conditions;
        written.tests = self.tests;
        written.idle = self.idle;
        Some(written)
    }

    /// The ends, whose conditions come first, and by literal those that ask for it.
    fn ends(&mut self) -> Option<(Vec<End>, Rows<u32>)> {
        let terminal = self.alternatives.of(self.game.terminal()?)?;
        // By role: what brings which value, as far as it can be written out.
        let roles = 0..self.game.roles().len() as u32;
        let goals = roles.map(|role| {
            let goals = self.game.goals_of(RoleId(role));
            let goals = goals.filter_map(|it| Some((it.value?, self.alternatives.of(it.atom)?)));
            goals.collect::<Vec<_>>()
        });
        let goals: Vec<Vec<(i64, Vec<Conjunction>)>> = goals.collect();
        let (mut ends, mut pairs) = (Vec::new(), Vec::new());
        for end in &terminal {
            let number = self.condition(end);
            pairs.extend(end.iter().map(|&literal| (literal, number)));
            let value = |goals: &Vec<(i64, Vec<Conjunction>)>| {
                let mut implied =
                    goals.iter().filter(|(_, all)| all.iter().any(|it| is_part(it, end)));
                implied.next().map(|it| it.0).filter(|_| implied.next().is_none())
            };
            let goals = goals.iter().map(value).collect();
            let is_line = end.iter().all(|literal| literal & 1 == 0);
            let line = is_line.then(|| end.iter().map(|literal| literal >> 1).collect());
            ends.push(End { goals, line });
        }
        let literals = self.game.fluents().len() * 2;
        Some((ends, Rows::from_pairs(literals, pairs.iter().copied())))
    }

    /// What a move does.
    fn effects(
        &mut self,
        number: usize,
        role: usize,
        written: &mut Written,
        adders: &mut Vec<(u32, (u32, u32))>,
    ) -> Option<()> {
        let game = self.game;
        let idle = self.idle.iter().enumerate().filter(|it| it.0 != role).map(|it| *it.1 as usize);
        let made = idle.chain([number]).map(|it| game.moves()[it].does).collect();
        self.alternatives.make(made);
        let mut keeps = vec![0_u64; self.words];
        let mut by_condition: std::collections::BTreeMap<Conjunction, Vec<u32>> =
            Default::default();
        for (fluent, atom) in (0_u32..).zip(game.fluents()) {
            let found =
                game.next(atom).map_or(Some(Vec::new()), |it: AtomId| self.alternatives.of(it));
            for one in found? {
                if one == [fluent << 1] {
                    keeps[fluent as usize / 64] |= 1 << (fluent % 64);
                    continue;
                }
                by_condition.entry(one).or_default().push(fluent);
            }
        }
        let mut row = Vec::new();
        for (one, fluents) in by_condition {
            let condition = self.condition(&one);
            adders.extend(fluents.iter().map(|&it| (it, (number as u32, condition))));
            let words = fluents.chunk_by(|one, other| one / 64 == other / 64);
            written.added.push(words.map(|fluents| {
                let mask = fluents.iter().fold(0, |mask, fluent| mask | 1 << (fluent % 64));
                (fluents[0] / 64, mask)
            }));
            row.push((condition, written.added.len() as u32 - 1));
        }
        written.effects.push(row);
        written.keeps.extend(keeps);
        Some(())
    }
}
