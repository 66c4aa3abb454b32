//! What a game is searched with, by what it is like: puzzles are solved in the start clock, or searched on from turn to turn; where fluents tell how matches end and one
//! role chooses at a time, alpha-beta looks ahead; all else is played by UCT.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Budget, Description, RoleId, Stop};
use groundfrog_knowledge::evaluation::kinds;
use groundfrog_knowledge::{
    Analysis, AnalysisOptions, Property, analyse, structures, structures_of_fluents,
};
use groundfrog_reasoner::open::is_imperfect;
use groundfrog_reasoner::{BitParallel, ReasonerError};

use super::alpha_beta::AlphaBeta;
use super::evaluation::{Evaluation, Fuzzy, Weights};
use super::puzzle_plan::PuzzlePlan;
use super::{Uct, thread_count};
use crate::StrategyKind;
use crate::position::Position;
use crate::solve::position::Rules;
use crate::solve::puzzle::Distance;
use crate::solve::top;
use crate::strategy::{BestSoFar, Decision, Strategy, StrategyError, StrategyOptions, Turn};

/// Bytes of a player that allow a copy of its lanes, to learn by.
const MEMORY_OF_LANES: u64 = 256 << 20;
/// Time to learn in where the rules were ground too late for the start clock.
const LATE_LEARNING: Duration = Duration::from_secs(20);

/// Whether it is known if alpha-beta suits the game.
enum Consideration {
    Open,
    Begun(Receiver<Option<AlphaBeta>>),
    Done,
}

/// Follows a solution where one was found in time, and searches otherwise.
pub struct Auto {
    kind: StrategyKind,
    uct: Uct,
    /// The rules of a puzzle, how far states are from its best ends, and the best plan for it so far.
    puzzle: Option<(Rules, Distance)>,
    plan: Option<PuzzlePlan>,
    alpha_beta: Option<AlphaBeta>,
    consideration: Consideration,
    best: Option<BestSoFar>,
}

impl Auto {
    /// For a role of a game: by what suits it, or by alpha-beta wherever that is possible: ground rules, one role that chooses at a
    /// time, nothing hidden and no chance. States are worth what is learned of them, or how far they fulfil the goals (`fuzzy`).
    pub fn new(
        kind: StrategyKind,
        description: Arc<Description>,
        role: &str,
        options: StrategyOptions,
    ) -> Self {
        Auto {
            kind,
            uct: Uct::new(description, role, options),
            puzzle: None,
            plan: None,
            alpha_beta: None,
            consideration: Consideration::Open,
            best: None,
        }
    }

    fn options(&self) -> &StrategyOptions {
        &self.uct.followed.options
    }

    /// Begins to find out whether alpha-beta suits the game, in a thread of its own, as that may take longer than the clock. Where decisions
    /// are not to depend on the time, it is found out at once; where there is no thread, UCT plays.
    fn consider(&mut self, mut position: Position, until: Budget) {
        let role = position.role();
        let machine = position.machine();
        let Some(rules) = machine.ground() else { return };
        self.consideration = Consideration::Done;
        let has_opponents = machine.roles().len() > 1 && machine.chance_role().is_none();
        let sees_all = !is_imperfect(&self.uct.followed.description);
        if !has_opponents || !sees_all {
            return;
        }
        let has_room = self.options().memory.is_none_or(|it| it >= MEMORY_OF_LANES);
        let suit = Suitability {
            rules: Rules::of(rules.clone()),
            description: Arc::clone(&self.uct.followed.description),
            lanes: self.uct.lanes().filter(|_| has_room).cloned(),
            role,
            options: self.options().clone(),
            kind: self.kind,
            until,
            threads: thread_count(self.options()),
        };
        if self.options().most.is_some() {
            self.alpha_beta = suit.alpha_beta().unwrap_or_default();
            return;
        }
        let (sent, coming) = channel();
        // Where nobody waits any more, it was in vain.
        let work = move || drop(sent.send(suit.alpha_beta().unwrap_or_default()));
        if thread::Builder::new().name("learning".to_owned()).spawn(work).is_ok() {
            self.consideration = Consideration::Begun(coming);
        }
    }

    /// Takes alpha-beta if that has been found to suit the game by a moment.
    fn take_alpha_beta(&mut self, until: Instant) {
        if let Consideration::Begun(coming) = &self.consideration {
            match coming.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => {}
                found => {
                    self.alpha_beta = found.unwrap_or_default();
                    self.consideration = Consideration::Done;
                }
            }
        }
    }

    /// The same at once; it is begun where the rules were ground too late for the start clock.
    fn follow_up(&mut self) -> Result<(), StrategyError> {
        if let Consideration::Open = self.consideration
            && !self.uct.awaits_lanes()
            && let Some(position) = self.uct.ground_position()?
        {
            let deadline = Some(Instant::now() + LATE_LEARNING);
            self.consider(position, Budget::until(deadline, self.options().stop.clone()));
        }
        self.take_alpha_beta(Instant::now());
        Ok(())
    }

    /// Bytes for plans: half of the memory is for the rules, and the tree has what it has.
    fn plan_bytes(&self) -> u64 {
        let bytes = self.options().memory.map_or(1 << 30, |it| it / 2);
        bytes.saturating_sub(self.uct.bytes()).max(1 << 20)
    }

    /// Looks for a better end of a puzzle than that of the plan, from the position.
    fn improve_plan(&mut self, position: &Position, until: &Budget) {
        let (bytes, most) = (self.plan_bytes(), self.options().most.unwrap_or(u64::MAX));
        let Some((rules, distance)) = &mut self.puzzle else { return };
        let (old, rules) = (self.plan.take(), (rules, &*distance));
        let improved = PuzzlePlan::improve(old, rules, position.state(), until, most, bytes);
        self.keep_plan(improved);
    }

    fn keep_plan(&mut self, found: Result<Option<PuzzlePlan>, ReasonerError>) {
        match found {
            Ok(plan) => self.plan = plan,
            // A state without moves, or without one goal value: the tree search bears that.
            Err(_) => self.puzzle = None,
        }
    }

    /// The next move of the best plan for a puzzle, searched for as long as it is not proven to be best. Where there is none, half
    /// of the time is left.
    fn follow_plan(&mut self, deadline: Instant) -> Result<Option<Decision>, StrategyError> {
        if self.puzzle.is_none() {
            return Ok(None);
        }
        let planned = self.plan.as_ref().and_then(PuzzlePlan::decision);
        if let (Some(planned), Some(best)) = (&planned, &self.best) {
            best.leave(planned.clone());
        }
        let Some(mut position) = self.uct.position(deadline)? else { return Ok(planned) };
        let is_forced = position.legal()?.moves.len() == 1;
        if !is_forced && self.plan.as_ref().is_none_or(|it| !it.is_proven) {
            let until = self.uct.followed.until(deadline);
            let until = if planned.is_some() { until } else { until.share(1, 2) };
            self.improve_plan(&position, &until);
        }
        Ok(self.plan.as_ref().and_then(PuzzlePlan::decision))
    }
}

impl Strategy for Auto {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.uct.prepare(deadline)?;
        let deadline = deadline.checked_sub(Duration::from_millis(100)).unwrap_or(deadline);
        if Instant::now() >= deadline {
            return Ok(());
        }
        let Some(mut position) = self.uct.position(deadline)? else { return Ok(()) };
        if position.machine().roles().len() > 1 {
            self.consider(position, self.uct.followed.until(deadline).share(1, 2));
            self.take_alpha_beta(deadline);
        } else if let Some(rules) = position.machine().ground() {
            let mut rules = Rules::of(rules.clone());
            let game = rules.reasoner.game();
            let distance = Distance::new(game, top(game));
            let (bytes, most) = (self.plan_bytes(), self.options().most.unwrap_or(u64::MAX));
            let until = self.uct.followed.until(deadline);
            let found = PuzzlePlan::find((&mut rules, &distance), &until, most, bytes);
            self.puzzle = Some((rules, distance));
            self.keep_plan(found);
        }
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        if let Some(planned) = self.follow_plan(deadline)? {
            return Ok(planned);
        }
        self.follow_up()?;
        let until = self.uct.followed.until(deadline);
        if let Some(alpha_beta) = &mut self.alpha_beta
            && let Some(mut position) = self.uct.position(deadline)?
        {
            let most = self.uct.followed.options.most.unwrap_or(u64::MAX);
            let has_come_back = self.uct.followed.past.has_come_back(&mut position);
            let until = if has_come_back { until.share(1, 2) } else { until };
            match alpha_beta.choose(position.state(), until, most, self.best.as_ref()) {
                // What states seem worth has led round: UCT goes on, until something is proven that has not led here before.
                Ok(decision)
                    if has_come_back
                        && (!decision.proven
                            || !self.uct.followed.past.chosen(&mut position).is_empty()) => {}
                Ok(decision) => {
                    self.uct.followed.past.note(&mut position, &decision.action);
                    return Ok(decision);
                }
                // A role is stuck somewhere, or has not one goal value: playouts bear that.
                Err(_) => self.alpha_beta = None,
            }
        }
        self.uct.choose(deadline)
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.uct.observe(turn)?;
        // A move that was not the planned one leaves the plan.
        let made = match (turn, &self.plan) {
            (_, None) => return Ok(()),
            (Turn::Moves(made), _) => made.first().cloned(),
            (Turn::Percepts { own, .. }, _) => own.clone(),
        };
        let plan = self.plan.as_mut().filter(|it| it.moves.get(it.made) == made.as_ref());
        match plan {
            Some(plan) => plan.made += 1,
            None => self.plan = None,
        }
        Ok(())
    }

    fn ponder(&mut self, deadline: Instant, called: Arc<dyn Stop>) -> Result<(), StrategyError> {
        if self.plan.is_some() {
            return Ok(());
        }
        if !self.uct.followed.options.ponders || self.uct.followed.options.most.is_some() {
            return Ok(());
        }
        self.follow_up()?;
        let Some(alpha_beta) = &mut self.alpha_beta else {
            return self.uct.ponder(deadline, called);
        };
        if let Some(position) = self.uct.position(Instant::now())? {
            let until = Budget::until(Some(deadline), self.uct.followed.options.stop.clone())
                .with_stop(called);
            alpha_beta.ponder(position.state(), until);
        }
        Ok(())
    }

    fn leave_best_in(&mut self, best: BestSoFar) {
        self.best = Some(best.clone());
        self.uct.leave_best_in(best);
    }
}

/// Alpha-beta is taken where its evaluation explains so much of how random matches end: below, UCT won more of all matches
/// (`docs/playing.md`).
const EXPLAINED: f64 = 0.17;
/// As much is enough where so many kinds of things stand on boards: who takes the better ones is ahead, which random playouts hardly show.
const EXPLAINED_BY_MANY: f64 = 0.005;
const MANY_KINDS: usize = 10;
/// Where the others' goals rise so clearly with the own one they are no opponents, as alpha-beta takes them to be.
const MOST_ACCORD: f64 = 0.3;
/// Of several others each has to be one, so the sum of all goals has to be nearly constant.
const MOST_ACCORD_OF_MANY: f64 = -0.9;
/// Bytes of the transposition table at most.
const TABLE: u64 = 64 << 20;

/// Turns and sums of goals are looked for no longer than this.
const ANALYSIS: Duration = Duration::from_secs(1);

/// What is needed to find out whether alpha-beta suits a game: where what stands on boards, or fluents, tell how matches end, and one role chooses
/// at a time.
struct Suitability {
    rules: Rules,
    description: Arc<Description>,
    lanes: Option<BitParallel>,
    role: RoleId,
    options: StrategyOptions,
    kind: StrategyKind,
    until: Budget,
    threads: usize,
}

impl Suitability {
    /// Finds out what states are worth, and takes alpha-beta if that suits the game.
    fn alpha_beta(mut self) -> Result<Option<AlphaBeta>, StrategyError> {
        let known = self.analysis()?;
        if known.is_refuted(|it| *it == Property::TurnTaking) {
            return Ok(None);
        }
        let evaluation = match self.kind {
            StrategyKind::Fuzzy => self.fuzzy(&known)?,
            _ => self.learned(&known),
        };
        let bytes = self.options.memory.map_or(TABLE, |it| (it / 8).min(TABLE));
        let Suitability { rules, role, threads, .. } = self;
        Ok(evaluation.map(|it| AlphaBeta::new(rules, role, it, bytes, threads)))
    }

    /// How far states fulfil the goals; none if these cannot be unfolded.
    fn fuzzy(&mut self, known: &Analysis) -> Result<Option<Evaluation>, StrategyError> {
        let (reasoner, role) = (&mut self.rules.reasoner, self.role);
        let found = structures(&self.description, reasoner, known, ANALYSIS)?;
        let fuzzy = Fuzzy::new(reasoner.game(), role, &found);
        Ok(fuzzy.map(|it| Evaluation::fuzzy(reasoner.game(), role, it)))
    }

    /// What states are worth by random playouts; none if that does not suit the game.
    fn learned(&mut self, known: &Analysis) -> Option<Evaluation> {
        let Suitability { rules, role, options, until, .. } = self;
        let game = Arc::clone(rules.reasoner.game());
        let kinds = kinds(&structures_of_fluents(&self.description, &game, known), &game);
        let lanes = self.lanes.take();
        let (weights, likeness) = Weights::learn(rules, lanes, &kinds, *role, options, until);
        let explained = if kinds.names.len() >= MANY_KINDS { EXPLAINED_BY_MANY } else { EXPLAINED };
        let accord = if rules.roles == 2 { MOST_ACCORD } else { MOST_ACCORD_OF_MANY };
        let wanted = match self.kind {
            StrategyKind::AlphaBeta => likeness.playouts > 0,
            _ => likeness.accord <= accord && likeness.explained >= explained,
        };
        wanted.then(|| Evaluation::learned(&game, *role, weights))
    }

    /// What is known of turns and boards, looked for in a part of the time. What is neither proved nor refuted is taken to hold:
    /// where that is wrong alpha-beta gives up, and playouts go on.
    fn analysis(&mut self) -> Result<Analysis, StrategyError> {
        let time = self.until.left().map_or(ANALYSIS, |it| (it / 4).min(ANALYSIS));
        let options = AnalysisOptions {
            time,
            seed: self.options.seed,
            stop: Some(Arc::new(self.until.clone())),
            ..AnalysisOptions::default()
        };
        Ok(analyse(&mut self.rules.reasoner, &options)?)
    }
}
