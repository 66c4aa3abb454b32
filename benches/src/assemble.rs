//! What workers reported about a game, put together as its record.

use std::collections::BTreeMap;

use super::job::{Message, Run, Task};
use super::record::{Counts, Description, Measurement, Record, Status, Times};

/// What the workers of a game have reported so far.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    description: Option<Description>,
    runs: BTreeMap<Task, Vec<Run>>,
    digests: BTreeMap<Task, String>,
    components: BTreeMap<Task, u64>,
    failures: BTreeMap<Task, (Status, String)>,
    /// How many workers there were.
    pub processes: usize,
    /// Of the workers that have ended.
    cpu: Option<f64>,
    /// Of the present worker.
    cpu_now: Option<f64>,
    peak: Option<u64>,
    /// Of a process for each form.
    peaks: BTreeMap<Task, Option<u64>>,
}

impl Collected {
    /// A game that could not be read at all.
    pub fn unreadable(reason: String) -> Self {
        let mut collected = Collected::default();
        collected.fail(Task::Parse, Status::Io, reason);
        collected
    }

    /// Takes note of what a worker reports.
    pub fn add(&mut self, message: Message) {
        match message {
            Message::Began(_) => {}
            Message::Parsed(description) => self.description = Some(description),
            Message::Ran(task, run) => self.runs.entry(task).or_default().push(run),
            Message::Digest(task, digest) => drop(self.digests.insert(task, digest)),
            Message::Failed(task, status, reason) => self.fail(task, status, reason),
            Message::Components(task, count) => drop(self.components.insert(task, count)),
            Message::Usage(cpu, peak) => {
                self.cpu_now = cpu;
                self.peak = self.peak.max(peak);
            }
        }
    }

    /// Takes note of the end of a worker, and of what the system says that it took.
    pub fn end_process(&mut self, cpu: Option<f64>, peak: Option<u64>) {
        let cpu = [self.cpu_now.take(), cpu].into_iter().flatten().reduce(f64::max);
        self.cpu = [self.cpu, cpu].into_iter().flatten().reduce(|a, b| a + b);
        self.peak = self.peak.max(peak);
    }

    /// Takes note of what a process reported that did one task and nothing else.
    pub fn weigh(&mut self, task: Task, alone: &Self) {
        self.peaks.insert(task, alone.peak);
    }

    /// Takes note of a failure; a first one stays.
    pub fn fail(&mut self, task: Task, status: Status, reason: String) {
        self.failures.entry(task).or_insert((status, reason));
    }

    pub fn has_failed(&self, task: Task) -> bool {
        self.failures.contains_key(&task)
    }

    /// Whether nothing more is to be measured of a task.
    pub fn is_done(&self, task: Task, runs: usize) -> bool {
        // The digest of base and input follows the last run.
        let is_whole = !task.is_domains() || self.digests.contains_key(&task);
        let done = self.runs.get(&task).filter(|_| is_whole).map(Vec::len);
        self.has_failed(task) || done == Some(runs)
    }

    /// Forgets what was measured of tasks that are done anew.
    pub fn forget(&mut self, tasks: &[Task]) {
        self.runs.retain(|task, _| !tasks.contains(task));
    }
}

impl Collected {
    /// What workers report, for the tasks that were requested; the rest of the record is empty.
    pub fn assemble(mut self, tasks: &[Task]) -> Record {
        let domains_agree = match self.digests.values().collect::<Vec<_>>()[..] {
            [one, other] => Some(one == other),
            _ => None,
        };
        let found = |it: &Counts| format!("{} and {}", of(it.base), of(it.input));
        let (mut domains, mut groundings) = (BTreeMap::new(), BTreeMap::new());
        for &task in tasks.iter().filter(|_| !self.has_failed(Task::Parse)) {
            let all = if task.is_domains() { &mut domains } else { &mut groundings };
            all.insert(task.name().to_owned(), self.measurement(task));
        }
        if domains_agree == Some(false) {
            let sizes: Vec<String> =
                domains.iter().map(|(name, it)| format!("{name} {}", found(&it.counts))).collect();
            let reason = format!("base and input differ: {}", sizes.join(", "));
            let task = tasks.iter().copied().find(|it| it.is_domains()).unwrap_or(Task::Parse);
            self.fail(task, Status::Disagreement, reason);
        }
        let mut worst: Option<(Task, Status, &str)> = None;
        for (&task, (status, reason)) in &self.failures {
            if worst.is_none_or(|(_, other, _)| other < *status) {
                worst = Some((task, *status, reason));
            }
        }
        Record {
            status: worst.map_or(Status::Ok, |(_, status, _)| status),
            reason: worst.map(|(task, status, reason)| match (task, status) {
                (Task::Parse, _) | (_, Status::Disagreement) => reason.to_owned(),
                _ => format!("{}: {reason}", task.name()),
            }),
            cpu: self.cpu,
            peak_memory: self.peak,
            description: self.description,
            domains,
            domains_agree,
            groundings,
            ..Record::default()
        }
    }

    fn measurement(&self, task: Task) -> Measurement {
        let (status, reason) = match self.failures.get(&task) {
            Some((status, reason)) => (*status, Some(reason.clone())),
            None => (Status::Ok, None),
        };
        let runs = self.runs.get(&task).map(Vec::as_slice).unwrap_or_default();
        let mut stages: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (name, seconds) in runs.iter().flat_map(|it| &it.stages) {
            stages.entry(name.clone()).or_default().push(*seconds);
        }
        let times = |(name, runs)| Some((name, Times::of(runs)?));
        let counts = runs.last().map(|it| it.counts).unwrap_or_default();
        Measurement {
            status,
            reason,
            time: Times::of(runs.iter().map(|it| it.seconds)),
            stages: stages.into_iter().filter_map(times).collect(),
            counts: Counts { components: self.components.get(&task).copied(), ..counts },
            peak_memory: self.peaks.get(&task).copied().flatten(),
        }
    }
}

fn of(count: Option<u64>) -> String {
    count.map_or_else(|| "?".to_owned(), |it| it.to_string())
}

impl Times {
    /// The median of runs, if there are any; that of an even number is in the middle between two.
    pub fn of(runs: impl IntoIterator<Item = f64>) -> Option<Self> {
        let runs: Vec<f64> = runs.into_iter().collect();
        let mut sorted = runs.clone();
        sorted.sort_by(f64::total_cmp);
        let median = match sorted.len() {
            0 => return None,
            len if len % 2 == 1 => sorted[len / 2],
            len => f64::midpoint(sorted[len / 2 - 1], sorted[len / 2]),
        };
        Some(Times { median, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seconds: f64, base: u64) -> Run {
        let counts = Counts { base: Some(base), input: Some(7), ..Counts::default() };
        Run { seconds, counts, ..Run::default() }
    }

    #[test]
    fn medians() {
        let median = |runs: &[f64]| Times::of(runs.iter().copied()).map(|it| it.median);
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn different_domains_are_a_disagreement() {
        let mut collected = Collected::default();
        for (task, base) in [(Task::OneStep, 5), (Task::Iterative, 4)] {
            collected.add(Message::Ran(task, run(0.5, base)));
            assert!(!collected.is_done(task, 1), "its digest is missing");
            collected.add(Message::Digest(task, base.to_string()));
            assert!(collected.is_done(task, 1) && !collected.is_done(task, 2));
        }
        let record = collected.assemble(&[Task::OneStep, Task::Iterative]);
        assert_eq!((record.status, record.domains_agree), (Status::Disagreement, Some(false)));
        let reason = record.reason.expect("there is one");
        assert_eq!(reason, "base and input differ: iterative 4 and 7, one-step 5 and 7");
    }

    #[test]
    fn the_worst_failure_counts_and_runs_before_it_are_kept() {
        let mut collected = Collected::default();
        collected.add(Message::Ran(Task::Iterative, run(0.5, 5)));
        collected.fail(Task::Iterative, Status::Limit, "too long".into());
        collected.fail(Task::Flat, Status::Crash, "dead".into());
        let record = collected.assemble(&[Task::Iterative, Task::Flat]);
        assert_eq!(record.status, Status::Crash);
        assert_eq!(record.reason.as_deref(), Some("flat: dead"));
        let iterative = &record.domains["iterative"];
        assert_eq!((iterative.status, iterative.counts.base), (Status::Limit, Some(5)));
        assert_eq!(record.groundings["flat"].time, None);
    }

    #[test]
    fn processor_times_of_workers_are_added() {
        let mut collected = Collected::default();
        collected.add(Message::Usage(Some(1.0), Some(10)));
        collected.end_process(Some(1.5), None);
        collected.add(Message::Usage(Some(0.25), Some(8)));
        collected.end_process(None, Some(12));
        let record = collected.assemble(&[]);
        assert_eq!((record.cpu, record.peak_memory), (Some(1.75), Some(12)));
    }
}
