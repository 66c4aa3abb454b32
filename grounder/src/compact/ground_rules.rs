//! Passes over ground rules.
//!
//! [`relevance`] keeps what the game uses; [`moves`] merges rules that differ in the move of a role alone. Then, in turns until
//! nothing changes, [`equal_views`] makes one view of those that have the same rules, [`inline`] removes atoms that only
//! stand for others, and [`subsumption`](crate::simplify::subsumption) removes rules that say nothing new;
//! [`occurrences`] are what they count. At last [`factoring`] lets rules share what they have in common.
//! What holds in every reachable state is found by [`invariants`](super::invariants).

pub(crate) mod equal_views;
pub(crate) mod factoring;
pub(crate) mod inline;
pub(crate) mod moves;
pub(crate) mod occurrences;
pub(crate) mod relevance;
