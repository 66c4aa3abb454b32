//! Iterative-deepening alpha-beta with a transposition table, for games in which one role chooses at a time.
//!
//! The own role does what is best for it, all others what is worst for it: exact where there are two and their goals have one sum,
//! paranoid otherwise. States that are no ends are worth what an [`Evaluation`] says. What is worth something is worth a little less with each move until it is
//! had, and the worst end a little more: the shorter win and the longer loss are better, and play that comes back to a state has won nothing by it. Several threads search the same by one table, each
//! second one a move further (lazy shared-memory parallelism).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use groundfrog::game::RoleId;
use groundfrog::{Budget, Stop};
use groundfrog_reasoner::{MoveId, Reasoner, State, Vocabulary, hash_words};

use super::evaluation::{Evaluation, SCALE};
use crate::clock::StateBudget;
use crate::solve::position::{Children, Rules};
use crate::strategy::{BestSoFar, CandidateMove, Decision, StrategyError};

/// Nobody looks further ahead than this.
const DEEPEST: usize = 200;
/// Beyond any value, also a move before.
const FAR: i32 = i32::MAX - DEEPEST as i32;

/// Buffers of one depth.
#[derive(Debug, Default)]
struct Frame {
    children: Children,
    /// What seems best comes first: its value for who chooses, and the child.
    order: Vec<(i32, u32)>,
}

/// The search for the moves of one role.
pub(super) struct AlphaBeta {
    rules: Rules,
    role: RoleId,
    evaluation: Evaluation,
    table: Arc<Transpositions>,
    /// Those of the other threads.
    helpers: Vec<AlphaBeta>,
    frames: Vec<Frame>,
    budget: StateBudget<'static>,
    /// Whether a state was evaluated that is no end.
    is_cut: bool,
}

impl AlphaBeta {
    /// For a role of a game, with so many bytes for the table and so many threads.
    pub(super) fn new(
        rules: Rules,
        role: RoleId,
        evaluation: Evaluation,
        bytes: u64,
        threads: usize,
    ) -> Self {
        let table = Arc::new(Transpositions::new(bytes));
        let one = |helpers| AlphaBeta {
            rules: rules.clone(),
            role,
            evaluation: evaluation.clone(),
            table: Arc::clone(&table),
            helpers,
            frames: Vec::new(),
            budget: StateBudget::within(Budget::default(), u64::MAX),
            is_cut: false,
        };
        one((1..threads).map(|_| one(Vec::new())).collect())
    }

    /// Chooses a move in a state in the time that there is, looking at so many states at most; what it has found after each
    /// depth is left for who cannot wait.
    pub(super) fn choose(
        &mut self,
        state: &State,
        until: Budget,
        most: u64,
        left: Option<&BestSoFar>,
    ) -> Result<Decision, StrategyError> {
        let root = self.rules.whole(state);
        self.rules.find_legal(&root)?;
        let legal = self.rules.legal[self.role.index()].clone();
        self.budget = StateBudget::within(until.clone(), most);
        if legal.len() == 1 {
            return self.choose_of(&root, &legal, left);
        }
        let (decision, states) =
            self.helped(&root, &until, |own| own.choose_of(&root, &legal, left));
        decision.map(|decision| Decision { nodes: decision.nodes + states, ..decision })
    }

    /// Searches on from a state while nobody waits for a move: what it finds is in the table.
    pub(super) fn ponder(&mut self, state: &State, until: Budget) {
        let root = self.rules.whole(state);
        self.budget = StateBudget::within(until.clone(), u64::MAX);
        self.helped(&root, &until, |own| own.deepen(&root, 1));
    }

    /// Does something about a state while the other threads search it; also returns how many states they looked at.
    fn helped<T>(
        &mut self,
        root: &State,
        until: &Budget,
        work: impl FnOnce(&mut Self) -> T,
    ) -> (T, u64) {
        let is_done = Arc::new(AtomicBool::new(false));
        let mut helpers = std::mem::take(&mut self.helpers);
        let done = thread::scope(|scope| {
            for (number, helper) in helpers.iter_mut().enumerate() {
                let until = until.clone().with_stop(Arc::clone(&is_done) as Arc<dyn Stop>);
                helper.budget = StateBudget::within(until, u64::MAX);
                // Where there is no thread, the others do it.
                let run = move || helper.deepen(root, 1 + (number + 1) % 2);
                let _ = thread::Builder::new().spawn_scoped(scope, run);
            }
            let done = work(self);
            is_done.store(true, Ordering::Relaxed);
            done
        });
        let states = helpers.iter().map(|helper| helper.budget.steps()).sum();
        self.helpers = helpers;
        (done, states)
    }

    /// Searches deeper and deeper, for the table.
    fn deepen(&mut self, root: &State, first: usize) {
        for depth in first..=DEEPEST {
            self.is_cut = false;
            if !matches!(self.search(root, depth, (-FAR, FAR)), Ok(Some(_))) || !self.is_cut {
                break;
            }
        }
    }

    /// Chooses one of several moves.
    fn choose_of(
        &mut self,
        root: &State,
        legal: &[MoveId],
        left: Option<&BestSoFar>,
    ) -> Result<Decision, StrategyError> {
        let mut chosen = Choice { it: legal[0], value: None, is_proven: false, depth: 0 };
        for depth in 1..=DEEPEST {
            if legal.len() == 1 {
                break;
            }
            self.is_cut = false;
            let value = self.search(root, depth, (-FAR, FAR))?;
            // Nobody else has a choice where there is a best child, which are counted from 1.
            let best = self.known(root).and_then(|it| usize::from(it.best).checked_sub(1));
            let it = best.and_then(|it| legal.get(it).copied()).unwrap_or(chosen.it);
            let Some(value) = value else {
                // The best of those that were looked at, now or while others chose.
                chosen.it = if depth == 1 { it } else { chosen.it };
                break;
            };
            let is_lost = value <= self.evaluation.least() + DEEPEST as i32;
            let is_won = value >= self.evaluation.most() - DEEPEST as i32;
            let is_proven = !self.is_cut || is_lost || is_won;
            // The table may tell of an end that is further away than the nearest one.
            let moves = match (is_lost, is_won) {
                (true, _) => value - self.evaluation.least(),
                (_, true) => self.evaluation.most() - value,
                _ => 0,
            };
            chosen = Choice { it, value: Some(value), is_proven, depth };
            if is_proven && depth as i32 >= moves {
                break;
            }
            if let Some(left) = left {
                left.leave(self.decision(root, legal, &chosen)?);
            }
        }
        self.decision(root, legal, &chosen)
    }

    fn decision(
        &mut self,
        root: &State,
        legal: &[MoveId],
        chosen: &Choice,
    ) -> Result<Decision, StrategyError> {
        let line = self.line(root, chosen)?;
        let text = |it: MoveId| self.rules.reasoner.move_text(it);
        let value = chosen.value.map(|it| f64::from(it) / f64::from(SCALE));
        // Without what the moves until then take off.
        let value = if chosen.is_proven { value.map(f64::round) } else { value };
        let candidate = |&action: &MoveId| CandidateMove {
            action: text(action),
            visits: u64::from(action == chosen.it),
            value: value.filter(|_| action == chosen.it),
            proven: chosen.is_proven && action == chosen.it,
        };
        let mut candidates: Vec<CandidateMove> = legal.iter().map(candidate).collect();
        candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
        Ok(Decision {
            action: text(chosen.it),
            method: "alpha-beta".into(),
            value,
            proven: chosen.is_proven,
            nodes: self.budget.steps(),
            line: line.iter().map(|made| made.iter().map(|&it| text(it)).collect()).collect(),
            candidates,
            memory: self.table.bytes(),
            ..Decision::default()
        })
    }

    /// The joint moves that are thought best, as far as the table tells, beginning with the move that was chosen.
    fn line(&mut self, root: &State, chosen: &Choice) -> Result<Vec<Vec<MoveId>>, StrategyError> {
        let (mut line, mut state, mut next) = (Vec::new(), root.clone(), State::default());
        while line.len() < chosen.depth && !self.rules.is_terminal(&state)? {
            self.rules.find_legal(&state)?;
            let best = self.known(&state).and_then(|it| usize::from(it.best).checked_sub(1));
            let Some(made) = best.and_then(|it| self.rules.joint_move(it)) else { break };
            if line.is_empty() && made[self.role.index()] != chosen.it {
                break;
            }
            self.rules.reasoner.next_state(&state, &made, &mut next)?;
            line.push(made);
            std::mem::swap(&mut state, &mut next);
        }
        Ok(line)
    }

    /// What a value is worth a move before: less, if it is worth anything.
    fn before(&self, value: i32) -> i32 {
        if value <= self.evaluation.least() + DEEPEST as i32 { value + 1 } else { value - 1 }
    }

    fn known(&self, state: &State) -> Option<Known> {
        self.table.get(hash_words(state.words()))
    }

    /// The value of a state that is not terminal, so many moves ahead, as far as it is within the window; `None` if the time
    /// is over.
    fn search(
        &mut self,
        state: &State,
        depth: usize,
        window: (i32, i32),
    ) -> Result<Option<i32>, StrategyError> {
        if !self.budget.step() {
            return Ok(None);
        }
        while self.frames.len() <= depth {
            self.frames.push(Frame::default());
        }
        let mut frame = std::mem::take(&mut self.frames[depth]);
        let value = self.search_children(state, depth, window, &mut frame);
        self.frames[depth] = frame;
        value
    }

    fn search_children(
        &mut self,
        state: &State,
        depth: usize,
        window: (i32, i32),
        frame: &mut Frame,
    ) -> Result<Option<i32>, StrategyError> {
        let known = self.known(state);
        if let Some(entry) = known.filter(|it| usize::from(it.depth) >= depth || !it.is_cut) {
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window.1,
                Bound::Upper => entry.value <= window.0,
            };
            if decides {
                self.is_cut |= entry.is_cut;
                return Ok(Some(entry.value));
            }
        }
        let is_small = self.rules.expand_within(state, &mut frame.children, &mut self.budget)?;
        if self.budget.is_spent() {
            return Ok(None);
        }
        let mut others = self.rules.legal.iter().enumerate();
        let others = others.any(|it| it.0 != self.role.index() && it.1.len() > 1);
        let own = self.rules.legal[self.role.index()].len() > 1;
        if !is_small || (own && others) {
            self.is_cut = true;
            return Ok(Some(self.evaluation.of(state)));
        }
        let outer = std::mem::take(&mut self.is_cut);
        // Who chooses makes its own value greater: for others than the own role that is the negated one.
        let sign = if own { 1 } else { -1 };
        let (mut alpha, beta) = if sign == 1 { window } else { (-window.1, -window.0) };
        let first = alpha;
        let (mut best, mut found) = (-FAR, 0);
        let hint = known.map_or(0, |it| u32::from(it.best));
        frame.order.clear();
        for child in 0..frame.children.len() {
            if !self.budget.work() {
                if known.is_none() {
                    let (best, value) = (u16::try_from(found).unwrap_or(0), sign * best);
                    let bound = if sign == 1 { Bound::Lower } else { Bound::Upper };
                    let seen = Known { value, bound, depth: 0, best, is_cut: true };
                    self.table.put(hash_words(state.words()), seen);
                }
                return Ok(None);
            }
            let next = frame.children.state(child);
            let number = child as u32 + 1;
            let value = if self.rules.is_terminal(next)? {
                self.rules.goal(next, self.role)? as i32 * SCALE
            } else {
                let value = self.evaluation.of(next);
                if depth > 1 {
                    let rank = if number == hint { FAR } else { sign * value };
                    frame.order.push((rank, number));
                    continue;
                }
                self.is_cut = true;
                value
            };
            let value = self.before(value);
            if sign * value > best {
                (best, found) = (sign * value, number);
            }
        }
        alpha = alpha.max(best);
        frame.order.sort_unstable_by_key(|it| (std::cmp::Reverse(it.0), it.1));
        for position in 0..frame.order.len() {
            if alpha >= beta {
                break;
            }
            let number = frame.order[position].1;
            // Wider by what a move takes off or adds.
            let (least, most) = if sign == 1 { (alpha, beta) } else { (-beta, -alpha) };
            let window = (least.saturating_sub(1), most.saturating_add(1));
            let next = frame.children.state(number as usize - 1);
            let Some(value) = self.search(next, depth - 1, window)? else { return Ok(None) };
            let value = self.before(value);
            if sign * value > best {
                (best, found) = (sign * value, number);
            }
            alpha = alpha.max(best);
        }
        let bound = match (best <= first, best >= beta) {
            (false, false) => Bound::Exact,
            (true, _) if sign == 1 => Bound::Upper,
            (true, _) => Bound::Lower,
            (_, true) if sign == 1 => Bound::Lower,
            (_, true) => Bound::Upper,
        };
        let best_child = u16::try_from(found).unwrap_or(0);
        let value = sign * best;
        let (depth, is_cut) = (depth as u8, self.is_cut);
        let known = Known { value, bound, depth, best: best_child, is_cut };
        self.table.put(hash_words(state.words()), known);
        self.is_cut |= outer;
        Ok(Some(value))
    }
}

/// What has been chosen.
struct Choice {
    it: MoveId,
    value: Option<i32>,
    is_proven: bool,
    depth: usize,
}

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// How many moves were looked ahead.
    pub(super) depth: u8,
    /// The best child plus one; 0 if there is none.
    pub(super) best: u16,
    /// Whether it rests on an evaluation.
    pub(super) is_cut: bool,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value of the state.
    Exact = 0,
    /// It is at least that.
    Lower = 1,
    /// It is at most that.
    Upper = 2,
}

/// A bit that no entry is without.
const TAKEN: u64 = 1 << 59;

impl Known {
    fn pack(self) -> u64 {
        let Known { value, bound, depth, best, is_cut } = self;
        let high = u64::from(depth) << 48 | (bound as u64) << 56 | u64::from(is_cut) << 58;
        TAKEN | high | u64::from(best) << 32 | u64::from(value as u32)
    }

    fn unpack(word: u64) -> Self {
        let bound = match word >> 56 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        Known {
            value: word as u32 as i32,
            bound,
            depth: (word >> 48) as u8,
            best: (word >> 32) as u16,
            is_cut: word >> 58 & 1 == 1,
        }
    }
}

/// States, by the hashes of their fluents, and what several threads know of them, without locks (Hyatt and Mann, "A lock-less transposition
/// table implementation for parallel search", 2002): what two threads have written half each is not taken for an entry. The last one of a
/// slot stays.
#[derive(Debug)]
pub(super) struct Transpositions {
    /// The entry, and the hash with the entry's bits changed.
    slots: Vec<[AtomicU64; 2]>,
}

impl Transpositions {
    /// A table of so many bytes at most, but for a thousand slots.
    pub(super) fn new(bytes: u64) -> Self {
        let slots = 1 << (bytes / 16).max(1 << 10).ilog2();
        let empty = || [AtomicU64::new(0), AtomicU64::new(0)];
        Transpositions { slots: std::iter::repeat_with(empty).take(slots).collect() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.slots.len() as u64 * 16
    }

    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let [entry, check] = &self.slots[key as usize & (self.slots.len() - 1)];
        let word = entry.load(Ordering::Relaxed);
        let is_it = word & TAKEN != 0 && check.load(Ordering::Relaxed) ^ word == key;
        is_it.then(|| Known::unpack(word))
    }

    pub(super) fn put(&self, key: u64, known: Known) {
        let [entry, check] = &self.slots[key as usize & (self.slots.len() - 1)];
        let word = known.pack();
        entry.store(word, Ordering::Relaxed);
        check.store(word ^ key, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_and_halves_are_not() {
        let table = Transpositions::new(1 << 14);
        let known = |value| Known { value, bound: Bound::Upper, depth: 200, best: 9, is_cut: true };
        for (key, value) in [(5, -7), (6, i32::MAX), (0, i32::MIN)] {
            assert_eq!(table.get(key), None);
            table.put(key, known(value));
            assert_eq!(table.get(key), Some(known(value)));
        }
        assert_eq!(table.get(5 + (1 << 40)), None, "another state of the same slot");
        let exact = Known { bound: Bound::Exact, best: 0, is_cut: false, ..known(3) };
        table.slots[5][0].store(exact.pack(), Ordering::Relaxed);
        assert_eq!(table.get(5), None, "half of it is of another thread");
    }
}
