//! Constants of a table that follow each other, in four bytes each or, where the table is large and they are small,
//! in one.
//!
//! [`Chunk`] is some rows at a time, [`Key`] a tuple where a join has it.

use std::fmt;
use std::fmt::{Debug, Formatter};
use std::ops::Index;

use smallvec::SmallVec;

use crate::program::Constant;

/// How a table stores a constant.
pub(crate) trait Cell: Copy {
    /// The constant.
    fn constant(self) -> Constant;
}

impl Cell for Constant {
    #[inline(always)]
    fn constant(self) -> Constant {
        self
    }
}

impl Cell for u8 {
    #[inline(always)]
    fn constant(self) -> Constant {
        self.into()
    }
}

/// Constants of a table that follow each other, as those of a row.
///
/// A large table of small constants has one byte for each, so that there is not always a slice of [`Constant`]s to
/// look at.
#[derive(Clone, Copy)]
pub enum Constants<'table> {
    /// Any constants.
    Wide(&'table [Constant]),
    /// Constants below 256.
    Narrow(&'table [u8]),
}

/// Does the same with constants of either width, as slices.
macro_rules! with_cells {
    ($constants:expr, $cells:ident => $run:expr) => {
        match $constants {
            $crate::table::Constants::Wide($cells) => $run,
            $crate::table::Constants::Narrow($cells) => $run,
        }
    };
}
pub(crate) use with_cells;

/// What a narrow constant is, to be referred to.
static NARROW: [Constant; 256] = {
    let mut all = [0; 256];
    let mut constant = 0;
    while constant < all.len() {
        all[constant] = constant as Constant;
        constant += 1;
    }
    all
};

impl<'table> Constants<'table> {
    /// How many there are.
    pub fn len(self) -> usize {
        with_cells!(self, cells => cells.len())
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of them, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Constant> + 'table {
        (0..self.len()).map(move |position| self[position])
    }

    /// All of them, in order.
    pub fn to_vec(self) -> Vec<Constant> {
        self.iter().collect()
    }

    /// Calls a function with all of them.
    pub(crate) fn with_slice<T>(self, run: impl FnOnce(&[Constant]) -> T) -> T {
        match self {
            Constants::Wide(cells) => run(cells),
            Constants::Narrow(_) => run(&self.iter().collect::<SmallVec<[Constant; 16]>>()),
        }
    }

    /// Copies those of some columns, where they are a tuple.
    #[inline]
    pub(crate) fn project(self, columns: &[usize], key: &mut [Constant]) {
        with_cells!(self, cells => {
            for (slot, &column) in key.iter_mut().zip(columns) {
                *slot = cells[column].constant();
            }
        });
    }

    /// The first ones and the others.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn split_at(self, middle: usize) -> (Self, Self) {
        match self {
            Constants::Wide(cells) => {
                let (first, rest) = cells.split_at(middle);
                (Constants::Wide(first), Constants::Wide(rest))
            }
            Constants::Narrow(cells) => {
                let (first, rest) = cells.split_at(middle);
                (Constants::Narrow(first), Constants::Narrow(rest))
            }
        }
    }

    /// So many at a time.
    pub(super) fn chunks(self, size: usize) -> impl Iterator<Item = Self> + 'table {
        (0..self.len().div_ceil(size)).map(move |chunk| {
            let start = chunk * size;
            let end = self.len().min(start + size);
            match self {
                Constants::Wide(cells) => Constants::Wide(&cells[start..end]),
                Constants::Narrow(cells) => Constants::Narrow(&cells[start..end]),
            }
        })
    }
}

impl Index<usize> for Constants<'_> {
    type Output = Constant;

    #[inline]
    fn index(&self, position: usize) -> &Constant {
        match self {
            Constants::Wide(cells) => &cells[position],
            Constants::Narrow(cells) => &NARROW[usize::from(cells[position])],
        }
    }
}

impl<'table> From<&'table [Constant]> for Constants<'table> {
    fn from(constants: &'table [Constant]) -> Self {
        Constants::Wide(constants)
    }
}

impl PartialEq for Constants<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Constants<'_> {}

impl PartialEq<[Constant]> for Constants<'_> {
    fn eq(&self, other: &[Constant]) -> bool {
        *self == Constants::Wide(other)
    }
}

impl<const N: usize> PartialEq<[Constant; N]> for Constants<'_> {
    fn eq(&self, other: &[Constant; N]) -> bool {
        *self == other[..]
    }
}

impl Debug for Constants<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// All constants of a table, row after row.
#[derive(Debug, Clone)]
pub(super) enum Values {
    Wide(Vec<Constant>),
    Narrow(Vec<u8>),
}

impl Values {
    pub(super) fn all(&self) -> Constants<'_> {
        match self {
            Values::Wide(cells) => Constants::Wide(cells),
            Values::Narrow(cells) => Constants::Narrow(cells),
        }
    }

    /// So many of them.
    pub(super) fn first(&self, count: usize) -> Constants<'_> {
        self.all().split_at(count).0
    }

    #[inline]
    pub(super) fn row(&self, row: usize, arity: usize) -> Constants<'_> {
        let start = row * arity;
        match self {
            Values::Wide(cells) => Constants::Wide(&cells[start..start + arity]),
            Values::Narrow(cells) => Constants::Narrow(&cells[start..start + arity]),
        }
    }

    #[inline]
    pub(super) fn extend(&mut self, constants: impl Iterator<Item = Constant> + Clone) {
        match self {
            Values::Wide(cells) => cells.extend(constants),
            Values::Narrow(cells) => {
                let (mut any, before) = (0, cells.len());
                cells.extend(constants.clone().map(|constant| {
                    any |= constant;
                    constant as u8
                }));
                if any > Constant::from(u8::MAX) {
                    cells.truncate(before);
                    self.widen().extend(constants);
                }
            }
        }
    }

    /// Stores constants of any size.
    #[cold]
    fn widen(&mut self) -> &mut Vec<Constant> {
        if let Values::Narrow(cells) = self {
            *self = Values::Wide(cells.iter().map(|&it| Constant::from(it)).collect());
        }
        match self {
            Values::Wide(cells) => cells,
            Values::Narrow(_) => unreachable!("it has just been made wide"),
        }
    }

    /// Stores small constants in a byte each, if all are small.
    pub(super) fn narrow(&mut self) {
        let narrow = |&constant: &Constant| u8::try_from(constant).ok();
        if let Values::Wide(cells) = self
            && cells.iter().fold(0, |any, constant| any | constant) <= Constant::from(u8::MAX)
        {
            *self = Values::Narrow(cells.iter().filter_map(narrow).collect());
        }
    }

    pub(super) fn reserve_exact(&mut self, more: usize) {
        match self {
            Values::Wide(cells) => cells.reserve_exact(more),
            Values::Narrow(cells) => cells.reserve_exact(more),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Values::Wide(cells) => cells.clear(),
            Values::Narrow(cells) => cells.clear(),
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        with_cells!(self.all(), cells => size_of_val(cells) as u64)
    }
}

/// Some tuples that follow each other in a table.
pub(crate) struct Chunk<'run> {
    pub(super) arity: usize,
    pub(super) values: Constants<'run>,
}

impl Chunk<'_> {
    /// Does something with each constant of a column, and its place in the chunk.
    #[inline]
    pub(crate) fn for_each(&self, column: usize, mut act: impl FnMut(usize, Constant)) {
        with_cells!(self.values, cells => {
            let rows = cells.chunks_exact(self.arity).enumerate();
            rows.for_each(|(position, row)| act(position, row[column].constant()));
        });
    }
}

/// A tuple spread over the registers of a join.
#[derive(Clone, Copy)]
pub(crate) struct Key<'run> {
    pub(crate) registers: &'run [Constant],
    /// By column: its register.
    pub(crate) columns: &'run [u32],
}

impl<'run> Key<'run> {
    #[inline]
    pub(crate) fn constants(self) -> impl ExactSizeIterator<Item = Constant> + Clone + 'run {
        self.columns.iter().map(move |&register| self.registers[register as usize])
    }
}

/// Calls a function with a tuple. Short ones come as arrays: the compiler then unrolls hashing and comparison.
#[inline(always)]
pub(super) fn with_tuple<T>(key: Key<'_>, run: impl Fn(&[Constant]) -> T) -> T {
    let of = |register: u32| key.registers[register as usize];
    match *key.columns {
        [a] => run(&[of(a)]),
        [a, b] => run(&[of(a), of(b)]),
        [a, b, c] => run(&[of(a), of(b), of(c)]),
        [a, b, c, d] => run(&[of(a), of(b), of(c), of(d)]),
        [a, b, c, d, e] => run(&[of(a), of(b), of(c), of(d), of(e)]),
        [a, b, c, d, e, f] => run(&[of(a), of(b), of(c), of(d), of(e), of(f)]),
        [a, b, c, d, e, f, g] => run(&[of(a), of(b), of(c), of(d), of(e), of(f), of(g)]),
        [a, b, c, d, e, f, g, h] => run(&[of(a), of(b), of(c), of(d), of(e), of(f), of(g), of(h)]),
        _ => {
            let mut tuple = [0; 32];
            let Some(tuple) = tuple.get_mut(..key.columns.len()) else {
                return run(&key.constants().collect::<Vec<_>>());
            };
            tuple.iter_mut().zip(key.constants()).for_each(|(it, constant)| *it = constant);
            run(tuple)
        }
    }
}
