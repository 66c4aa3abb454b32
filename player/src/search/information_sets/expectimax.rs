//! What a role can expect against `random`, by all beliefs that can follow.

use std::collections::BTreeMap;

use groundfrog::RoleId;
use groundfrog_reasoner::{MoveId, PerceptId, State};

use crate::belief::Belief;
use crate::clock::Until;
use crate::machine::Machine;
use crate::strategy::{CandidateMove, Decision, StrategyError};

/// Joint moves that are looked at.
const MOST: u64 = 100_000;
/// Steps that are looked ahead.
const DEEPEST: u32 = 200;
/// Joint moves between two looks at the clock.
const INTERVAL: u64 = 16;

/// States with their weights.
type Weighted = BTreeMap<State, f64>;

/// What each own move is worth.
pub(super) struct Expected {
    moves: Vec<(MoveId, f64)>,
    states: u64,
}

/// Looks at beliefs. A belief that is given up has no value.
pub(super) struct Expectimax<'run> {
    machine: &'run mut Machine,
    role: RoleId,
    chance: Option<RoleId>,
    until: &'run Until,
    looked: u64,
}

impl<'run> Expectimax<'run> {
    pub(super) fn new(machine: &'run mut Machine, role: RoleId, until: &'run Until) -> Self {
        let chance = machine.chance_role();
        Expectimax { machine, role, chance, until, looked: 0 }
    }

    /// What each move is worth; `None` where another role chooses as well, or it takes too much.
    pub(super) fn run(mut self, belief: &Belief) -> Result<Option<Expected>, StrategyError> {
        let mut roles = self.machine.role_ids();
        if roles.any(|it| it != self.role && Some(it) != self.chance) {
            return Ok(None);
        }
        let mut worlds = Weighted::new();
        for world in belief.worlds() {
            if !self.machine.is_terminal(&world.state)? {
                *worlds.entry(world.state.clone()).or_default() += world.weight;
            }
        }
        let sum: f64 = worlds.values().sum();
        worlds.values_mut().for_each(|it| *it /= sum);
        let moves = self.moves(&worlds, 0)?;
        let states = self.looked;
        Ok(moves.filter(|it| !it.is_empty()).map(|moves| Expected { moves, states }))
    }

    /// The sum of weights times values.
    fn value(&mut self, worlds: Weighted, depth: u32) -> Result<Option<f64>, StrategyError> {
        let (mut value, mut rest) = (0.0, Weighted::new());
        for (state, weight) in worlds {
            if !self.machine.is_terminal(&state)? {
                rest.insert(state, weight);
                continue;
            }
            let Some(goal) = self.machine.only_goal(&state, self.role)? else { return Ok(None) };
            value += weight * goal as f64;
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
        worlds: &Weighted,
        depth: u32,
    ) -> Result<Option<Vec<(MoveId, f64)>>, StrategyError> {
        if depth == DEEPEST {
            return Ok(None);
        }
        let (mut own, mut legal) = (None::<Vec<MoveId>>, Vec::new());
        for state in worlds.keys() {
            self.machine.legal_moves(state, self.role, &mut legal)?;
            match &mut own {
                None => own = Some(legal.clone()),
                Some(own) => own.retain(|it| legal.binary_search(it).is_ok()),
            }
        }
        let mut moves = Vec::new();
        for it in own.unwrap_or_default() {
            let Some(groups) = self.follow(worlds, it)? else { return Ok(None) };
            let mut sum = 0.0;
            for (_, worlds) in groups {
                let Some(value) = self.value(worlds, depth + 1)? else { return Ok(None) };
                sum += value;
            }
            moves.push((it, sum));
        }
        Ok(Some(moves))
    }

    /// What follows an own move, by what is then perceived.
    fn follow(
        &mut self,
        worlds: &Weighted,
        own: MoveId,
    ) -> Result<Option<BTreeMap<Vec<PerceptId>, Weighted>>, StrategyError> {
        let mut groups: BTreeMap<Vec<PerceptId>, Weighted> = BTreeMap::new();
        let mut perceived = Vec::new();
        for (state, weight) in worlds {
            let chances = match self.chance {
                Some(_) => self.machine.chance_moves(state)?,
                None => vec![(own, 1.0)],
            };
            for (chance, probability) in chances {
                self.looked += 1;
                if self.looked > MOST
                    || (self.looked.is_multiple_of(INTERVAL) && self.until.is_over())
                {
                    return Ok(None);
                }
                let made = |it| if it == self.role { own } else { chance };
                let moves: Vec<MoveId> = self.machine.role_ids().map(made).collect();
                self.machine.perceive(state, &moves, &mut perceived)?;
                let mut next = State::default();
                self.machine.next_state(state, &moves, &mut next)?;
                let group = groups.entry(perceived[self.role.index()].clone()).or_default();
                *group.entry(next).or_default() += weight * probability;
            }
        }
        Ok(Some(groups))
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
