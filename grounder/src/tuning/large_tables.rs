//! Tables that become too large.

/// Of `compact/large_tables/demand`.
pub(crate) mod demand {
    /// Rules up to which it is looked whether one is there already; with more that takes longer than what it saves.
    pub(crate) const MOST_COMPARED: usize = 4096;
}

/// Of `compact/large_tables/demand/constants`.
pub(crate) mod constants {
    /// Constants that an argument may be used with; with more it is taken for one that is used with any.
    pub(crate) const MOST: usize = 4;
    /// How many times as many constants facts must have as are demanded, if those are several.
    pub(crate) const WORTH_IT: usize = 2;
    /// Literals from which on a rule is worth specialising to several constants: otherwise more rules cost more than they save.
    pub(crate) const WIDE: usize = 8;
}

/// Of `compact/large_tables/demand/ranges`.
pub(crate) mod ranges {
    /// Expected rows from which on a table is large.
    pub(crate) const MANY: f64 = 10_000.0;
    /// A large table is worth restricting if at most this part of the combinations of its values is demanded.
    pub(crate) const SMALL: f64 = 0.5;
    /// Words of 64 bits that all ranges may take.
    pub(crate) const MOST_WORDS: usize = 1 << 22;
}

/// Of `compact/large_tables/diagrams/candidates`.
pub(crate) mod candidates {
    /// How many times as many rows a predicate may have that compares two things: what the values of one leave open of
    /// the other is seldom less than all of them.
    pub(crate) const PAIRS: u64 = 100;
    /// How often the bounds are made tighter.
    pub(crate) const TURNS: usize = 3;
}

/// Of `compact/large_tables/diagrams/chain`.
pub(crate) mod chain {
    /// Steps from state to state that a diagram may have.
    pub(crate) const MOST_STEPS: usize = 200_000;
}

/// Of `compact/large_tables/diagrams/compiler`.
pub(crate) mod compiler {
    /// Steps that compiling may take for each expected row of a table: about the time that the row takes.
    pub(crate) const STEPS_PER_ROW: f64 = 8.0;
    /// How many times the rows of the chains the tables must be expected to have.
    pub(crate) const LEAST_GAIN: f64 = 4.0;
}

/// Of `compact/large_tables/diagrams/diagram`.
pub(crate) mod diagram {
    /// Levels of a diagram: functions call themselves once a level.
    pub(crate) const MAX_LEVELS: usize = 512;
    /// Children that one operation may look at.
    pub(crate) const STEPS: u64 = 1 << 22;
    /// Children that all operations together may look at.
    pub(crate) const ALL_STEPS: u64 = 1 << 24;
}

/// Of `compact/large_tables/diagrams/scope`.
pub(crate) mod scope {
    /// Rows from which on a predicate is unfolded rather than given a table.
    pub(crate) const SMALL: u64 = 10_000;
    /// Rows that such a table may turn out to have.
    pub(crate) const LARGEST_TABLE: u64 = 100_000;
}

/// Of `compact/large_tables/diagrams/sizes`.
pub(crate) mod sizes {
    /// How many times larger a literal must be whose variables others bind together: it is only a filter.
    pub(crate) const FILTER: u64 = 100;
}

/// Of `compact/large_tables/diagrams/unfolding`.
pub(crate) mod diagrams_unfolding {
    /// How deep definitions are unfolded into each other.
    pub(crate) const MAX_DEPTH: usize = 64;
}

/// Of `compact/large_tables/products`.
pub(crate) mod products {
    /// Columns from which on a predicate is worth replacing.
    pub(crate) const LEAST_COLUMNS: usize = 4;
    /// How many times fewer rows than a product its tables must have together.
    pub(crate) const LARGEST_PART: usize = 8;
}

/// Of `compact/large_tables/unfolding`.
pub(crate) mod unfolding {
    /// Rules that a view may have that is unfolded.
    pub(crate) const MOST_RULES: usize = 8;
    /// Rules that may take the place of those that use an unfolded view.
    pub(crate) const MOST_UNFOLDED: usize = 64;
    /// Variables that a rule may have that is unfolded.
    pub(crate) const MOST_VARIABLES: usize = 256;
    /// Views that are unfolded together.
    pub(crate) const MOST_VIEWS: usize = 4;
}

/// Of `ground/on_demand/choice`.
pub(crate) mod choice {
    /// Rows from which on the table of a view is large: it pays to find out which of them are needed.
    pub(crate) const LARGE: u64 = 10_000;
    /// Constants from which on the table of a view with many columns is large.
    pub(crate) const LARGE_CONSTANTS: u64 = 60_000;
    /// Rows of a static predicate from which on it is looked at what its arguments are used with.
    pub(crate) const MAYBE_LARGE_STATIC: u64 = 30_000;
    /// Rows up to which a view is computed whole of which much is demanded.
    pub(crate) const LARGE_WHOLE: u64 = 300_000;
    /// Rows up to which a static predicate, which is not stored, is computed whole of which much is demanded.
    pub(crate) const LARGE_WHOLE_STATIC: u64 = 2_000_000;
    /// Rows that may be demanded of other predicates while some predicate is computed whole.
    pub(crate) const LARGE_DEMAND: u64 = 1_000_000;
    /// Rows that predicates on demand may have while some predicate is computed whole.
    pub(crate) const LARGE_ANSWER: u64 = 4_000_000;
    /// When so much is demanded of a view that was too large to be computed whole, it may be so after all, with no more
    /// rows than the second says; if it has more, once more when much more is demanded.
    pub(crate) const ATTEMPTS: [(u64, u64); 2] = [(400_000, 2_400_000), (4_000_000, 24_000_000)];
}

/// Of `ground/tables`.
pub(crate) mod tables {
    /// Rows of a static predicate from which on it is worth finding out which of them are needed.
    pub(crate) const LARGE_STATIC: u64 = 300_000;
}
