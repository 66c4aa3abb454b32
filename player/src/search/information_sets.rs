//! Search where roles do not see everything.
//!
//! Statistics belong to information sets: each role has a tree whose nodes are keyed by its own moves and percepts, and each
//! iteration takes a world of the belief down the trees of all roles at once (MO-ISMCTS; Cowling, Powley & Whitehouse,
//! "Information Set Monte Carlo Tree Search", 2012). So no role uses what it cannot know, and a move that tells something is
//! worth what is done with it. A role that plays against `random` alone gets its expectation by looking at all beliefs that
//! can follow, where they are few ([`expectimax`]).

mod expectimax;

use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use expectimax::Expectimax;
use fxhash::FxHashMap;
use groundfrog::{Budget, Description, RoleId};
use groundfrog_reasoner::{Machine, MoveId, PerceptId, Random, State};

use super::playouts::{PlayedOut, play_out};
use super::{BEST, LONGEST};
use crate::belief::{BeliefMethod, Opponents, World, mix};
use crate::position::{LegalMoves, Position};
use crate::strategy::{
    CandidateMove, Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn,
};

/// Searches information sets, from turn to turn.
pub struct InformationSets {
    followed: Followed,
    trees: Trees,
}

/// Means that differ by less are about as good.
const ALIKE: f64 = 1.0;

impl InformationSets {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        // Half of the memory is for the rules.
        let trees = Trees::new(options.memory.map_or(1 << 30, |it| it / 2));
        InformationSets { followed: Followed::new(description, role, options), trees }
    }

    /// The position, with the belief, if it is known by a moment and the match was prepared for.
    ///
    /// # Errors
    /// What was reported cannot have happened, or the match was not prepared for.
    pub fn position(&self, until: Instant) -> Result<Option<Position>, StrategyError> {
        self.followed.position(until)
    }

    /// Takes worlds down the trees as long as there is time. Returns how many.
    fn search(&mut self, position: &mut Position, until: &Budget) -> Result<u64, StrategyError> {
        // Rules with variables number percepts anew in each turn.
        if position.machine().ground().is_none() {
            self.trees.forget();
        }
        let most = self.followed.options.most.unwrap_or(u64::MAX);
        let mut search = Search::new(position, &mut self.trees, &mut self.followed.random)?;
        let mut done = 0;
        // What one iteration takes is kept free before the deadline.
        let mut longest = Duration::ZERO;
        while done < most && !search.worlds.is_empty() && !until.is_over_in(longest) {
            let begin = Instant::now();
            match search.iterate(until) {
                Ok(true) => done += 1,
                Ok(false) => break,
                Err(error) if error.is_late() => break,
                Err(error) => return Err(error),
            }
            longest = longest.max(begin.elapsed()).min(Duration::from_millis(20));
        }
        Ok(done)
    }

    /// The move that was tried most; of those that were tried as often the first. Where it wins, or play has come back to a state in which the
    /// role chose before, the one that comes to an end soonest of those that are about as good.
    fn decide(&mut self, position: &mut Position, legal: &LegalMoves, done: u64) -> Decision {
        let has_come_back = self.followed.past.has_come_back(position);
        let role = position.role();
        let key = position.belief().worlds()[0].information[role.index()];
        let known = |&it: &MoveId| (it, self.trees.statistics(role, key, it));
        let mut candidates: Vec<(MoveId, Tried)> = legal.moves.iter().map(known).collect();
        candidates.sort_by_key(|it| std::cmp::Reverse(it.1.visits));
        let Tried { visits: most, mean: best, .. } = candidates[0].1;
        let best = best.unwrap_or_default();
        if has_come_back || best >= BEST - ALIKE {
            let is_good = |it: &usize| {
                let Tried { visits, mean, .. } = candidates[*it].1;
                visits * 4 >= most && mean.is_some_and(|it| it >= best - ALIKE)
            };
            let good = (0..candidates.len()).filter(is_good);
            let length = |it: usize| candidates[it].1.length;
            let soonest = good.min_by(|&one, &other| length(one).total_cmp(&length(other)));
            candidates.swap(0, soonest.unwrap_or(0));
        }
        let machine = position.machine();
        let candidates = candidates.into_iter().map(|(made, tried)| CandidateMove {
            action: machine.move_text(made),
            visits: tried.visits,
            value: tried.mean,
            proven: false,
        });
        let candidates: Vec<CandidateMove> = candidates.collect();
        let method = match legal.certain {
            true => "information sets",
            false => "information sets; no move is known to be legal",
        };
        self.followed.past.note(position, &candidates[0].action);
        Decision {
            action: candidates[0].action.clone(),
            method: method.into(),
            value: candidates[0].value,
            nodes: self.trees.len(),
            playouts: done,
            candidates,
            memory: self.trees.bytes(),
            ..Decision::default()
        }
    }
}

impl Strategy for InformationSets {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.followed.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let until = self.followed.until(deadline);
        let soon = until.share(1, 2);
        let Some(mut position) = self.position(deadline)? else { return self.followed.guess() };
        let legal = position.legal()?;
        if legal.moves.is_empty() {
            return Err(StrategyError::NoMove { role: self.followed.role.clone() });
        }
        if legal.moves.len() == 1 {
            let action = position.machine().move_text(legal.moves[0]);
            return Ok(Decision { action, method: "only move".into(), ..Decision::default() });
        }
        let is_exact = position.belief().method() == BeliefMethod::Exact;
        if is_exact && legal.certain {
            let (machine, belief) = position.parts();
            match Expectimax::new(machine, belief.role(), &Opponents::default(), &soon).run(belief)
            {
                Ok(Some(expected)) => return Ok(expected.decide(machine)),
                Ok(None) => {}
                Err(error) if error.is_late() => {}
                Err(error) => return Err(error),
            }
        }
        self.trees.forget_if_full();
        let done = self.search(&mut position, &until)?;
        Ok(self.decide(&mut position, &legal, done))
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.followed.observe(turn)
    }
}

/// The search for one decision.
struct Search<'run> {
    machine: &'run mut Machine,
    trees: &'run mut Trees,
    random: &'run mut Random,
    /// The worlds in which the match goes on.
    worlds: Vec<World>,
    /// By world: the sum of the weights up to it.
    sums: Vec<f64>,
    chance: Option<usize>,
    /// By role, what is kept from step to step.
    legal: Vec<MoveId>,
    perceived: Vec<Vec<PerceptId>>,
    moves: Vec<MoveId>,
    values: Vec<f64>,
}

impl<'run> Search<'run> {
    fn new(
        position: &'run mut Position,
        trees: &'run mut Trees,
        random: &'run mut Random,
    ) -> Result<Self, StrategyError> {
        let (machine, belief) = position.parts();
        let (mut worlds, mut sums, mut sum) = (Vec::new(), Vec::new(), 0.0);
        for world in belief.worlds() {
            if !machine.is_terminal(&world.state)? {
                sum += world.weight;
                sums.push(sum);
                worlds.push(world.clone());
            }
        }
        let chance = machine.chance_role().map(|it| it.index());
        let (legal, perceived) = (Vec::new(), Vec::new());
        let (moves, values) = (Vec::new(), Vec::new());
        Ok(Search { machine, trees, random, worlds, sums, chance, legal, perceived, moves, values })
    }

    /// Takes a world down the trees and to the end, and adds what came of it. Says whether there was time for it.
    fn iterate(&mut self, until: &Budget) -> Result<bool, StrategyError> {
        let drawn = self.random.fraction() * self.sums[self.sums.len() - 1];
        let drawn = self.sums.partition_point(|&sum| sum <= drawn).min(self.worlds.len() - 1);
        let mut state = self.worlds[drawn].state.clone();
        let mut known = self.worlds[drawn].information.clone();
        let mut next = State::default();
        // By role: whether it is still in its tree.
        let mut inside = vec![true; known.len()];
        if let Some(chance) = self.chance {
            inside[chance] = false;
        }
        let (mut visits, mut made) = (Vec::<Visit>::new(), 0);
        for _ in 0..LONGEST {
            if self.machine.is_terminal(&state)? || !inside.contains(&true) {
                break;
            }
            if until.is_over() {
                return Ok(false);
            }
            self.moves.clear();
            for role in self.machine.role_ids() {
                self.machine.legal_moves(&state, role, &mut self.legal)?;
                let chosen = match self.legal[..] {
                    [] => break,
                    [only] => only,
                    _ if inside[role.index()] => {
                        let visit =
                            self.trees.select(role, known[role.index()], &self.legal, self.random);
                        inside[role.index()] = !visit.is_new;
                        visits.push(visit);
                        visit.made
                    }
                    _ => self.legal[self.random.below(self.legal.len() as u32) as usize],
                };
                self.moves.push(chosen);
            }
            if self.moves.len() < known.len() {
                break;
            }
            if inside.contains(&true) {
                self.machine.perceive(&state, &self.moves, &mut self.perceived)?;
                for (role, key) in known.iter_mut().enumerate() {
                    if Some(role) != self.chance {
                        *key = mix(*key, self.moves[role], &self.perceived[role]);
                    }
                }
            }
            self.machine.next_state(&state, &self.moves, &mut next)?;
            std::mem::swap(&mut state, &mut next);
            made += 1;
        }
        self.values.clear();
        let (machine, values) = (&mut *self.machine, &mut self.values);
        let played = play_out(machine, &state, None, self.random, until, values)?;
        let PlayedOut::End(after) = played else { return Ok(false) };
        self.trees.add(&visits, &self.values, made + after);
        Ok(true)
    }
}

/// How much is explored, for values from 0 to 1.
const EXPLORATION: f64 = 0.7;
/// About how many bytes a node takes that has two moves.
const NODE_BYTES: u64 = 128;

/// What is known of a move in an information set.
#[derive(Clone, Copy, Debug)]
struct MoveStatistics {
    it: MoveId,
    /// How often it could be made.
    available: u32,
    visits: u32,
    /// The sum of the values for the role, from 0 to 1 each.
    sum: f64,
    /// The sum of how many moves it took from where the iterations began.
    length: u64,
}

/// How often a move was made, its mean value from 0 to 100, and how many moves it took on average to come to an end.
#[derive(Clone, Copy, Debug)]
struct Tried {
    visits: u64,
    mean: Option<f64>,
    length: f64,
}

/// A move that was made in an information set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    role: RoleId,
    key: u64,
    pub(super) made: MoveId,
    /// Whether the information set was met for the first time.
    pub(super) is_new: bool,
}

/// The trees, as tables from roles and what they know to what is known of their moves.
pub(super) struct Trees {
    nodes: FxHashMap<(RoleId, u64), Vec<MoveStatistics>>,
    most: u64,
}

impl Trees {
    /// With so many bytes at most.
    pub(super) fn new(bytes: u64) -> Self {
        Trees { nodes: FxHashMap::default(), most: (bytes / NODE_BYTES).max(1) }
    }

    /// How many information sets there are.
    pub(super) fn len(&self) -> u64 {
        self.nodes.len() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        self.len() * NODE_BYTES
    }

    /// Begins anew.
    pub(super) fn forget(&mut self) {
        self.nodes.clear();
    }

    /// Begins anew where there is no room for much more.
    pub(super) fn forget_if_full(&mut self) {
        if self.len() > self.most / 2 {
            self.nodes.clear();
        }
    }

    /// What is known of a move in an information set that search began in.
    fn statistics(&self, role: RoleId, key: u64, it: MoveId) -> Tried {
        let moves = self.nodes.get(&(role, key));
        let Some(found) = moves.and_then(|moves| moves.iter().find(|one| one.it == it)) else {
            return Tried { visits: 0, mean: None, length: f64::INFINITY };
        };
        let visits = f64::from(found.visits);
        Tried {
            visits: found.visits.into(),
            mean: (found.visits > 0).then(|| found.sum / visits * BEST),
            length: found.length as f64 / visits.max(1.0),
        }
    }

    /// Chooses among legal moves: one that was never made, or else the one with the highest upper confidence bound, where the
    /// term of exploration counts how often the move was available.
    pub(super) fn select(
        &mut self,
        role: RoleId,
        key: u64,
        legal: &[MoveId],
        random: &mut Random,
    ) -> Visit {
        let has_room = self.len() < self.most;
        let Some(moves) = (match has_room {
            true => Some(self.nodes.entry((role, key)).or_default()),
            false => self.nodes.get_mut(&(role, key)),
        }) else {
            let made = legal[random.below(legal.len() as u32) as usize];
            return Visit { role, key, made, is_new: true };
        };
        let is_new = moves.is_empty();
        let (mut best, mut made, mut alike) = (f64::NEG_INFINITY, legal[0], 0);
        for &it in legal {
            let number = moves.iter().position(|one| one.it == it).unwrap_or_else(|| {
                moves.push(MoveStatistics { it, available: 0, visits: 0, sum: 0.0, length: 0 });
                moves.len() - 1
            });
            let one = &mut moves[number];
            one.available += 1;
            let bound = match one.visits {
                0 => f64::INFINITY,
                visits => {
                    let visits = f64::from(visits);
                    let width = (f64::from(one.available).ln() / visits).sqrt();
                    one.sum / visits + EXPLORATION * width
                }
            };
            // Of equal ones any, each as likely.
            alike = if bound > best { 1 } else { alike + u32::from(bound >= best) };
            if bound > best || (bound >= best && random.below(alike) == 0) {
                (best, made) = (bound, it);
            }
        }
        Visit { role, key, made, is_new }
    }

    /// Adds what came of some moves, by role, from 0 to 100, after so many moves.
    pub(super) fn add(&mut self, visits: &[Visit], values: &[f64], length: u32) {
        for visit in visits {
            let moves = self.nodes.get_mut(&(visit.role, visit.key));
            let found = moves.and_then(|it| it.iter_mut().find(|one| one.it == visit.made));
            if let Some(found) = found {
                found.visits += 1;
                found.sum += values[visit.role.index()] / BEST;
                found.length += u64::from(length);
            }
        }
    }
}
