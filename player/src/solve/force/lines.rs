//! The search where the rules are written out: states in which a match is won at once, or in which there is one move that does not lose at
//! once, are no nodes of it, and moves come by how many more ways they leave to win at once.

#[cfg(test)]
mod tests;

use groundfrog_reasoner::{ReasonerError, State};

use super::super::table::hash;
use super::super::written::{Written, changes};
use super::{Answer, DEEPEST, FIRST, Force, MOST_OPEN, SCATTER, SPREAD, WEIGHT, added, plus_one};

/// What a way more to win is worth in the order of moves.
const THREAT: f32 = 100.0;
/// What it is worth to add fluents of many lines.
const SHARE: f32 = 8.0;
/// Lines of so many fluents say which moves are good before there is a threat.
const LONG: usize = 3;

/// A move that may be the best one.
#[derive(Clone, Copy, Debug, Default)]
struct Candidate {
    score: f32,
    /// Its position among the legal moves.
    number: u32,
    made: u32,
    /// Where the state it leads to begins among the words.
    at: usize,
}

/// The rules written out, with what is asked of them.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) written: Written,
    /// By end: its answer to the question, and the sum of all goals.
    answers: Vec<Option<(Answer, i128)>>,
    /// By side, own first: which ends are lines that it wants.
    wanted: [Vec<bool>; 2],
    /// By side: the fluents of these.
    used: [Vec<u64>; 2],
    shares: [Vec<f32>; 2],
    /// Whether lines are too short to tell which move is good: moves come by what moves before them decided.
    by_history: bool,
    /// States on the way, each with the fluents that bring each side a line at once and its key in the table; and moves.
    states: Vec<u64>,
    candidates: Vec<Candidate>,
    /// Whether a state was met in which it is not known who chooses.
    unclear: bool,
}

/// What each side wants.
const WANTED: [Answer; 2] = [Answer::Yes, Answer::No];

impl Lines {
    pub(super) fn new(written: Written) -> Self {
        let answers = vec![None; written.ends.len()];
        Lines {
            written,
            answers,
            wanted: Default::default(),
            used: Default::default(),
            shares: Default::default(),
            by_history: false,
            states: Vec::new(),
            candidates: Vec::new(),
            unclear: false,
        }
    }

    /// Prepares a question by what an end says to it.
    fn ask(&mut self, role: usize, answer: impl Fn(i64) -> Answer) {
        let written = &self.written;
        let of_goals = |goals: &Vec<i64>| {
            let sum = goals.iter().map(|&it| i128::from(it)).sum();
            (answer(goals[role]), sum)
        };
        self.answers = written.ends.iter().map(|end| end.goals.as_ref().map(of_goals)).collect();
        for (side, wanted) in WANTED.into_iter().enumerate() {
            let mut used = vec![0; written.words];
            let is_wanted = |(end, answer): (_, &Option<(Answer, i128)>)| {
                let line: &Option<Vec<u32>> = end;
                line.is_some() && answer.is_some_and(|it| it.0 == wanted)
            };
            let lines = written.ends.iter().map(|it| &it.line);
            let lines: Vec<bool> = lines.zip(&self.answers).map(is_wanted).collect();
            for (end, _) in written.ends.iter().zip(&lines).filter(|it| *it.1) {
                for &fluent in end.line.iter().flatten() {
                    used[fluent as usize / 64] |= 1 << (fluent % 64);
                }
            }
            self.shares[side] = written.shares(|end| lines[end]);
            self.wanted[side] = lines;
            self.used[side] = used;
        }
        let lines = written.ends.iter().filter_map(|it| it.line.as_ref());
        self.by_history = lines.map(Vec::len).max().unwrap_or(0) < LONG;
        self.states.clear();
        self.candidates.clear();
        self.unclear = false;
    }

    /// Writes the fluents that bring a side a line at once.
    fn find_threats(&self, side: usize, state: &[u64], threats: &mut [u64]) {
        threats.fill(0);
        for end in (0..self.wanted[side].len()).filter(|&end| self.wanted[side][end]) {
            if let Some(fluent) = self.written.lacks_only(end as u32, state) {
                threats[fluent / 64] |= 1 << (fluent % 64);
            }
        }
    }

    /// Pushes the state after a move, and for now what brought a line before it.
    fn push_child(&mut self, at: usize, made: u32) {
        let words = self.written.words;
        let new = self.states.len();
        self.states.extend_from_within(at..at + 4 * words);
        let (before, after) = self.states.split_at_mut(new);
        self.written.make(made, &before[at..at + words], &mut after[..words]);
    }

    /// Finds what brings a line after a move of a side; how many ways that side has more to win at once.
    fn threats_after(&mut self, at: usize, new: usize, mover: usize) -> u32 {
        let words = self.written.words;
        let mut states = std::mem::take(&mut self.states);
        let (before, after) = states.split_at_mut(new);
        let before = &before[at..at + 3 * words];
        let (after, threats) = after.split_at_mut(words);
        let mut more = 0;
        for side in 0..2 {
            let used = &self.used[side];
            let threats = &mut threats[side * words..(side + 1) * words];
            let mut words_of = before[..words].iter().zip(&*after).zip(used);
            if words_of.any(|((before, after), used)| before & !after & used != 0) {
                self.find_threats(side, after, threats);
            } else {
                changes(&before[..words], after, |fluent, holds| {
                    if !holds || used[fluent / 64] >> (fluent % 64) & 1 == 0 {
                        return;
                    }
                    for &end in self.written.ends_with(fluent) {
                        if self.wanted[side][end as usize]
                            && let Some(lacking) = self.written.lacks_only(end, after)
                        {
                            threats[lacking / 64] |= 1 << (lacking % 64);
                        }
                    }
                });
            }
            if side == mover {
                let known = &before[(side + 1) * words..(side + 2) * words];
                changes(known, threats, |fluent, holds| {
                    more += u32::from(holds && !self.written.is_blocked(fluent, after));
                });
            }
        }
        self.states = states;
        more
    }
}

impl Force<'_, '_> {
    /// The answer for a state that is not terminal; `None` if it cannot be found this way.
    pub(super) fn search_lines(&mut self, state: &State) -> Result<Option<Answer>, ReasonerError> {
        let Some(mut lines) = self.lines.take() else { return Ok(None) };
        let values = self.values.clone();
        let wanted = self.wanted;
        let position = |value: i64| values.partition_point(|&it| it < value) as u8;
        let answer = |value| if position(value) >= wanted { Answer::Yes } else { Answer::No };
        lines.ask(self.role.index(), answer);
        let words = lines.written.words;
        lines.states.resize(4 * words, 0);
        lines.states[..words].copy_from_slice(state.words());
        let (own, threats) = lines.states[..3 * words].split_at(words);
        let (own, mut threats) = (own.to_vec(), threats.to_vec());
        for (side, threats) in threats.chunks_mut(words).enumerate() {
            lines.find_threats(side, &own, threats);
        }
        lines.states[words..3 * words].copy_from_slice(&threats);
        let found = self.node(&mut lines, 0, 0);
        let unclear = lines.unclear;
        self.lines = Some(lines);
        if unclear {
            // States were left open for that alone.
            self.open.clear();
        }
        Ok(Some(found?).filter(|_| !unclear))
    }

    /// The answer for the state that begins at this word.
    fn node(
        &mut self,
        lines: &mut Lines,
        at: usize,
        depth: usize,
    ) -> Result<Answer, ReasonerError> {
        let (states, candidates) = (lines.states.len(), lines.candidates.len());
        let answer = self.node_above(lines, at, depth);
        lines.states.truncate(states);
        lines.candidates.truncate(candidates);
        answer
    }

    fn node_above(
        &mut self,
        lines: &mut Lines,
        mut at: usize,
        mut depth: usize,
    ) -> Result<Answer, ReasonerError> {
        let words = lines.written.words;
        let first = lines.candidates.len();
        let side = loop {
            if !self.budget.work() {
                return Ok(Answer::Open);
            }
            if depth >= DEEPEST {
                self.obstacles.deep = true;
                return Ok(Answer::Open);
            }
            let Some(mover) = lines.written.mover(&lines.states[at..at + words]) else {
                lines.unclear = true;
                return Ok(Answer::Open);
            };
            let side = usize::from(mover != self.role.index());
            if self.look_ahead(lines, at, mover, side)? {
                return Ok(WANTED[side]);
            }
            if lines.unclear {
                return Ok(Answer::Open);
            }
            match lines.candidates[first..] {
                [] => return Ok(WANTED[1 - side]),
                // The only one that does not lose at once.
                [only] => (at, depth) = (only.at, depth + 1),
                _ => break side,
            }
            lines.candidates.truncate(first);
        };
        self.choose(lines, at, first, side, depth)
    }

    /// Finds the moves that do not lose at once; whether one wins at once.
    fn look_ahead(
        &mut self,
        lines: &mut Lines,
        at: usize,
        mover: usize,
        side: usize,
    ) -> Result<bool, ReasonerError> {
        let words = lines.written.words;
        let mut number = 0;
        for position in 0..lines.written.moves[mover].len() {
            let made = lines.written.moves[mover][position];
            if !lines.written.is_legal(made, &lines.states[at..at + words]) {
                continue;
            }
            number += 1;
            let new = lines.states.len();
            lines.push_child(at, made);
            let (state, child) = (&lines.states[at..at + words], &lines.states[new..new + words]);
            let end = lines.written.end(state, child);
            if let Some(end) = end {
                if self.answer_at(lines, end, new)? == WANTED[side] {
                    return Ok(true);
                }
                lines.states.truncate(new);
                continue;
            }
            let more = lines.threats_after(at, new, side);
            if self.loses_at_once(lines, new, 1 - side)? {
                lines.states.truncate(new);
                continue;
            }
            let score = THREAT * more as f32 + SHARE * lines.shares[side][made as usize];
            lines.candidates.push(Candidate { score, number: number - 1, made, at: new });
        }
        lines.unclear |= number == 0;
        Ok(false)
    }

    /// What an end says, which holds in the state that begins at this word.
    fn answer_at(&mut self, lines: &Lines, end: usize, at: usize) -> Result<Answer, ReasonerError> {
        if let Some((answer, sum)) = lines.answers[end] {
            self.note_sum(sum);
            return Ok(answer);
        }
        let state = State::of_words(&lines.states[at..at + lines.written.words]);
        Ok(self.at_end(&state)?.expect("an end holds"))
    }

    /// Whether the side whose turn it is in a state gets a line by its next move.
    fn loses_at_once(
        &mut self,
        lines: &mut Lines,
        at: usize,
        side: usize,
    ) -> Result<bool, ReasonerError> {
        let words = lines.written.words;
        let mut mover = None;
        for word in 0..words {
            let threats = lines.states[at + (side + 1) * words + word];
            let mut threats = threats & !lines.states[at + word];
            while threats != 0 {
                let fluent = word * 64 + threats.trailing_zeros() as usize;
                threats &= threats - 1;
                for index in 0..lines.written.adders(fluent).len() {
                    let (made, condition) = lines.written.adders(fluent)[index];
                    let (written, state) = (&lines.written, &lines.states[at..at + words]);
                    if !written.holds(condition, state) {
                        continue;
                    }
                    let mover = *mover.get_or_insert_with(|| written.mover(state));
                    let may_move = mover.is_some_and(|mover| {
                        usize::from(mover != self.role.index()) == side
                            && written.moves[mover].binary_search(&made).is_ok()
                    });
                    if may_move
                        && written.is_legal(made, state)
                        && self.wins(lines, at, made, side)?
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether a legal move ends the match as a side wants it.
    fn wins(
        &mut self,
        lines: &mut Lines,
        at: usize,
        made: u32,
        side: usize,
    ) -> Result<bool, ReasonerError> {
        let (new, words) = (lines.states.len(), lines.written.words);
        lines.push_child(at, made);
        let end = lines.written.end(&lines.states[at..at + words], &lines.states[new..new + words]);
        let wins = match end {
            Some(end) => self.answer_at(lines, end, new)? == WANTED[side],
            None => false,
        };
        lines.states.truncate(new);
        Ok(wins)
    }

    /// The answer where several moves do not lose at once, which are the candidates from this one on.
    fn choose(
        &mut self,
        lines: &mut Lines,
        at: usize,
        first: usize,
        side: usize,
        depth: usize,
    ) -> Result<Answer, ReasonerError> {
        let words = lines.written.words;
        let (decides, other) = (WANTED[side], WANTED[1 - side]);
        if !self.budget.step() {
            return Ok(Answer::Open);
        }
        let before = self.budget.steps();
        for candidate in &lines.candidates[first..] {
            let next = &mut lines.states[candidate.at..candidate.at + 4 * words];
            let (next, key) = next.split_at_mut(3 * words);
            self.symmetric.write_canonical(&next[..words], key);
        }
        let keys = lines.candidates[first..].iter();
        self.table.touch(keys.map(|it| &lines.states[it.at + 3 * words..it.at + 4 * words]));
        let state = State::of_words(&lines.states[at..at + words]);
        let known = self.known(&state);
        if let Some(answer) = self.answer_of(known) {
            return Ok(answer);
        }
        if self.open.contains(&state) {
            return Ok(Answer::Open);
        }
        let key = hash(state.words());
        if self.path.contains(&key) {
            self.obstacles.endless = true;
            return Ok(Answer::Open);
        }
        let best = known.map_or(0, |it| it.best);
        let mut kept = first;
        for position in first..lines.candidates.len() {
            let mut one = lines.candidates[position];
            let next = &lines.states[one.at..one.at + words];
            match self
                .answer_of(self.table.get(&lines.states[one.at + 3 * words..one.at + 4 * words]))
            {
                Some(answer) if answer == decides => {
                    self.store(&state, answer, plus_one(one.number as usize), 1);
                    return Ok(answer);
                }
                Some(_) => continue,
                None => {}
            }
            if plus_one(one.number as usize) == best {
                one.score += FIRST;
            }
            if lines.by_history {
                let state = &lines.states[at..at + words];
                one.score += self.history[one.made as usize].share();
                for fluent in added(state, next) {
                    one.score += WEIGHT * (self.history[self.moves + fluent].share() - 0.5);
                }
            }
            if self.number > 0 {
                let chance = (hash(next) ^ self.number).wrapping_mul(SCATTER) >> 40;
                one.score += SPREAD * chance as f32;
            }
            lines.candidates[kept] = one;
            kept += 1;
        }
        lines.candidates.truncate(kept);
        lines.candidates[first..].sort_by(|one, other| {
            other.score.total_cmp(&one.score).then(one.number.cmp(&other.number))
        });
        self.path.push(key);
        let (mut open, mut decided) = (false, 0);
        for position in first..kept {
            let one = lines.candidates[position];
            let answer = self.node(lines, one.at, depth + 1)?;
            if lines.by_history {
                let state = &lines.states[at..at + words];
                self.history[one.made as usize].note(answer == decides);
                for fluent in added(state, &lines.states[one.at..one.at + words]) {
                    self.history[self.moves + fluent].note(answer == decides);
                }
            }
            if answer == decides {
                decided = plus_one(one.number as usize);
                break;
            }
            open |= answer == Answer::Open;
            if !self.budget.may_go_on() || lines.unclear {
                open = true;
                break;
            }
        }
        self.path.pop();
        let answer = match decided {
            0 if open => Answer::Open,
            0 => other,
            _ => decides,
        };
        if answer == Answer::Open {
            if self.open.len() < MOST_OPEN {
                self.open.insert(state);
            }
            return Ok(answer);
        }
        let effort = self.budget.steps() - before + 1;
        self.store(&state, answer, decided, effort);
        Ok(answer)
    }
}
