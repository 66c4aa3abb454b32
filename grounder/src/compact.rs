//! The compact ground game: it means the same as the flat one in every reachable state, with far fewer
//! rules.
//!
//! Two kinds of passes: `visited`, `condensation`, `aliases`, `differences`, `redundant_arguments`, `linear_recursion`,
//! `existential_arguments`, `diagrams`, `demand`, `unfolding`, and `decomposition` with its complements rewrite rules
//! before they are instantiated, so that searches carry no lists, nothing is
//! asked for twice or by another name, comparisons of tuples have no tables, arguments that do not matter
//! are left out and so are those whose values nobody asks for, closures take one step at a time, conditions that no table could hold are checked value by value, what
//! nothing asks for is not computed, nor views that only name a conjunction, and what is never multiplied out is not
//! stored, nor what all moves but a few leave as it is (`choices` is for rules that are split in two ways); the others work on ground rules: `reach` keeps what the game
//! asks for, `moves` merges rules that differ in the move of a role alone, `inline` removes atoms that only stand
//! for others, `equal_views` makes one view of those that have the same rules, `subsumption` removes rules that say
//! nothing new.

pub(crate) mod aliases;
pub(crate) mod atom_rules;
pub(crate) mod auxiliaries;
pub(crate) mod choices;
pub(crate) mod condensation;
pub(crate) mod decomposition;
pub(crate) mod demand;
pub(crate) mod diagrams;
pub(crate) mod differences;
pub(crate) mod equal_views;
mod equality;
mod estimate;
pub(crate) mod existential_arguments;
pub(crate) mod inline;
pub(crate) mod linear_recursion;
mod literal_sets;
pub(crate) mod moves;
pub(crate) mod products;
pub(crate) mod reach;
pub(crate) mod redundant_arguments;
mod repetitions;
mod resolvent;
pub(crate) mod subsumption;
pub(crate) mod unfolding;
mod variables;
pub(crate) mod visited;

pub use crate::options::Passes;
