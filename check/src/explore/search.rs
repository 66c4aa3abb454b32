//! The search, layer by layer.

use std::sync::{Mutex, PoisonError};

use groundfrog::game::RoleId;
use groundfrog_reasoner::expansion::{Cursor, Expansion};
use groundfrog_reasoner::state_space::{Bucket, Expander, Shard, StateKind, States};
use groundfrog_reasoner::{GroundReasoner, LANES, Reasoner, Vocabulary};
use rayon::prelude::*;

use super::ExplorationProgress;
use super::Watch;

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
        states: States::new(
            reasoner.game().fluents().len(),
            reasoner.initial().words(),
            States::SHARDS,
        ),
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
        let (mut begin, mut end) = (vec![0; States::SHARDS], self.states.counts());
        let mut limit = None;
        loop {
            let count = self.states.count() as u64 - self.found.visited;
            let in_lanes = self.is_in_lanes(count, reasoner);
            let mut layer = self.states.between(&begin, &end).peekable();
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
                let (expanded, known) = (self.found.visited, self.states.count() as u64);
                progress(ExplorationProgress { expanded, known, depth: self.found.depth });
            }
            drop(layer);
            (begin, end) = (end, self.states.counts());
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
        let room = room.min(options.states.saturating_sub(self.states.count() as u64));
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
        before: &[u32],
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
        let add = |(shard, states): (usize, &mut Shard)| {
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
        let count = self.states.count() as u64;
        let full = || format!("{count} states, more of which have no number");
        let late = self.watch.lateness();
        late.or_else(|| self.watch.space(count, self.bytes()))
            .or_else(|| self.states.is_full().then(full))
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

// Expands the states of a job.

/// Some states of a layer, and what their expansion found.
#[derive(Default)]
pub(super) struct Job {
    /// The states; none if there is nothing to do.
    pub(super) states: Vec<u32>,
    /// Where to go on.
    cursor: Cursor,
    /// By shard: the successors found in this round.
    pub(super) found: Vec<Bucket>,
    /// What was noted in this round.
    pub(super) notes: Notes,
}

/// What was noted about states.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) terminal_states: u64,
    /// The states whose joint moves are counted, begun or done.
    pub(super) expanded: u64,
    pub(super) joint_moves: u64,
    pub(super) max_branching: u64,
    pub(super) stuck: Option<(u32, RoleId)>,
    pub(super) unclear: Option<(u32, RoleId, Vec<i64>)>,
    /// By role: the first terminal state with goal 100.
    pub(super) wins: Vec<Option<u32>>,
}

impl Job {
    /// A job without states.
    pub(super) fn new() -> Self {
        let found = (0..States::SHARDS).map(|_| Bucket::default()).collect();
        Job { found, ..Job::default() }
    }

    /// How many states have been expanded.
    pub(super) fn done(&self) -> usize {
        self.cursor.state
    }

    /// Whether all states have been expanded.
    pub(super) fn is_done(&self) -> bool {
        self.done() >= self.states.len()
    }

    /// Takes over states to expand.
    pub(super) fn begin(&mut self, states: impl Iterator<Item = u32>) {
        self.states.clear();
        self.states.extend(states);
        self.cursor = Cursor::default();
    }

    /// Forgets what was found in the last round.
    pub(super) fn clear(&mut self, roles: usize) {
        self.found.iter_mut().for_each(Bucket::clear);
        self.notes = Notes::new(roles);
    }
}

/// Who expands.
pub(super) struct Worker<'a> {
    expander: Expander<'a>,
    players: &'a [RoleId],
    watch: &'a Watch<'a>,
    pub(super) lanes: Option<Expansion>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        reasoner: &'a mut GroundReasoner,
        players: &'a [RoleId],
        watch: &'a Watch<'a>,
    ) -> Self {
        Worker { expander: Expander::new(reasoner), players, watch, lanes: None }
    }

    /// Expands a job's states until all are done, about `most` successors are found, or time is up.
    /// `in_lanes` says whether to do it for all states at once.
    pub(super) fn work(&mut self, job: &mut Job, states: &States, most: usize, in_lanes: bool) {
        if job.is_done() {
            return;
        }
        match &mut self.lanes {
            Some(lanes) if in_lanes => {
                expand_in_lanes(lanes, self.players, self.watch, job, states, most);
            }
            _ => self.expand_each(job, states, most),
        }
    }

    fn expand_each(&mut self, job: &mut Job, states: &States, most: usize) {
        let Job { states: numbers, cursor, found, notes } = job;
        let (expander, watch) = (&mut self.expander, self.watch);
        let mut count = 0_usize;
        while let Some(&number) = numbers.get(cursor.state) {
            expander.load(states.get(number));
            let is_new = cursor.chosen.is_empty();
            let kind = expander.expand(&mut cursor.chosen, |_, successor| {
                states.sort_into(found, successor, number);
                count += 1;
                count < most && !(count.is_multiple_of(64) && watch.is_late())
            });
            match kind {
                StateKind::Moves if is_new => notes.count(expander.branching()),
                StateKind::Moves => {}
                StateKind::Stuck(role) => {
                    notes.expanded += 1;
                    notes.stuck.get_or_insert((number, role));
                }
                StateKind::Terminal => {
                    notes.terminal_states += 1;
                    judge(expander.reasoner, self.players, number, notes);
                }
            }
            if !cursor.chosen.is_empty() {
                return;
            }
            cursor.state += 1;
            if count >= most || (cursor.state.is_multiple_of(16) && watch.is_late()) {
                return;
            }
        }
    }
}

fn expand_in_lanes(
    lanes: &mut Expansion,
    players: &[RoleId],
    watch: &Watch<'_>,
    job: &mut Job,
    states: &States,
    most: usize,
) {
    let Job { states: numbers, cursor, found, notes } = job;
    debug_assert!(numbers.len() <= LANES, "a lane for each state");
    lanes.load(numbers.iter().map(|&it| states.get(it)));
    if *cursor == Cursor::default() {
        let terminal = lanes.over().count();
        notes.terminal_states += terminal as u64;
        notes.stuck = lanes.stuck().first().map(|&(state, role)| (numbers[state], role));
        // Those that are over have no moves.
        (0..numbers.len()).for_each(|state| notes.count(lanes.branching(state)));
        notes.expanded -= terminal as u64;
        for &role in players {
            let is_first = |known: &Option<(u32, RoleId, Vec<i64>)>, number: u32| {
                let position = |number: u32| numbers.iter().position(|&it| it == number);
                known.as_ref().is_none_or(|it| position(number) < position(it.0))
            };
            let wins = &mut notes.wins[role.index()];
            let unclear = &mut notes.unclear;
            lanes.judge(
                role,
                |state, values| {
                    if is_first(unclear, numbers[state]) {
                        *unclear = Some((numbers[state], role, values));
                    }
                },
                |state| {
                    wins.get_or_insert(numbers[state]);
                },
            );
        }
    }
    let mut count = 0;
    lanes.successors(cursor, |sources, successors| {
        count += sources.len();
        let words = successors.len() / sources.len();
        for (position, &source) in sources.iter().enumerate() {
            let successor = &successors[position * words..][..words];
            states.sort_into(found, successor, numbers[source as usize]);
        }
        count + LANES <= most && !watch.is_late()
    });
}

impl Notes {
    /// Nothing, about so many roles.
    pub(super) fn new(roles: usize) -> Self {
        Notes { wins: vec![None; roles], ..Notes::default() }
    }

    /// Adds what was noted about states that come later.
    pub(super) fn add(&mut self, later: &mut Notes) {
        self.terminal_states += later.terminal_states;
        self.expanded += later.expanded;
        self.joint_moves = self.joint_moves.saturating_add(later.joint_moves);
        self.max_branching = self.max_branching.max(later.max_branching);
        self.stuck = self.stuck.or(later.stuck);
        self.unclear = self.unclear.take().or(later.unclear.take());
        for (win, new) in self.wins.iter_mut().zip(&later.wins) {
            *win = win.or(*new);
        }
    }

    /// Counts the joint moves of a state.
    fn count(&mut self, branching: u64) {
        self.expanded += 1;
        self.joint_moves = self.joint_moves.saturating_add(branching);
        self.max_branching = self.max_branching.max(branching);
    }
}

/// Notes what the goals of a terminal state, the present one, say.
fn judge(reasoner: &mut GroundReasoner, players: &[RoleId], state: u32, notes: &mut Notes) {
    let mut values = Vec::new();
    for &role in players {
        reasoner.goals_here(role, &mut values);
        if values.len() != 1 && notes.unclear.is_none() {
            notes.unclear = Some((state, role, values.clone()));
        }
        if values.contains(&100) {
            notes.wins[role.index()].get_or_insert(state);
        }
    }
}
