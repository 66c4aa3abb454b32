//! The numbers of atoms that are in no table, by the rows that their variables come from.

use fxhash::FxHashMap;
use smallvec::SmallVec;

use crate::execute::block::{Block, Bound};
use crate::instantiate::contributions::Find;
use crate::program::{Argument, Constant, PredicateId};
use crate::rule_store::GroundLiteral;
use crate::table::Table;

/// Stands in a slot for a negated atom that is in no table: it gets its number only if the join succeeds.
pub(super) const UNNUMBERED: GroundLiteral = GroundLiteral::LAST;

/// The numbers of atoms, by the rows of some tables.
#[derive(Default)]
pub(super) struct Grids {
    all: Vec<Grid>,
    with_layout: FxHashMap<Layout, usize>,
    /// Of all grids.
    places: usize,
}

/// Where the atoms of a grid get their arguments from.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Layout {
    pub(super) space: u32,
    pub(super) tables: SmallVec<[PredicateId; 4]>,
    /// By argument: the position of the table and the column; nothing for what is known when a block begins.
    pub(super) origins: SmallVec<[Option<(usize, usize)>; 8]>,
}

/// Literals of one layout.
struct Grid {
    /// What is known when a block begins. Each has a place for every choice of rows.
    groups: Table,
    size: usize,
    /// By group and choice of rows.
    literals: Vec<GroundLiteral>,
}

impl Grids {
    /// The number of the grid with this layout, whose groups have so many places.
    pub(super) fn number(&mut self, layout: Layout, size: usize) -> usize {
        let known = layout.origins.iter().filter(|it| it.is_none()).count();
        *self.with_layout.entry(layout).or_insert_with(|| {
            self.all.push(Grid { groups: Table::new(known), size, literals: Vec::new() });
            self.all.len() - 1
        })
    }

    /// Where a group of a grid begins. It is made unless there would be more than `most` places in all.
    pub(super) fn group(&mut self, grid: usize, known: &[Constant], most: usize) -> Option<usize> {
        let Grid { groups, size, literals } = &mut self.all[grid];
        if self.places + *size > most {
            return groups.find(known).map(|group| group as usize * *size);
        }
        let (group, is_new) = groups.insert(known);
        if is_new {
            self.places += *size;
            literals.resize(literals.len() + *size, UNNUMBERED);
        }
        Some(group as usize * *size)
    }

    /// How many places each group of a grid has.
    pub(super) fn size(&self, grid: usize) -> usize {
        self.all[grid].size
    }

    /// The literals of a grid, by group and choice of rows.
    pub(super) fn literals(&self, grid: usize) -> &[GroundLiteral] {
        &self.all[grid].literals
    }

    /// The literal at a place of a grid.
    pub(super) fn literal(&mut self, (grid, place): (usize, usize)) -> &mut GroundLiteral {
        &mut self.all[grid].literals[place]
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let groups: u64 = self.all.iter().map(|it| it.groups.bytes()).sum();
        groups + (self.places * size_of::<GroundLiteral>()) as u64
    }
}

/// How blocks that begin with the same step get numbers for their atoms.
pub(super) struct Numbering<'run> {
    /// The first step of the blocks.
    pub(super) first: usize,
    /// As [`Contributions::negated`](crate::instantiate::contributions::Contributions::negated).
    pub(super) atoms: SmallVec<[GridAtom<'run>; 4]>,
    /// The steps of blocks that bind variables of any of the atoms.
    pub(super) steps: SmallVec<[usize; 4]>,
}

/// How an atom gets its number.
pub(super) struct GridAtom<'run> {
    pub(super) slot: usize,
    pub(super) find: &'run Find,
    /// The column of blocks that has its literals, unless they are the same for all answers.
    pub(super) column: Option<usize>,
    pub(super) bound: Bound<'run>,
    /// Where its numbers are, unless they would have too many places.
    pub(super) places: Option<Places>,
}

/// Where the numbers of an atom are.
pub(super) struct Places {
    pub(super) grid: usize,
    /// By step that binds variables of the atom: how far its rows are apart in a group.
    pub(super) strides: SmallVec<[(usize, usize); 4]>,
    /// The arguments that are known when a block begins.
    pub(super) known: SmallVec<[Argument; 8]>,
    /// Where the group begins for the block that is worked on.
    pub(super) group: Option<usize>,
}

impl Places {
    /// The place of an answer in the grid.
    #[inline]
    pub(super) fn of(&self, block: &Block<GroundLiteral>, answer: usize) -> Option<usize> {
        let offset = |&(step, stride): &(usize, usize)| block.rows[step][answer] as usize * stride;
        Some(self.group? + self.strides.iter().map(offset).sum::<usize>())
    }
}
