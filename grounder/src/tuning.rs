//! All thresholds of the passes, each with its unit.
//!
//! Where the numbers come from: a *bound on work* ("the most ...", ticks, steps, literals) keeps the time of a pass in
//! proportion to the rest of grounding. A *break-even point* (sizes,
//! gains, rows) was found by trial on the 204 public games, by the number of rules and the time, see
//! `docs/performance-log.md`. A *size* is the expected number of ground rules, each counted with its literals and two more.

// Of several passes.

/// Literals that a body may have that is compared with others, literal by literal, or taken apart. Bound on work.
pub(crate) const LONGEST_BODY: usize = 64;

/// How deep views are unfolded into conditions on moves and states, and moves taken apart by the rules that make them legal.
/// Bound on work: unfolding multiplies.
pub(crate) const MOST_DEPTH: u32 = 3;

/// Rules that a view may have whose rules take its place, one after the other. Bound on work: they multiply.
pub(crate) const MOST_RULES_OF_VIEW: usize = 8;

/// Cases, pairs of rules that lead to them, literals and facts that are gone through to show one thing. Bound on work.
pub(crate) const MOST_CASES: u32 = 1_000;

/// Turns in which something is done again as it may find more: mostly the second finds nothing. Bound on work.
pub(crate) const MOST_TURNS: usize = 4;

/// One rule of so many must be concerned, or a pass over ground rules is not worth its time. Break-even on the public games.
pub(crate) const PROMISING: usize = 20;

// Rules whose tables are complete.

/// Expected instances of a rule from which on parts are split off it. Origin: fewer are stored faster than looked at.
pub(crate) const SMALL: f64 = 12.0;

/// Size of a rule from which on something is proposed for it. Break-even on the public games.
pub(crate) const WORTH_A_PROPOSAL: f64 = 500.0;

/// Part of the size of rules that may be left by what takes their place: it takes more steps to derive, and sizes are
/// estimates. Break-even on the public games.
pub(crate) const GAIN: f64 = 0.8;

/// Part of the size of a rule that may be left when one part is split off. Such steps are many, and small ones lead to large
/// ones. Break-even on the public games.
pub(crate) const STEP_GAIN: f64 = 0.95;

/// Expected rows from which on a part may be restricted by other literals of its rule. Break-even on the public games: amazons.
pub(crate) const WORTH_A_GUARD: f64 = 5_000.0;

/// Size of a part about a move from which on it may be replaced by its complement. Break-even on the public games:
/// blockerSerial has 2.5 times the rules with 500.
pub(crate) const WORTH_A_COMPLEMENT: f64 = 100.0;

/// Rows, pairs of values, elements or moves that are looked at one by one; with more the engine, which looks at the limits, finds
/// rows that fail a condition. Bound on work.
pub(crate) const MOST_LOOKED_AT: usize = 1_000_000;

/// Rules that may be made where all comparisons of a rule are taken apart together. Bound on work.
pub(crate) const MOST_TOGETHER: usize = 16;

/// How often what is known of an element must be used to get a name: a name is a rule for each element.
pub(crate) const OFTEN: usize = 4;

/// Pairs of literals, or facts, that are compared to show one thing. Bound on work.
pub(crate) const MOST_COMPARED: usize = 20_000;

/// Elements that the key of a nested set must have on average: with fewer there is nothing to pass on.
pub(crate) const LEAST_ELEMENTS: f64 = 3.0;

/// How many times the expected instances an auxiliary predicate may have. Origin: estimates are wrong by less in the public games,
/// or by far more.
pub(crate) const TOLERANCE: f64 = 10.0;

/// Rows of a join after which the rest of a rule's instances is estimated. Bound on work.
pub(crate) const ENOUGH: u64 = 1 << 16;

/// Expected rows from which on a part may be restricted so where large rules are split by least fill. Break-even on the public
/// games: chess.
pub(crate) const WORTH_A_GUARD_BY_FILL: f64 = 500.0;

/// How many times the size of the first way the other one may be expected to have: with more there is nothing to hope for.
pub(crate) const HOPELESS: f64 = 1.5;

/// Counted size of a rule, with all that it uses, from which on it is split in another way as well: to look for one takes
/// longer than what it can save in smaller ones. Break-even on the public games.
pub(crate) const WORTH_A_CHOICE: f64 = 20_000.0;

/// Part of what the first way leaves of a rule that the other one has to save. Break-even on the public games.
pub(crate) const CHOICE_GAIN: f64 = 0.05;

/// Rules, the largest ones, that are split in another way as well. Bound on work.
pub(crate) const MOST_CHOICES: usize = 24;

/// Size that another way may save for each check of the budget that its tables take. Bound on work: about the time that it
/// saves.
pub(crate) const SIZE_A_CHECK: u64 = 1024;

// Tables that are, or become, large.

/// Rules up to which it is looked whether one is there already; with more that takes longer than what it saves.
pub(crate) const MOST_RULES_REPEATED: usize = 4096;

/// Steps from state to state that a diagram may have.
pub(crate) const MOST_CHAIN_STEPS: usize = 200_000;

/// Steps that compiling may take for each expected row of a table: about the time that the row takes.
pub(crate) const STEPS_PER_ROW: f64 = 8.0;

/// How many times the rows of the chains the tables must be expected to have.
pub(crate) const DIAGRAM_GAIN: f64 = 4.0;

/// Levels of a diagram, or of definitions unfolded into each other: functions call themselves once a level. Bound on the stack.
pub(crate) const MOST_LEVELS: usize = 512;

/// Children that all operations on diagrams together may look at. Bound on work.
pub(crate) const MOST_CHILDREN: u64 = 1 << 24;

/// How many times larger a literal must be whose variables others bind together, or that compares two things: it is only a
/// filter, and leaves most of what it compares.
pub(crate) const FILTER: u64 = 100;

/// How many times fewer rows than a product its tables must have together.
pub(crate) const LARGEST_PART: usize = 8;

/// Rules that may take the place of a few. Bound on work.
pub(crate) const MOST_ALTERNATIVES: usize = 64;

/// Views that are looked through, or unfolded together. Bound on work.
pub(crate) const MOST_VIEWS: usize = 8;

/// Rows from which on the table of a view is large: it pays to find out which of them are needed, and to unfold what a diagram
/// is made of. Fewer do no harm, whatever was expected.
pub(crate) const LARGE_VIEW: u64 = 10_000;

/// Rows up to which a static predicate, which is not stored, is computed whole of which much is demanded, and that predicates on
/// demand may have meanwhile.
pub(crate) const LARGE_WHOLE: u64 = 2_000_000;

/// Rows that may be demanded of other predicates while some predicate is computed whole.
pub(crate) const LARGE_DEMAND: u64 = 1_000_000;

/// When so much is demanded of a view that was too large to be computed whole, it may be so after all, with no more
/// rows than the second says; if it has more, once more when much more is demanded.
pub(crate) const ATTEMPTS: [(u64, u64); 2] = [(400_000, 2_400_000), (4_000_000, 24_000_000)];

/// Rows from which on the table of a static predicate is large, and up to which a view is computed whole of which much is
/// demanded.
pub(crate) const LARGE_STATIC: u64 = 300_000;

// Ground rules.

/// Rules up to which all are grouped without a sample.
pub(crate) const FEW_RULES: usize = 200;

/// Rules from which on two samples are taken.
pub(crate) const MANY_RULES: usize = 1 << 16;

/// The first sample has the rules of one head of so many.
pub(crate) const FIRST_SAMPLE: u8 = 64;

/// The second sample has the rules of one head of so many.
pub(crate) const SAMPLE: u8 = 4;

/// Rules from which on a sample is grouped first, to see whether it pays.
pub(crate) const WORTH_A_SAMPLE: usize = 20_000;

/// The sample has the rules of one head of so many.
pub(crate) const SAMPLED: u32 = 13;

/// Part of the rules of a group that may take their place.
pub(crate) const WORTH_A_SET: f64 = 0.85;

/// One rule of so many must have gone for another turn.
pub(crate) const WORTH_A_TURN: usize = 5;

/// Rules that one rule is compared with.
pub(crate) const MOST_RULES_COMPARED: u32 = 128;

// State invariants.

/// Kinds of fluents, or rules for one of them, that something is shown of. Bound on work.
pub(crate) const MOST_KINDS: usize = 64;

/// Values of a fluent that an end may depend on.
pub(crate) const MOST_VALUES: usize = 2;

/// Claims that may wait for each other.
pub(crate) const MOST_WAITING: u32 = 6;

// Terms that are bounded by their values.

/// Terms with more forms than this branch while they grow.
pub(crate) const MOST_FORMS_OF_BOUNDED: usize = 1 << 12;

/// Terms whose rules are specialised to more than this, or of which a table has more rows, branch or multiply with each step.
pub(crate) const MOST_OF_BOUNDED: usize = 1 << 17;

/// Checks of the budget after which evaluation has looked at too many rows to go on.
pub(crate) const MOST_CHECKS: u64 = 1 << 15;
