//! The states that matches can reach, visited in the order of their distance from the initial one. Where they are few and all
//! are visited, what holds in each of them is proved, and what does not is refuted by a shortest match.

use std::hash::BuildHasher;

use fxhash::FxBuildHasher;
use groundfrog::game::GroundGame;
use groundfrog::{Budget, RoleId, Stop as _};
use groundfrog_reasoner::expansion::{Cursor, Expansion};
use groundfrog_reasoner::{
    GroundReasoner, LANES, MoveId, Reasoner, ReasonerError, State, Vocabulary,
};
use hashbrown::HashTable;

use crate::property::Claim;
use crate::situation::Situation;

/// More states are not visited, nor more words of them.
const MOST_STATES: usize = 1_000_000;
const MOST_WORDS: usize = 1 << 23;
/// More joint moves are not followed.
const MOST_STEPS: usize = 4_000_000;
/// States with more joint moves are not followed.
const MOST_JOINT_MOVES: u64 = 20_000;
/// Rules of a game whose states are visited in lanes: to compile more takes longer than it gains.
const MOST_RULES: usize = 20_000;

/// The length of the longest match, or the joint moves of one that meets a state again.
pub(crate) type VisitedEnd = Result<u64, Vec<Vec<usize>>>;

/// The number of a state, and a joint move in it, as positions in the game's moves.
pub(crate) type Violation = (usize, Option<Vec<usize>>);

/// Visited states, and the steps between them.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    /// The states, one after the other.
    words: Vec<u64>,
    /// Words of each.
    width: usize,
    /// The numbers of the states, by what these are.
    numbers: HashTable<u32>,
    /// By state: the one before it; of the initial state its own number.
    came: Vec<u32>,
    /// Those that follow each state that was visited, one after the other.
    follows: Vec<u32>,
    /// By state that was visited: where those that follow it end.
    ends: Vec<usize>,
    /// Joint moves that were followed.
    steps: usize,
    /// Whether every state was visited.
    pub(crate) is_complete: bool,
    /// By claim: the first visited state that violates it, with the joint move by which it does if the claim is about those.
    pub(crate) violated: Vec<Option<Violation>>,
}

impl Visits {
    /// Visits states until there are no more or the limits are met, many at once where that is wanted and the rules allow it. Those lanes know
    /// no legal moves of ends, and do not look at claims about joint moves.
    pub(crate) fn new(
        game: &GroundGame,
        reasoner: &mut GroundReasoner,
        claims: &[&Claim],
        budget: &Budget,
        by_lanes: bool,
    ) -> Result<Self, ReasonerError> {
        let lanes = (by_lanes && game.rules().len() <= MOST_RULES)
            .then(|| Expansion::new(game).ok())
            .flatten();
        Self::visited(game, reasoner, claims, budget, lanes)
    }

    /// The same, in lanes if there are some.
    fn visited(
        game: &GroundGame,
        reasoner: &mut GroundReasoner,
        claims: &[&Claim],
        budget: &Budget,
        lanes: Option<Expansion>,
    ) -> Result<Self, ReasonerError> {
        let (width, violated) = (game.fluents().len().div_ceil(64), vec![None; claims.len()]);
        let mut found = Visits { width, violated, ..Self::default() };
        found.number(&found.padded(reasoner.initial()), 0);
        let mut lanes = lanes.filter(|_| width > 0);
        let mut situation = Situation::new(game);
        while found.ends.len() < found.came.len() {
            if found.is_full() || budget.is_over() || budget.is_tight() {
                return Ok(found);
            }
            let is_followed = match &mut lanes {
                Some(lanes) => found.visit_many(lanes, &mut situation, reasoner, claims, budget)?,
                None => found.visit_next(&mut situation, reasoner, claims)?,
            };
            if !is_followed {
                return Ok(found);
            }
        }
        found.is_complete = true;
        Ok(found)
    }

    /// Whether there are so many states, or steps between them, that no more are visited.
    fn is_full(&self) -> bool {
        self.came.len() > MOST_STATES || self.words.len() > MOST_WORDS || self.steps > MOST_STEPS
    }

    /// Visits the next state. Says whether it has few enough joint moves.
    fn visit_next(
        &mut self,
        situation: &mut Situation<'_>,
        reasoner: &mut GroundReasoner,
        claims: &[&Claim],
    ) -> Result<bool, ReasonerError> {
        let here = self.ends.len();
        let state = self.state(here);
        situation.enter(reasoner, &state, None)?;
        self.check(here, None, situation, claims);
        let Some(joint_moves) = joint_moves(reasoner, &state)? else { return Ok(false) };
        self.steps += joint_moves.len();
        let is_step_asked = claims.iter().any(|claim| claim.is_of_step);
        let (mut follows, mut next) = (Vec::with_capacity(joint_moves.len()), State::default());
        for joint in joint_moves {
            next.clone_from(&state);
            reasoner.advance(&mut next, &joint)?;
            if is_step_asked {
                situation.enter(reasoner, &state, Some((joint.as_slice(), &next)))?;
                self.check(here, Some(&joint), situation, claims);
            }
            follows.push(self.number(&self.padded(&next), here as u32));
        }
        self.follow(follows);
        Ok(true)
    }

    /// Visits the next states in lanes. Says whether they have few enough joint moves, and all could be followed within the limits.
    fn visit_many(
        &mut self,
        lanes: &mut Expansion,
        situation: &mut Situation<'_>,
        reasoner: &mut GroundReasoner,
        claims: &[&Claim],
        budget: &Budget,
    ) -> Result<bool, ReasonerError> {
        let first = self.ends.len();
        let count = LANES.min(self.came.len() - first);
        let states = &self.words[first * self.width..(first + count) * self.width];
        lanes.load(states.chunks_exact(self.width));
        if (0..count).any(|it| lanes.branching(it) > MOST_JOINT_MOVES) {
            return Ok(false);
        }
        let (mut is_over, mut is_stuck) = (vec![false; count], vec![false; count]);
        lanes.over().for_each(|it| is_over[it] = true);
        lanes.stuck().iter().for_each(|it| is_stuck[it.0] = true);
        let mut goals = vec![Vec::new(); count];
        lanes.goals(|state, goal| goals[state].push(goal));
        for it in 0..count {
            let state = self.state(first + it);
            if is_stuck[it] {
                situation.enter(reasoner, &state, None)?;
            } else {
                let roles = (0..reasoner.roles().len() as u32).map(RoleId);
                let legal = roles.flat_map(|role| lanes.legal_moves(it, role));
                situation.enter_known(&state, is_over[it], legal, &goals[it]);
            }
            self.check(first + it, None, situation, claims);
        }
        let mut follows: Vec<Vec<u32>> = vec![Vec::new(); count];
        let all = lanes.successors(&mut Cursor::default(), |sources, words| {
            for (&source, next) in sources.iter().zip(words.chunks_exact(self.width)) {
                let number = self.number(next, first as u32 + u32::from(source));
                follows[source as usize].push(number);
            }
            self.steps += sources.len();
            !self.is_full() && !budget.is_over()
        });
        if all {
            follows.into_iter().for_each(|it| self.follow(it));
        }
        Ok(all)
    }

    /// Notes the claims that a state, or a joint move in it, is the first to violate.
    fn check(
        &mut self,
        here: usize,
        joint: Option<&[MoveId]>,
        situation: &Situation<'_>,
        claims: &[&Claim],
    ) {
        for (claim, violated) in claims.iter().zip(&mut self.violated) {
            if violated.is_none() && !claim.holds(situation) {
                let made = joint.filter(|_| claim.is_of_step);
                let made = made.map(|joint| joint.iter().map(|it| it.index()).collect());
                *violated = Some((here, made));
            }
        }
    }

    /// Notes the states that follow the next state.
    fn follow(&mut self, mut follows: Vec<u32>) {
        follows.sort_unstable();
        follows.dedup();
        self.follows.append(&mut follows);
        self.ends.push(self.follows.len());
    }

    /// The number of a state; of a new one if it was not met before.
    fn number(&mut self, state: &[u64], before: u32) -> u32 {
        let (words, width) = (&self.words, self.width);
        let known = |it: u32| &words[it as usize * width..][..width];
        let hash = FxBuildHasher.hash_one(state);
        if let Some(&number) = self.numbers.find(hash, |&it| known(it) == state) {
            return number;
        }
        let number = self.came.len() as u32;
        self.numbers.insert_unique(hash, number, |&it| FxBuildHasher.hash_one(known(it)));
        self.words.extend_from_slice(state);
        self.came.push(before);
        number
    }

    /// The words of a state, all of them.
    fn padded(&self, state: &State) -> Vec<u64> {
        let mut words = state.words().to_vec();
        words.resize(self.width, 0);
        words
    }

    fn state(&self, number: usize) -> State {
        State::of_words(&self.words[number * self.width..][..self.width])
    }

    /// The states that follow one, as far as it was visited.
    fn follows(&self, state: usize) -> &[u32] {
        let Some(&end) = self.ends.get(state) else { return &[] };
        let begin = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.follows[begin..end]
    }

    /// The joint moves that lead to a state, as positions in the game's moves.
    pub(crate) fn way(
        &self,
        mut state: usize,
        reasoner: &mut GroundReasoner,
    ) -> Result<Vec<Vec<usize>>, ReasonerError> {
        let mut way = Vec::new();
        while state > 0 {
            let before = self.came[state] as usize;
            way.extend(self.step(before, state, reasoner)?);
            state = before;
        }
        way.reverse();
        Ok(way)
    }

    /// A joint move that leads from a state to one that follows it.
    fn step(
        &self,
        here: usize,
        there: usize,
        reasoner: &mut GroundReasoner,
    ) -> Result<Option<Vec<usize>>, ReasonerError> {
        let (here, there) = (self.state(here), self.state(there));
        for joint in joint_moves(reasoner, &here)?.unwrap_or_default() {
            let mut state = here.clone();
            reasoner.advance(&mut state, &joint)?;
            if state == there {
                return Ok(Some(joint.iter().map(|made| made.index()).collect()));
            }
        }
        Ok(None)
    }

    /// The length of the longest match, if every state was visited and none comes back; or else the joint moves of a match that
    /// meets a state again, if one was found.
    pub(crate) fn ending(
        &self,
        reasoner: &mut GroundReasoner,
    ) -> Result<Option<VisitedEnd>, ReasonerError> {
        let states = match self.longest() {
            Ok(longest) => return Ok(self.is_complete.then_some(Ok(longest))),
            Err(states) => states,
        };
        let mut way = Vec::with_capacity(states.len());
        for pair in states.windows(2) {
            way.extend(self.step(pair[0], pair[1], reasoner)?);
        }
        Ok(Some(Err(way)))
    }

    /// The steps of the longest way from the initial state, as far as was visited, or the states of one that comes back to a state.
    fn longest(&self) -> Result<u64, Vec<usize>> {
        let mut lengths = vec![Length::Unknown; self.came.len()];
        // The states of a way from the initial state, and how many of those that follow each were looked at.
        let mut way = vec![(0, 0)];
        lengths[0] = Length::OnWay;
        while let Some((state, looked)) = way.last_mut() {
            let (state, follows) = (*state, self.follows(*state));
            if let Some(&next) = follows.get(*looked) {
                *looked += 1;
                let next = next as usize;
                match lengths[next] {
                    Length::Known(_) => {}
                    Length::OnWay => return Err(way.iter().map(|it| it.0).chain([next]).collect()),
                    Length::Unknown => {
                        lengths[next] = Length::OnWay;
                        way.push((next, 0));
                    }
                }
            } else {
                let after = follows.iter().map(|&it| lengths[it as usize].steps() + 1);
                lengths[state] = Length::Known(after.max().unwrap_or(0));
                way.pop();
            }
        }
        Ok(lengths[0].steps().into())
    }
}

/// The steps of the longest way from a state.
#[derive(Clone, Copy)]
enum Length {
    Unknown,
    /// The state is on the way that is looked at.
    OnWay,
    Known(u32),
}

impl Length {
    fn steps(self) -> u32 {
        if let Length::Known(steps) = self { steps } else { 0 }
    }
}

/// The joint moves of a state, none if it is terminal or a role has no move; `None` if they are too many.
fn joint_moves(
    reasoner: &mut GroundReasoner,
    state: &State,
) -> Result<Option<Vec<Vec<MoveId>>>, ReasonerError> {
    if reasoner.is_terminal(state)? {
        return Ok(Some(Vec::new()));
    }
    let mut joint_moves: Vec<Vec<MoveId>> = vec![Vec::new()];
    let mut legal = Vec::new();
    for role in 0..reasoner.game().roles().len() as u32 {
        reasoner.legal_moves(state, RoleId(role), &mut legal)?;
        if (joint_moves.len() * legal.len()) as u64 > MOST_JOINT_MOVES {
            return Ok(None);
        }
        let longer = |joint: &Vec<MoveId>, made: MoveId| {
            let mut joint = joint.clone();
            joint.push(made);
            joint
        };
        joint_moves = joint_moves
            .iter()
            .flat_map(|joint| legal.iter().map(move |&made| longer(joint, made)))
            .collect();
    }
    Ok(Some(joint_moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_visit_the_same_states_and_find_the_same_violations() {
        // In the second one a role is stuck in some states, in the third one matches go round, and some have no goal.
        let stuck = "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (legal a go)
            (<= (legal b go) (true (n 0))) (<= (legal b stay) (true (n 0)))
            (<= (next (n ?m)) (true (n ?n)) (succ ?n ?m) (does b go)) (<= (next (n ?n)) (true (n ?n)) (does b stay))
            (<= terminal (true (n 2))) (goal a 100) (goal b 0)";
        let round = "(role a) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 0) (legal a go) (legal a end)
            (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does a go)) (<= (next over) (does a end))
            (<= (next (at ?n)) (true (at ?n)) (does a end))
            (<= terminal (true over)) (<= (goal a 100) (true (at 1))) (<= (goal a 50) (true over) (true (at 1)))";
        let tictactoe = groundfrog_corpus::game("tictactoe").expect("a game").text;
        for text in [tictactoe, stuck, round] {
            let mut reasoner = GroundReasoner::of_text(text).expect("a game");
            let game = std::sync::Arc::clone(reasoner.game());
            let claims =
                [Claim::turn_taking(&game), Claim::playable(&game), Claim::one_goal(&game)];
            let claims: Vec<&Claim> = claims.iter().collect();
            let budget = Budget::within(std::time::Duration::from_secs(600));
            let lanes = Expansion::new(&game).expect("it is not recursive");
            let mut visited = |lanes: Option<Expansion>| {
                let found = Visits::visited(&game, &mut reasoner, &claims, &budget, lanes);
                let found = found.expect("rules that can be evaluated");
                assert!(found.is_complete);
                let ways = found.violated.iter().flatten().map(|it| {
                    found.way(it.0, &mut reasoner).expect("rules that can be evaluated").len()
                });
                let ways: Vec<usize> = ways.collect();
                let ending = found.ending(&mut reasoner).expect("rules that can be evaluated");
                let longest = ending.map(|it| it.map_err(|way| way.len()));
                (
                    found.came.len(),
                    found.steps,
                    found.violated.iter().map(Option::is_some).collect::<Vec<_>>(),
                    ways,
                    longest,
                )
            };
            let alone = visited(None);
            assert!(alone.0 > 1);
            assert_eq!(visited(Some(lanes)), alone);
        }
    }
}
