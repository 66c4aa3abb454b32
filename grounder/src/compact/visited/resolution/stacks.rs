//! What resolution keeps while it works.

use crate::compact::visited::terms::{Functor, TermId};

/// The end of a list of groups; no address.
pub(super) const NONE: u32 = u32::MAX;

/// A place for a term.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    /// A variable without a value.
    Open,
    /// A variable that is bound to another cell.
    Same(u32),
    Ground(TermId),
    /// The arguments are in the cells from this one on.
    Function(Functor, u32),
}

/// What is left to do of the body of a clause, and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) clause: usize,
    pub(super) variables: u32,
    /// The literals that are left.
    pub(super) remaining: u128,
    pub(super) next: u32,
}

/// Other clauses to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) predicate: usize,
    pub(super) arguments: u32,
    pub(super) next: u32,
    /// The next clause.
    pub(super) clause: usize,
    pub(super) marks: Marks,
}

/// A question about a ground atom, within another.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) key: Box<[u32]>,
    /// The answer with which the outer question goes on.
    pub(super) wanted: bool,
    pub(super) next: u32,
    /// How many choices there were before.
    pub(super) choices: usize,
    pub(super) marks: Marks,
}

/// How long the stacks are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    cells: u32,
    trail: u32,
    variables: u32,
    groups: u32,
}

/// The stacks of the question that is being answered.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    pub(super) cells: Vec<Cell>,
    /// Cells that were bound.
    pub(super) trail: Vec<u32>,
    /// The cells of the variables of clauses in use.
    pub(super) variables: Vec<u32>,
    pub(super) groups: Vec<Group>,
}

impl Stacks {
    pub(super) fn marks(&self) -> Marks {
        Marks {
            cells: self.cells.len() as u32,
            trail: self.trail.len() as u32,
            variables: self.variables.len() as u32,
            groups: self.groups.len() as u32,
        }
    }

    pub(super) fn undo(&mut self, marks: Marks) {
        for cell in self.trail.drain(marks.trail as usize..) {
            self.cells[cell as usize] = Cell::Open;
        }
        self.cells.truncate(marks.cells as usize);
        self.variables.truncate(marks.variables as usize);
        self.groups.truncate(marks.groups as usize);
    }

    pub(super) fn cell(&mut self, cell: Cell) -> u32 {
        self.cells.push(cell);
        self.cells.len() as u32 - 1
    }

    pub(super) fn push(&mut self, group: Group) -> u32 {
        self.groups.push(group);
        self.groups.len() as u32 - 1
    }

    /// Variables without cells.
    pub(super) fn frame(&mut self, variables: u32) -> u32 {
        let start = self.variables.len();
        self.variables.resize(start + variables as usize, NONE);
        start as u32
    }

    /// Gives cells to so many variables from one on, where they have none.
    pub(super) fn complete_frame(&mut self, first: u32, count: u32) {
        for variable in first..first + count {
            if self.variables[variable as usize] == NONE {
                self.variables[variable as usize] = self.cell(Cell::Open);
            }
        }
    }
}
