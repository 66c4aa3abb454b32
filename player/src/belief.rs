//! What a role can know of a match: the histories that agree with its moves and percepts, each with its weight.
//!
//! A *history* is a sequence of legal joint moves from the initial state in which the own moves are those that were made, the
//! percepts are those that were perceived, and no state before the end is terminal. Its weight is the product, over its steps, of
//! 1/n for the role `random`, which has n legal moves, times what the other roles' policies say ([`Opponents`]). A [`Belief`] holds
//! [`World`]s: histories that end in the same state and tell every role the same are one world.
//!
//! * *Exact* while a step has few joint moves: every history is followed.
//! * *Sampled* beyond: worlds are drawn by their weights and followed by joint moves drawn by the policies; those that agree with
//!   what is perceived stay. Where none or few do, others are looked for from the initial state, by backtracking through
//!   histories (HyperPlay; Schofield, Cerexhe & Thielscher, AAAI 2012) whose moves are those that the percepts demand.
//!
//! Equal percepts and own moves give equal beliefs: nothing else that happens in the match comes in.

mod backtracking;
mod history;
mod steps;

use std::sync::Arc;
use web_time::Instant;

use backtracking::Demands;
use fxhash::FxHashMap;
use groundfrog::{Budget, RoleId, Stop};
use groundfrog_reasoner::{Machine, MoveId, Random, State};
pub use history::{BeliefState, BeliefSummary, HistoryStep, read_history};
pub use steps::{Opponents, UnknownOpponent};
pub(crate) use steps::{Seen, Steps, mix};

use crate::strategy::StrategyError;

/// States of a match that a role cannot tell apart, as far as moves and percepts of all roles are the same too.
#[derive(Clone, Debug)]
pub struct World {
    /// The state.
    pub state: State,
    /// Its probability; those of all worlds of a belief add up to 1.
    pub weight: f64,
    /// How many histories lead here; samples, where the belief is sampled.
    pub histories: u64,
    /// By role: a key of its moves and percepts from the beginning. `random` perceives nothing that matters.
    pub information: Box<[u64]>,
    /// One of the histories that lead here. All roles have seen the same in the others.
    pub way: Way,
}

/// How a belief is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BeliefMethod {
    /// All histories.
    Exact,
    /// Some of them.
    Sampled,
}

/// What a belief may use. All are counts, so that a belief does not depend on the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeliefLimits {
    /// Joint moves of one step that are followed before histories are sampled.
    pub exact: usize,
    /// Worlds that are held when they are samples.
    pub samples: usize,
    /// Joint moves of one search from the initial state.
    pub search: usize,
}

impl BeliefLimits {
    /// Suited to how fast the rules are evaluated.
    pub fn of(machine: &Machine) -> Self {
        match machine.ground() {
            Some(_) => BeliefLimits { exact: 1 << 14, samples: 1 << 10, search: 100_000 },
            None => BeliefLimits { exact: 1 << 10, samples: 1 << 7, search: 10_000 },
        }
    }
}

/// What a role did and perceived in one step.
#[derive(Clone, Debug)]
pub(crate) struct Experience {
    /// The own move; `None` if it is not known.
    pub(crate) own: Option<MoveId>,
    pub(crate) seen: Seen,
}

/// What a role believes about a match.
#[derive(Clone, Debug)]
pub struct Belief {
    role: RoleId,
    limits: BeliefLimits,
    opponents: Opponents,
    method: BeliefMethod,
    worlds: Vec<World>,
    history: Vec<Experience>,
    random: Random,
    until: Budget,
}

impl Belief {
    /// At the beginning of a match.
    pub fn new(
        machine: &mut Machine,
        role: RoleId,
        opponents: &Opponents,
        limits: BeliefLimits,
        seed: u64,
    ) -> Self {
        let opponents = opponents.of_machine(machine);
        let worlds = vec![initial(machine)];
        let method = BeliefMethod::Exact;
        let random = Random::new(seed);
        let (history, until) = Default::default();
        Belief { role, limits, opponents, method, worlds, history, random, until }
    }

    /// Goes on with no step behind a deadline, nor when it is stopped: that then ends with an error of which
    /// [`StrategyError::is_late`].
    pub fn set_until(&mut self, deadline: Option<Instant>, stop: Option<Arc<dyn Stop>>) {
        self.until = Budget::until(deadline, stop);
    }

    /// The worlds; at least one. Their weights add up to 1.
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// The role.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// Whether all histories are held.
    pub fn method(&self) -> BeliefMethod {
        self.method
    }

    /// Steps made so far.
    pub fn steps(&self) -> usize {
        self.history.len()
    }

    /// Goes on to the only state that is possible, where all roles see everything.
    pub fn know(&mut self, state: State) {
        self.worlds.truncate(1);
        self.worlds[0].state = state;
    }

    /// A world, drawn by the weights.
    pub fn draw(&mut self) -> &World {
        let drawn = draw(&self.worlds, &mut self.random);
        &self.worlds[drawn]
    }

    /// Goes on after a joint move of which the role knows its own part, unless that is `None`, and what it perceives, as KIF.
    ///
    /// # Errors
    /// No history agrees with this, or none was found within the limits; the belief stays what it was.
    pub fn observe(
        &mut self,
        machine: &mut Machine,
        own: Option<MoveId>,
        percepts: Vec<String>,
    ) -> Result<(), StrategyError> {
        self.go_on(machine, own, percepts, false)
    }

    /// The same where a server of the older protocol may have replaced own moves without a word: if nothing agrees, every own legal
    /// move is followed.
    ///
    /// # Errors
    /// As [`Belief::observe`].
    pub fn observe_doubting(
        &mut self,
        machine: &mut Machine,
        own: Option<MoveId>,
        percepts: Vec<String>,
    ) -> Result<(), StrategyError> {
        self.go_on(machine, own, percepts, true)
    }

    fn go_on(
        &mut self,
        machine: &mut Machine,
        own: Option<MoveId>,
        percepts: Vec<String>,
        doubts: bool,
    ) -> Result<(), StrategyError> {
        let step = Experience { own, seen: Seen::these(percepts) };
        let mut worlds = self.advance(machine, &step)?;
        self.history.push(step);
        if worlds.is_empty() && self.method == BeliefMethod::Sampled {
            worlds = self.recover(machine)?;
        }
        if worlds.is_empty() && doubts {
            worlds = self.doubt(machine)?;
        }
        if worlds.is_empty() {
            self.history.pop();
            let fault = "no history that was followed agrees with what is seen";
            return Err(StrategyError::Turn(fault.into()));
        }
        normalise(&mut worlds);
        self.worlds = worlds;
        Ok(())
    }

    /// The worlds after a step; none if none of those that were followed agrees.
    fn advance(
        &mut self,
        machine: &mut Machine,
        step: &Experience,
    ) -> Result<Vec<World>, StrategyError> {
        let mut steps = Steps::new(machine, self.role, &self.opponents, &self.until);
        if self.method == BeliefMethod::Exact {
            if let Some(worlds) = steps.all(&self.worlds, step, &mut { self.limits.exact })? {
                return Ok(worlds);
            }
            self.method = BeliefMethod::Sampled;
        }
        let few = self.limits.samples / steps::FEW;
        let mut found = steps.sampled(&self.worlds, step, self.limits.samples, &mut self.random)?;
        let samples: u64 = found.iter().map(|it| it.histories).sum();
        if samples as usize <= few {
            // Each joint move of each world, as far as that goes.
            let expanded = steps.some(&self.worlds, step, self.limits.exact)?;
            found = expanded.unwrap_or(found);
        }
        Ok(found)
    }

    /// Worlds that agree with everything from the beginning.
    fn recover(&mut self, machine: &mut Machine) -> Result<Vec<World>, StrategyError> {
        let game = machine.ground().map(|it| Arc::clone(it.game()));
        let demands = game.as_ref().map(|it| Demands::new(it, self.role));
        let mut steps = Steps::new(machine, self.role, &self.opponents, &self.until);
        backtracking::search(
            &mut steps,
            demands.as_ref(),
            &self.history,
            self.limits,
            &mut self.random,
        )
    }

    /// Worlds that agree with all percepts if own moves may have been others: in the last step, or else in any.
    fn doubt(&mut self, machine: &mut Machine) -> Result<Vec<World>, StrategyError> {
        let Some(last) = self.history.last() else { return Ok(Vec::new()) };
        let last = Experience { own: None, seen: last.seen.clone() };
        let found = self.advance(machine, &last)?;
        if !found.is_empty() {
            self.history.pop();
            self.history.push(last);
            return Ok(found);
        }
        let told: Vec<Option<MoveId>> = self.history.iter().map(|it| it.own).collect();
        self.history.iter_mut().for_each(|it| it.own = None);
        let found = self.recover(machine)?;
        if found.is_empty() {
            self.history.iter_mut().zip(told).for_each(|(step, own)| step.own = own);
        } else {
            self.method = BeliefMethod::Sampled;
        }
        Ok(found)
    }
}

/// What everybody knows at the beginning.
fn initial(machine: &Machine) -> World {
    let information = vec![0; machine.roles().len()].into();
    World {
        state: machine.initial().clone(),
        weight: 1.0,
        histories: 1,
        information,
        way: Way::default(),
    }
}

/// Draws by the weights, which add up to 1.
pub(crate) fn draw(worlds: &[World], random: &mut Random) -> usize {
    let mut left = random.fraction();
    let passed = |world: &World| {
        left -= world.weight;
        left < 0.0
    };
    worlds.iter().position(passed).unwrap_or(worlds.len() - 1)
}

/// Lets the weights add up to 1.
fn normalise(worlds: &mut [World]) {
    let sum: f64 = worlds.iter().map(|it| it.weight).sum();
    worlds.iter_mut().for_each(|it| it.weight /= sum);
}

/// Worlds that differ; weights and histories of others are added up.
#[derive(Default)]
pub(crate) struct Merged {
    worlds: Vec<World>,
    numbers: FxHashMap<(State, Box<[u64]>), usize>,
}

impl Merged {
    /// Adds a world. Says whether there was none like it.
    fn add(&mut self, world: World) -> bool {
        let next = self.worlds.len();
        let key = (world.state.clone(), world.information.clone());
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.worlds.push(world);
            return true;
        }
        let known = &mut self.worlds[number];
        known.weight += world.weight;
        known.histories = known.histories.saturating_add(world.histories);
        false
    }

    fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    fn into_worlds(self) -> Vec<World> {
        self.worlds
    }
}

/// Joint moves from the initial state on. Ways that begin alike share their beginning.
#[derive(Clone, Debug, Default)]
pub struct Way(Option<Arc<Step>>);

#[derive(Debug)]
struct Step {
    moves: Box<[MoveId]>,
    before: Way,
}

impl Way {
    /// This way and one more joint move.
    pub(super) fn then(&self, moves: &[MoveId]) -> Self {
        Way(Some(Arc::new(Step { moves: moves.into(), before: self.clone() })))
    }

    /// The joint moves, each in the order of the roles.
    pub fn moves(&self) -> Vec<&[MoveId]> {
        let mut all = Vec::new();
        let mut way = self;
        while let Some(step) = &way.0 {
            all.push(&*step.moves);
            way = &step.before;
        }
        all.reverse();
        all
    }
}

impl Drop for Step {
    /// One step after the other: a long way takes no deep stack.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut step) = next.and_then(Arc::into_inner) {
            next = step.before.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_is_dropped_and_one_that_is_shared_stays() {
        let mut way = Way::default();
        let mut short = Way::default();
        for step in 0..200_000 {
            way = way.then(&[MoveId(step), MoveId(0)]);
            if step == 1 {
                short = way.clone();
            }
        }
        assert_eq!(way.moves().len(), 200_000);
        drop(way);
        assert_eq!(short.moves(), [[MoveId(0), MoveId(0)], [MoveId(1), MoveId(0)]]);
    }
}
