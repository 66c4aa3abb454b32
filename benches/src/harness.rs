//! All games, one after the other or several at a time.

use std::collections::BTreeSet;
use std::fs;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use groundfrog::visible::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sha2::{Digest, Sha256};

use super::assemble::Collected;
use super::files::Game;
use super::job::{Job, Task};
use super::record::{Machine, Options, Record, SCHEMA};
use super::worker;
use crate::error::MeasureError;

/// How often the progress bar is drawn.
const INTERVAL: Duration = Duration::from_millis(100);

/// What is done with each game.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is measured.
    pub tasks: Vec<Task>,
    /// How it is measured.
    pub options: Options,
    /// Where it is measured.
    pub machine: Machine,
    /// For tests: the game whose worker dies, and the one whose worker hangs.
    pub crash_on: Option<String>,
    /// For tests: the game whose worker hangs.
    pub hang_on: Option<String>,
}

/// A game with its place among all.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// Its place among all, from 0.
    pub number: usize,
    /// The game.
    pub game: Game,
    /// What is in the file, or why that is not known.
    pub sha256: Result<String, String>,
}

impl Numbered {
    /// Reads the files.
    pub fn all(games: Vec<Game>) -> Vec<Self> {
        let numbered = games.into_iter().enumerate().map(|(number, game)| {
            let bytes = fs::read(&game.file)
                .map_err(|error| MeasureError::io("cannot read", &game.file, error).to_string());
            let sha256 = bytes.map(|bytes| format!("{:x}", Sha256::digest(&bytes)));
            Numbered { number, game, sha256 }
        });
        numbered.collect()
    }
}

impl Plan {
    /// Whether a record is what measuring this game would give, but for the times.
    pub fn is_done(&self, numbered: &Numbered, record: &Record) -> bool {
        record.game == numbered.game.name
            && record.sha256.is_some()
            && record.sha256.as_ref() == numbered.sha256.as_ref().ok()
            && record.version == env!("CARGO_PKG_VERSION")
            && record.options == self.options
    }

    /// Every second game begins with the other method and the other form.
    fn job(&self, numbered: &Numbered) -> Job {
        let mut tasks = self.tasks.clone();
        if numbered.number % 2 == 1 {
            tasks.reverse();
        }
        let chosen = |name: &Option<String>| {
            // What was measured before has to survive: the last task is the one to fail.
            name.as_ref()
                .filter(|&it| *it == numbered.game.name)
                .and_then(|_| tasks.last().copied())
        };
        Job {
            runs: self.options.runs,
            warm_up: self.options.warm_up,
            threads: self.options.threads,
            iterative: self.options.domains == "iterative",
            time_limit: self.options.time_limit,
            memory_limit: self.options.memory_limit,
            components: true,
            crash_at: chosen(&self.crash_on),
            hang_at: chosen(&self.hang_on),
            tasks,
        }
    }

    /// Measures a game. Returns nothing if `stop` was raised.
    fn measure(
        &self,
        numbered: &Numbered,
        stop: &AtomicBool,
    ) -> Result<Option<Record>, MeasureError> {
        let start = Instant::now();
        let collected = match &numbered.sha256 {
            Ok(_) => worker::measure(&numbered.game, self.job(numbered), stop)?,
            Err(reason) => Some(Collected::unreadable(reason.clone())),
        };
        let Some(collected) = collected else { return Ok(None) };
        let wall = start.elapsed().as_secs_f64();
        Ok(Some(Record {
            schema: SCHEMA,
            game: numbered.game.name.clone(),
            file: numbered.game.file.to_string_lossy().into_owned(),
            sha256: numbered.sha256.clone().ok(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            options: self.options.clone(),
            machine: self.machine.clone(),
            wall,
            ..collected.assemble(&self.tasks)
        }))
    }
}

/// Measures games, `jobs` at a time, and passes each record on as it comes. Ends early if `stop` is raised
/// or a record cannot be passed on.
pub fn run<E: From<MeasureError>>(
    plan: &Plan,
    games: &[Numbered],
    jobs: usize,
    stop: &AtomicBool,
    show_progress: bool,
    mut pass_on: impl FnMut(Record, &ProgressBar) -> Result<(), E>,
) -> Result<(), E> {
    let bar = progress_bar(games.len(), show_progress);
    let (next, in_hand) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
    let (sender, records) = channel();
    let result = thread::scope(|scope| {
        for _ in 0..jobs.min(games.len()) {
            let (sender, next, in_hand) = (sender.clone(), &next, &in_hand);
            scope.spawn(move || work(plan, games, next, in_hand, stop, &sender));
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            match records.recv_timeout(INTERVAL) {
                Ok(record) if result.is_ok() => {
                    result = record.map_err(E::from).and_then(|it| pass_on(it, &bar));
                    bar.inc(1);
                    if result.is_err() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return result,
            }
            let names = in_hand.lock().unwrap_or_else(PoisonError::into_inner);
            let names = names.iter().copied().collect::<Vec<&str>>().join(", ");
            bar.set_message(visible(&names).into_owned());
        }
    });
    bar.finish_and_clear();
    result
}

/// Measures games until there are no more.
fn work<'run>(
    plan: &Plan,
    games: &'run [Numbered],
    next: &AtomicUsize,
    in_hand: &Mutex<BTreeSet<&'run str>>,
    stop: &AtomicBool,
    sender: &Sender<Result<Record, MeasureError>>,
) {
    let in_hand = || in_hand.lock().unwrap_or_else(PoisonError::into_inner);
    while !stop.load(Ordering::Relaxed)
        && let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed))
    {
        in_hand().insert(&game.game.name);
        let record = plan.measure(game, stop).transpose();
        in_hand().remove(game.game.name.as_str());
        let Some(record) = record else { return };
        if sender.send(record).is_err() {
            return;
        }
    }
}

fn progress_bar(games: usize, is_shown: bool) -> ProgressBar {
    if !is_shown || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(games as u64), ProgressDrawTarget::stderr());
    let template = "{elapsed} [{bar:30}] {pos}/{len}, {eta} left: {msg}";
    bar.set_style(ProgressStyle::with_template(template).expect("a correct template"));
    bar
}
