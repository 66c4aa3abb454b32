//! The thresholds of the grounder: numbers that decide which of two ways is taken. The engine has a list of its own, the
//! reasoner a third; `docs/performance-log.md` says what was measured.
//!
//! No threshold are limits of what a description may have (they end in an error), what protects the stack, ticks between two
//! looks at the limits, widths of texts, and first capacities of memory.
//!
//! Each says its unit, what kind it is and a game that it matters for. A *bound on work* keeps the time of a pass in proportion to
//! the rest of grounding: no public game is at the bound, and with nothing allowed the game that is named loses. A *break-even
//! point* was found by trial on the public games: with 0 or without an end the game that is named is larger or slower. A *size*
//! is the expected number of ground rules, each counted with its literals and two more.

// Of several passes.

/// Literals that a body may have that is compared with others, literal by literal, or taken apart. Bound on work:
/// mineClearingSmall.
pub(crate) const LONGEST_BODY: usize = 64;

/// How deep views are unfolded into conditions on moves and states, and claims rest on each other. Bound on work, as unfolding
/// multiplies: sheepAndWolf.
pub(crate) const MOST_DEPTH: u32 = 3;

/// Rules that may take the place of one, views that are unfolded together, and rules of a view that take its place one after the
/// other. Bound on work, as they multiply: pacman2p, mineClearingSmall.
pub(crate) const MOST_ALTERNATIVES: usize = 64;

/// Cases, pairs of rules, of literals or facts that are gone through to show one thing. Bound on work: mineClearingSmall.
pub(crate) const MOST_COMPARED: u32 = 20_000;

/// Rows, pairs of values, elements or moves that are looked at one by one; with more the engine, which looks at the limits, finds
/// rows that fail a condition. Bound on work: chineseCheckers4.
pub(crate) const MOST_LOOKED_AT: usize = 1_000_000;

/// Turns in which something is done again as it may find more: mostly the second finds nothing. Bound on work: quartoSuicide.
pub(crate) const MOST_TURNS: usize = 4;

/// One rule of so many must be concerned, or a pass over ground rules, or another turn of it, is not worth its time.
/// Break-even: queens.
pub(crate) const PROMISING: usize = 20;

/// Part of the size of rules that may be left by what takes their place: it takes more steps to derive, and sizes are
/// estimates. Break-even: guess; sudoku takes 1.6 times its time with 0.95.
pub(crate) const GAIN: f64 = 0.8;

/// Part of the size of rules that may be left when one part of a rule is split off, or rules that differ in a move are merged: such
/// steps are many, and small ones lead to large ones. Break-even: god, peg.
pub(crate) const STEP_GAIN: f64 = 0.95;

/// Rules that a statement with `or` may stand for; if it is more, parts of it get names. Break-even: connect5 has 5 times its
/// rules with none.
pub(crate) const MOST_RULES_OF_STATEMENT: usize = 64;

// Rules whose tables are complete.

/// Expected instances of a rule from which on parts are split off it: fewer are stored faster than looked at. Break-even: guess.
pub(crate) const SMALL: f64 = 12.0;

/// Size of a rule from which on something is proposed for it. Break-even: without it blobwars takes 1.1 times its time.
pub(crate) const WORTH_A_PROPOSAL: f64 = 500.0;

/// Elements that the key of a nested set must have on average: with fewer there is nothing to pass on. Break-even:
/// gt_two_thirds_4p takes 2.5 times its time without it.
pub(crate) const LEAST_ELEMENTS: f64 = 3.0;

/// Size of a split rule from which on it is a guess: the rule is split in the order of least fill. Break-even: kalaha_2009, chess.
pub(crate) const GUESSED: f64 = 200_000.0;

/// How many times larger a rule may seem that is split in the order of least fill, where its size is a guess. Break-even: chess.
pub(crate) const TRUSTED: f64 = 3.0;

// Tables that are, or become, large.

/// Steps that compiling a diagram may take for each expected row of a table: about the time that the row takes. Bound on work:
/// sudoku, quarto.
pub(crate) const STEPS_PER_ROW: f64 = 8.0;

/// Rows from which on the table of a view is large: it pays to find out which of them are needed; and the table of a static
/// predicate that a diagram may take the place of. Break-even: god, merrills; quarto.
pub(crate) const LARGE_VIEW: u64 = 10_000;

/// Rows from which on the table of a static predicate is large. Break-even: mummymaze1p, pawnToQueen.
pub(crate) const LARGE_STATIC: u64 = 300_000;

// Ground rules.

/// Rules up to which all are looked at to see whether factoring pays. Break-even: eotcatcit.
pub(crate) const FEW_RULES: usize = 200;

/// The heads of which one in so many is looked at, a power of two, to see whether factoring or merging moves pays. Break-even:
/// pancakes88, kalaha_2009.
pub(crate) const SAMPLE: u32 = 4;

/// Rules from which on a sample is looked at before moves are merged. Break-even: pancakes88, racer.
pub(crate) const WORTH_A_SAMPLE: usize = 20_000;

/// Rules that one rule is compared with, to see whether they subsume it. Bound on work: nonogram_5x5_1.
pub(crate) const MOST_RULES_COMPARED: u32 = 128;

// State invariants.

/// Kinds of fluents, or rules for one of them, that something is shown of. Bound on work: mummymaze1p.
pub(crate) const MOST_KINDS: usize = 64;
