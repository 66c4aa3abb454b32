//! Passes over ground rules.
//!
//! [`ends`] drops what would follow a terminal state; [`relevance`] keeps what the game uses; [`rigid_fluents`] drops what
//! always holds and what it excludes; [`moves`] merges rules that differ in the move of a role alone. Then, in turns until
//! nothing changes, [`equal_views`] makes one view of those that have the same rules, [`inline`] removes atoms that only
//! stand for others, and [`subsumption`](crate::simplify::subsumption) removes rules that say nothing new;
//! [`occurrences`] are what they count. At last [`factoring`] lets rules share what they have in common.

pub(crate) mod ends;
pub(crate) mod equal_views;
pub(crate) mod factoring;
pub(crate) mod inline;
pub(crate) mod moves;
pub(crate) mod occurrences;
pub(crate) mod relevance;
pub(crate) mod rigid_fluents;
