//! Many random matches at once, one in each bit of a word.
//!
//! A *lane* is a match; a *block* holds one truth value for each lane. All gates of the game are computed
//! once for a block, whatever the number of lanes: an AND of two inputs is a few machine instructions for
//! hundreds of matches, on the widest registers that the processor has. Lanes whose match is over begin a new one at once. Gates that depend on each other are
//! computed until nothing changes in any lane.

mod choice;
mod compile;
mod decisive;
mod environment;
pub mod expansion;
mod lanes;
mod outlook;
mod program;
mod started;

use std::sync::Arc;

use fearless_simd::{Level, Simd, dispatch};

use super::{BuildError, FluentId, MoveId, PerceptId, PlayoutStatistics, Random, State};
use crate::network::{Code, FALSE};
use crate::state::Numbering;
use choice::Numbers;
use compile::{CompiledLanes, LaneMove};
pub use environment::Perceived;
use groundfrog::game::{GroundGame, RoleId};
pub use lanes::LANES;
use lanes::{Block, Wide};
pub use outlook::{EndAhead, Outlook};
use program::{block_of, none_of, wide_of};

/// Plays random matches of a ground game in [`LANES`] lanes.
#[derive(Clone, Debug)]
pub struct BitParallel {
    game: Arc<GroundGame>,
    compiled: Arc<CompiledLanes>,
    numbering: Numbering,
    /// By node.
    nodes: Vec<Block>,
    next: Vec<Block>,
    /// By fluent: whether it holds in the initial state.
    initial: Vec<bool>,
    /// By lane: joint moves made in its match.
    steps: Vec<u32>,
    /// How many moves the role has that is to choose, and which of them it makes.
    counts: Numbers,
    ranks: Numbers,
    level: Level,
    /// Lanes whose match goes on.
    playing: Block,
    statistics: PlayoutStatistics,
    /// The matches begun by `start_from`.
    started: started::Started,
}

/// All lanes and what holds in their states; in [`BitParallel::step_observed`] the moves are chosen and not made yet.
///
/// Its operations panic if there is no such lane or role.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'run> {
    play: &'run BitParallel,
}

impl BitParallel {
    /// Compiles the rules of a game.
    ///
    /// # Errors
    /// As [`super::GroundReasoner::new`].
    pub fn new(game: impl Into<Arc<GroundGame>>) -> Result<Self, BuildError> {
        let game = game.into();
        let compiled = CompiledLanes::new(&game)?;
        Ok(Self::of_compiled(game, compiled))
    }

    /// The same, in which a role that can end its match at once with its best goal does so (decisive moves), in games in which one role
    /// chooses at a time; if `blocks`, one that cannot keeps the others from doing it next, where a move is seen to be enough
    /// (anti-decisive moves). `None` if no move is seen to do that, or it would take more than twice as many gates to find it out, with
    /// blocking moves five times as many.
    ///
    /// # Errors
    /// As [`super::GroundReasoner::new`].
    pub fn with_decisive_moves(
        game: impl Into<Arc<GroundGame>>,
        blocks: bool,
    ) -> Result<Option<Self>, BuildError> {
        let game = game.into();
        let compiled = CompiledLanes::with_decisive_moves(&game, blocks)?;
        Ok(compiled.map(|it| Self::of_compiled(game, it)))
    }

    fn of_compiled(game: Arc<GroundGame>, compiled: CompiledLanes) -> Self {
        let first = game.fluents().next().map_or(0, |it| it.0);
        let mut initial = vec![false; game.fluents().len()];
        game.init().iter().for_each(|it| initial[(it.0 - first) as usize] = true);
        let roles = game.roles().len();
        let mut play = BitParallel {
            nodes: vec![Block::NONE; compiled.network.gates.nodes()],
            next: vec![Block::NONE; initial.len()],
            initial,
            steps: vec![0; LANES],
            counts: Numbers::default(),
            ranks: Numbers::default(),
            level: Level::new(),
            playing: Block::NONE,
            statistics: PlayoutStatistics::new(roles),
            started: started::Started::default(),
            compiled: Arc::new(compiled),
            numbering: Numbering::of_game(&game),
            game,
        };
        play.restart();
        play
    }

    /// Begins a new match in every lane and forgets the statistics.
    pub fn restart(&mut self) {
        for (fluent, &holds) in self.initial.iter().enumerate() {
            self.nodes[fluent] = Block::splat(holds);
        }
        self.steps.fill(0);
        self.statistics = PlayoutStatistics::new(self.game.roles().len());
    }

    /// What the matches that have ended since [`BitParallel::restart`] were like, and the states that were
    /// expanded over all lanes.
    pub fn statistics(&self) -> &PlayoutStatistics {
        &self.statistics
    }

    /// What all lanes take, in bytes, about; the compiled rules, which clones share, are not counted.
    pub fn bytes(&self) -> u64 {
        let blocks = self.nodes.len() + self.next.len();
        // Lengths, ends, goals by role.
        let lane = 32 + 16 * self.game.roles().len();
        (blocks * size_of::<Block>() + LANES * lane) as u64
    }

    /// The game that is played.
    pub fn game(&self) -> &GroundGame {
        &self.game
    }

    /// Makes a step in every lane: a random joint move, or a new match where one is over. A match is given
    /// up after `max_length` joint moves.
    ///
    /// ```
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, Random};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// let mut nim = BitParallel::new(GroundReasoner::of_text(rules)?.game().clone())?;
    /// let mut random = Random::new(1);
    /// while nim.statistics().playouts < 10_000 {
    ///     nim.step(&mut random, 1000);
    /// }
    /// let values = &nim.statistics().goals;
    /// assert_eq!(values[0].mean().zip(values[1].mean()).map(|it| it.0 + it.1), Some(100.0));
    /// assert!(nim.statistics().states > 10_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, random: &mut Random, max_length: u32) {
        self.step_observed(random, max_length, |_| {});
    }

    /// As [`BitParallel::step_observed`], with what roles perceive.
    ///
    /// ```
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, Random, Reasoner};
    /// # let rules = groundfrog_corpus::game("card_draw").expect("a game").text;
    /// let cards = GroundReasoner::of_text(rules)?;
    /// let mut lanes = BitParallel::new(cards.game().clone())?;
    /// lanes.step_perceived(&mut Random::new(1), 100, |lanes| {
    ///     let seen = lanes.percepts(0);
    ///     assert_eq!(seen.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 1], "random sees nothing");
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_perceived(
        &mut self,
        random: &mut Random,
        max_length: u32,
        observe: impl FnOnce(Lanes<'_>),
    ) {
        self.step_with(random, max_length, true, observe);
    }

    /// As [`BitParallel::step`], and shows the lanes when the moves are chosen.
    pub fn step_observed(
        &mut self,
        random: &mut Random,
        max_length: u32,
        observe: impl FnOnce(Lanes<'_>),
    ) {
        self.step_with(random, max_length, false, observe);
    }

    fn step_with(
        &mut self,
        random: &mut Random,
        max_length: u32,
        perceives: bool,
        observe: impl FnOnce(Lanes<'_>),
    ) {
        let compiled = Arc::clone(&self.compiled);
        compiled.status.run(&mut self.nodes);
        let over = block_of(compiled.network.terminal, &self.nodes);
        self.playing = !over;
        if over.any() {
            compiled.goals.run(&mut self.nodes);
            self.count_goals(&compiled, &over);
        }
        self.choose(&compiled, random);
        compiled.next.run(&mut self.nodes);
        if perceives {
            compiled.percepts.run(&mut self.nodes);
        }
        observe(Lanes { play: self });
        self.end_matches(&over, max_length);
        let BitParallel { next, nodes, initial, playing, .. } = self;
        dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || {
                for (next, &code) in next.iter_mut().zip(&compiled.network.next) {
                    next.store(wide_of(simd, code, nodes));
                }
                let playing = playing.load(simd);
                for ((node, next), &holds) in nodes.iter_mut().zip(&*next).zip(&*initial) {
                    let restart = Block::splat(holds).load(simd);
                    node.store((next.load(simd) & playing) | (restart & !playing));
                }
            },
        ));
    }

    /// Counts the goals of the lanes that are over.
    fn count_goals(&mut self, compiled: &CompiledLanes, over: &Block) {
        for role in 0..self.game.roles().len() {
            let goals = &mut self.statistics.goals[role];
            let role = RoleId(role as u32);
            let [once, twice] = compiled.each_goal(&self.nodes, role, over, |value, lanes| {
                goals.add(value, lanes.count());
            });
            goals.missing += (*over & !once).count();
            goals.ambiguous += (*over & twice).count();
        }
    }

    /// Chooses a legal move for each role in each lane that is playing. Who cannot move ends the match.
    fn choose(&mut self, compiled: &CompiledLanes, random: &mut Random) {
        compiled.choice.run(&mut self.nodes);
        for role in 0..compiled.legal.len() {
            let before = self.playing;
            self.choose_of(compiled, role, random);
            let stuck = (before & !self.playing).count();
            self.statistics.stuck += stuck;
            self.statistics.stuck_by_role[role] += stuck;
        }
    }

    /// Chooses a legal move for a role in each lane that is playing, and lets those go on that have one.
    fn choose_of(&mut self, compiled: &CompiledLanes, role: usize, random: &mut Random) {
        let moves = &compiled.chosen[role];
        let prefers = compiled.prefers[role];
        dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || {
                // Closures that are not inlined do without the registers of this processor: half the playouts.
                if !prefers {
                    return self.choose_by(
                        simd,
                        moves,
                        random,
                        #[inline(always)]
                        |one, nodes| wide_of(simd, one.legal, nodes),
                    );
                }
                let none_wins = none_of(simd, moves.iter().map(|it| it.win), &self.nodes);
                let none_blocks = none_of(simd, moves.iter().map(|it| it.block), &self.nodes);
                let others = none_wins & none_blocks;
                self.choose_by(
                    simd,
                    moves,
                    random,
                    #[inline(always)]
                    |one, nodes| {
                        let mut row = wide_of(simd, one.legal, nodes) & others;
                        if one.block != FALSE {
                            row |= wide_of(simd, one.block, nodes) & none_wins;
                        }
                        if one.win != FALSE {
                            row |= wide_of(simd, one.win, nodes);
                        }
                        row
                    },
                );
            },
        ));
    }

    /// Chooses one of the moves in each lane that is playing, by the lanes in which each may be chosen.
    #[inline(always)]
    fn choose_by<S: Simd>(
        &mut self,
        simd: S,
        moves: &[LaneMove],
        random: &mut Random,
        row: impl Fn(&LaneMove, &[Block]) -> Wide<S>,
    ) {
        let first = self.initial.len();
        let BitParallel { nodes, counts, ranks, playing, .. } = self;
        counts.clear();
        for one in moves {
            counts.increment(row(one, nodes));
        }
        ranks.draw_below(simd, counts, random);
        let able = playing.load(simd) & counts.positive(simd);
        playing.store(able);
        for one in moves {
            let made = ranks.decrement(row(one, nodes)) & able;
            nodes[first + one.number as usize].store(made);
        }
    }

    /// Counts the states expanded, and the matches that end by themselves or for their length.
    fn end_matches(&mut self, over: &Block, max_length: u32) {
        for (word, steps) in self.steps.chunks_exact_mut(64).enumerate() {
            let playing = self.playing[word];
            self.statistics.states += u64::from(playing.count_ones());
            let mut capped = 0;
            for (bit, steps) in steps.iter_mut().enumerate() {
                *steps += (playing >> bit & 1) as u32;
                capped |= u64::from(*steps >= max_length) << bit;
            }
            capped &= playing;
            self.playing[word] &= !capped;
            let mut ended = !self.playing[word];
            self.statistics.playouts += u64::from(ended.count_ones());
            self.statistics.capped += u64::from(capped.count_ones());
            self.statistics.terminal += u64::from(over[word].count_ones());
            while ended != 0 {
                let steps = &mut steps[ended.trailing_zeros() as usize];
                self.statistics.steps += u64::from(*steps);
                *steps = 0;
                ended &= ended - 1;
            }
        }
    }
}

impl Lanes<'_> {
    /// Whether a joint move is made in a lane; otherwise its match is over or stuck.
    pub fn is_playing(&self, lane: usize) -> bool {
        self.play.playing.contains(lane)
    }

    /// Joint moves made in the match of a lane.
    pub fn length(&self, lane: usize) -> u32 {
        self.play.steps[lane]
    }

    /// The state of a lane.
    pub fn state(&self, lane: usize) -> State {
        let holds = |&fluent: &u32| self.play.nodes[fluent as usize].contains(lane);
        let fluents = (0..self.play.initial.len() as u32).filter(holds);
        let mut state = State::of(fluents.map(FluentId));
        self.play.numbering.sign(&mut state);
        state
    }

    fn holds(&self, code: Code, lane: usize) -> bool {
        block_of(code, &self.play.nodes).contains(lane)
    }

    /// The moves that are legal for a role in a lane, ascending.
    pub fn legal_moves(&self, lane: usize, role: RoleId) -> Vec<MoveId> {
        let legal = self.play.compiled.legal[role.index()].iter();
        legal.filter(|it| self.holds(it.1, lane)).map(|it| MoveId(it.0)).collect()
    }

    /// Whether the state of a lane is terminal.
    pub fn is_terminal(&self, lane: usize) -> bool {
        self.holds(self.play.compiled.network.terminal, lane)
    }

    /// The goal values of a role in a lane, ascending. In [`BitParallel::step_observed`] they are those of a terminal state, or
    /// not defined.
    pub fn goal_values(&self, lane: usize, role: RoleId) -> Vec<i64> {
        let goals = self.play.compiled.network.goals_of(role);
        let goals = goals.filter(|goal| self.holds(goal.code, lane));
        let mut values: Vec<i64> = goals.filter_map(|goal| goal.value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// What each role perceives of the moves chosen last, by role, ascending, in a lane that is playing. Percepts are numbered as
    /// [`GroundReasoner`](crate::GroundReasoner) numbers them, and are defined in [`BitParallel::step_perceived`].
    pub fn percepts(&self, lane: usize) -> Vec<Vec<PerceptId>> {
        let mut seen = vec![Vec::new(); self.play.game.roles().len()];
        for (number, percept) in (0..).zip(&self.play.compiled.network.percepts) {
            if self.holds(percept.code, lane) {
                seen[percept.role.index()].push(PerceptId(number));
            }
        }
        seen
    }

    /// The moves chosen last in a lane that is playing, by role.
    pub fn moves(&self, lane: usize) -> Vec<MoveId> {
        let first = self.play.initial.len();
        let made = |&it: &u32| self.play.nodes[first + it as usize].contains(lane);
        let of_role = |legal: &Vec<(u32, Code)>| legal.iter().map(|it| it.0).find(made).map(MoveId);
        self.play.compiled.legal.iter().filter_map(of_role).collect()
    }
}
