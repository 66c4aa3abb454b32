//! The thresholds of the engine: numbers that decide which of two ways is taken.
//!
//! No threshold are limits of the budget, sizes that follow from a representation, checks of the budget between so many rows, and
//! first capacities of memory.
//!
//! Each says its unit and a game that it matters for: with 0, or without an end, that game takes at least 1.3 times its time, or
//! more where it says so. All were found by trial on the public games.

// Plans.

/// Literals of a body that is long: a plan takes time with their square. A literal of which all is known is then as good as any
/// and is looked up at once, other first literals are not tried, and no split is looked for. Bound on work: no public game has one.
pub(crate) const LONG_BODY: usize = 64;

/// Estimated rows looked at above which every literal is tried as the first: cylinder-checkers, mummymaze1p.
pub(crate) const WORTH_A_SEARCH: f64 = 2_000.0;

/// Rows of a table from which on an index of it has a cost. kalaha_2009 has 1.7 times its rules without, as its rules are counted in
/// another order.
pub(crate) const LARGE_INDEX: f64 = 100_000.0;

/// Rows that could be looked at for each row of an index while it is made: mummymaze1p.
pub(crate) const INDEX_COST: f64 = 2.0;

/// Rows that a growing table is taken to have at least: it is not empty for long.
pub(crate) const GROWING_ROWS: f64 = 24.0;

/// How many times larger a growing table must be for a plan that reads it to be made again: kalaha_2009.
pub(crate) const REPLAN_GROWTH: usize = 8;

/// Rows looked at when distinct constants are counted; larger tables are extrapolated: tron_10x10 has 14 times its rules with one.
pub(crate) const SAMPLE: usize = 2048;

// The fixpoint, and rules that are evaluated again and again.

/// Rows that a rule may look at for each row of the table that it adds to; then it is split: gt_two_thirds_4p.
pub(crate) const ROWS_PER_ROW: u64 = 6;

/// Rows that a rule may look at in any case: racer.
pub(crate) const MOST_ROWS: u64 = 1 << 15;

// Tables and indexes.

/// Rows of a table that is always hashed and wide if it has fewer: crissrace. Few are where errors are looked for.
pub(crate) const SMALL_TABLE: usize = if cfg!(debug_assertions) { 4 } else { 256 };

/// How many times larger a table that was not dense must be for it to be tried again: mummymaze1p.
pub(crate) const RETRY_GROWTH: usize = 4;

/// Bits that a set of tuples may have for each tuple, as many as a hash table: crossers3.
pub(crate) const BITS_PER_ROW: usize = 64;

/// Codes that keys, and constants that the numbering of a column, may have for each row: else they are hashed.
pub(crate) const CODES_PER_ROW: usize = 8;

/// The cost of a plan from which on its scans leave out rows without a partner.
pub(crate) const LEAST_REDUCED: f64 = 4096.0;

/// The rows of such a scan, and of the tables that have the partners, as a part of the cost: to look through them takes no time.
pub(crate) const REDUCED_PART: f64 = 1.0 / 32.0;

/// Rows of a table whose codes are in the caches, whatever their order, if it has fewer: crissrace.
pub(crate) const LARGE_KEYS: usize = 8192;

/// Keys for the rows of which a table may be looked through: as long as an index of all rows takes. crissrace.
pub(crate) const MOST_OF_KEY: usize = 8;

// The store pass.

/// Rows that a block should have, and for each of the rows before it if it is not to begin earlier: god, skirmishFinal1.
pub(crate) const ROWS_OF_A_BLOCK: u32 = 16;

/// Answers that a block should have that begins earlier: racer, mummymaze1p.
pub(crate) const ANSWERS_OF_A_BLOCK: usize = if cfg!(debug_assertions) { 2 } else { 64 };

/// Rows of a group of an index that are compared one by one: cylinder-checkers, speedChess.
pub(crate) const MOST_COMPARED: usize = 8;

/// Rows that a plan looks at from which on it is worth a closer look: kalaha_2009, racer.
pub(crate) const WORTH_A_LOOK: f64 = 4096.0;

/// Templates that are compared in pairs; more are taken to have the same rules. Bound on work: ground rules are ground again.
pub(crate) const PAIRWISE: usize = 48;

/// Rows to look at from which on a task is split for several threads. No game needs it on one.
pub(crate) const WORTH_SPLITTING: f64 = 200_000.0;
