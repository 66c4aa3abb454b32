//! How the program ends; `docs/exit-codes.md` is the page about it.

use serde::Serialize;

/// The exit codes. They are part of the interface: a number never changes its meaning. Statistics have them by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Exit {
    /// Everything was done.
    #[serde(rename = "ok")]
    Success = 0,
    /// The description is at fault.
    Description = 1,
    /// The command line is at fault; the parser of the command line uses this number too.
    Usage = 2,
    /// A limit was exceeded.
    Limit = 3,
    /// Something could not be read or written.
    Io = 4,
    /// Terms grow without bound.
    Unbounded = 5,
    /// Two evaluators disagree.
    Disagreement = 6,
    /// Ground rules and reference differ in a state.
    Difference = 7,
    /// Nothing worse than what `--fail-on` names was found, but that was.
    Findings = 8,
    /// Newer results of `bench` are worse than `--fail-above` allows.
    Slower = 9,
    /// A worker of `bench` died. A panic has this number as well.
    Crash = 101,
    /// Stopped by a signal.
    Interrupted = 130,
}

impl Exit {
    /// The number.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// For the end of `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0    done
  1    the description is at fault: notation, unsafe rules, negative cycles, no roles
  2    the command line is at fault
  3    a limit was exceeded: --time-limit, --max-memory, --max-rules, or the description is too large
  4    something could not be read or written, or a player never made a legal move
  5    terms grow without bound: the description is outside bounded GDL
  6    the evaluators of --engine compare or the methods of bench disagree, an error of this program
  7    verify found a difference, an error of this program or of the traces
  8    check --fail-on: there are warnings or notes, but no errors
  9    compare --fail-above: a game is slower, lost, or has other results for the same rules
  101  a panic, or a worker of bench died: an error of this program
  130  interrupted";
