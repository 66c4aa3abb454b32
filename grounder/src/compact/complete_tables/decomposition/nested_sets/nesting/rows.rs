//! Reading the rows of a table: which of them count, and the different tuples in their columns.

use groundfrog_engine::{Constants, Table};

use super::Role;

/// What the columns of a table are.
pub(super) struct Columns {
    /// For each part, the first column of the key.
    pub(super) of_key: Vec<usize>,
    /// For each part, the first column of the element.
    pub(super) of_element: Vec<usize>,
    /// Whether there are columns that may have any constant.
    pub(super) has_others: bool,
    /// Columns with the constants that they have in rows that count.
    constants: Vec<(usize, u32)>,
    /// Columns that are equal in these.
    equal: Vec<[usize; 2]>,
}

impl Columns {
    pub(super) fn new(roles: &[Role]) -> Self {
        let first = |role: Role| roles.iter().position(|it| *it == role);
        let of = |role: fn(usize) -> Role| (0..).map_while(|it| first(role(it))).collect();
        let is_other = |it: &Role| matches!(it, Role::Any(_));
        let mut columns = Columns {
            of_key: of(Role::Key),
            of_element: of(Role::Element),
            has_others: roles.iter().any(is_other),
            constants: Vec::new(),
            equal: Vec::new(),
        };
        for (column, role) in roles.iter().enumerate() {
            match *role {
                Role::Constant(it) => columns.constants.push((column, it)),
                role => columns
                    .equal
                    .extend(first(role).filter(|&it| it < column).map(|it| [it, column])),
            }
        }
        columns
    }

    /// Whether a row counts.
    #[inline]
    pub(super) fn admit(&self, row: Constants<'_>) -> bool {
        self.constants.iter().all(|&(column, it)| row[column] == it)
            && self.equal.iter().all(|&[first, other]| row[first] == row[other])
    }
}

/// The different tuples of those that are added, in order.
pub(super) struct Tuples {
    pub(super) table: Table,
    /// Of tuples of one constant, by that: one more than its place.
    places: Vec<u32>,
    tuple: Vec<u32>,
}

impl Tuples {
    pub(super) fn new(arity: usize) -> Self {
        Tuples { table: Table::new(arity), places: Vec::new(), tuple: Vec::new() }
    }

    /// Adds the tuple in these columns of a row unless it is there. Returns its place.
    #[inline]
    pub(super) fn add(&mut self, row: Constants<'_>, columns: &[usize]) -> u32 {
        if let &[column] = columns {
            let constant = row[column];
            match self.places.get(constant as usize) {
                Some(&place) if place != 0 => place - 1,
                _ => self.add_constant(constant),
            }
        } else {
            self.tuple.clear();
            self.tuple.extend(columns.iter().map(|&it| row[it]));
            self.table.insert(&self.tuple).0
        }
    }

    /// Adds the tuple of a constant that is not there.
    fn add_constant(&mut self, constant: u32) -> u32 {
        let place = constant as usize;
        if self.places.len() <= place {
            self.places.resize(place + 1, 0);
        }
        let row = self.table.insert(&[constant]).0;
        self.places[place] = row + 1;
        row
    }
}
