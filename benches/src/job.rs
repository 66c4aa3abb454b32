//! What the harness has a worker do, and what the worker answers: lines of JSON on a pipe.

use serde::{Deserialize, Serialize};

use super::record::{Counts, Description, Status};

/// Something that a worker does with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Reading and parsing, once, not timed.
    Parse,
    /// Base and input in one step.
    OneStep,
    /// Base and input round by round.
    Iterative,
    /// Grounding as the method says.
    Flat,
    /// Grounding with all passes.
    Compact,
    /// Counting the components of the propositional networks, not timed.
    Components,
}

impl Task {
    /// Its name in records and messages.
    pub fn name(self) -> &'static str {
        match self {
            Task::Parse => "parse",
            Task::OneStep => "one-step",
            Task::Iterative => "iterative",
            Task::Flat => "flat",
            Task::Compact => "compact",
            Task::Components => "components",
        }
    }

    /// What can be measured of a game, in the order in which it is reported.
    pub(crate) const MEASURED: [Task; 4] =
        [Task::OneStep, Task::Iterative, Task::Flat, Task::Compact];

    /// What it is called in summaries.
    pub(crate) fn title(self) -> String {
        let what = if self.is_domains() { "Base and input" } else { "Grounding" };
        format!("{what}, {}", self.name())
    }

    /// Whether base and input are computed and nothing else.
    pub fn is_domains(self) -> bool {
        matches!(self, Task::OneStep | Task::Iterative)
    }
}

/// What a worker has to do with one game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// What is measured, in the order of the first run; each further run turns the order round.
    pub tasks: Vec<Task>,
    /// How often each task is measured.
    pub runs: usize,
    /// How often each task is done before it is measured.
    pub warm_up: usize,
    /// How many threads ground a game.
    pub threads: usize,
    /// Whether groundings compute base and input iteratively.
    pub iterative: bool,
    /// Milliseconds for each measurement.
    pub time_limit: u64,
    /// Bytes of the process.
    pub memory_limit: Option<u64>,
    /// Whether the components of the propositional networks are counted in the end.
    pub components: bool,
    /// For tests: the worker dies at the beginning of this task.
    pub crash_at: Option<Task>,
    /// For tests: the worker heeds no limit at this task, and never ends.
    pub hang_at: Option<Task>,
}

impl Job {
    /// The beginning of the worker's command line; the path of the game follows.
    pub fn command_line(&self) -> [String; 3] {
        let job = serde_json::to_string(self).expect("numbers and names can always be written");
        ["bench-worker".to_owned(), "--".to_owned(), job]
    }
}

/// What a worker reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// A task begins.
    Began(Task),
    /// The game was parsed.
    Parsed(Description),
    /// A task was done once.
    Ran(Task, Run),
    /// SHA-256 of base and input as sorted text.
    Digest(Task, String),
    /// A task could not be done; there are no further runs of it.
    Failed(Task, Status, String),
    /// What the process has taken so far: seconds of processor time, bytes at the peak.
    Usage(Option<f64>, Option<u64>),
    /// The number of components of the network of a form.
    Components(Task, u64),
}

/// One run of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Wall time, in seconds.
    pub seconds: f64,
    /// Name and seconds of each stage of a grounding, in order.
    pub stages: Vec<(String, f64)>,
    /// What was counted.
    pub counts: Counts,
}

impl Message {
    /// A line of JSON, with its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings can always be written") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_pipe() {
        let failed = Message::Failed(Task::Flat, Status::Limit, "too\nlong".into());
        for message in [failed, Message::Usage(None, Some(3)), Message::Began(Task::OneStep)] {
            let line = message.line();
            assert_eq!(line.matches('\n').count(), 1, "{line}");
            let read: Message = serde_json::from_str(&line).expect("a message");
            assert_eq!(read, message);
        }
    }
}
