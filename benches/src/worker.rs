//! One game, measured in a process of its own.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::assemble::Collected;
use super::files::Game;
use super::job::{Job, Message, Task};
use super::record::Status;
use crate::error::MeasureError;
use crate::machine;

/// How long a worker may take beyond a limit of time before it is killed. It has a watch of its own, which
/// ends it a tenth of a second after the limit.
const GRACE: Duration = Duration::from_millis(180);
/// How long it may take between measurements, beyond the limit of one.
const PAUSE: Duration = Duration::from_secs(10);
/// How often interruption is looked for.
const INTERVAL: Duration = Duration::from_millis(20);
/// How much of what a dying worker says is kept: bytes.
const LAST_WORDS: usize = 4096;

/// Measures a game. Returns nothing if `stop` was raised.
///
/// A worker that dies costs the task that it was at; another one does what is left.
pub fn measure(
    game: &Game,
    mut job: Job,
    stop: &AtomicBool,
) -> Result<Option<Collected>, MeasureError> {
    let (tasks, mut collected) = (job.tasks.clone(), Collected::default());
    loop {
        let mut worker = Worker::start(game, &job)?;
        let end = worker.listen(&job, &mut collected, stop);
        let Some(last) = worker.end(end, &job, &mut collected) else {
            return Ok(None);
        };
        job.tasks.retain(|&task| !collected.is_done(task, job.runs));
        if last.is_none() || last == Some(Task::Parse) || job.tasks.is_empty() {
            break;
        }
        collected.forget(&job.tasks);
    }
    let failed = |it: Task| collected.has_failed(it) || collected.has_failed(Task::Parse);
    let is_weighed = |it: &Task| !it.is_domains() && !failed(*it);
    let forms: Vec<Task> = tasks.into_iter().filter(is_weighed).collect();
    for form in forms {
        // What another task has taken and given back may still count.
        let job = Job { tasks: vec![form], runs: 1, warm_up: 0, components: false, ..job.clone() };
        let mut alone = Collected::default();
        let mut worker = Worker::start(game, &job)?;
        let end = worker.listen(&job, &mut alone, stop);
        match worker.end(end, &job, &mut alone) {
            None => return Ok(None),
            Some(None) => collected.weigh(form, &alone),
            // It was done before: too close to a limit to decide.
            Some(Some(_)) => {}
        }
    }
    Ok(Some(collected))
}

/// Why the harness listens no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The worker has nothing more to say.
    Silence,
    /// The worker takes too long.
    Overdue,
    /// The harness has to stop.
    Stopped,
}

struct Worker {
    child: Child,
    messages: Receiver<Message>,
    listeners: Vec<JoinHandle<Vec<u8>>>,
    task: Task,
}

impl Worker {
    fn start(game: &Game, job: &Job) -> Result<Self, MeasureError> {
        let fail = |source| MeasureError::Io {
            what: "cannot start a process to measure in".into(),
            source,
        };
        let program = std::env::current_exe().map_err(fail)?;
        let mut command = Command::new(program);
        command.args(job.command_line()).arg(&game.file);
        // By standard input the worker knows whether the harness is alive.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // Ctrl-C is for the harness.
            command.process_group(0);
        }
        let mut child = command.spawn().map_err(fail)?;
        let (sender, messages) = channel();
        let mut listeners = Vec::new();
        if let Some(out) = child.stdout.take() {
            listeners.push(thread::spawn(move || {
                // A line that was cut off by the end of the worker says nothing.
                let lines = BufReader::new(out).lines().map_while(Result::ok);
                let heard = lines.filter_map(|line| serde_json::from_str(&line).ok());
                heard.for_each(|message| drop(sender.send(message)));
                Vec::new()
            }));
        }
        if let Some(err) = child.stderr.take() {
            listeners.push(thread::spawn(move || last_words(err)));
        }
        Ok(Worker { child, messages, listeners, task: Task::Parse })
    }

    /// Listens until the worker ends, or has to be ended.
    fn listen(&mut self, job: &Job, collected: &mut Collected, stop: &AtomicBool) -> End {
        let limit = Duration::from_millis(job.time_limit);
        let mut due = Instant::now() + limit + PAUSE;
        loop {
            if stop.load(Ordering::Relaxed) {
                return End::Stopped;
            }
            match self.messages.recv_timeout(INTERVAL) {
                Ok(message) => {
                    let pause = if let Message::Began(task) = message {
                        self.task = task;
                        GRACE
                    } else {
                        PAUSE
                    };
                    due = Instant::now() + limit + pause;
                    collected.add(message);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() > due => return End::Overdue,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return End::Silence,
            }
        }
    }

    /// Sees the process off. Returns nothing if the harness has to stop, else at which task the worker died,
    /// if it did not end as it should.
    fn end(mut self, end: End, job: &Job, collected: &mut Collected) -> Option<Option<Task>> {
        let process = self.child.id();
        let peak = machine::peak_memory_of(process);
        if end != End::Silence {
            // If it is dead already, so much the better.
            let _ = self.child.kill();
        }
        // Its last messages are still in the pipe.
        let heard: Vec<Message> = self.messages.iter().collect();
        heard.into_iter().for_each(|message| collected.add(message));
        // Once it was waited for, the system no longer knows about it.
        let time = machine::processor_time_of(process);
        let status = self.child.wait();
        let output =
            self.listeners.drain(..).flat_map(|it| it.join().unwrap_or_default()).collect();
        collected.processes += 1;
        if end == End::Stopped {
            return None;
        }
        let is_well = end == End::Silence && status.as_ref().is_ok_and(ExitStatus::success);
        if is_well {
            collected.end_process(None, None);
            return Some(None);
        }
        collected.end_process(time, peak);
        if !collected.has_failed(self.task) {
            let (status, reason) = match end {
                End::Overdue => (Status::Limit, overdue(job)),
                _ => (Status::Crash, dead(status, output)),
            };
            collected.fail(self.task, status, reason);
        }
        Some(Some(self.task))
    }
}

fn overdue(job: &Job) -> String {
    format!("the time limit of {} ms was exceeded, and the worker had to be killed", job.time_limit)
}

/// How a worker died and what it wrote to standard error, for people.
fn dead(status: io::Result<ExitStatus>, output: Vec<u8>) -> String {
    let mut text = match status {
        Ok(status) => format!("the worker died: {status}"),
        Err(error) => format!("the worker was lost: {error}"),
    };
    let output = String::from_utf8_lossy(&output);
    let mut lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
    // The first line of a panic has its place, the second one the message.
    if let Some(first) = lines.next() {
        let second = if first.ends_with(':') { lines.next().unwrap_or_default() } else { "" };
        // A string takes everything.
        let _ = write!(text, "; it wrote: {}", format!("{first} {second}").trim());
    }
    text
}

/// Reads to the end and keeps the beginning.
fn last_words(mut from: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    // What cannot be read is left out.
    let _ = from.by_ref().take(LAST_WORDS as u64).read_to_end(&mut kept);
    let _ = io::copy(&mut from, &mut io::sink());
    kept
}
