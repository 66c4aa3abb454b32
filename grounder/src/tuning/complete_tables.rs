//! Rules whose tables are complete.

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
/// Size of a part about a move from which on it may be replaced by its complement. Break-even on the public games.
pub(crate) const WORTH_A_COMPLEMENT: f64 = 100.0;
/// Rows that are looked at one by one; with more the engine, which looks at the limits, finds those that fail a condition.
/// Bound on work.
pub(crate) const MOST_LOOKED_AT: usize = 1_000_000;
/// Literals that a rule may have that is compared with others. Bound on work.
pub(crate) const LONGEST_ALIKE: usize = 64;
/// Rules that may be made where all comparisons of a rule are taken apart together. Bound on work.
pub(crate) const MOST_TOGETHER: usize = 16;
/// Tuples from which on a comparison is worth it: that one of two differs from the other is expressed as well by the one
/// that it is.
pub(crate) const LEAST_TUPLES: usize = 3;
/// Elements that may be counted, in all groups together. Bound on work.
pub(crate) const MOST_IN_GROUPS: usize = 200_000;
/// How often what is known of an element must be used to get a name: a name is a rule for each element.
pub(crate) const OFTEN: usize = 4;
/// Pairs of literals that are compared to find which variables can change places. Bound on work.
pub(crate) const MOST_EXCHANGED: usize = 20_000;
/// Pairs of values that are looked at for one condition in the place of several. Bound on work.
pub(crate) const MOST_PAIRS: usize = 1 << 16;
/// Elements that the key of a nested set must have on average: with fewer there is nothing to pass on.
pub(crate) const LEAST_ELEMENTS: f64 = 3.0;
/// Rules that a view may have that is unfolded for the sake of move parts. Bound on work.
pub(crate) const MOST_RULES_OF_VIEW: usize = 8;
/// How many times the expected instances an auxiliary predicate may have. Origin: estimates are wrong by less in the public games,
/// or by far more.
pub(crate) const TOLERANCE: f64 = 10.0;
/// Instances that an auxiliary predicate may have in any case: they do no harm.
pub(crate) const HARMLESS: f64 = 10_000.0;
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
