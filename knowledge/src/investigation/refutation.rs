//! What matches refute, and what is decided by going through states.

use std::collections::BTreeMap;

use groundfrog::{Budget, RoleId};
use groundfrog_reasoner::{
    GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State, Vocabulary as _,
};

use super::{Investigation, Task};
use crate::induction::Outcome;
use crate::property::{Claim, Property, players};
use crate::reachability::decide;
use crate::sample::Position;
use crate::situation::Situation;
use crate::visits::Visits;

/// Where immobility is looked for, so many joint moves are compared at most, and so many made.
const MOST_TRIES: u32 = 24;
const LONGEST: usize = 400;
const IMMOBILITY_SEED: u64 = 9;

/// Random matches that show how many ways a match may go, and the most ways of a game whose states are visited early.
const FEW_MATCHES: usize = 8;
const MOST_WAYS: f64 = 1e12;

impl Investigation<'_> {
    /// Looks for what the sample refutes, in the tasks from one on. The sum of goals is that of most ends; where no match came to
    /// an end at which each role has one goal value, no sum is looked for.
    pub(super) fn refute_by_sample(
        &mut self,
        reasoner: &mut GroundReasoner,
        first: usize,
    ) -> Result<(), ReasonerError> {
        let usual = self.usual_sum(reasoner)?;
        self.tasks.retain_mut(|task| match (&mut task.property, usual) {
            (Property::ConstantSum { sum }, Some(usual)) => {
                *sum = usual;
                task.claim = Claim::constant_sum(self.game, usual);
                true
            }
            (Property::ConstantSum { .. }, None) => false,
            _ => true,
        });
        let mut situation = Situation::new(self.game);
        situation.ignores_early_goals = !self.tasks.iter().any(Task::is_stated);
        let budget = self.budget.share(1, 8);
        for (played, number) in self.sample.matches.iter().zip(0..) {
            // That all holds in the initial state is relied upon.
            if number > 0 && budget.is_over() {
                break;
            }
            for (moves, state) in played.states.iter().enumerate() {
                let step = played.moves.get(moves);
                let step = step.map(|made| (made.as_slice(), &played.states[moves + 1]));
                situation.enter(reasoner, state, step)?;
                let position = Position { played: number, moves };
                for task in self.tasks[first..].iter_mut().filter(|task| task.is_open()) {
                    if !task.claim.holds(&situation) {
                        let way = self.sample.way(position, task.claim.is_of_step);
                        task.outcome = Outcome::Refuted(way);
                    }
                }
            }
        }
        Ok(())
    }

    /// Looks for a match in which a role has no legal move: of some joint moves that is made most often after which the roles, or one of
    /// them, have the fewest.
    pub(super) fn refute_by_immobility(
        &mut self,
        reasoner: &mut GroundReasoner,
    ) -> Result<(), ReasonerError> {
        let is_playable = |task: &Task| task.property == Property::Playable && task.is_open();
        let Some(task) = self.tasks.iter().position(is_playable) else { return Ok(()) };
        let budget = self.budget.share(1, 6);
        let mut random = Random::new(IMMOBILITY_SEED);
        let mut legal = Vec::new();
        while !budget.is_over() {
            let (mut state, mut made) = (reasoner.initial().clone(), Vec::new());
            let tries = 1 + random.below(MOST_TRIES);
            // As many as there are roles stands for all of them.
            let counted = random.below(reasoner.game().roles().len() as u32 + 1);
            while made.len() < LONGEST && !budget.is_over() {
                let mut best: Option<(u32, State, Vec<MoveId>)> = None;
                for _ in 0..tries {
                    let mut joint = Vec::new();
                    if reasoner.random_joint_move(&state, &mut random, &mut joint)?.is_some() {
                        return Ok(());
                    }
                    let mut next = state.clone();
                    reasoner.advance(&mut next, &joint)?;
                    if reasoner.is_terminal(&next)? {
                        continue;
                    }
                    let mut count = random.below(2);
                    for role in (0..joint.len() as u32).map(RoleId) {
                        reasoner.legal_moves(&next, role, &mut legal)?;
                        if legal.is_empty() {
                            made.push(joint);
                            let way = made.iter().map(|joint: &Vec<MoveId>| {
                                joint.iter().map(|made| made.index()).collect()
                            });
                            self.tasks[task].outcome = Outcome::Refuted(way.collect());
                            return Ok(());
                        }
                        if counted == role.0 || counted == joint.len() as u32 {
                            count += 2 * legal.len() as u32;
                        }
                    }
                    if best.as_ref().is_none_or(|best| count < best.0) {
                        best = Some((count, next, joint));
                    }
                }
                let Some((_, next, joint)) = best else { break };
                state = next;
                made.push(joint);
            }
        }
        Ok(())
    }

    /// The sum of the goals at most ends of matches.
    pub(super) fn usual_sum(
        &self,
        reasoner: &mut GroundReasoner,
    ) -> Result<Option<i128>, ReasonerError> {
        let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
        for state in self.sample.matches.iter().filter_map(|played| played.states.last()) {
            let goal = |role| Some(i128::from(reasoner.goal(state, role).ok()?));
            // Nothing is said where a role has no goal, or several.
            if let Some(sum) = players(self.game).map(goal).sum::<Option<i128>>()
                && reasoner.is_terminal(state)?
            {
                *counts.entry(sum).or_default() += 1;
            }
        }
        Ok(counts.into_iter().max_by_key(|&(sum, count)| (count, -sum)).map(|(sum, _)| sum))
    }

    /// Whether a match has so few ways to go that its states may be few: the joint moves of its states, multiplied, for each random match.
    pub(super) fn is_narrow(&self, reasoner: &mut GroundReasoner) -> Result<bool, ReasonerError> {
        let mut legal = Vec::new();
        for played in self.sample.matches.iter().take(FEW_MATCHES) {
            let mut ways = 1.0;
            for state in &played.states {
                for role in (0..reasoner.roles().len() as u32).map(RoleId) {
                    reasoner.legal_moves(state, role, &mut legal)?;
                    ways *= legal.len().max(1) as f64;
                }
                if ways > MOST_WAYS {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Visits the states of the game within a budget, if something is open that they may decide.
    pub(super) fn visit(
        &mut self,
        reasoner: &mut GroundReasoner,
        budget: &Budget,
    ) -> Result<(), ReasonerError> {
        let is_end_open = self.is_end_open();
        // Statements ask what lanes do not tell: of ends the legal moves, and of joint moves.
        for by_lanes in [true, false] {
            let is_fit = |task: &&mut Task| task.is_open() && task.is_stated() != by_lanes;
            let mut open: Vec<&mut Task> = self.tasks.iter_mut().filter(is_fit).collect();
            let is_end_asked = by_lanes && is_end_open;
            if open.is_empty() && !is_end_asked {
                continue;
            }
            let claims: Vec<&Claim> = open.iter().map(|task| &task.claim).collect();
            let lanes = by_lanes.then(|| Visits::lanes(self.game)).flatten();
            let found = Visits::new(self.game, reasoner, &claims, budget, lanes)?;
            for (task, violated) in open.iter_mut().zip(&found.violated) {
                match violated {
                    Some((state, made)) => {
                        let mut way = found.way(*state, reasoner);
                        way.extend(made.clone());
                        task.outcome = Outcome::Refuted(way);
                    }
                    None if found.is_complete => {
                        task.outcome = Outcome::Proved;
                        task.is_visited = true;
                    }
                    None => {}
                }
            }
            if is_end_asked {
                self.known_end = found.ending(reasoner);
            }
        }
        Ok(())
    }

    /// Decides what is still open by reachability, the time shared among what is left.
    pub(super) fn decide_open(
        &mut self,
        reasoner: &mut GroundReasoner,
    ) -> Result<(), ReasonerError> {
        let mut open: Vec<usize> =
            (0..self.tasks.len()).filter(|&task| self.tasks[task].is_open()).collect();
        // What most is known by comes first.
        open.sort_by_key(|&task| {
            matches!(
                self.tasks[task].property,
                Property::AtMostOne { .. } | Property::ExactlyOne { .. }
            )
        });
        // Some time is left for the end of matches, if that is open too.
        let mut left = open.len() as u32 + u32::from(self.is_end_open());
        for task in open {
            if self.budget.is_over() {
                break;
            }
            let budget = self.budget.share(1, left);
            left -= 1;
            let lemmas: Vec<Claim> = self.prover.lemmas().cloned().collect();
            let claim = &self.tasks[task].claim;
            let (outcome, proof) = decide(self.game, budget, &lemmas, claim);
            match &outcome {
                Outcome::Refuted(way) if self.is_violated(reasoner, claim, way)? => {
                    self.tasks[task].outcome = outcome;
                }
                Outcome::Proved => {
                    self.tasks[task].outcome = outcome;
                    self.give_time(1);
                    proof.into_iter().for_each(|proof| self.prover.add_lemmas(proof));
                }
                // Atoms that depend on themselves may have held without a reason.
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a match violates a claim, in the state that it leads to or by its last joint move.
    pub(super) fn is_violated(
        &self,
        reasoner: &mut GroundReasoner,
        claim: &Claim,
        way: &[Vec<usize>],
    ) -> Result<bool, ReasonerError> {
        let mut states = vec![reasoner.initial().clone()];
        let mut made: Vec<Vec<MoveId>> = Vec::new();
        for joint in way {
            let moves: Vec<MoveId> = joint.iter().map(|&it| MoveId(it as u32)).collect();
            let mut state = states[states.len() - 1].clone();
            if reasoner.is_terminal(&state)? || reasoner.advance(&mut state, &moves).is_err() {
                return Ok(false);
            }
            states.push(state);
            made.push(moves);
        }
        let mut situation = Situation::new(self.game);
        let last = if claim.is_of_step { made.len().checked_sub(1) } else { Some(made.len()) };
        let Some(last) = last else { return Ok(false) };
        let step = made.get(last).map(|moves| (moves.as_slice(), &states[last + 1]));
        situation.enter(reasoner, &states[last], step)?;
        Ok(!claim.holds(&situation))
    }
}
