//! The states that matches can reach, visited in the order of their distance from the initial one. Where they are few and all
//! are visited, what holds in each of them is proved, and what does not is refuted by a shortest match.

use groundfrog::game::GroundGame;
use groundfrog::{Budget, RoleId, Stop as _};
use groundfrog_reasoner::expansion::{Cursor, Expansion};
use groundfrog_reasoner::state_space::{Expander, States, longest_way};
use groundfrog_reasoner::{
    GroundReasoner, LANES, MoveId, Reasoner, ReasonerError, State, Vocabulary,
};

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
pub(crate) type Violation = (u32, Option<Vec<usize>>);

/// Visited states, and the steps between them.
#[derive(Debug)]
pub(crate) struct Visits {
    states: States,
    /// Words of each state.
    width: usize,
    /// By state that was visited: those that follow it.
    follows: Vec<Vec<u32>>,
    /// Joint moves that were followed.
    steps: usize,
    /// Whether every state was visited.
    pub(crate) is_complete: bool,
    /// By claim: the first visited state that violates it, with the joint move by which it does if the claim is about those.
    pub(crate) violated: Vec<Option<Violation>>,
}

impl Visits {
    /// The lanes that states are visited in, if the rules allow it. They know no legal moves of ends, and do not look at claims about joint
    /// moves.
    pub(crate) fn lanes(game: &GroundGame) -> Option<Expansion> {
        let is_small = game.rules().len() <= MOST_RULES && game.fluents().len() > 0;
        is_small.then(|| Expansion::new(game).ok()).flatten()
    }

    /// Visits states until there are no more or the limits are met, many at once if there are lanes.
    pub(crate) fn new(
        game: &GroundGame,
        reasoner: &mut GroundReasoner,
        claims: &[&Claim],
        budget: &Budget,
        mut lanes: Option<Expansion>,
    ) -> Result<Self, ReasonerError> {
        let fluents = game.fluents().len();
        let mut found = Visits {
            states: States::new(fluents, reasoner.initial().words(), 1),
            width: fluents.div_ceil(64),
            follows: Vec::new(),
            steps: 0,
            is_complete: false,
            violated: vec![None; claims.len()],
        };
        let (mut situation, mut expander) = (Situation::new(game), Expander::ascending(reasoner));
        while found.follows.len() < found.states.count() {
            if found.is_full() || budget.is_over() || budget.is_tight() {
                return Ok(found);
            }
            let is_followed = match &mut lanes {
                Some(lanes) => {
                    found.visit_many(lanes, &mut situation, &mut expander, claims, budget)?
                }
                None => found.visit_next(&mut situation, &mut expander, claims)?,
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
        let states = self.states.count();
        states > MOST_STATES || states * self.width > MOST_WORDS || self.steps > MOST_STEPS
    }

    /// Visits the next state. Says whether it has few enough joint moves.
    fn visit_next(
        &mut self,
        situation: &mut Situation<'_>,
        expander: &mut Expander<'_>,
        claims: &[&Claim],
    ) -> Result<bool, ReasonerError> {
        let here = self.follows.len() as u32;
        expander.load(self.states.get(here));
        let state = self.state(here);
        situation.enter(expander.reasoner, &state, None)?;
        self.check(here, None, situation, claims);
        let is_step_asked = claims.iter().any(|claim| claim.is_of_step);
        let (mut follows, mut made, mut left) = (Vec::new(), Vec::new(), Vec::new());
        expander.expand(&mut left, |joint, next| {
            follows.push(self.states.insert(next, here));
            if is_step_asked {
                made.push((joint.to_vec(), State::of_words(next)));
            }
            (follows.len() as u64) < MOST_JOINT_MOVES
        });
        self.steps += follows.len();
        if !left.is_empty() {
            return Ok(false);
        }
        for (joint, next) in made {
            situation.enter(expander.reasoner, &state, Some((&joint, &next)))?;
            self.check(here, Some(&joint), situation, claims);
        }
        self.follows.push(follows);
        Ok(true)
    }

    /// Visits the next states in lanes. Says whether they have few enough joint moves, and all could be followed within the limits.
    fn visit_many(
        &mut self,
        lanes: &mut Expansion,
        situation: &mut Situation<'_>,
        expander: &mut Expander<'_>,
        claims: &[&Claim],
        budget: &Budget,
    ) -> Result<bool, ReasonerError> {
        let first = self.follows.len();
        let count = LANES.min(self.states.count() - first);
        let numbers = first as u32..(first + count) as u32;
        lanes.load(numbers.clone().map(|it| self.states.get(it)));
        if (0..count).any(|it| lanes.branching(it) > MOST_JOINT_MOVES) {
            return Ok(false);
        }
        let (mut is_over, mut is_stuck) = (vec![false; count], vec![false; count]);
        lanes.over().for_each(|it| is_over[it] = true);
        lanes.stuck().iter().for_each(|it| is_stuck[it.0] = true);
        let mut goals = vec![Vec::new(); count];
        lanes.goals(|state, goal| goals[state].push(goal));
        for (it, number) in numbers.enumerate() {
            let state = self.state(number);
            if is_stuck[it] {
                situation.enter(expander.reasoner, &state, None)?;
            } else {
                let roles = (0..expander.reasoner.roles().len() as u32).map(RoleId);
                let legal = roles.flat_map(|role| lanes.legal_moves(it, role));
                situation.enter_known(&state, is_over[it], legal, &goals[it]);
            }
            self.check(number, None, situation, claims);
        }
        self.follows.resize(first + count, Vec::new());
        let all = lanes.successors(&mut Cursor::default(), |sources, words| {
            for (&source, next) in sources.iter().zip(words.chunks_exact(self.width)) {
                let here = first + usize::from(source);
                self.follows[here].push(self.states.insert(next, here as u32));
            }
            self.steps += sources.len();
            !self.is_full() && !budget.is_over()
        });
        if !all {
            self.follows.truncate(first);
        }
        Ok(all)
    }

    /// Notes the claims that a state, or a joint move in it, is the first to violate.
    fn check(
        &mut self,
        here: u32,
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

    fn state(&self, number: u32) -> State {
        State::of_words(self.states.get(number))
    }

    /// The joint moves that lead to a state, as positions in the game's moves.
    pub(crate) fn way(&self, state: u32, reasoner: &mut GroundReasoner) -> Vec<Vec<usize>> {
        self.moves(&self.states.path(state), reasoner)
    }

    /// Joint moves that lead from each of these states to the next one, as positions in the game's moves.
    fn moves(&self, states: &[u32], reasoner: &mut GroundReasoner) -> Vec<Vec<usize>> {
        let states = states.iter().map(|&it| self.states.get(it));
        let moves = Expander::ascending(reasoner).moves_along(states);
        moves.iter().map(|joint| joint.iter().map(|made| made.index()).collect()).collect()
    }

    /// The length of the longest match, if every state was visited and none comes back; or else the joint moves of a match that
    /// meets a state again, if one was found.
    pub(crate) fn ending(&self, reasoner: &mut GroundReasoner) -> Option<VisitedEnd> {
        let successors = |state: u32| {
            let mut follows = self.follows.get(state as usize).cloned().unwrap_or_default();
            follows.sort_unstable_by(|one, other| other.cmp(one));
            follows.dedup();
            Some(follows)
        };
        match longest_way(0, self.states.count(), successors, |_| true)? {
            Ok(longest) => self.is_complete.then_some(Ok(longest.into())),
            Err(states) => Some(Err(self.moves(&states, reasoner))),
        }
    }
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
                let found = Visits::new(&game, &mut reasoner, &claims, &budget, lanes);
                let found = found.expect("rules that can be evaluated");
                assert!(found.is_complete);
                let violated = found.violated.iter().flatten();
                let ways = violated.map(|it| found.way(it.0, &mut reasoner).len());
                let ways: Vec<usize> = ways.collect();
                let ending = found.ending(&mut reasoner);
                let longest = ending.map(|it| it.map_err(|way| way.len()));
                (
                    found.states.count(),
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
