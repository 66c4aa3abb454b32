//! All thresholds of the passes, each with its unit: a module for each kind of program, in it one for each file that reads them.
//!
//! Where the numbers come from: a *bound on work* ("the most ...", ticks, steps, literals) keeps the time of a pass in
//! proportion to the rest of grounding. A *break-even point* (sizes,
//! gains, rows) was found by trial on the 204 public games, by the number of rules and the time, see
//! `docs/performance-log.md`. A *size* is the expected number of ground rules, each counted with its literals and two more.

pub(crate) mod complete_tables;
pub(crate) mod forms;
pub(crate) mod ground_rules;
pub(crate) mod large_tables;
pub(crate) mod state_invariants;
