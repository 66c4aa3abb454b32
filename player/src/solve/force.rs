//! What a role can force: alpha-beta with boolean windows over the goal values, in depth-first search with a transposition
//! table.
//!
//! The question is always whether a role gets at least a certain value whatever all others do. The answer may be that it is
//! open: in states where several choose at the same time neither side may know what the other does, and play
//! that comes back to a state has no value. What is answered is proven.

mod threats;
mod together;

use std::sync::Arc;

use fxhash::FxHashSet;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{MoveId, ReasonerError, State, hash_words};
pub(super) use threats::Rows;
use threats::Threats;

use super::position::{Children, Rules};
use super::table::{SharedTable, StateBounds, Symmetric};
use crate::clock::StateBudget;

/// Whether a role can force a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// Neither is proven.
    Open,
}

/// Who has a choice in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chooser {
    Own,
    Others,
    Both,
}

/// Nobody looks further ahead than this many joint moves.
const DEEPEST: usize = 2000;
/// So many states without an answer are remembered.
const MOST_OPEN: usize = 1 << 18;

/// What a fluent is worth in the order of moves, for a move worth 1. In connect 4 a disc in the third row is another thing than
/// one in the first, by the same move: the order by moves alone took more than twice as many states on five columns and rows.
const WEIGHT: f32 = 2.0;
/// The move that decided last comes before all others.
const FIRST: f32 = 1000.0;
/// Other threads than the first add so much to scores at most, 24 bits of chance, so that not all do the same.
const SPREAD: f32 = 0.2 / (1 << 24) as f32;
const SCATTER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Buffers of one depth.
#[derive(Debug, Default)]
struct Frame {
    children: Children,
    /// Score and child, to be sorted.
    order: Vec<(f32, u32)>,
}

/// What a search has seen: what has left questions open, the budget aside, and what goals add up to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Several chose at once.
    pub(crate) simultaneous: bool,
    /// A state had more joint moves than are looked at.
    pub(crate) wide: bool,
    /// Play was longer than is looked ahead.
    pub(crate) deep: bool,
    /// There was no room for the children of states on the way.
    pub(crate) full: bool,
    /// Play came back to a state.
    pub(crate) endless: bool,
    /// The sum of the goals of all roles, if all terminal states that were met have the same.
    sum: Option<i128>,
    sums_differ: bool,
}

impl Seen {
    /// By two searches.
    pub(crate) fn or(self, other: Self) -> Self {
        let differ = self.sum.zip(other.sum).is_some_and(|(one, other)| one != other);
        Seen {
            simultaneous: self.simultaneous | other.simultaneous,
            wide: self.wide | other.wide,
            deep: self.deep | other.deep,
            full: self.full | other.full,
            endless: self.endless | other.endless,
            sum: self.sum.or(other.sum),
            sums_differ: self.sums_differ | other.sums_differ | differ,
        }
    }

    /// What all goals add up to, if that is the same wherever the search came to an end.
    pub(crate) fn constant_sum(self) -> Option<i128> {
        self.sum.filter(|_| !self.sums_differ)
    }
}

/// What all threads share that find out what one role can force.
pub(crate) struct RoleGame<'run> {
    pub(crate) role: RoleId,
    /// The values that the role can have, ascending.
    pub(crate) values: Vec<i64>,
    pub(crate) table: SharedTable,
    /// By these one state stands for all that are the same.
    pub(crate) symmetric: &'run Symmetric,
    pub(crate) rows: &'run Rows,
    /// Bytes that the children of states on the way may take.
    pub(crate) room: u64,
}

/// The search for what one role can force.
pub(crate) struct Force<'run, 'watch> {
    game: &'run RoleGame<'run>,
    pub(crate) rules: &'run mut Rules,
    /// Where rows tell more than what moves decided before.
    threats: Option<Arc<Threats>>,
    /// By move, then by fluent that a move lets hold.
    history: Vec<History>,
    moves: usize,
    frames: Vec<Frame>,
    /// The number of the thread: each has an order of its own.
    number: u64,
    /// Hashes of the states from the root.
    path: Vec<u64>,
    /// Position of the value that is requested.
    wanted: u8,
    pub(crate) budget: &'run mut StateBudget<'watch>,
    /// States that left the present question open.
    open: FxHashSet<State>,
    pub(crate) seen: Seen,
    /// Bytes of the children of all depths.
    held: u64,
}

impl<'run, 'watch> Force<'run, 'watch> {
    /// The search of the thread of that number, with what it knows of moves at first.
    pub(crate) fn new(
        game: &'run RoleGame<'run>,
        rules: &'run mut Rules,
        history: Vec<History>,
        number: u64,
        budget: &'run mut StateBudget<'watch>,
    ) -> Self {
        Force {
            game,
            moves: rules.reasoner.game().moves().len(),
            rules,
            threats: None,
            history,
            frames: Vec::new(),
            number,
            path: Vec::new(),
            wanted: 0,
            budget,
            open: FxHashSet::default(),
            seen: Seen::default(),
            held: 0,
        }
    }

    /// Whether the role can force at least the value at this position of the list, from a state.
    pub(crate) fn ask(&mut self, state: &State, wanted: u8) -> Result<Answer, ReasonerError> {
        if wanted == 0 {
            return Ok(Answer::Yes);
        }
        if usize::from(wanted) >= self.game.values.len() {
            return Ok(Answer::No);
        }
        self.wanted = wanted;
        if let Some(answer) = self.answer_of(self.known(state)) {
            return Ok(answer);
        }
        let least = self.game.values[usize::from(wanted)];
        self.threats =
            self.game.rows.threats(self.game.role.index(), |it| it >= least).map(Arc::new);
        self.path.clear();
        self.open.clear();
        match self.at_end(state)? {
            Some(answer) => Ok(answer),
            None => self.search(state, 0),
        }
    }

    /// Computes the children of a state that is not terminal; `false` if they are too many, or the budget is spent.
    pub(crate) fn expand(
        &mut self,
        state: &State,
        children: &mut Children,
    ) -> Result<bool, ReasonerError> {
        let before = children.bytes();
        let are_all = self.rules.expand_within(state, children, self.budget)?;
        self.held += children.bytes() - before;
        self.seen.wide |= !are_all && self.budget.may_go_on();
        Ok(are_all)
    }

    /// The child that decided the last question about a state.
    pub(crate) fn best(&self, state: &State) -> Option<usize> {
        self.known(state).and_then(|it| usize::from(it.best).checked_sub(1))
    }

    fn known(&self, state: &State) -> Option<StateBounds> {
        self.game.table.get(&self.game.symmetric.canonical(state.words()))
    }

    /// What an entry says to the question.
    fn answer_of(&self, known: Option<StateBounds>) -> Option<Answer> {
        let known = known?;
        if known.lower >= self.wanted {
            Some(Answer::Yes)
        } else if known.upper < self.wanted {
            Some(Answer::No)
        } else {
            None
        }
    }

    /// The position of the value of a terminal state.
    fn value_of(&mut self, state: &State) -> Result<u8, ReasonerError> {
        let mut sum = 0;
        let mut own = 0;
        for role in 0..self.rules.roles as u32 {
            let value = self.rules.goal(state, RoleId(role))?;
            sum += i128::from(value);
            if role == self.game.role.0 {
                own = value;
            }
        }
        self.seen = self.seen.or(Seen { sum: Some(sum), ..Seen::default() });
        Ok(self.game.values.partition_point(|&it| it < own) as u8)
    }

    /// The answer in a terminal state; `None` in another.
    fn at_end(&mut self, state: &State) -> Result<Option<Answer>, ReasonerError> {
        if !self.rules.is_terminal(state)? {
            return Ok(None);
        }
        let value = self.value_of(state)?;
        Ok(Some(if value >= self.wanted { Answer::Yes } else { Answer::No }))
    }

    /// The answer for a state that is not terminal.
    fn search(&mut self, state: &State, depth: usize) -> Result<Answer, ReasonerError> {
        if !self.budget.step() {
            return Ok(Answer::Open);
        }
        if self.open.contains(state) {
            return Ok(Answer::Open);
        }
        if depth == DEEPEST {
            self.seen.deep = true;
            return Ok(Answer::Open);
        }
        if self.held > self.game.room {
            let deeper = self.frames.drain(depth.min(self.frames.len())..);
            self.held -= deeper.map(|it| it.children.bytes()).sum::<u64>();
            if self.held > self.game.room {
                self.seen.full = true;
                return Ok(Answer::Open);
            }
        }
        if self.frames.len() == depth {
            self.frames.push(Frame::default());
        }
        let mut frame = std::mem::take(&mut self.frames[depth]);
        self.path.push(hash_words(state.words()));
        let before = self.budget.steps();
        let result = self.search_children(state, depth, &mut frame);
        self.path.pop();
        self.frames[depth] = frame;
        let (answer, best) = result?;
        if answer == Answer::Open {
            // Nothing is claimed by that, so it may depend on the way.
            if self.open.len() < MOST_OPEN {
                self.open.insert(state.clone());
            }
        } else {
            self.store(state, answer, best, self.budget.steps() - before);
        }
        Ok(answer)
    }

    /// Notes an answer, the move that decided plus one, and how many states it took.
    fn store(&self, state: &State, answer: Answer, best: u16, steps: u64) {
        let top = (self.game.values.len() - 1) as u8;
        let effort = (64 - steps.leading_zeros()) as u8;
        let key = self.game.symmetric.canonical(state.words());
        self.game.table.update(&key, |before| {
            let known = before.unwrap_or(StateBounds::new(0, top));
            match answer {
                Answer::Yes => {
                    let lower = known.lower.max(self.wanted);
                    StateBounds { lower, best, effort, ..known }
                }
                _ => {
                    let upper = known.upper.min(self.wanted - 1);
                    StateBounds { upper, best, effort, ..known }
                }
            }
        });
    }

    /// Who chooses, in the state whose legal moves were found last.
    pub(crate) fn chooser(&self) -> Chooser {
        let own = self.rules.legal[self.game.role.index()].len() > 1;
        let mut others = self.rules.legal.iter().enumerate();
        let others = others.any(|(role, moves)| role != self.game.role.index() && moves.len() > 1);
        match (own, others) {
            (true, true) => Chooser::Both,
            (true, false) => Chooser::Own,
            (false, _) => Chooser::Others,
        }
    }

    /// The answer for a state that is not terminal, and the move that decided plus one.
    fn search_children(
        &mut self,
        state: &State,
        depth: usize,
        frame: &mut Frame,
    ) -> Result<(Answer, u16), ReasonerError> {
        if !self.expand(state, &mut frame.children)? {
            return Ok((Answer::Open, 0));
        }
        let chooser = self.chooser();
        if chooser == Chooser::Both {
            return Ok((self.search_matrix(depth, &frame.children)?, 0));
        }
        // For who chooses, this answer is as good as can be.
        let decides = if chooser == Chooser::Own { Answer::Yes } else { Answer::No };
        let other = if chooser == Chooser::Own { Answer::No } else { Answer::Yes };
        // Who can end the match as wanted does so: nothing is looked up before all children have been looked at.
        frame.order.clear();
        for child in 0..frame.children.len() {
            if !self.budget.work() {
                return Ok((Answer::Open, 0));
            }
            match self.at_end(frame.children.state(child))? {
                Some(answer) if answer == decides => return Ok((decides, plus_one(child))),
                Some(_) => {}
                None => frame.order.push((0.0, child as u32)),
            }
        }
        let best = self.known(state).map_or(0, |it| it.best);
        let side = usize::from(chooser != Chooser::Own);
        let threats = self.threats.clone().map(|it| (it.of(state.words()), it));
        let (mut open, mut kept) = (false, 0);
        for position in 0..frame.order.len() {
            let child = frame.order[position].1 as usize;
            let next = frame.children.state(child);
            match self.answer_of(self.known(next)) {
                Some(answer) if answer == decides => return Ok((decides, plus_one(child))),
                Some(_) => continue,
                None => {}
            }
            let key = hash_words(next.words());
            if self.path.contains(&key) {
                self.seen.endless = true;
                open = true;
                continue;
            }
            let made = self.chosen(&frame.children, child, chooser);
            let mut score = match &threats {
                Some((present, it)) => it.score(side, present, made, (state.words(), next.words())),
                None => self.score(state, next, made),
            };
            if self.number > 0 {
                score += SPREAD * ((key ^ self.number).wrapping_mul(SCATTER) >> 40) as f32;
            }
            if plus_one(child) == best {
                score += FIRST;
            }
            frame.order[kept] = (score, child as u32);
            kept += 1;
        }
        frame.order.truncate(kept);
        frame.order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for position in 0..frame.order.len() {
            let child = frame.order[position].1 as usize;
            // A sibling may have led there since.
            let next = frame.children.state(child);
            let answer = match self.answer_of(self.known(next)) {
                Some(answer) => answer,
                None => self.search(next, depth + 1)?,
            };
            let it = self.chosen(&frame.children, child, chooser);
            let has_decided = answer == decides;
            self.history[it.index()].note(has_decided);
            for fluent in added(state.words(), frame.children.state(child).words()) {
                self.history[self.moves + fluent].note(has_decided);
            }
            if has_decided {
                return Ok((decides, plus_one(child)));
            }
            open |= answer == Answer::Open;
            if !self.budget.may_go_on() {
                return Ok((Answer::Open, 0));
            }
        }
        Ok((if open { Answer::Open } else { other }, 0))
    }

    /// How often a move, and what it adds, decided before.
    fn score(&self, state: &State, next: &State, it: MoveId) -> f32 {
        let of_fluent = |fluent: usize| self.history[self.moves + fluent].share() - 0.5;
        let fluents = added(state.words(), next.words()).map(of_fluent);
        self.history[it.index()].share() + WEIGHT * fluents.sum::<f32>()
    }

    /// The move of the first who has a choice.
    fn chosen(&self, children: &Children, child: usize, chooser: Chooser) -> MoveId {
        let roles = self.rules.roles;
        let moves = &children.moves[child * roles..(child + 1) * roles];
        if chooser == Chooser::Own {
            return moves[self.game.role.index()];
        }
        // Where nobody has a choice, whoever it is.
        let next = self.game.role.index() + 1;
        let first = &children.moves[..roles];
        let differs = (0..roles).find(|&it| it != self.game.role.index() && moves[it] != first[it]);
        moves[differs.unwrap_or(next % roles)]
    }

    /// The answer where both sides choose at once: proven if one side can commit itself and lose nothing. Rows are own moves,
    /// columns the joint moves of the others.
    fn search_matrix(
        &mut self,
        depth: usize,
        children: &Children,
    ) -> Result<Answer, ReasonerError> {
        let role = self.game.role.index();
        let own = self.rules.legal[role].len();
        // Moves of later roles change faster.
        let stride: usize = self.rules.legal[role + 1..].iter().map(Vec::len).product();
        let mut wins = vec![true; own];
        let mut holds = vec![true; children.len() / own];
        for child in 0..children.len() {
            let row = child / stride % own;
            let column = child / (stride * own) * stride + child % stride;
            // What is in neither a row nor a column that may still be a proof tells nothing.
            if !wins[row] && !holds[column] {
                continue;
            }
            let next = children.state(child);
            let answer = match self.answer_of(self.known(next)) {
                Some(answer) => answer,
                None if self.path.contains(&hash_words(next.words())) => {
                    self.seen.endless = true;
                    Answer::Open
                }
                None => match self.at_end(next)? {
                    Some(answer) => answer,
                    None => self.search(next, depth + 1)?,
                },
            };
            if !self.budget.work() {
                return Ok(Answer::Open);
            }
            wins[row] &= answer == Answer::Yes;
            holds[column] &= answer == Answer::No;
        }
        if wins.contains(&true) {
            return Ok(Answer::Yes);
        }
        if holds.contains(&true) {
            return Ok(Answer::No);
        }
        self.seen.simultaneous = true;
        Ok(Answer::Open)
    }
}

fn plus_one(child: usize) -> u16 {
    (child + 1).min(usize::from(u16::MAX)) as u16
}

/// Older trials count half when there are more.
const MOST_TRIED: f32 = 512.0;

/// How often a move was tried and how often it decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct History {
    tried: f32,
    decided: f32,
}

impl History {
    /// What is known of moves, and of fluents that moves let hold, by what the makers of moves got in random play.
    pub(crate) fn of(rules: &Rules, means: &[(f32, f32)]) -> Vec<History> {
        let game = rules.reasoner.game();
        let fluents = std::iter::repeat_n(&(0.0, 0.0), game.fluents().len());
        let of_mean = |&(count, mean): &(f32, f32)| {
            let weight = count.min(8.0);
            History { tried: 2.0 + weight, decided: 1.0 + weight * mean }
        };
        means.iter().chain(fluents).map(of_mean).collect()
    }

    fn share(self) -> f32 {
        self.decided / self.tried
    }

    fn note(&mut self, has_decided: bool) {
        self.tried += 1.0;
        self.decided += f32::from(u8::from(has_decided));
        if self.tried > MOST_TRIED {
            self.tried /= 2.0;
            self.decided /= 2.0;
        }
    }
}

/// The fluents that hold in a state and not in the one before.
fn added<'s>(before: &'s [u64], after: &'s [u64]) -> impl Iterator<Item = usize> + 's {
    let words = before.iter().zip(after).enumerate();
    words.flat_map(|(index, (before, after))| {
        let mut word = after & !before;
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros() as usize;
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(index * 64 + bit)
        })
    })
}
