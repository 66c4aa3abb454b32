//! The search, layer by layer.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::exploration::ExplorationProgress;
use super::states::{Bucket, SHARDS, States};
use super::watch::Watch;
use super::worker::{Job, Notes, Worker};
use groundfrog::game::RoleId;
use groundfrog_reasoner::expansion::Expansion;
use groundfrog_reasoner::{GroundReasoner, LANES, Reasoner, Vocabulary};

/// Jobs of a round.
const JOBS: usize = 32;
/// Successors that a job finds in a round: so many, and so many bytes, at the most, and at least so many.
const MOST_SUCCESSORS: u64 = 1 << 14;
const MOST_BYTES: u64 = 1 << 20;
const LEAST_SUCCESSORS: u64 = LANES as u64;
/// Inputs of gates that are computed for all lanes in the time of expanding one state alone.
const INPUTS_PER_STATE: usize = 1 << 11;
/// In layers with fewer states they are expanded one by one.
const LEAST_IN_LANES: u64 = 16;
/// Ground literals that are compiled for lanes in the time of expanding one state alone.
const LITERALS_PER_STATE: u64 = 1 << 10;
/// More memory than this is not spent on lanes.
const MOST_LANE_BYTES: u64 = 1 << 28;

/// What a search has found.
pub(super) struct StateSearch {
    pub(super) states: States,
    pub(super) found: Found,
    /// Why it ended early.
    pub(super) limit: Option<String>,
}

/// What was met.
#[derive(Default)]
pub(super) struct Found {
    pub(super) visited: u64,
    pub(super) depth: u32,
    pub(super) notes: Notes,
    /// Some joint move leads to a state that is no deeper.
    pub(super) turns_back: bool,
}

/// Whether many states are expanded at once.
enum InLanes {
    /// Not needed so far.
    Unknown,
    /// Not possible, or not worth it.
    Never,
    /// If a layer has so many states.
    From(u64),
}

/// Visits all states.
pub(super) fn search(
    reasoner: &GroundReasoner,
    players: &[RoleId],
    watch: &Watch<'_>,
    progress: &mut dyn FnMut(ExplorationProgress),
) -> StateSearch {
    let threads = match watch.options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.min(JOBS),
    };
    let mut reasoners = vec![reasoner.clone(); threads];
    let workers = reasoners.iter_mut().map(|it| Worker::new(it, players, watch)).collect();
    let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
    let roles = reasoner.roles().len();
    let mut layers = Layers {
        workers,
        // Without threads, one does the work.
        pool: pool.and_then(Result::ok),
        watch,
        roles,
        states: States::new(reasoner.game().fluents().len(), reasoner.initial().words()),
        found: Found { notes: Notes::new(roles), ..Found::default() },
        jobs: (0..JOBS).map(|_| Job::new()).collect(),
        in_lanes: InLanes::Unknown,
    };
    let limit = layers.all(reasoner, progress);
    StateSearch { states: layers.states, found: layers.found, limit }
}

struct Layers<'a> {
    workers: Vec<Worker<'a>>,
    pool: Option<rayon::ThreadPool>,
    watch: &'a Watch<'a>,
    roles: usize,
    states: States,
    found: Found,
    jobs: Vec<Job>,
    in_lanes: InLanes,
}

impl Layers<'_> {
    /// Expands one layer after the other. Returns why it stopped early.
    fn all(
        &mut self,
        reasoner: &GroundReasoner,
        progress: &mut dyn FnMut(ExplorationProgress),
    ) -> Option<String> {
        let (mut begin, mut end) = ([0; SHARDS], self.states.lens());
        let mut limit = None;
        loop {
            let count = self.states.len() - self.found.visited;
            let in_lanes = self.is_in_lanes(count, reasoner);
            let mut layer = States::between(begin, end).peekable();
            while limit.is_none() {
                // Those that are not done go on.
                self.jobs.sort_by_key(Job::is_done);
                if layer.peek().is_none() && self.jobs[0].is_done() {
                    break;
                }
                let (jobs, most) = self.size_of_round();
                for job in &mut self.jobs[..jobs] {
                    job.clear(self.roles);
                    if job.is_done() {
                        job.begin(layer.by_ref().take(LANES));
                    }
                }
                limit = self.round(jobs, most, in_lanes, &end);
                let (expanded, known) = (self.found.visited, self.states.len());
                progress(ExplorationProgress { expanded, known, depth: self.found.depth });
            }
            (begin, end) = (end, self.states.lens());
            if limit.is_some() || begin == end {
                return limit;
            }
            self.found.depth += 1;
        }
    }

    /// How many jobs a round has, and how many successors each may find, so that limits are met closely.
    fn size_of_round(&self) -> (usize, usize) {
        let options = self.watch.options;
        let bytes = self.states.bytes_of_one();
        let room = options.memory.saturating_sub(self.bytes()) / (2 * bytes);
        let room = room.min(options.states.saturating_sub(self.states.len()));
        let jobs = (room / LEAST_SUCCESSORS).clamp(1, JOBS as u64);
        let most = (room / jobs).min(MOST_SUCCESSORS).min(MOST_BYTES / bytes);
        (jobs as usize, most.max(LEAST_SUCCESSORS) as usize)
    }

    fn bytes(&self) -> u64 {
        let lanes: usize = self.workers.iter().flat_map(|it| &it.lanes).map(Expansion::bytes).sum();
        let buckets = self.jobs.iter().flat_map(|it| &it.found).map(Bucket::bytes);
        self.states.bytes() + lanes as u64 + buckets.sum::<u64>()
    }

    /// Expands the states of some jobs and adds what they find. Returns why to stop.
    fn round(
        &mut self,
        jobs: usize,
        most: usize,
        in_lanes: bool,
        before: &[u32; SHARDS],
    ) -> Option<String> {
        let Layers { workers, pool, watch, states, found, jobs: all, .. } = self;
        let jobs = &mut all[..jobs];
        let done: usize = jobs.iter().map(|it| it.done()).sum();
        let known = &*states;
        match pool {
            Some(pool) if jobs.iter().filter(|it| !it.is_done()).count() > 1 => {
                let queue = Mutex::new(jobs.iter_mut());
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                pool.install(|| {
                    workers.par_iter_mut().for_each(|worker| {
                        while let Some(job) = next() {
                            worker.work(job, known, most, in_lanes);
                        }
                    });
                });
            }
            _ => jobs.iter_mut().for_each(|job| workers[0].work(job, known, most, in_lanes)),
        }
        let add = |(shard, states): (usize, &mut super::states::Shard)| {
            jobs.iter().fold(false, |turns_back, job| {
                // A table that grows takes its time: what is left out was not found in time.
                let in_time = !watch.is_late();
                turns_back | (in_time && states.insert_all(&job.found[shard], before[shard]))
            })
        };
        found.turns_back |= match pool {
            Some(pool) => pool.install(|| {
                let shards = states.shards_mut().par_iter_mut().enumerate();
                shards.map(add).reduce(|| false, |one, other| one | other)
            }),
            None => {
                let shards = states.shards_mut().iter_mut().enumerate();
                shards.map(add).fold(false, |one, other| one | other)
            }
        };
        found.visited += (jobs.iter().map(|it| it.done()).sum::<usize>() - done) as u64;
        jobs.iter_mut().for_each(|job| found.notes.add(&mut job.notes));
        let full = self.states.shards_mut().iter().any(|it| it.is_full());
        self.watch.lateness().or_else(|| self.watch.space(self.states.len(), self.bytes())).or_else(
            || full.then(|| format!("{} states, more of which have no number", self.states.len())),
        )
    }

    /// Whether to expand the states of a layer all at once.
    fn is_in_lanes(&mut self, states: u64, reasoner: &GroundReasoner) -> bool {
        if let InLanes::Unknown = self.in_lanes {
            let literals = reasoner.game().rules().iter().map(|it| 1 + it.body.len() as u64);
            // Compiling the rules anew must pay.
            if states < LEAST_IN_LANES || literals.sum::<u64>() > states * LITERALS_PER_STATE {
                return false;
            }
            self.in_lanes = InLanes::Never;
            let memory = MOST_LANE_BYTES.min(self.watch.options.memory / 4);
            if let Ok(lanes) = Expansion::new(reasoner.game())
                && (lanes.bytes() * self.workers.len()) as u64 <= memory
            {
                let least = (lanes.size() / INPUTS_PER_STATE) as u64;
                self.in_lanes = InLanes::From(least.max(LEAST_IN_LANES));
                self.workers.iter_mut().for_each(|it| it.lanes = Some(lanes.clone()));
            }
        }
        matches!(self.in_lanes, InLanes::From(least) if states >= least)
    }
}
