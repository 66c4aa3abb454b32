//! Matches from given states to their end, one in each lane; lanes that are done wait for the others. Rollouts are as many from
//! one state as are asked for.

use std::sync::Arc;

use groundfrog::description::Printer;
use groundfrog::game::RoleId;

use super::lanes::{Block, LANES};
use super::program::block_of;
use super::{BitParallel, Lanes};
use crate::network::FALSE;
use crate::vocabulary::check_state;
use crate::{
    FluentId, MoveId, Playout, PlayoutEnd, PlayoutObserver, PlayoutStatistics, Random,
    ReasonerError, State,
};

/// Matches from given states.
#[derive(Clone, Debug, Default)]
pub(super) struct Started {
    /// Lanes that go on.
    active: Block,
    /// By lane that was begun; lengths are complete when the lane has ended.
    pub(super) playouts: Vec<Playout>,
    /// By role and lane: the only goal value at a terminal end.
    goals: Vec<Vec<Option<i64>>>,
}

impl Started {
    /// Begins a lane again.
    pub(super) fn begin_again(&mut self, lane: usize) {
        self.active.insert(lane);
        self.playouts[lane] = Playout { length: 0, end: PlayoutEnd::Stopped };
        self.goals.iter_mut().for_each(|goals| goals[lane] = None);
    }
}

impl BitParallel {
    /// States of this game, and no more than there are lanes.
    pub(super) fn check_states(&self, states: &[State]) -> Result<(), ReasonerError> {
        if states.len() > LANES {
            return Err(ReasonerError::TooManyLanes { given: states.len(), lanes: LANES });
        }
        states.iter().try_for_each(|state| {
            self.numbering.check(state)?;
            check_state(state, self.initial.len())
        })
    }

    /// Begins a match from each of these states, in the lanes of the same numbers; a single state is begun in all
    /// [`LANES`]. Nothing of what the lanes did before is left.
    ///
    /// # Errors
    /// [`ReasonerError::TooManyLanes`] for more than [`LANES`], and as [`Vocabulary::check_state`](crate::Vocabulary::check_state);
    /// nothing is begun then.
    pub fn start_from(&mut self, states: &[State]) -> Result<(), ReasonerError> {
        self.check_states(states)?;
        let lanes = if states.len() == 1 { LANES } else { states.len() };
        self.restart();
        if let [state] = states {
            for (fluent, node) in (0..).zip(&mut self.nodes[..self.initial.len()]) {
                *node = Block::splat(state.contains(FluentId(fluent)));
            }
        } else {
            self.fill(states.iter());
        }
        let started = &mut self.started;
        started.active = Block::first(lanes);
        started.playouts.clear();
        started.playouts.resize(lanes, Playout { length: 0, end: PlayoutEnd::Stopped });
        started.goals.resize(self.game.roles().len(), Vec::new());
        for goals in &mut started.goals {
            goals.clear();
            goals.resize(lanes, None);
        }
        Ok(())
    }

    /// Plays the matches begun by [`BitParallel::start_from`] to their end, each role choosing evenly among its legal
    /// moves; each is given up after `max_length` joint moves.
    ///
    /// ```
    /// use groundfrog_reasoner::{BitParallel, GroundReasoner, LANES, Random, Reasoner};
    /// use groundfrog::{Description, GroundOptions, ParseOptions, RoleId, Silent, ground};
    /// let rules = "(role ann) (init (heap 2)) (less 2 1) (less 1 0) (legal ann take)
    ///     (<= (next (heap ?m)) (does ann take) (true (heap ?n)) (less ?n ?m))
    ///     (<= terminal (true (heap 0))) (goal ann 100)";
    /// let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
    /// let game = std::sync::Arc::new(ground(&description, &GroundOptions::compact(), &mut Silent)?.game);
    /// let start = GroundReasoner::new(game.clone())?.initial().clone();
    /// let mut lanes = BitParallel::new(game)?;
    /// lanes.start_from(&[start])?;
    /// lanes.run(&mut Random::new(1), 1000);
    /// assert_eq!(lanes.playouts().len(), LANES);
    /// assert!(lanes.playouts().iter().all(|it| it.length == 2));
    /// assert_eq!(lanes.final_goals(RoleId(0))[7], Some(100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&mut self, random: &mut Random, max_length: u32) {
        while self.run_step(random, max_length) {}
    }

    /// Makes a joint move in each lane begun by [`BitParallel::start_from`] that has not ended. Returns whether one goes
    /// on.
    pub fn run_step(&mut self, random: &mut Random, max_length: u32) -> bool {
        if !self.started.active.any() {
            return false;
        }
        let compiled = Arc::clone(&self.compiled);
        compiled.status.run(&mut self.nodes);
        let over = block_of(compiled.network.terminal, &self.nodes) & self.started.active;
        if over.any() {
            compiled.goals.run(&mut self.nodes);
            self.record_goals(&over);
            self.end_lanes(&over, |_, _| PlayoutEnd::Terminal);
        }
        let mut capped = Block::NONE;
        let steps = &self.steps;
        let at_end = self.started.active.lanes().filter(|&lane| steps[lane] >= max_length);
        at_end.for_each(|lane| capped.insert(lane));
        self.end_lanes(&capped, |_, _| PlayoutEnd::Capped);
        self.playing = self.started.active;
        self.choose(&compiled, random);
        let stuck = self.started.active & !self.playing;
        self.end_lanes(&stuck, Self::stuck_role);
        self.make_moves();
        self.playing.any()
    }

    /// The lanes with what holds in their states: legal moves, ends and goals.
    ///
    /// ```
    /// # use groundfrog::RoleId;
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, Reasoner};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let scalar = GroundReasoner::of_text(rules)?;
    /// # let mut nim = BitParallel::new(scalar.game().clone())?;
    /// nim.start_from(&[scalar.initial().clone()])?;
    /// let lanes = nim.lanes();
    /// assert_eq!((lanes.is_terminal(7), lanes.goal_values(7, RoleId(0))), (false, vec![0]));
    /// let joint = vec![lanes.legal_moves(7, RoleId(0))[0], lanes.legal_moves(7, RoleId(1))[0]];
    /// nim.advance(&[vec![], joint])?;
    /// assert_ne!(nim.lane_state(0), nim.lane_state(1), "only the second lane has moved");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lanes(&mut self) -> Lanes<'_> {
        self.compiled.status.run(&mut self.nodes);
        self.compiled.goals.run(&mut self.nodes);
        Lanes { play: self }
    }

    /// Makes joint moves in lanes begun by [`BitParallel::start_from`]: by lane, one move for each role. A lane without any
    /// is left as it is. The match of a lane that had ended goes on, if the rules say how: those of a compact game may not.
    ///
    /// # Errors
    /// [`ReasonerError::TooManyLanes`]; a move is missing, is of another role or is not legal. Nothing is moved then.
    pub fn advance(&mut self, moves: &[Vec<MoveId>]) -> Result<(), ReasonerError> {
        let lanes = self.started.playouts.len();
        if moves.len() > lanes {
            return Err(ReasonerError::TooManyLanes { given: moves.len(), lanes });
        }
        self.compiled.status.run(&mut self.nodes);
        let moving = || moves.iter().enumerate().filter(|it| !it.1.is_empty());
        moving().try_for_each(|(lane, joint)| self.check_joint_move(lane, joint))?;
        let first = self.initial.len();
        self.nodes[first..first + self.game.moves().len()].fill(Block::NONE);
        self.playing = Block::NONE;
        for (lane, joint) in moving() {
            self.playing.insert(lane);
            self.started.active.insert(lane);
            self.started.playouts[lane].end = PlayoutEnd::Stopped;
            joint.iter().for_each(|it| self.nodes[first + it.index()].insert(lane));
        }
        self.make_moves();
        Ok(())
    }

    /// Checks a joint move in the state of a lane, whose legal moves are known.
    fn check_joint_move(&self, lane: usize, joint: &[MoveId]) -> Result<(), ReasonerError> {
        let roles = self.game.roles().len();
        if joint.len() != roles {
            let next = RoleId(joint.len() as u32);
            let missing = (joint.len() < roles).then(|| self.role_text(next));
            return Err(ReasonerError::MoveCount { given: joint.len(), roles, missing });
        }
        let mut moves = joint.iter().enumerate();
        moves.try_for_each(|(role, &made)| self.check_move(lane, role, made))
    }

    /// Checks a move in the state of a lane, whose legal moves are known.
    pub(super) fn check_move(
        &self,
        lane: usize,
        role: usize,
        made: MoveId,
    ) -> Result<(), ReasonerError> {
        let role_text = |role: usize| self.role_text(RoleId(role as u32));
        let Some(found) = self.game.moves().get(made.index()) else {
            return Err(ReasonerError::UnknownMove { role: role_text(role), number: made.0 });
        };
        let text = || {
            let term = self.game.atom(found.does).arguments().pop();
            term.map_or_else(String::new, |term| {
                Printer::new(self.game.symbols()).term(&term).to_string()
            })
        };
        if found.role.index() != role {
            let owner = role_text(found.role.index());
            return Err(ReasonerError::WrongRole { role: role_text(role), owner, text: text() });
        }
        // Ascending by number.
        let own = &self.compiled.legal[role];
        let place = own.binary_search_by_key(&made.0, |known| known.0);
        let legal = place.map_or(FALSE, |place| own[place].1);
        if !block_of(legal, &self.nodes).contains(lane) {
            return Err(ReasonerError::IllegalMove { role: role_text(role), text: text() });
        }
        Ok(())
    }

    pub(super) fn role_text(&self, role: RoleId) -> String {
        let name = self.game.roles().get(role.index());
        name.map_or_else(String::new, |it| Printer::new(self.game.symbols()).term(it).to_string())
    }

    /// Makes the moves that are chosen in the lanes that are playing.
    pub(super) fn make_moves(&mut self) {
        let compiled = Arc::clone(&self.compiled);
        compiled.next.run(&mut self.nodes);
        self.enter_next();
    }

    /// Enters the states that have been computed, in the lanes that are playing.
    pub(super) fn enter_next(&mut self) {
        for (next, &code) in self.next.iter_mut().zip(&self.compiled.network.next) {
            *next = block_of(code, &self.nodes);
        }
        let playing = self.playing;
        for (node, next) in self.nodes.iter_mut().zip(&self.next) {
            *node = (*next & playing) | (*node & !playing);
        }
        playing.lanes().for_each(|lane| self.steps[lane] += 1);
    }

    /// How the matches begun by [`BitParallel::start_from`] ended, by lane; [`PlayoutEnd::Stopped`] for those that have
    /// not.
    pub fn playouts(&self) -> &[Playout] {
        &self.started.playouts
    }

    /// The goal values of a role at the ends of the matches begun by [`BitParallel::start_from`], by lane: none if the match
    /// has not ended in a terminal state, or that has no value or several. Empty if there is no such role.
    pub fn final_goals(&self, role: RoleId) -> &[Option<i64>] {
        self.started.goals.get(role.index()).map_or(&[], |it| it)
    }

    /// The state of a lane begun by [`BitParallel::start_from`]: the last one, if its match has ended. None if there is no
    /// such lane.
    pub fn lane_state(&self, lane: usize) -> Option<State> {
        let playouts = &self.started.playouts;
        (lane < playouts.len()).then(|| Lanes { play: self }.state(lane))
    }

    /// The lanes begun by [`BitParallel::start_from`] that are in a state.
    ///
    /// ```
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, Random, Reasoner};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// # let scalar = GroundReasoner::of_text(rules)?;
    /// # let mut nim = BitParallel::new(scalar.game().clone())?;
    /// let start = scalar.initial().clone();
    /// nim.start_from(&[start.clone(), start.clone()])?;
    /// assert_eq!(nim.lanes_in(&start).collect::<Vec<usize>>(), [0, 1]);
    /// nim.run_step(&mut Random::new(1), 1000);
    /// assert_eq!(nim.lanes_in(&start).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lanes_in(&self, state: &State) -> impl Iterator<Item = usize> + use<> {
        let mut same = Block::ALL;
        // What holds is rare and tells most lanes apart.
        for fluent in state.fluents() {
            same &= self.nodes[fluent.index()];
        }
        for (fluent, node) in (0..).zip(&self.nodes[..self.initial.len()]) {
            if !same.any() {
                break;
            }
            if !state.contains(FluentId(fluent)) {
                same &= !*node;
            }
        }
        let count = if same.any() { self.started.playouts.len() } else { 0 };
        (0..count).filter(move |&lane| same.contains(lane))
    }

    /// The moves made in a lane in the last [`BitParallel::run_step`], by role; empty if none were or there is no such lane.
    pub fn lane_moves(&self, lane: usize) -> Vec<MoveId> {
        if lane >= LANES || !self.playing.contains(lane) {
            return Vec::new();
        }
        Lanes { play: self }.moves(lane)
    }

    /// The first role without a legal move in a lane.
    pub(super) fn stuck_role(&self, lane: usize) -> PlayoutEnd {
        let lanes = Lanes { play: self };
        let has_none = |role: &RoleId| lanes.legal_moves(lane, *role).is_empty();
        let mut roles = (0..self.game.roles().len() as u32).map(RoleId);
        PlayoutEnd::Stuck(roles.find(has_none).unwrap_or(RoleId(0)))
    }

    fn end_lanes(&mut self, ended: &Block, end: impl Fn(&Self, usize) -> PlayoutEnd) {
        for lane in ended.lanes() {
            let end = end(self, lane);
            self.started.playouts[lane] = Playout { length: self.steps[lane], end };
            self.started.active.remove(lane);
        }
    }

    fn record_goals(&mut self, over: &Block) {
        let compiled = Arc::clone(&self.compiled);
        for role in 0..self.game.roles().len() {
            let goals = &mut self.started.goals[role];
            compiled.each_goal(&self.nodes, RoleId(role as u32), over, |value, lanes| {
                lanes.lanes().for_each(|lane| goals[lane] = value);
            });
        }
    }

    /// Plays so many random matches from a state and says what they were like; each is given up after `max_length` joint moves. Matches are
    /// played in blocks of [`LANES`], each with a seed of its own, one more than that of the block before: the matches of
    /// several calls, with the seeds of their first blocks, are those of one. Where the observer stops it, what counts are the blocks that
    /// were done.
    ///
    /// ```
    /// # use groundfrog::Silent;
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, LANES, Reasoner};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// let scalar = GroundReasoner::of_text(rules)?;
    /// let mut lanes = BitParallel::new(scalar.game().clone())?;
    /// let both = lanes.rollouts(scalar.initial(), LANES as u64 + 88, 7, 100, &mut Silent)?;
    /// let first = lanes.rollouts(scalar.initial(), LANES as u64, 7, 100, &mut Silent)?;
    /// let second = lanes.rollouts(scalar.initial(), 88, 8, 100, &mut Silent)?;
    /// assert_eq!((both.playouts, both.steps), (600, first.steps + second.steps));
    /// assert_eq!(both.goals[0].sum, first.goals[0].sum + second.goals[0].sum);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Vocabulary::check_state`](crate::Vocabulary::check_state).
    pub fn rollouts(
        &mut self,
        state: &State,
        matches: u64,
        seed: u64,
        max_length: u32,
        observer: &mut dyn PlayoutObserver,
    ) -> Result<PlayoutStatistics, ReasonerError> {
        let roles = self.game.roles().len();
        let mut all = PlayoutStatistics::new(roles);
        let mut left = matches;
        for block in 0.. {
            if left == 0 {
                break;
            }
            let lanes = left.min(LANES as u64) as usize;
            left -= lanes as u64;
            // A single state would be begun in all lanes.
            self.start_from(&vec![state.clone(); lanes.max(2)])?;
            let mut random = Random::new(seed.wrapping_add(block));
            while self.run_step(&mut random, max_length) {
                if observer.is_stopped() {
                    return Ok(all);
                }
            }
            for lane in 0..lanes {
                let playout = self.playouts()[lane];
                all.end(playout);
                all.states += u64::from(playout.length);
                if playout.end != PlayoutEnd::Terminal {
                    continue;
                }
                for role in 0..roles {
                    let value = self.final_goals(RoleId(role as u32))[lane];
                    all.goals[role].add(value, 1);
                }
            }
            observer.played(all.playouts, Some(matches));
        }
        Ok(all)
    }
}
