//! What most of the grounder works on: sentence forms, rules over these, and what the engine makes of them.
//!
//! A *form* is a predicate with the shapes of its arguments, `(true (cell _ _ _))`: a table with a column for each `_`
//! ([`Forms`]). A *flat rule* has constants and variables as arguments ([`FlatRule`]). [`lowering`] turns flat rules into
//! programs of the engine.

mod forms;
pub mod lowering;
mod names;
mod rules;

pub use forms::{Ending, Form, FormId, Forms, Shape, ShapeId};
pub use names::form_name;
pub use rules::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, LiteralKind};
