//! Rows of items, one after the other, in compressed sparse rows.

/// Rows of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<T> {
    /// By row: where it begins; one more entry at the end.
    offsets: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Rows { offsets: vec![0], items: Vec::new() }
    }
}

impl<T> Rows<T> {
    /// Adds a row after the others.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.offsets.push(u32::try_from(self.items.len()).expect("fewer than 2^32 items"));
    }

    /// The items of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.items[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Whether a row has no items.
    #[inline]
    pub fn is_empty_row(&self, row: usize) -> bool {
        self.offsets[row] == self.offsets[row + 1]
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + Clone {
        (0..self.len()).map(|row| self.row(row))
    }

    /// All items, row by row.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T: Copy + Default> Rows<T> {
    /// Rows from pairs of row number and item, which are looked at twice; the items of a row keep their order.
    pub fn from_pairs(rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut counts = Counts::new(rows);
        pairs.clone().for_each(|(row, _)| counts.add(row));
        let mut filling = counts.filling();
        pairs.for_each(|(row, item)| filling.put(row, item));
        filling.finish()
    }
}

/// How many items each row is to have: the first of two times through what there is.
#[derive(Debug)]
pub struct Counts {
    /// By row, after one entry: its count.
    counts: Vec<u32>,
}

impl Counts {
    /// So many rows without items.
    pub fn new(rows: usize) -> Self {
        Counts { counts: vec![0; rows + 1] }
    }

    /// One more item of a row.
    #[inline]
    pub fn add(&mut self, row: u32) {
        self.counts[row as usize + 1] += 1;
    }

    /// Rows that are to be filled with as many items as were counted.
    pub fn filling<T: Copy + Default>(self) -> Filling<T> {
        let mut places = self.counts;
        let mut sum = 0;
        for place in &mut places[1..] {
            sum += std::mem::replace(place, sum);
        }
        Filling { places, items: vec![T::default(); sum as usize] }
    }
}

/// Rows that are being filled: the second time.
#[derive(Debug)]
pub struct Filling<T> {
    /// By row, after one entry: where its next item goes; in the end, where the row behind it begins.
    places: Vec<u32>,
    items: Vec<T>,
}

impl<T> Filling<T> {
    /// The next item of a row.
    #[inline]
    pub fn put(&mut self, row: u32, item: T) {
        let place = &mut self.places[row as usize + 1];
        self.items[*place as usize] = item;
        *place += 1;
    }

    /// The rows, when all items that were counted are there.
    pub fn finish(self) -> Rows<T> {
        Rows { offsets: self.places, items: self.items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_row_keep_their_order() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (0, 'd'), (2, 'e')];
        let rows = Rows::from_pairs(4, pairs.into_iter());
        let expected: [&[char]; 4] = [&['b', 'd'], &[], &['a', 'c', 'e'], &[]];
        assert_eq!(rows.iter().collect::<Vec<_>>(), expected);
        assert!(rows.is_empty_row(1) && !rows.is_empty_row(2));
        let mut pushed = Rows::default();
        expected.iter().for_each(|row| pushed.push(row.iter().copied()));
        assert_eq!(pushed, rows);
    }

    #[test]
    fn there_may_be_no_rows() {
        let none = Rows::from_pairs(0, std::iter::empty::<(u32, u32)>());
        assert!(none.is_empty() && none == Rows::default());
    }
}
