//! The propositional network of a ground game.
//!
//! A graph of propositions, AND, OR and NOT components and one transition for each base proposition, as
//! general game players use it (Schkufza, Love & Genesereth, "Propositional automata and cell automata",
//! 2008; Cox et al., "Factoring general games using propositional automata", 2009). Components are
//! numbered from 0; the inputs of a component are components. Two constants stand for what always and
//! never holds, where they are needed.
//!
//! [`write_json`] is enough to rebuild the network in another language; `docs/propnet.md` describes it.

mod build;
mod dot;
#[cfg(feature = "serde")]
mod json;
mod network;

pub use dot::write_dot;
#[cfg(feature = "serde")]
pub use json::{JSON_VERSION, write_json};
pub use network::{Component, ComponentKind, Counts, NetGoal, NetMove, PropNet};
