//! Atoms with the same arguments as others: what is true and what is true next, moves that are made and legal ones.

use groundfrog_engine::Table;

/// Atoms that are the rows of a table, of terms of one shape.
#[derive(Clone, Copy)]
pub(super) struct Rows<'game> {
    /// The number of the first.
    pub(super) start: u32,
    pub(super) table: &'game Table,
}

/// Calls `found` with each atom and its counterpart, the one among `others` that has the same arguments. The terms of
/// both have one shape.
#[inline]
pub(super) fn counterparts(of: Rows<'_>, others: Rows<'_>, mut found: impl FnMut(u32, u32)) {
    let atoms = of.start..of.start + of.table.len() as u32;
    if std::ptr::eq(of.table, others.table) {
        atoms.zip(others.start..).for_each(|(atom, other)| found(atom, other));
        return;
    }
    for (atom, tuple) in atoms.zip(of.table.rows()) {
        if let Some(row) = others.table.find_row(tuple) {
            found(atom, others.start + row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(of: Rows<'_>, others: Rows<'_>) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        counterparts(of, others, |atom, other| pairs.push((atom, other)));
        pairs
    }

    #[test]
    fn counterparts_are_the_same_rows_wherever_they_are() {
        let [mut one, mut other] = [(); 2].map(|()| Table::new(1));
        [3, 5, 7].iter().for_each(|&it| _ = one.insert(&[it]));
        [7, 8, 3].iter().for_each(|&it| _ = other.insert(&[it]));
        let of = Rows { start: 10, table: &one };
        assert_eq!(pairs(of, Rows { start: 20, ..of }), [(10, 20), (11, 21), (12, 22)]);
        assert_eq!(pairs(of, Rows { start: 20, table: &other }), [(10, 22), (12, 20)]);
    }
}
