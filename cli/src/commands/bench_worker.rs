//! The process in which `bench` measures a game.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use groundfrog::description::{Formula, ParseOptions};
use groundfrog::ground::{BaseInput, Report, Stage, base_input, ground};
use groundfrog::options::{Domains, GroundOptions, Limits};
use groundfrog::{Description, Format, GroundError, GroundGame, Silent, emit};
use groundfrog_benches::job::{Job, Message, Run, Task};
use groundfrog_benches::machine;
use groundfrog_benches::record::{self, Counts, Status};
use groundfrog_check::count_literals;
use groundfrog_reasoner::propnet::PropNet;
use sha2::{Digest, Sha256};

use crate::arguments::BenchWorkerArguments;
use crate::destination::EMIT;
use crate::diagnostics::Reporter;
use crate::failure::{Exit, Failure};
use crate::progress::Activity;
use crate::source;
use crate::supervisor::Supervisor;

/// Measures one game and writes everything as lines of JSON.
pub(crate) fn run(arguments: &BenchWorkerArguments) -> Exit {
    let reporter = Reporter::new(false);
    let job = match serde_json::from_str::<Job>(&arguments.job) {
        Ok(job) => job,
        Err(error) => {
            let failure = Failure::Usage(format!("this is no job of `groundfrog bench`: {error}"));
            reporter.failure(&failure);
            return failure.exit();
        }
    };
    // Standard input ends when the harness does, however it ends.
    std::thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        std::process::exit(Exit::Interrupted.code().into());
    });
    match measure(job, arguments.file.clone()) {
        Ok(()) => Exit::Success,
        // Nobody listens any longer.
        Err(_) => Exit::Io,
    }
}

/// The network of a game with more literals is not built: it is not what is measured.
pub(crate) const MOST_LITERALS: u64 = 2_000_000;

/// Does a job. Fails only if nobody listens.
fn measure(job: Job, file: PathBuf) -> io::Result<()> {
    let mut worker = Worker { job, file, text: Vec::new(), failed: Vec::new() };
    send(&Message::Began(Task::Parse))?;
    let description = match worker.supervised(Task::Parse, Worker::parse) {
        Ok((description, bytes)) => {
            send(&Message::Parsed(size(&description, bytes)))?;
            description
        }
        Err(failure) => return worker.fail(Task::Parse, &failure),
    };
    let tasks = worker.job.tasks.clone();
    let mut small: Vec<Task> = Vec::new();
    let rounds = worker.job.warm_up + worker.job.runs;
    for round in 0..rounds {
        let is_measured = round >= worker.job.warm_up;
        let mut order = tasks.clone();
        if round % 2 == 1 {
            order.reverse();
        }
        for task in order {
            if worker.failed.contains(&task) {
                continue;
            }
            send(&Message::Began(task))?;
            worker.misbehave(task);
            let is_last = round + 1 == rounds;
            let literals = if task.is_domains() {
                worker.domains(task, &description, is_measured, is_last)?;
                None
            } else {
                worker.grounding(task, is_measured)?
            };
            if is_last && worker.job.components && literals.is_some_and(|it| it <= MOST_LITERALS) {
                small.push(task);
            }
            send(&Message::Usage(machine::processor_time(), machine::peak_memory()))?;
        }
    }
    for task in small {
        send(&Message::Began(Task::Components))?;
        if let Ok(components) =
            worker.supervised(Task::Components, |it, by| it.components(task, by))
        {
            send(&Message::Components(task, components))?;
        }
    }
    Ok(())
}

/// One write, so that a line is whole or missing.
fn send(message: &Message) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(message.line().as_bytes())?;
    out.flush()
}

struct Worker {
    job: Job,
    file: PathBuf,
    text: Vec<u8>,
    /// What is not tried again.
    failed: Vec<Task>,
}

impl Worker {
    /// Does something within the limits; what does not stop by itself ends the process.
    fn supervised<T>(
        &mut self,
        task: Task,
        act: impl FnOnce(&mut Self, &Supervisor) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let time = Duration::from_millis(self.job.time_limit);
        let supervisor = Supervisor::new(Some(time), self.job.memory_limit, false);
        // As `ground` does it: what is measured is the work on one thread as long as that is short.
        let is_short =
            !task.is_domains() && task != Task::Components && source::is_short(&self.file);
        if !is_short {
            supervisor.watch();
        }
        supervisor.on_abandon(move |failure| {
            // The process ends in any case.
            let _ = send(&Message::Failed(task, status(failure.exit()), reason(failure)));
            let _ = send(&Message::Usage(machine::processor_time(), machine::peak_memory()));
        });
        let result = act(self, &supervisor).and_then(|done| supervisor.check().map(|()| done));
        supervisor.take_last_word();
        result
    }

    /// Reports a failure.
    fn fail(&mut self, task: Task, failure: &Failure) -> io::Result<()> {
        self.failed.push(task);
        send(&Message::Failed(task, status(failure.exit()), reason(failure)))
    }

    /// Dies or hangs, if a test wants that.
    fn misbehave(&self, task: Task) {
        if self.job.crash_at == Some(task) {
            std::process::abort();
        }
        while self.job.hang_at == Some(task) {
            std::thread::park();
        }
    }

    /// The description and its size in bytes.
    fn parse(&mut self, supervisor: &Supervisor) -> Result<(Description, u64), Failure> {
        supervisor.progress().enter(Activity::Reading);
        (_, self.text) = source::read(&self.file, supervisor)?;
        supervisor.check()?;
        supervisor.progress().enter(Activity::Parsing);
        Ok((self.description()?, self.text.len() as u64))
    }

    fn description(&self) -> Result<Description, Failure> {
        let name = self.file.to_string_lossy().into_owned();
        let options = ParseOptions { name, ..ParseOptions::default() };
        Description::parse(&self.text, &options).map_err(|error| GroundError::from(error).into())
    }

    fn limits(&self, supervisor: &Supervisor) -> Limits {
        Limits {
            time: supervisor.time_left(),
            memory: self.job.memory_limit,
            stop: Some(supervisor.stop()),
            ..Limits::default()
        }
    }

    /// Computes base and input once; after the last run also their digest, which is not timed.
    fn domains(
        &mut self,
        task: Task,
        description: &Description,
        is_measured: bool,
        is_last: bool,
    ) -> io::Result<()> {
        let result = self.supervised(task, |it, supervisor| {
            supervisor.progress().enter(Activity::Grounding);
            let domains =
                if task == Task::Iterative { Domains::Iterative } else { Domains::OneStep };
            let options = GroundOptions {
                domains,
                threads: it.job.threads,
                limits: it.limits(supervisor),
                ..GroundOptions::flat()
            };
            let found = base_input(description, &options, &mut Silent).map_err(|error| {
                Failure::ground(error, supervisor.cause(), supervisor.time_limit())
            })?;
            supervisor.check()?;
            supervisor.lift_time_limit();
            if is_measured {
                let sent = send(&Message::Ran(task, domains_run(&found)));
                sent.map_err(|source| Failure::Io { what: "cannot answer".into(), source })?;
            }
            Ok(is_last.then(|| digest(&found)))
        });
        match result {
            Ok(digest) => digest.map_or(Ok(()), |it| send(&Message::Digest(task, it))),
            Err(failure) => self.fail(task, &failure),
        }
    }

    /// Grounds once, from the text to the written result. Returns the number of literals.
    fn grounding(&mut self, task: Task, is_measured: bool) -> io::Result<Option<u64>> {
        let result = self.supervised(task, |it, supervisor| {
            let (game, run) = it.ground(task, supervisor)?;
            supervisor.lift_time_limit();
            drop(game);
            Ok(run)
        });
        match result {
            Ok(run) => {
                let literals = run.counts.literals;
                if is_measured {
                    send(&Message::Ran(task, run))?;
                }
                Ok(literals)
            }
            Err(failure) => self.fail(task, &failure).map(|()| None),
        }
    }

    fn ground(&self, task: Task, supervisor: &Supervisor) -> Result<(GroundGame, Run), Failure> {
        let start = Instant::now();
        supervisor.progress().enter(Activity::Parsing);
        let description = self.description()?;
        let parsed = start.elapsed();
        supervisor.progress().enter(Activity::Grounding);
        let form = match task {
            Task::Flat => GroundOptions { simplify: false, ..GroundOptions::flat() },
            _ => GroundOptions::compact(),
        };
        let options = GroundOptions {
            domains: if self.job.iterative { Domains::Iterative } else { Domains::OneStep },
            threads: self.job.threads,
            limits: self.limits(supervisor),
            ..form
        };
        let grounding = ground(&description, &options, &mut Silent)
            .map_err(|error| Failure::ground(error, supervisor.cause(), supervisor.time_limit()))?;
        supervisor.check()?;
        supervisor.progress().enter(Activity::Writing);
        let writing = Instant::now();
        emit::write(&grounding.game, Format::Kif, &mut io::sink())
            .map_err(|source| Failure::Io { what: "cannot write to nowhere".into(), source })?;
        let emitted = writing.elapsed();
        let seconds = start.elapsed().as_secs_f64();
        let (game, report) = (grounding.game, &grounding.report);
        let counts = Counts {
            base: Some(game.fluents().len() as u64),
            input: Some(game.inputs().len() as u64),
            atoms: Some(game.atom_count() as u64),
            rules: Some(game.rules().len() as u64),
            literals: Some((game.rules().literal_count() + game.rules().len()) as u64),
            table_bytes: Some(report.table_bytes),
            rule_bytes: Some(report.rule_bytes),
            ..Counts::default()
        };
        let run = Run { seconds, stages: stages(parsed, report, emitted), counts };
        Ok((game, run))
    }

    /// Grounds once more and counts the components of the network.
    fn components(&self, task: Task, supervisor: &Supervisor) -> Result<u64, Failure> {
        let (game, _) = self.ground(task, supervisor)?;
        supervisor.progress().enter(Activity::Compiling);
        Ok(PropNet::new(&game).map_err(Failure::Build)?.counts().components() as u64)
    }
}

fn stages(parsed: Duration, report: &Report, emitted: Duration) -> Vec<(String, f64)> {
    let first = [(Stage::Parse.name(), parsed)];
    let between = report.stages.iter().map(|it| (it.stage.name(), it.time));
    let all = first.into_iter().chain(between).chain([(EMIT, emitted)]);
    all.map(|(name, time)| (name.to_owned(), time.as_secs_f64())).collect()
}

fn domains_run(found: &BaseInput) -> Run {
    let report = &found.report;
    let stages = report.stages.iter().filter(|it| it.stage == Stage::Domains);
    let counts = Counts {
        base: Some(found.base_count() as u64),
        input: Some(found.input_count() as u64),
        rounds: Some(report.iterations.map_or(report.rounds, |it| it.growth)),
        ..Counts::default()
    };
    Run { seconds: stages.map(|it| it.time.as_secs_f64()).sum(), counts, ..Run::default() }
}

/// What two ways of computing the same have in common.
fn digest(found: &BaseInput) -> String {
    let mut hash = Sha256::new();
    for sentence in found.base().iter().chain(&found.input()) {
        hash.update(sentence);
        hash.update("\n");
    }
    format!("{:x}", hash.finalize())
}

fn size(description: &Description, bytes: u64) -> record::Description {
    let body = |body: &[Formula]| body.iter().map(count_literals).sum::<usize>() as u64;
    record::Description {
        bytes,
        rules: description.statements.len() as u64,
        literals: description.statements.iter().map(|it| 1 + body(&it.body)).sum(),
    }
}

fn status(exit: Exit) -> Status {
    match exit {
        Exit::Limit => Status::Limit,
        Exit::Io => Status::Io,
        Exit::Unbounded => Status::Unbounded,
        Exit::Disagreement => Status::Disagreement,
        _ => Status::Description,
    }
}

/// One line for people.
fn reason(failure: &Failure) -> String {
    let text = match failure {
        Failure::Ground(error) => {
            let first = match (&**error, error.faults()) {
                (GroundError::Parse(error), _) => error.diagnostics.first(),
                (_, faults) => faults.and_then(|it| it.diagnostics.first()),
            };
            first.map_or_else(|| error.to_string(), |it| it.message.clone())
        }
        _ => failure.to_string(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}
