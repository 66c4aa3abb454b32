//! What holds in every state that a match can reach, and what follows for rules.
//!
//! Three passes, on two levels. What holds of whole kinds of fluents is found from rules with variables, before there are
//! tables; what is true of single fluents only, of ground rules.
//!
//! | | rules with variables | ground rules |
//! | --- | --- | --- |
//! | fluents that never change | [`rigid_fluents`] | [`rigid_atoms`] |
//! | nothing follows a terminal state | `ends` of [`state_invariants`] | |
//! | fluents with one value for a key; moves that are made are legal | [`state_invariants`] | |
//! | what can hold at all (relaxed reachability) | sentence forms and tables | |
//!
//! Rules by what they derive, with copies whose variables are apart, are [`definitions`](super::definitions).

pub(crate) mod rigid_atoms;
pub(crate) mod rigid_fluents;
pub(crate) mod state_invariants;
