//! Which tuples a growing table has, as one bit for each that there can be.
//!
//! Where the product of the column domains is not much larger than the table this takes less memory than a
//! hash table, hardly ever misses a cache, and compares no rows. It does not know where a tuple is.

use super::constants::{Cell, Constants, with_cells};
use crate::dense_keys::{ABSENT, Codes, add_parts};
use crate::program::Constant;
use crate::tuning::{BITS_PER_ROW, CODES_PER_ROW};

/// There are fewer codes than this, so that each constant's part of one fits into a word.
const MOST_CODES: u64 = 1 << 31;

/// One column: the constants that occur, numbered in the order of their appearance.
#[derive(Debug, Clone, Default)]
struct Column {
    least: Constant,
    /// By constant, counted from the least: its number, times the column's stride.
    parts: Vec<u32>,
    used: u32,
    /// How many numbers there can be before the codes are made anew.
    capacity: u32,
    stride: u32,
}

impl Column {
    #[inline]
    fn part(&self, value: Constant) -> u32 {
        self.parts.get(value.wrapping_sub(self.least) as usize).copied().unwrap_or(ABSENT)
    }

    /// Makes a place for a constant, unless the constants are spread over more than `range` then.
    fn place(&mut self, value: Constant, range: usize) -> Option<&mut u32> {
        if self.parts.is_empty() {
            self.least = value;
        }
        let end = self.least as usize + self.parts.len();
        if end.max(value as usize + 1) - self.least.min(value) as usize > range {
            return None;
        }
        if value < self.least {
            // At least as many as there are, so that constants which fall do not take ever longer.
            let more = (self.least - value).max(self.parts.len() as u32).min(self.least);
            self.parts.splice(0..0, std::iter::repeat_n(ABSENT, more as usize));
            self.least -= more;
        }
        let place = (value - self.least) as usize;
        if place >= self.parts.len() {
            self.parts.resize(place + 1, ABSENT);
        }
        Some(&mut self.parts[place])
    }

    /// Gives a constant without a number the next one. Returns whether there is a place for it.
    #[must_use]
    fn number(&mut self, value: Constant, range: usize) -> bool {
        let part = self.used * self.stride;
        let place = self.place(value, range);
        let has_place = place.is_some();
        if let Some(place) = place {
            *place = part;
            self.used += 1;
        }
        has_place
    }

    fn set_stride(&mut self, stride: u32) {
        for part in self.parts.iter_mut().filter(|part| **part != ABSENT) {
            *part = *part / self.stride * stride;
        }
        self.stride = stride;
    }
}

/// The tuples of a table, one bit each.
#[derive(Debug, Clone)]
pub(crate) struct DenseSet {
    columns: Box<[Column]>,
    /// Columns in the order of their strides. Codes stay as they are when the last one gets more numbers.
    order: Box<[u32]>,
    bits: Vec<u64>,
    /// The tuples that the joins of a fixpoint see; empty if none of them is looked up.
    shown: Vec<u64>,
}

impl DenseSet {
    /// The set of these rows, unless it would be much larger than the table.
    pub(super) fn new(arity: usize, rows: Constants<'_>) -> Option<Self> {
        let len = rows.len().checked_div(arity)?;
        let mut columns = vec![Column { stride: 1, ..Column::default() }; arity].into_boxed_slice();
        for row in rows.chunks(arity) {
            for (column, value) in columns.iter_mut().zip(row.iter()) {
                if column.part(value) == ABSENT && !column.number(value, most_range(len)) {
                    return None;
                }
            }
        }
        columns.iter_mut().for_each(|column| column.capacity = column.used);
        // The first column is most often that of the outermost loop, the one to get more constants.
        let order = (0..arity as u32).rev().collect();
        let mut set = DenseSet { columns, order, bits: Vec::new(), shown: Vec::new() };
        set.recode(rows, 0, most_bits(len / 2)).then_some(set)
    }

    /// The constants of a column, ascending.
    pub(crate) fn constants(&self, column: usize) -> impl Iterator<Item = Constant> + '_ {
        let Column { least, parts, .. } = &self.columns[column];
        let place = move |(place, &part): (usize, &u32)| {
            (part != ABSENT).then(|| least + place as Constant)
        };
        parts.iter().enumerate().filter_map(place)
    }

    /// The code of a tuple, if it has one.
    #[inline(always)]
    fn code(&self, tuple: impl Iterator<Item = Constant>) -> Option<usize> {
        let parts = self.columns.iter().zip(tuple).map(|(it, value)| u64::from(it.part(value)));
        let code = parts.sum::<u64>();
        (code < u64::from(ABSENT)).then_some(code as usize)
    }

    /// Whether a tuple is in it.
    #[inline(always)]
    pub(super) fn contains(&self, tuple: impl Iterator<Item = Constant>) -> bool {
        self.code(tuple).is_some_and(|code| has(&self.bits, code))
    }

    /// Whether the tuple with a code is in it.
    #[inline]
    pub(crate) fn has_code(&self, code: u64) -> bool {
        has(&self.bits, code as usize)
    }

    /// Whether the tuple with a code has been shown.
    #[inline]
    pub(crate) fn shows_code(&self, code: u64) -> bool {
        has(&self.shown, code as usize)
    }

    /// Whether a tuple has been shown.
    #[inline(always)]
    pub(super) fn shows(&self, tuple: impl Iterator<Item = Constant>) -> bool {
        self.code(tuple).is_some_and(|code| has(&self.shown, code))
    }

    /// Shows tuples of the set.
    pub(super) fn show(&mut self, rows: Constants<'_>) {
        with_cells!(rows, cells => self.show_cells(cells));
    }

    fn show_cells(&mut self, rows: &[impl Cell]) {
        self.shown.resize(self.bits.len(), 0);
        for row in rows.chunks_exact(self.columns.len()) {
            if let Some(code) = self.code(row.iter().map(|&it| it.constant())) {
                self.shown[code / 64] |= 1 << (code % 64);
            }
        }
    }

    /// Adds a tuple. Returns whether it is new; `None` if there is no bit for it yet.
    #[inline(always)]
    pub(super) fn insert(&mut self, tuple: impl Iterator<Item = Constant>) -> Option<bool> {
        let code = self.code(tuple)?;
        let word = &mut self.bits[code / 64];
        let is_new = *word >> (code % 64) & 1 == 0;
        *word |= 1 << (code % 64);
        Some(is_new)
    }

    /// Makes a bit for a tuple that has none; `rows` are those in the set, the first of them shown. Returns
    /// whether the set is still worth it.
    #[cold]
    pub(super) fn widen(&mut self, tuple: &[Constant], rows: Constants<'_>, shown: usize) -> bool {
        let len = rows.len() / tuple.len() + 1;
        for (index, &value) in tuple.iter().enumerate() {
            let column = &mut self.columns[index];
            if column.part(value) != ABSENT {
                continue;
            }
            if column.used == column.capacity {
                column.capacity *= 2;
                let place = self.order.iter().position(|&it| it as usize == index);
                let place = place.expect("every column has a place");
                let was_last = place + 1 == self.order.len();
                self.order[place..].rotate_left(1);
                let most = most_bits(len);
                let fits =
                    if was_last { self.reserve(most) } else { self.recode(rows, shown, most) };
                if !fits {
                    return false;
                }
            }
            if !self.columns[index].number(value, most_range(len)) {
                return false;
            }
        }
        true
    }

    /// Gives the columns their strides anew and sets the bits of these rows, if there are not too many codes.
    fn recode(&mut self, rows: Constants<'_>, shown: usize, most: usize) -> bool {
        self.bits.clear();
        let mut stride = 1;
        for &index in &self.order {
            let column = &mut self.columns[index as usize];
            let size = u64::from(stride) * u64::from(column.capacity);
            if size > most as u64 || size >= MOST_CODES {
                return false;
            }
            column.set_stride(stride);
            stride = size as u32;
        }
        self.bits.resize((stride as usize).div_ceil(64), 0);
        with_cells!(rows, cells => {
            for row in cells.chunks_exact(self.columns.len()) {
                self.insert(row.iter().map(|&it| it.constant()));
            }
        });
        if shown > 0 {
            self.shown.clear();
            self.show(rows.split_at(shown * self.columns.len()).0);
        }
        true
    }

    /// Makes as many bits as there are codes after the last column has got more numbers, if these are not too
    /// many.
    fn reserve(&mut self, most: usize) -> bool {
        let last = self.order.last().map(|&it| &self.columns[it as usize]);
        let size = last.map_or(1, |it| u64::from(it.stride) * u64::from(it.capacity));
        let fits = size <= most as u64 && size < MOST_CODES;
        if fits {
            self.bits.resize((size as usize).div_ceil(64), 0);
            if !self.shown.is_empty() {
                self.shown.resize(self.bits.len(), 0);
            }
        }
        fits
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let parts = self.columns.iter().map(|column| (column.parts.len() * 4) as u64).sum::<u64>();
        parts + ((self.bits.len() + self.shown.len()) * 8) as u64
    }
}

impl Codes for DenseSet {
    #[inline]
    fn part(&self, column: usize, constant: Constant) -> Option<u64> {
        Some(self.columns[column].part(constant)).filter(|&it| it != ABSENT).map(u64::from)
    }

    #[inline]
    fn add_parts(&self, column: usize, values: impl Iterator<Item = Constant>, codes: &mut [u64]) {
        let Column { least, parts, .. } = &self.columns[column];
        add_parts(*least, parts, values, codes);
    }
}

/// Whether the bit of a code is set.
#[inline]
fn has(bits: &[u64], code: usize) -> bool {
    bits.get(code / 64).is_some_and(|word| word >> (code % 64) & 1 != 0)
}

/// How many bits the set of so many tuples may have.
fn most_bits(rows: usize) -> usize {
    rows * BITS_PER_ROW
}

/// Over how many constants those of a column may be spread.
fn most_range(rows: usize) -> usize {
    rows * CODES_PER_ROW
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Adds tuples to a set and to one of the library; returns whether it was dense to the end.
    fn agrees(tuples: impl Iterator<Item = Vec<Constant>>) -> bool {
        let (mut rows, mut seen, mut set) = (Vec::new(), HashSet::new(), None::<DenseSet>);
        for (count, tuple) in tuples.enumerate() {
            if count == 200 {
                set = DenseSet::new(tuple.len(), rows[..].into());
                assert!(set.as_ref().is_none_or(|it| it.bytes() > 0));
            }
            let is_new = seen.insert(tuple.clone());
            if let Some(set) = &mut set {
                let constants = || tuple.iter().copied();
                assert_eq!(set.contains(constants()), !is_new, "{tuple:?}");
                let mut inserted = set.insert(constants());
                if inserted.is_none() {
                    let shown = rows.len() / tuple.len() / 2;
                    set.show(rows[..shown * tuple.len()].into());
                    if !set.widen(&tuple, rows[..].into(), shown) {
                        return false;
                    }
                    inserted = set.insert(constants());
                    let shows = |row: &[Constant]| set.shows(row.iter().copied());
                    let mut all = rows.chunks_exact(tuple.len()).enumerate();
                    assert!(all.all(|(row, it)| shows(it) == (row < shown)), "{tuple:?}");
                }
                assert_eq!(inserted, Some(is_new), "{tuple:?}");
            }
            if is_new {
                rows.extend_from_slice(&tuple);
            }
        }
        set.is_some()
    }

    #[test]
    fn constants_may_come_in_any_order() {
        let product = |bound: u32| {
            (0..bound * bound * bound)
                .map(move |it| [it % bound, it / bound % bound, it / bound / bound])
        };
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            assert!(agrees(product(14).map(|it| order.map(|column| it[column] * 3 + 7).to_vec())));
            assert!(agrees(product(14).map(|it| order.map(|column| 900 - it[column]).to_vec())));
        }
        // Each twice, and both columns get more constants all the time.
        assert!(agrees((0..6000).map(|it: u32| vec![it / 2 % 31, it / 2 % 29, 5])));
    }

    #[test]
    fn sparse_tuples_are_left_to_hashing() {
        assert!(!agrees((0..5000).map(|it| vec![it, it, it])));
        assert!(!agrees((0..5000).map(|it| vec![it % 20, (it % 7) * 600_000_000])));
        assert!(!agrees(
            (0..900).map(|it| vec![it / 30, it % 30 + if it > 700 { u32::MAX - 90 } else { 0 }])
        ));
    }
}
