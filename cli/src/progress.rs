//! How far the work has come: noted by the worker, shown by the supervisor.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use groundfrog::Observer;
use groundfrog_reasoner::PlayoutObserver;
use indicatif::{ProgressBar, ProgressStyle};

use crate::supervisor::lock;

/// The bar appears when the work has lasted so long.
const SHOWN_AFTER: Duration = Duration::from_millis(500);

/// What the worker is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Activity {
    #[default]
    Reading,
    Parsing,
    Grounding,
    Checking,
    Exploring,
    Compiling,
    Playing,
    Proving,
    Solving,
    Waiting,
    Writing,
}

impl Activity {
    /// What the worker is doing, in words that follow `while`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Activity::Reading => "reading the description",
            Activity::Parsing => "parsing the description",
            Activity::Grounding => "grounding",
            Activity::Checking => "checking the description",
            Activity::Exploring => "exploring the states",
            Activity::Compiling => "compiling the rules",
            Activity::Playing => "playing",
            Activity::Proving => "proving",
            Activity::Solving => "solving",
            Activity::Waiting => "waiting for a move",
            Activity::Writing => "writing the result",
        }
    }
}

/// How far the work has come.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    activity: Mutex<Activity>,
    rounds: AtomicUsize,
    tuples: AtomicUsize,
    templates: AtomicUsize,
    templates_done: AtomicUsize,
    rules: AtomicUsize,
    games: AtomicUsize,
    game: AtomicUsize,
    /// States known, or matches played.
    visited: AtomicUsize,
    most_visited: AtomicUsize,
    depth: AtomicUsize,
    /// The predicate that is being derived, and how many tuples or ground rules of it there are.
    derived: Mutex<Option<(String, u64)>>,
}

impl Progress {
    /// Notes what begins now.
    pub(crate) fn enter(&self, activity: Activity) {
        *lock(&self.activity) = activity;
    }

    /// What the worker is doing.
    pub(crate) fn activity(&self) -> Activity {
        *lock(&self.activity)
    }

    /// Notes what is being derived, as [`groundfrog_engine::Stop::derives`] says.
    pub(crate) fn derive(&self, now: Option<(&str, u64)>) {
        let mut derived = lock(&self.derived);
        match (&mut *derived, now) {
            (Some((name, count)), Some((new, now))) if name == new => *count = now,
            (derived, now) => *derived = now.map(|(name, count)| (name.to_owned(), count)),
        }
    }

    /// What the worker is doing, in words that follow `while`, with the predicate that is being derived.
    pub(crate) fn words(&self) -> String {
        match (self.activity(), &*lock(&self.derived)) {
            (Activity::Grounding, Some((name, count))) => {
                format!("deriving `{name}` ({count} so far)")
            }
            (activity, _) => activity.words().to_owned(),
        }
    }

    /// Notes that a game begins, the first being number 1.
    pub(crate) fn begin_game(&self, game: usize, games: usize) {
        for count in
            [&self.rounds, &self.tuples, &self.templates, &self.templates_done, &self.rules]
        {
            count.store(0, Ordering::Relaxed);
        }
        self.visit(0, 0, 0);
        self.derive(None);
        self.game.store(game, Ordering::Relaxed);
        self.games.store(games, Ordering::Relaxed);
    }

    /// Notes how many states are known, or matches played, of how many at the most.
    pub(crate) fn visit(&self, visited: u64, most: u64, depth: u32) {
        self.visited.store(visited as usize, Ordering::Relaxed);
        self.most_visited.store(most as usize, Ordering::Relaxed);
        self.depth.store(depth as usize, Ordering::Relaxed);
    }

    /// How much of how much is done, where that is known.
    fn position(&self) -> Option<(u64, u64)> {
        let (done, total) = match self.activity() {
            Activity::Grounding => (&self.templates_done, &self.templates),
            Activity::Exploring | Activity::Playing => (&self.visited, &self.most_visited),
            _ => return None,
        };
        let get = |count: &AtomicUsize| count.load(Ordering::Relaxed) as u64;
        Some((get(done), get(total))).filter(|&(_, total)| total > 0)
    }

    fn message(&self) -> String {
        let (game, games) = (self.game.load(Ordering::Relaxed), self.games.load(Ordering::Relaxed));
        let activity = self.activity_message();
        if games > 1 { format!("game {game} of {games}: {activity}") } else { activity }
    }

    fn activity_message(&self) -> String {
        let get = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let words = self.activity().words();
        match (self.activity(), get(&self.rounds), get(&self.rules)) {
            (Activity::Grounding, 0, 0) => words.to_owned(),
            (Activity::Grounding, rounds, 0) => {
                format!("computing the domains: round {rounds}, {} tuples", get(&self.tuples))
            }
            (Activity::Grounding, _, rules) => format!("storing: {rules} ground rules"),
            (Activity::Solving, ..) => format!("solving: {} states", get(&self.visited)),
            (Activity::Playing, ..) => format!("playouts: {}", get(&self.visited)),
            (Activity::Exploring, ..) => {
                format!("exploring: {} states, depth {}", get(&self.visited), get(&self.depth))
            }
            _ => words.to_owned(),
        }
    }
}

/// Notes what observers are called with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Follower<'run>(pub(crate) &'run Progress);

impl Observer for Follower<'_> {
    fn round(&mut self, new_tuples: usize) {
        self.0.rounds.fetch_add(1, Ordering::Relaxed);
        self.0.tuples.fetch_add(new_tuples, Ordering::Relaxed);
    }

    fn instantiated(&mut self, done: usize, total: usize, rules: usize) {
        self.0.templates.store(total, Ordering::Relaxed);
        self.0.templates_done.store(done, Ordering::Relaxed);
        self.0.rules.store(rules, Ordering::Relaxed);
    }
}

impl PlayoutObserver for Follower<'_> {
    fn played(&mut self, playouts: u64, total: Option<u64>) {
        self.0.visit(playouts, total.unwrap_or(0), 0);
    }
}

/// A progress bar on standard error, if that is a terminal and the work lasts.
#[derive(Debug)]
pub(crate) struct Bar {
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar that is not shown yet, and never if it is not wanted.
    pub(crate) fn new(wanted: bool) -> Self {
        Bar { wanted: wanted && std::io::stderr().is_terminal(), bar: None }
    }

    /// Shows how far the work has come after this time.
    pub(crate) fn draw(&mut self, progress: &Progress, elapsed: Duration) {
        if !self.wanted || elapsed < SHOWN_AFTER {
            return;
        }
        if progress.activity() == Activity::Waiting {
            return self.clear();
        }
        let bar = self.bar.get_or_insert_with(|| ProgressBar::new_spinner().with_elapsed(elapsed));
        let style = if let Some((done, total)) = progress.position() {
            bar.set_length(total);
            bar.set_position(done);
            "{elapsed} [{bar:30}] {pos}/{len} {msg}"
        } else {
            "{spinner} {elapsed} {msg}"
        };
        bar.set_style(ProgressStyle::with_template(style).expect("a correct template"));
        bar.set_message(progress.message());
        bar.tick();
    }

    /// Takes the bar off the screen.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_follow_the_work() {
        let progress = Progress::default();
        assert_eq!(progress.message(), "reading the description");
        progress.enter(Activity::Grounding);
        let mut follower = Follower(&progress);
        follower.round(7);
        follower.round(4);
        assert_eq!(progress.message(), "computing the domains: round 2, 11 tuples");
        progress.derive(Some(("(cell _ _)", 9)));
        progress.derive(Some(("(cell _ _)", 12)));
        assert_eq!(progress.words(), "deriving `(cell _ _)` (12 so far)");
        progress.derive(None);
        assert_eq!(progress.words(), "grounding");
        follower.instantiated(1, 3, 500);
        assert_eq!(progress.message(), "storing: 500 ground rules");
        progress.begin_game(2, 3);
        progress.enter(Activity::Exploring);
        progress.visit(1000, 5000, 4);
        assert_eq!(progress.message(), "game 2 of 3: exploring: 1000 states, depth 4");
        assert_eq!(progress.position(), Some((1000, 5000)));
        progress.begin_game(1, 1);
        progress.enter(Activity::Writing);
        assert_eq!(progress.message(), "writing the result");
    }
}
