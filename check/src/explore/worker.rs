//! Expands the states of a job.

use super::expand::{Expander, StateKind};
use super::states::{Bucket, SHARDS, States, shard_of};
use super::watch::Watch;
use groundfrog::game::RoleId;
use groundfrog_reasoner::expansion::{Cursor, Expansion};
use groundfrog_reasoner::{GroundReasoner, LANES, hash_words};

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
        let found = (0..SHARDS).map(|_| Bucket::default()).collect();
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
        let expander = &mut self.expander;
        let mut count = 0_usize;
        while let Some(&number) = numbers.get(cursor.state) {
            expander.load(states.get(number));
            let is_new = cursor.chosen.is_empty();
            match expander.begin(&cursor.chosen) {
                StateKind::Moves => {
                    if is_new {
                        notes.count(expander.branching());
                    }
                    loop {
                        let successor = expander.successor();
                        found[shard_of(hash_words(successor))].push(successor, number);
                        count += 1;
                        let goes_on = expander.advance();
                        let is_late = count.is_multiple_of(64) && self.watch.is_late();
                        if goes_on && (count >= most || is_late) {
                            cursor.chosen.clear();
                            cursor.chosen.extend(expander.chosen());
                            return;
                        }
                        if !goes_on {
                            break;
                        }
                    }
                }
                StateKind::Stuck(role) => {
                    notes.expanded += 1;
                    notes.stuck.get_or_insert((number, role));
                }
                StateKind::Terminal => {
                    notes.terminal_states += 1;
                    judge(expander.reasoner, self.players, number, notes);
                }
            }
            cursor.chosen.clear();
            cursor.state += 1;
            if count >= most || (cursor.state.is_multiple_of(16) && self.watch.is_late()) {
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
            found[shard_of(hash_words(successor))].push(successor, numbers[source as usize]);
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
