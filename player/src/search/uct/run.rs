//! The search for one decision. Threads share the tree: each in its turn passes up what came of its leaves and collects others, which it
//! evaluates while the tree is another's.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Budget, Stop};
use groundfrog_reasoner::{Machine, Random};

use super::Search;
use super::choice::{Choice, Choices};
use crate::search::playouts::{Batch, Playouts, Values};
use crate::search::tree::Tree;
use crate::search::ways::{End, TreeWay};
use crate::seat_thread::guarded;
use crate::strategy::{BestSoFar, Decision, StrategyError};

/// Time between two moves that are left for who cannot wait.
const LEAVING: Duration = Duration::from_millis(20);
/// What is kept free before the deadline is not more than this.
const MOST_RESERVE: Duration = Duration::from_millis(20);
/// So many leaves of a root are evaluated alone, so that there is an answer soon.
const FIRST: u32 = 8;
/// How often a thread that waits for the tree lets others go before it sleeps.
const YIELDS: u32 = 1000;

/// The search for one decision.
pub(super) struct Run<'run> {
    pub(super) role: usize,
    pub(super) root: u32,
    /// The moves of the role there.
    pub(super) choices: &'run Choices,
    pub(super) until: Budget,
    /// Ways down the tree that may be taken: `None` lets the time alone decide.
    pub(super) most: Option<u64>,
    /// Where the best move is left now and then.
    pub(super) best: Option<&'run BestSoFar>,
}

/// What one thread at a time changes.
struct Progress<'run> {
    tree: &'run mut Tree,
    random: &'run mut Random,
    /// Ways that may still be taken.
    left: u64,
    /// When the best move was left last.
    left_at: Option<Instant>,
    /// The longest that a round has taken.
    longest: Duration,
    playouts: u64,
    /// Leaves of the round that was passed up last that needed no playouts.
    proven: usize,
    result: Result<(), StrategyError>,
}

/// Ways that are evaluated together.
struct Round {
    begin: Instant,
    ways: Vec<TreeWay>,
    batch: Batch,
}

/// What the threads share.
struct Shared<'run> {
    run: &'run Run<'run>,
    progress: Mutex<Progress<'run>>,
}

impl Run<'_> {
    /// Searches as long as there is something to find out and time. Returns how many playouts were made.
    pub(super) fn search(
        &self,
        search: &mut Search,
        machine: &mut Machine,
        random: &mut Random,
    ) -> Result<u64, StrategyError> {
        let Search { tree, playouts, others } = search;
        let progress = Progress {
            tree,
            random,
            left: self.most.unwrap_or(u64::MAX),
            left_at: None,
            longest: Duration::ZERO,
            playouts: 0,
            proven: 0,
            result: Ok(()),
        };
        let shared = Shared { run: self, progress: Mutex::new(progress) };
        thread::scope(|scope| {
            for (playouts, machine) in others {
                let builder = thread::Builder::new().name("search".to_owned());
                let shared = &shared;
                let work = move || shared.work(playouts, machine);
                if let Err(fault) = builder.spawn_scoped(scope, work) {
                    let fault = format!("no thread for the search: {fault}");
                    shared.fail(StrategyError::Game(fault));
                }
            }
            shared.work(playouts, machine);
        });
        let progress = shared.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        // What was found in time counts.
        let result = progress.result.or_else(|it| if it.is_late() { Ok(()) } else { Err(it) });
        result.map(|()| progress.playouts)
    }
}

impl<'run> Shared<'run> {
    fn lock(&self) -> MutexGuard<'_, Progress<'run>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tree is another thread's for some hundred microseconds: to be woken up takes as long.
    fn wait(&self) -> MutexGuard<'_, Progress<'run>> {
        for _ in 0..YIELDS {
            if let Ok(progress) = self.progress.try_lock() {
                return progress;
            }
            thread::yield_now();
        }
        self.lock()
    }

    fn fail(&self, fault: StrategyError) {
        self.lock().result = Err(fault);
    }

    /// What a thread does until the search ends.
    fn work(&self, playouts: &mut Playouts, machine: &mut Machine) {
        let mut done = None;
        let mut work = || {
            while let Some(round) = self.next(done.take(), playouts.leaves(), machine)? {
                let is_empty = round.batch.leaves.is_empty();
                let values = (!is_empty).then(|| playouts.evaluate(&round.batch, machine));
                done = Some((round, values.transpose()?.unwrap_or_default()));
            }
            Ok(())
        };
        if let Err(fault) = guarded(&mut work) {
            self.fail(fault.into());
        }
    }

    /// Passes up what came of the last round of a thread and begins another one; `None` if the search ends.
    fn next(
        &self,
        done: Option<(Round, Values)>,
        leaves: usize,
        machine: &mut Machine,
    ) -> Result<Option<Round>, StrategyError> {
        let mut progress = self.wait();
        if let Some((round, values)) = done {
            progress.pass_up(self.run.root, round, values);
        }
        if progress.result.is_err() || !progress.goes_on(self.run) {
            return Ok(None);
        }
        progress.leave_best(self.run, machine);
        progress.tree.is_closed = self.run.until.is_tight();
        progress.collect(self.run, leaves, machine).map(Some)
    }
}

impl Progress<'_> {
    fn goes_on(&self, run: &Run<'_>) -> bool {
        let bounds = self.tree.nodes[run.root as usize].bounds[run.role];
        bounds.0 != bounds.1 && self.left > 0 && !run.until.is_over_in(self.longest)
    }

    /// Leaves the move that is best so far now and then, if one was tried.
    fn leave_best(&mut self, run: &Run<'_>, machine: &Machine) {
        let Some(best) = run.best else { return };
        if self.left_at.is_some_and(|it| it.elapsed() < LEAVING) {
            return;
        }
        let choice = Choice::new(self.tree, run.root, run.role, run.choices);
        if choice.tried[choice.chosen].0 > 0 {
            self.left_at = Some(Instant::now());
            best.leave(Decision {
                action: machine.move_text(run.choices.legal[choice.chosen]),
                method: "uct".into(),
                value: choice.mean(choice.chosen),
                playouts: self.playouts,
                nodes: self.tree.nodes.len() as u64,
                ..Decision::default()
            });
        }
    }

    /// Goes down until there are leaves enough. Ways that end where all is proven need no evaluation.
    fn collect(
        &mut self,
        run: &Run<'_>,
        leaves: usize,
        machine: &mut Machine,
    ) -> Result<Round, StrategyError> {
        let (seed, until) = (self.random.next_word(), run.until.clone());
        let root = self.tree.returns.then(|| {
            let root = &self.tree.nodes[run.root as usize];
            (root.state.clone(), root.bounds.iter().map(|it| it.0).collect())
        });
        let batch = Batch { leaves: Vec::new(), seed, until, root };
        let mut round = Round { begin: Instant::now(), ways: Vec::new(), batch };
        let is_new = self.tree.nodes[run.root as usize].visits < FIRST;
        // Leaves that are proven leave their lanes to others: about as many as in the last round.
        let most = if is_new { 1 } else { leaves + self.proven.min(leaves) };
        let mut taken = 0;
        // Asking for the time takes as long as a way.
        while round.ways.len() < most
            && taken < 4 * most
            && self.left > 0
            && (taken % 8 > 0 || self.goes_on(run))
        {
            taken += 1;
            let (way, end) = self.tree.descend(run.root, machine, self.random)?;
            self.left -= 1;
            match end {
                End::Proven => {
                    let values = self.tree.proven(&way);
                    self.tree.pass_up(&way, Some(&values));
                }
                End::Back => {
                    let values = self.tree.coming_back(&way);
                    self.tree.pass_up(&way, Some(&values));
                }
                End::Leaf(leaf) => {
                    round.ways.push(way);
                    round.batch.leaves.push(leaf);
                }
            }
        }
        Ok(round)
    }

    /// Passes up what came of a round.
    fn pass_up(&mut self, root: u32, round: Round, values: Values) {
        self.playouts += values.playouts;
        self.proven = values.seen.iter().filter(|it| it.value().is_some()).count();
        let mut evaluated =
            values.seen.into_iter().zip(values.values.chunks_exact(self.tree.roles));
        for way in round.ways {
            match evaluated.next() {
                Some((seen, worth)) => self.tree.finish(way, root, seen, worth),
                None => self.tree.pass_up(&way, None),
            }
        }
        // A step of rules with variables may take long: what was seen of it is kept free before the deadline.
        self.longest = self.longest.max(round.begin.elapsed()).min(MOST_RESERVE);
    }
}
