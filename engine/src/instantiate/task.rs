//! Templates ready to run.

use super::contributions::Contributions;
use crate::plan::Plan;

/// A template ready to run.
#[derive(Debug)]
pub(super) struct Compiled {
    /// Its position among the templates.
    pub(super) index: usize,
    pub(super) plan: Plan,
    pub(super) label: u32,
    pub(super) head_space: u32,
    /// Whether instances may be the same as others of the template.
    pub(super) repeats: bool,
    /// Whether a body may have a literal twice.
    pub(super) doubles: bool,
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
