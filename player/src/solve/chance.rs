//! Games with a role `random`: what a role can expect.
//!
//! Its own best move against the worst of the others', on average over the moves of `random`, which are all alike likely
//! (GDL-II). Every state has one value where one role chooses at a time, and play does not come back.

use fxhash::FxHashMap;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{Reasoner, ReasonerError, State};

use super::budget::Budget;
use super::position::{Children, Rules};
use super::{LineStop, Solution, SolveError, SolveMethod, Undecided, bounds};

/// Nobody looks further ahead than this many joint moves.
const DEEPEST: usize = 2000;

struct Expect<'run, 'watch> {
    rules: &'run mut Rules,
    budget: &'run mut Budget<'watch>,
    random: usize,
    role: usize,
    /// `None` while it is on the way.
    known: FxHashMap<State, Option<f64>>,
    room: u64,
    undecided: Option<Undecided>,
}

/// Finds what each role but `random` can expect.
pub(super) fn solve(
    rules: &mut Rules,
    random: usize,
    budget: &mut Budget<'_>,
    memory: u64,
) -> Result<Solution, SolveError> {
    let mut values = bounds(rules.reasoner.game());
    let root = rules.whole(rules.reasoner.initial());
    // A state, its words, and what the map needs.
    let entry = 56 + rules.words as u64 * 8;
    let (mut undecided, mut states) = (None, 0);
    for (role, value) in values.iter_mut().enumerate() {
        if role == random {
            continue;
        }
        let known = FxHashMap::default();
        let room = memory / 2 / entry;
        let mut expect = Expect { rules, budget, random, role, known, room, undecided: None };
        let found = expect.value(&root, 0)?;
        undecided = undecided.or(expect.undecided);
        states += expect.known.len() as u64;
        if let Some(found) = found {
            value.decide(found);
        }
    }
    // Chance wants nothing.
    values.remove(random);
    Ok(Solution {
        values,
        line: Vec::new(),
        line_role: None,
        line_is_complete: false,
        line_stop: Some(if undecided.is_none() { LineStop::Chance } else { LineStop::Undecided }),
        strategies: Vec::new(),
        method: SolveMethod::Expectimax,
        undecided,
        states: budget.steps(),
        memory: states * entry,
    })
}

impl Expect<'_, '_> {
    fn value(&mut self, state: &State, depth: usize) -> Result<Option<f64>, ReasonerError> {
        match self.known.get(state) {
            Some(Some(value)) => return Ok(Some(*value)),
            Some(None) => return Ok(self.give_up(Undecided::Endless)),
            None => {}
        }
        if !self.budget.step() {
            return Ok(self.give_up(Undecided::Budget));
        }
        if self.known.len() as u64 >= self.room {
            return Ok(self.give_up(Undecided::Memory));
        }
        if depth == DEEPEST {
            return Ok(self.give_up(Undecided::TooDeep));
        }
        if self.rules.is_terminal(state)? {
            let value = self.rules.goal(state, RoleId(self.role as u32))? as f64;
            self.known.insert(state.clone(), Some(value));
            return Ok(Some(value));
        }
        let mut children = Children::default();
        if !self.rules.expand_within(state, &mut children, self.budget)? {
            let is_spent = self.budget.is_spent();
            return Ok(self.give_up(if is_spent { Undecided::Budget } else { Undecided::TooWide }));
        }
        self.known.insert(state.clone(), None);
        let choices: Vec<usize> = self.rules.legal.iter().map(Vec::len).collect();
        let choosers = (0..choices.len()).filter(|&it| it != self.random && choices[it] > 1);
        let choosers: Vec<usize> = choosers.collect();
        if choosers.len() > 1 {
            return Ok(self.give_up(Undecided::Simultaneous));
        }
        let chooser = choosers.first().copied();
        let is_own = chooser == Some(self.role);
        // By move of who chooses: the sum over what chance does.
        let mut sums = vec![0.0; chooser.map_or(1, |it| choices[it])];
        // Moves of later roles change faster.
        let stride: usize = chooser.map_or(1, |it| choices[it + 1..].iter().product());
        for child in 0..children.len() {
            let Some(value) = self.value(children.state(child), depth + 1)? else {
                return Ok(None);
            };
            let position = chooser.map_or(0, |it| child / stride % choices[it]);
            sums[position] += value;
        }
        let chances = choices[self.random] as f64;
        let means = sums.into_iter().map(|it| it / chances);
        let best = means.reduce(|one, other| if is_own { one.max(other) } else { one.min(other) });
        let value = best.expect("there is a joint move");
        self.known.insert(state.clone(), Some(value));
        Ok(Some(value))
    }

    fn give_up(&mut self, why: Undecided) -> Option<f64> {
        self.undecided.get_or_insert(why);
        None
    }
}
