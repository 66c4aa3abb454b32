//! Passes that split rules by the real sizes of their tables, before the rules are instantiated.
//!
//! With [`decomposition`] what is never multiplied out is not stored, nor, by its complements, what all moves but a few
//! leave as it is. The predicates that are split off are [`auxiliaries`].

pub(crate) mod auxiliaries;
pub(crate) mod decomposition;
