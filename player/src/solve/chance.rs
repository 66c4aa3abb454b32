//! Games with a role `random`: what a role can expect.
//!
//! Its own best move against the worst of the others', on average over the moves of `random`, which are all alike likely
//! (GDL-II). Every state has one value where one role chooses at a time, and play does not come back.

use groundfrog_reasoner::{Reasoner, ReasonerError, State};

use super::budget::Budget;
use super::expectation::{Entered, Expectation, entry};
use super::position::Rules;
use super::{LineStop, Solution, SolveError, SolveMethod, Undecided, bounds};

struct Expect<'run, 'watch> {
    states: Expectation<'run, 'watch>,
    random: usize,
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
    let entry = entry(rules);
    let (mut undecided, mut states) = (None, 0);
    for (role, value) in values.iter_mut().enumerate() {
        if role == random {
            continue;
        }
        let states_of_role = Expectation::new(rules, budget, role, memory);
        let mut expect = Expect { states: states_of_role, random };
        let found = expect.value(&root, 0)?;
        undecided = undecided.or(expect.states.undecided);
        states += expect.states.states();
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
        let children = match self.states.enter(state, depth)? {
            Entered::Known(value) => return Ok(value),
            Entered::Open(children) => children,
        };
        let choices: Vec<usize> = self.states.rules.legal.iter().map(Vec::len).collect();
        let choosers = (0..choices.len()).filter(|&it| it != self.random && choices[it] > 1);
        let choosers: Vec<usize> = choosers.collect();
        if choosers.len() > 1 {
            return Ok(self.states.give_up(Undecided::Simultaneous));
        }
        let chooser = choosers.first().copied();
        let is_own = chooser == Some(self.states.role);
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
        Ok(Some(self.states.decide(state, value)))
    }
}
