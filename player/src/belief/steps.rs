//! What follows after one step.

use std::cell::RefCell;

use fxhash::FxHashMap;
use groundfrog::description::Printer;
use groundfrog::{Budget, RoleId};
use groundfrog_reasoner::state_space::next_joint_move;
use groundfrog_reasoner::{Case, Machine, MoveId, PerceptId, Random, ReasonerError, State};

use super::{Experience, Merged, World};
use crate::strategy::StrategyError;
use crate::text;

/// The moves that roles may have made in a step, by role, each with its probability; that of own moves is 1.
pub(crate) type Choices = Vec<Vec<(MoveId, f64)>>;

/// Follows worlds by the rules of a machine.
pub(crate) struct Steps<'run> {
    pub(crate) machine: &'run mut Machine,
    pub(crate) role: RoleId,
    chance: Option<RoleId>,
    opponents: &'run Opponents,
    until: &'run Budget,
    legal: Vec<MoveId>,
    perceived: Vec<Vec<PerceptId>>,
}

impl<'run> Steps<'run> {
    pub(crate) fn new(
        machine: &'run mut Machine,
        role: RoleId,
        opponents: &'run Opponents,
        until: &'run Budget,
    ) -> Self {
        let chance = machine.chance_role();
        let (legal, perceived) = Default::default();
        Steps { machine, role, chance, opponents, until, legal, perceived }
    }

    /// The moves that may have been made in a state; `None` if none can: it is terminal, or some role has no such move.
    pub(crate) fn choices(
        &mut self,
        state: &State,
        own: Option<MoveId>,
    ) -> Result<Option<Choices>, StrategyError> {
        self.until.check(0, 0).map_err(ReasonerError::from)?;
        if self.machine.is_terminal(state)? {
            return Ok(None);
        }
        let mut choices = Choices::new();
        for role in self.machine.role_ids() {
            self.machine.legal_moves(state, role, &mut self.legal)?;
            let choice = match own {
                _ if role != self.role => {
                    let policy = self.opponents.policy(Some(role) == self.chance, &self.legal);
                    policy.into_iter().filter(|it| it.1 > 0.0).collect()
                }
                Some(own) if self.legal.binary_search(&own).is_ok() => vec![(own, 1.0)],
                Some(_) => Vec::new(),
                None => self.legal.iter().map(|&it| (it, 1.0)).collect(),
            };
            if choice.is_empty() {
                return Ok(None);
            }
            choices.push(choice);
        }
        Ok(Some(choices))
    }

    /// The world after a joint move, if the role then perceives that.
    pub(crate) fn follow(
        &mut self,
        world: &World,
        moves: &[MoveId],
        seen: &Seen,
    ) -> Result<Option<World>, StrategyError> {
        self.until.check(0, 0).map_err(ReasonerError::from)?;
        self.machine.perceive(&world.state, moves, &mut self.perceived)?;
        if !seen.are(&self.perceived[self.role.index()], self.machine) {
            return Ok(None);
        }
        let mut state = State::default();
        self.machine.next_state(&world.state, moves, &mut state)?;
        let information = self.learned(&world.information, moves);
        let way = world.way.then(moves);
        Ok(Some(World { state, information, way, ..*world }))
    }

    /// What all roles know after the percepts found last.
    fn learned(&self, before: &[u64], moves: &[MoveId]) -> Box<[u64]> {
        let learned = (0..).map(RoleId).zip(before).zip(moves.iter().zip(&self.perceived));
        let learned =
            learned.map(
                |((role, &before), (&own, percepts))| {
                    if Some(role) == self.chance { 0 } else { mix(before, own, percepts) }
                },
            );
        learned.collect()
    }

    /// All worlds that agree with a step; `None` if that takes more joint moves than are left.
    pub(crate) fn all(
        &mut self,
        worlds: &[World],
        step: &Experience,
        left: &mut usize,
    ) -> Result<Option<Vec<World>>, StrategyError> {
        let mut choices = Vec::with_capacity(worlds.len());
        for world in worlds {
            let found = self.choices(&world.state, step.own)?;
            let taken = found.as_ref().map_or(Some(0), product);
            let Some(rest) = taken.and_then(|it| left.checked_sub(it)) else { return Ok(None) };
            *left = rest;
            choices.push(found);
        }
        let mut merged = Merged::default();
        for (world, choices) in worlds.iter().zip(choices) {
            if let Some(choices) = choices {
                self.expand(world, &choices, step, &mut usize::MAX.clone(), &mut merged)?;
            }
        }
        Ok(Some(merged.into_worlds()))
    }

    /// Worlds that agree with a step, of so many joint moves; `None` if each world has one, so that drawing finds as much.
    pub(super) fn some(
        &mut self,
        worlds: &[World],
        step: &Experience,
        most: usize,
    ) -> Result<Option<Vec<World>>, StrategyError> {
        let (mut merged, mut left, mut several) = (Merged::default(), most, false);
        let mut choices = Vec::with_capacity(worlds.len());
        for world in worlds {
            let found = self.choices(&world.state, step.own)?;
            several |= found.as_ref().is_some_and(|it| product(it) != Some(1));
            choices.push(found);
        }
        if !several {
            return Ok(None);
        }
        for (world, choices) in worlds.iter().zip(choices) {
            if let Some(choices) = choices {
                self.expand(world, &choices, step, &mut left, &mut merged)?;
            }
        }
        Ok(Some(merged.into_worlds()))
    }

    /// Follows the joint moves of a world, as long as some are left.
    fn expand(
        &mut self,
        world: &World,
        choices: &Choices,
        step: &Experience,
        left: &mut usize,
        merged: &mut Merged,
    ) -> Result<(), StrategyError> {
        let mut joint = JointMoves::new(choices);
        while let Some((moves, probability)) = joint.next() {
            if *left == 0 {
                return Ok(());
            }
            *left -= 1;
            if let Some(mut next) = self.follow(world, moves, &step.seen)? {
                next.weight *= probability;
                merged.add(next);
            }
        }
        Ok(())
    }

    /// About so many samples of the worlds that agree with a step: each world is followed as often as its weight says, by joint
    /// moves that are drawn. Fewer where few agree.
    pub(super) fn sampled(
        &mut self,
        worlds: &[World],
        step: &Experience,
        samples: usize,
        random: &mut Random,
    ) -> Result<Vec<World>, StrategyError> {
        let mut choices: Vec<Option<Option<Choices>>> = vec![None; worlds.len()];
        let mut found = Vec::new();
        for _ in 0..ROUNDS {
            // Systematic draws: evenly spaced on the sum of the weights.
            let (mut passed, mut world) = (worlds[0].weight, 0);
            let shift = random.fraction();
            for draw in 0..samples {
                let place = (draw as f64 + shift) / samples as f64;
                while passed <= place && world + 1 < worlds.len() {
                    world += 1;
                    passed += worlds[world].weight;
                }
                let own = &mut choices[world];
                if own.is_none() {
                    *own = Some(self.choices(&worlds[world].state, step.own)?);
                }
                let Some(Some(choices)) = own else { continue };
                let moves: Vec<MoveId> = choices.iter().map(|it| drawn(it, random)).collect();
                if let Some(next) = self.follow(&worlds[world], &moves, &step.seen)? {
                    found.push(World { weight: 1.0, histories: 1, ..next });
                }
            }
            if found.len() >= samples || found.len() * FEW < samples {
                break;
            }
        }
        let mut merged = Merged::default();
        let all = found.len();
        for (number, world) in found.into_iter().enumerate() {
            // Evenly spaced again: those that were drawn one after the other are alike.
            if all <= samples || (number + 1) * samples / all > number * samples / all {
                merged.add(world);
            }
        }
        Ok(merged.into_worlds())
    }
}

/// How often as many joint moves are drawn as samples are wanted.
const ROUNDS: usize = 8;
/// Where only this part of those that are wanted agrees, further ones are looked for in another way.
pub(super) const FEW: usize = 32;

/// A move, drawn by its probability.
pub(crate) fn drawn(choice: &[(MoveId, f64)], random: &mut Random) -> MoveId {
    let sum: f64 = choice.iter().map(|it| it.1).sum();
    let mut left = random.fraction() * sum;
    let passed = |chosen: &&(MoveId, f64)| {
        left -= chosen.1;
        left < 0.0
    };
    choice.iter().find(passed).unwrap_or(&choice[choice.len() - 1]).0
}

/// How many joint moves there are, if that can be counted.
pub(crate) fn product(choices: &Choices) -> Option<usize> {
    choices.iter().try_fold(1usize, |all, it| all.checked_mul(it.len()))
}

/// All joint moves, the moves of the last role changing fastest.
pub(crate) struct JointMoves<'run> {
    choices: &'run Choices,
    places: Vec<usize>,
    moves: Vec<MoveId>,
    begun: bool,
}

impl<'run> JointMoves<'run> {
    pub(crate) fn new(choices: &'run Choices) -> Self {
        let moves = choices.iter().map(|it| it[0].0).collect();
        JointMoves { choices, places: vec![0; choices.len()], moves, begun: false }
    }

    /// The next joint move and its probability.
    pub(crate) fn next(&mut self) -> Option<(&[MoveId], f64)> {
        if std::mem::replace(&mut self.begun, true) {
            let changed = next_joint_move(&mut self.places, |role| self.choices[role].len())?;
            for role in changed..self.choices.len() {
                self.moves[role] = self.choices[role][self.places[role]].0;
            }
        }
        let each = self.choices.iter().zip(&self.places).map(|(choice, &it)| choice[it].1);
        Some((&self.moves, each.product()))
    }
}

/// The key of what a role knows after a move and what it then perceives.
pub(crate) fn mix(before: u64, own: MoveId, percepts: &[PerceptId]) -> u64 {
    let with = |key: u64, number: u32| Random::new(key ^ u64::from(number)).next_word();
    percepts.iter().fold(with(before, own.0), |key, it| with(key.rotate_left(17), it.0))
}

/// The percepts of one step, as KIF, and which percepts of a machine they are.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// `None` where it does not matter.
    texts: Option<Vec<String>>,
    /// By percepts of the machine: whether they are these.
    known: RefCell<FxHashMap<Vec<PerceptId>, bool>>,
}

impl Seen {
    /// Percepts in any order.
    pub(crate) fn these(texts: Vec<String>) -> Self {
        Seen { texts: Some(sorted(texts)), known: RefCell::default() }
    }

    /// Whatever is perceived.
    pub(crate) fn any() -> Self {
        Seen { texts: None, known: RefCell::default() }
    }

    /// The percepts, sorted.
    pub(crate) fn texts(&self) -> &[String] {
        self.texts.as_deref().unwrap_or_default()
    }

    /// Whether these are the percepts, possibly all in another case.
    pub(crate) fn are(&self, percepts: &[PerceptId], machine: &Machine) -> bool {
        let Some(texts) = &self.texts else { return true };
        if percepts.len() != texts.len() {
            return false;
        }
        if percepts.is_empty() {
            return true;
        }
        if let Some(&known) = self.known.borrow().get(percepts) {
            return known;
        }
        let printer = Printer::new(machine.symbols());
        let text = |it: &PerceptId| printer.term(&machine.percept(*it)).to_string();
        let own = sorted(percepts.iter().map(text).collect());
        let same = own == *texts || lower(&own) == lower(texts);
        self.known.borrow_mut().insert(percepts.to_vec(), same);
        same
    }
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    texts
}

/// In lower case, sorted anew.
fn lower(texts: &[String]) -> Vec<String> {
    sorted(texts.iter().map(|it| it.to_lowercase()).collect())
}

/// The policies of the other roles: each legal move is as likely as its weight says, which is 1 unless another is given.
/// Without weights all legal moves of a role are alike likely, as those of `random` always are.
///
/// ```
/// use groundfrog_player::belief::Opponents;
/// let bold: Opponents = "bruno:bet=3, bruno:fold=0.5".parse()?;
/// assert!(bold != Opponents::default());
/// assert!("bruno=3".parse::<Opponents>().is_err());
/// # Ok::<(), groundfrog_player::belief::UnknownOpponent>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opponents {
    /// Role, move and weight.
    weights: Vec<(String, String, f64)>,
    /// The same by the numbers of a machine.
    known: FxHashMap<MoveId, f64>,
}

/// A text that is no list of `ROLE:MOVE=WEIGHT`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not of the form ROLE:MOVE=WEIGHT with a weight of 0 or more, such as `bruno:bet=3`"
)]
pub struct UnknownOpponent(String);

impl std::str::FromStr for Opponents {
    type Err = UnknownOpponent;

    fn from_str(list: &str) -> Result<Self, UnknownOpponent> {
        let entry = |entry: &str| {
            let (role, rest) = entry.split_once(':')?;
            let (action, weight) = rest.rsplit_once('=')?;
            let weight = weight.trim().parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
            let (role, action) = (text::compact(role)?, text::compact(action)?);
            (!role.is_empty() && !action.is_empty()).then_some((role, action, weight?))
        };
        let entries = list.split(',').map(str::trim).filter(|it| !it.is_empty());
        let entries = entries.map(|it| entry(it).ok_or_else(|| UnknownOpponent(it.to_owned())));
        Ok(Opponents { weights: entries.collect::<Result<_, _>>()?, known: FxHashMap::default() })
    }
}

impl Opponents {
    /// For the moves of a machine. What its game does not have is passed over.
    pub(crate) fn of_machine(&self, machine: &mut Machine) -> Self {
        let mut known = FxHashMap::default();
        for (role, action, weight) in &self.weights {
            if let Some(found) = find(machine, role, action) {
                known.insert(found, *weight);
            }
        }
        Opponents { weights: self.weights.clone(), known }
    }

    /// A role and move that the game of a machine does not have, if there is one.
    pub fn unknown(&self, machine: &mut Machine) -> Option<(&str, &str)> {
        let mut weights = self.weights.iter().map(|it| (it.0.as_str(), it.1.as_str()));
        weights.find(|(role, action)| find(machine, role, action).is_none())
    }

    /// How likely each of some legal moves is; alike if all their weights are 0.
    pub(crate) fn policy(&self, is_chance: bool, legal: &[MoveId]) -> Vec<(MoveId, f64)> {
        let even = 1.0 / legal.len() as f64;
        if self.known.is_empty() || is_chance {
            return legal.iter().map(|&it| (it, even)).collect();
        }
        let weight = |it: &MoveId| self.known.get(it).copied().unwrap_or(1.0);
        let sum: f64 = legal.iter().map(weight).sum();
        let share = |it: &MoveId| if sum > 0.0 { weight(it) / sum } else { even };
        legal.iter().map(|it| (*it, share(it))).collect()
    }
}

fn find(machine: &mut Machine, role: &str, action: &str) -> Option<MoveId> {
    let role = machine.find_role(role, Case::Exact)?;
    machine.find_move(role, action)
}
