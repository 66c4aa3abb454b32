//! Templates ready to run.

use super::contributions::Contributions;
use super::equalities::When;
use crate::plan::Plan;

/// A template ready to run.
#[derive(Debug)]
pub(super) struct Compiled {
    /// Its position among the templates.
    pub(super) index: usize,
    pub(super) plan: Plan,
    /// By variable: whether the stored rule has it.
    pub(super) needed: Vec<bool>,
    pub(super) label: u32,
    pub(super) head_space: u32,
    /// Which instances may be the same as others of the task: they are looked for, and left out if they are
    /// there.
    pub(super) repeats: When,
    /// Which bodies may have a literal twice.
    pub(super) doubles: When,
    /// Whether no instance becomes the same as another if negated literals are left out.
    pub(super) keeps_apart: bool,
    pub(super) contributions: Contributions,
}

/// Templates that are run one after the other on one thread.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) templates: Vec<Compiled>,
    /// Whether instances may repeat, within a template or between those of the task.
    pub(super) may_repeat: bool,
}
