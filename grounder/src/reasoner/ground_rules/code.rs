//! Signed nodes.

/// A node with a sign, in one `u32`: twice the node's number, plus one if negated. Two codes are constants.
pub(crate) type Code = u32;

/// Always holds.
pub(crate) const TRUE: Code = u32::MAX - 1;

/// Never holds: the negation of [`TRUE`].
pub(crate) const FALSE: Code = u32::MAX;

/// Whether the signed node holds; it must not be a constant.
#[inline]
pub(crate) fn holds(code: Code, values: &[u8]) -> bool {
    values[(code >> 1) as usize] != (code & 1) as u8
}

/// Whether the signed node or constant holds.
#[inline]
pub(crate) fn holds_or_constant(code: Code, values: &[u8]) -> bool {
    if code >= TRUE { code == TRUE } else { holds(code, values) }
}

/// Rows of values, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows<T> {
    offsets: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Rows<T> {
    /// Rows from pairs of row number and item; the items of a row keep their order.
    pub(crate) fn from_pairs(rows: usize, pairs: &[(u32, T)]) -> Self {
        let mut offsets = vec![0u32; rows + 1];
        for &(row, _) in pairs {
            offsets[row as usize + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let mut fill = offsets.clone();
        let mut items = vec![T::default(); pairs.len()];
        for &(row, item) in pairs {
            items[fill[row as usize] as usize] = item;
            fill[row as usize] += 1;
        }
        Rows { offsets, items }
    }

    /// Adds a row after the others.
    pub(crate) fn push(&mut self, items: impl IntoIterator<Item = T>) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.items.extend(items);
        self.offsets.push(u32::try_from(self.items.len()).expect("fewer than 2^32 items"));
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// All items, row by row, to be changed.
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// All items, row by row.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }
}
