//! What a role can expect against `random`, by all beliefs that can follow.

use std::collections::BTreeMap;

use groundfrog::{Budget, RoleId};
use groundfrog_reasoner::{Machine, MoveId};

use crate::belief::{Belief, Experience, Opponents, Seen, Steps, World};
use crate::strategy::{CandidateMove, Decision, StrategyError};

/// Joint moves that are looked at.
const MOST: usize = 100_000;
/// Steps that are looked ahead.
const DEEPEST: u32 = 200;

/// What each own move is worth.
pub(super) struct Expected {
    moves: Vec<(MoveId, f64)>,
    states: u64,
}

/// Looks at beliefs. A belief that is given up has no value.
pub(super) struct Expectimax<'run> {
    steps: Steps<'run>,
    left: usize,
}

impl<'run> Expectimax<'run> {
    pub(super) fn new(
        machine: &'run mut Machine,
        role: RoleId,
        opponents: &'run Opponents,
        until: &'run Budget,
    ) -> Self {
        Expectimax { steps: Steps::new(machine, role, opponents, until), left: MOST }
    }

    /// What each move is worth; `None` where another role chooses as well, or it takes too much.
    pub(super) fn run(mut self, belief: &Belief) -> Result<Option<Expected>, StrategyError> {
        let Steps { machine, role, .. } = &mut self.steps;
        let chance = machine.chance_role();
        if machine.role_ids().any(|it| it != *role && Some(it) != chance) {
            return Ok(None);
        }
        let mut worlds = Vec::new();
        for world in belief.worlds() {
            if !machine.is_terminal(&world.state)? {
                // From now on they differ by what is learned.
                let information = vec![0; world.information.len()].into();
                worlds.push(World { information, ..world.clone() });
            }
        }
        let sum: f64 = worlds.iter().map(|it| it.weight).sum();
        worlds.iter_mut().for_each(|it| it.weight /= sum);
        let moves = self.moves(&worlds, 0)?;
        let states = (MOST - self.left) as u64;
        Ok(moves.filter(|it| !it.is_empty()).map(|moves| Expected { moves, states }))
    }

    /// The sum of weights times values.
    fn value(&mut self, worlds: Vec<World>, depth: u32) -> Result<Option<f64>, StrategyError> {
        let Steps { machine, role, .. } = &mut self.steps;
        let (mut value, mut rest) = (0.0, Vec::new());
        for world in worlds {
            if !machine.is_terminal(&world.state)? {
                rest.push(world);
                continue;
            }
            let Some(goal) = machine.only_goal(&world.state, *role)? else { return Ok(None) };
            value += world.weight * goal as f64;
        }
        if rest.is_empty() {
            return Ok(Some(value));
        }
        let Some(moves) = self.moves(&rest, depth)? else { return Ok(None) };
        let best = moves.into_iter().map(|it| it.1).reduce(f64::max);
        Ok(best.map(|it| value + it))
    }

    /// The same for each move that is legal in all states.
    fn moves(
        &mut self,
        worlds: &[World],
        depth: u32,
    ) -> Result<Option<Vec<(MoveId, f64)>>, StrategyError> {
        if depth == DEEPEST {
            return Ok(None);
        }
        let role = self.steps.role;
        let (mut own, mut legal) = (None::<Vec<MoveId>>, Vec::new());
        for world in worlds {
            self.steps.machine.legal_moves(&world.state, role, &mut legal)?;
            match &mut own {
                None => own = Some(legal.clone()),
                Some(own) => own.retain(|it| legal.binary_search(it).is_ok()),
            }
        }
        let mut moves = Vec::new();
        for it in own.unwrap_or_default() {
            let step = Experience { own: Some(it), seen: Seen::any() };
            let Some(next) = self.steps.all(worlds, &step, &mut self.left)? else {
                return Ok(None);
            };
            let mut groups: BTreeMap<u64, Vec<World>> = BTreeMap::new();
            for world in next {
                groups.entry(world.information[role.index()]).or_default().push(world);
            }
            let mut sum = 0.0;
            for worlds in groups.into_values() {
                let Some(value) = self.value(worlds, depth + 1)? else { return Ok(None) };
                sum += value;
            }
            moves.push((it, sum));
        }
        Ok(Some(moves))
    }
}

impl Expected {
    /// The best move; the first of equal ones.
    pub(super) fn decide(&self, machine: &Machine) -> Decision {
        let best = self.moves.iter().rev().max_by(|one, other| one.1.total_cmp(&other.1));
        let &(chosen, value) = best.expect("there is a move");
        let candidate = |&(made, value): &(MoveId, f64)| CandidateMove {
            action: machine.move_text(made),
            visits: 0,
            value: Some(value),
            proven: true,
        };
        let mut candidates: Vec<CandidateMove> = self.moves.iter().map(candidate).collect();
        candidates.sort_by(|one, other| other.value.partial_cmp(&one.value).expect("numbers"));
        Decision {
            action: machine.move_text(chosen),
            method: "expectimax".into(),
            value: Some(value),
            proven: true,
            nodes: self.states,
            candidates,
            ..Decision::default()
        }
    }
}
