//! The states that matches can reach, visited in the order of their distance from the initial one. Where they are few and all
//! are visited, what holds in each of them is proved, and what does not is refuted by a shortest match.

use std::hash::BuildHasher;

use fxhash::FxBuildHasher;
use groundfrog::RoleId;
use groundfrog::game::GroundGame;
use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, ReasonerError, State};
use hashbrown::HashTable;

use crate::formula::Limits;
use crate::property::Claim;
use crate::situation::Situation;

/// More states are not visited, nor more words of them.
const MOST_STATES: usize = 400_000;
const MOST_WORDS: usize = 1 << 23;
/// More joint moves are not followed.
const MOST_STEPS: usize = 4_000_000;
/// States with more joint moves are not followed.
const MOST_JOINT_MOVES: usize = 20_000;

/// The length of the longest match, or the joint moves of one that meets a state again.
pub(crate) type VisitedEnd = Result<u64, Vec<Vec<usize>>>;

/// Visited states, and the steps between them.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    states: Vec<State>,
    /// The numbers of the states, by what these are.
    numbers: HashTable<usize>,
    /// By state: the one before it and the joint move from there; of the initial state its own number.
    came: Vec<(usize, Vec<MoveId>)>,
    /// By state that was visited: those that follow it.
    follows: Vec<Vec<usize>>,
    /// Whether every state was visited.
    pub(crate) is_complete: bool,
    /// By claim: the first visited state that violates it.
    pub(crate) violated: Vec<Option<usize>>,
}

impl Visits {
    /// Visits states until there are no more or the limits are met. Claims about joint moves are not looked at.
    pub(crate) fn new(
        game: &GroundGame,
        reasoner: &mut GroundReasoner,
        claims: &[&Claim],
        limits: &Limits,
    ) -> Result<Self, ReasonerError> {
        let mut found = Visits { violated: vec![None; claims.len()], ..Self::default() };
        found.number(reasoner.initial(), 0, &[]);
        let mut situation = Situation::new(game);
        let mut steps = 0;
        while found.follows.len() < found.states.len() {
            let here = found.follows.len();
            let state = found.states[here].clone();
            let words = found.states.len() * state.words().len();
            let is_much = found.states.len() > MOST_STATES || words > MOST_WORDS;
            if is_much || steps > MOST_STEPS || limits.is_over() {
                return Ok(found);
            }
            situation.enter(reasoner, &state, None)?;
            for (claim, violated) in claims.iter().zip(&mut found.violated) {
                if violated.is_none() && !claim.holds(game, &situation) {
                    *violated = Some(here);
                }
            }
            let Some(joint_moves) = joint_moves(reasoner, &state)? else { return Ok(found) };
            steps += joint_moves.len();
            let mut follows = Vec::with_capacity(joint_moves.len());
            for joint in joint_moves {
                let mut next = state.clone();
                reasoner.advance(&mut next, &joint)?;
                follows.push(found.number(&next, here, &joint));
            }
            follows.sort_unstable();
            follows.dedup();
            found.follows.push(follows);
        }
        found.is_complete = true;
        Ok(found)
    }

    /// The number of a state; of a new one if it was not met before.
    fn number(&mut self, state: &State, before: usize, joint: &[MoveId]) -> usize {
        let hash = |state: &State| FxBuildHasher.hash_one(state);
        let states = &self.states;
        if let Some(&known) = self.numbers.find(hash(state), |&it| states[it] == *state) {
            return known;
        }
        let number = states.len();
        self.numbers.insert_unique(hash(state), number, |&it| hash(&states[it]));
        self.states.push(state.clone());
        self.came.push((before, joint.to_vec()));
        number
    }

    /// The joint moves that lead to a state, as positions in the game's moves.
    pub(crate) fn way(&self, mut state: usize) -> Vec<Vec<usize>> {
        let mut way = Vec::new();
        while state > 0 {
            let (before, joint) = &self.came[state];
            way.push(joint.iter().map(|made| made.index()).collect());
            state = *before;
        }
        way.reverse();
        way
    }

    /// The length of the longest match, if every state was visited and none comes back; or else the joint moves of a match that
    /// meets a state again, if one was found.
    pub(crate) fn ending(
        &self,
        reasoner: &mut GroundReasoner,
    ) -> Result<Option<VisitedEnd>, ReasonerError> {
        let lengths = self.lengths();
        match lengths.first().copied().flatten().filter(|_| self.is_complete) {
            Some(longest) => Ok(Some(Ok(longest))),
            None => Ok(self.repetition(&lengths, reasoner)?.map(Err)),
        }
    }

    /// By state: the length of the longest way from it, as far as was visited; none if it leads to a state that comes back.
    fn lengths(&self) -> Vec<Option<u64>> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        let mut open: Vec<usize> = vec![0; self.states.len()];
        for (state, follows) in self.follows.iter().enumerate() {
            open[state] = follows.len();
            follows.iter().for_each(|&next| before[next].push(state));
        }
        let mut lengths = vec![None; self.states.len()];
        let mut ready: Vec<usize> = (0..open.len()).filter(|&state| open[state] == 0).collect();
        while let Some(state) = ready.pop() {
            let follows = self.follows.get(state).into_iter().flatten();
            let after = follows.filter_map(|&next| lengths[next]).max();
            lengths[state] = Some(after.map_or(0, |length: u64| length + 1));
            for &previous in &before[state] {
                open[previous] -= 1;
                if open[previous] == 0 {
                    ready.push(previous);
                }
            }
        }
        lengths
    }

    /// The joint moves of a match that meets a state again, if one was found.
    fn repetition(
        &self,
        lengths: &[Option<u64>],
        reasoner: &mut GroundReasoner,
    ) -> Result<Option<Vec<Vec<usize>>>, ReasonerError> {
        let (mut here, mut met, mut way) = (0, vec![false; self.states.len()], Vec::new());
        while !met[here] {
            met[here] = true;
            let mut follows = self.follows.get(here).into_iter().flatten();
            // From a state without a longest way leads a joint move to another.
            let Some(&next) = follows.find(|&&next| lengths[next].is_none()) else {
                return Ok(None);
            };
            for joint in joint_moves(reasoner, &self.states[here])?.unwrap_or_default() {
                let mut state = self.states[here].clone();
                reasoner.advance(&mut state, &joint)?;
                if state == self.states[next] {
                    way.push(joint.iter().map(|made| made.index()).collect());
                    break;
                }
            }
            here = next;
        }
        Ok(Some(way))
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
        if joint_moves.len() * legal.len() > MOST_JOINT_MOVES {
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
