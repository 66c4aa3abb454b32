//! A plan: a rule's body as a sequence of nested look-ups.

use smallvec::SmallVec;

use crate::program::{Argument, Constant, PredicateId};

/// How the rows of a step are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// The one row that the caller gives (the new tuple of a semi-naive round).
    Given,
    /// All rows.
    Scan,
    /// The one row whose columns are all known.
    Row,
    /// A group of an index of a complete table.
    Index(u32),
    /// A chain of an index of a growing table.
    Chain(u32),
}

/// Holds a constant while a plan runs. The first registers hold the variables of the rule, those behind
/// them its constants.
pub(crate) type Register = u32;

/// By variable of a rule.
pub(crate) type Flags = SmallVec<[bool; 32]>;

/// A condition that only filters.
#[derive(Debug, Clone)]
pub(crate) enum Check {
    /// The atom is not in its table.
    Absent(PredicateId, Box<[Register]>),
    /// At least one pair differs.
    Distinct(Box<[(Register, Register)]>),
}

/// One positive literal of a plan.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) predicate: PredicateId,
    /// The literal's position in the rule's body.
    pub(crate) literal: usize,
    pub(crate) access: Access,
    /// The known columns, in the order of the index.
    pub(crate) key: Box<[Register]>,
    /// Columns whose constants go to registers.
    pub(crate) bind: Box<[(u32, Register)]>,
    /// Columns that the access does not cover and that must equal something known.
    pub(crate) tests: Box<[(u32, Register)]>,
    /// What can be evaluated from here on.
    pub(crate) checks: Box<[Check]>,
    /// Nothing that this step binds is used later: one row is as good as all.
    pub(crate) once: bool,
    /// The step to go back to when there are no more rows: the nearest one that may have another.
    pub(crate) back: Option<u32>,
}

/// The last steps of a plan where several of them may find several rows: few for each row of the one before, but many all
/// together.
#[derive(Debug, Clone)]
pub(crate) struct Wide {
    /// The first of these steps.
    pub(crate) from: usize,
    /// So many rows of it make a block.
    pub(crate) least: u32,
    /// Those behind it that may find several rows, ascending.
    pub(crate) several: SmallVec<[usize; 4]>,
}

/// A rule's body as a sequence of nested look-ups.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) steps: Box<[Step]>,
    /// Conditions without variables.
    pub(crate) prelude: Box<[Check]>,
    pub(crate) variables: usize,
    /// What the registers behind those of the variables hold.
    pub(crate) constants: Box<[Constant]>,
    /// The registers that make up the head.
    pub(crate) head: Box<[Register]>,
    pub(crate) literals: usize,
    /// The step after which every variable of the head is bound.
    pub(crate) head_bound: usize,
    /// The number of steps that matter for what is emitted.
    pub(crate) significant: usize,
    /// The step to go on with after an emission: the steps behind the significant ones only check whether there
    /// is a match.
    pub(crate) resume: Option<u32>,
    /// From this step on, rows are taken in blocks if there are enough of them.
    pub(crate) block_from: Option<usize>,
    /// Where blocks may begin earlier.
    pub(crate) wide: Option<Wide>,
    /// The estimated number of rows looked at.
    pub(crate) cost: f64,
}

impl Plan {
    /// Sets for each step, and for the end, where to go back to. To be called when steps have changed.
    pub(crate) fn mark_ways_back(&mut self) {
        let mut back = None;
        self.resume = None;
        for (position, step) in self.steps.iter_mut().enumerate() {
            step.back = back;
            // One row found, there is no other.
            if !step.once && step.access != Access::Row {
                back = Some(position as u32);
            }
            if position + 1 == self.significant {
                self.resume = back;
            }
        }
    }

    /// As many registers as it needs, with its constants in theirs.
    pub(crate) fn registers(&self) -> Vec<Constant> {
        let variables = std::iter::repeat_n(0, self.variables);
        variables.chain(self.constants.iter().copied()).collect()
    }

    /// The step that binds the last variable of some arguments.
    pub(crate) fn last_binding(&self, arguments: &[Argument]) -> Option<usize> {
        let binds = |variable: u32| {
            self.steps
                .iter()
                .position(|step| step.bind.iter().any(|&(_, register)| register == variable))
        };
        arguments.iter().filter_map(|it| it.variable()).filter_map(binds).max()
    }

    /// What a register stands for in the rule.
    pub(crate) fn argument(&self, register: Register) -> Argument {
        match (register as usize).checked_sub(self.variables) {
            Some(constant) => Argument::Constant(self.constants[constant]),
            None => Argument::Variable(register),
        }
    }
}
