//! Rules that are rewritten before they are instantiated mean the same.

#[path = "rewriting/alternatives.rs"]
mod alternatives;
#[path = "rewriting/beside.rs"]
mod beside;
#[path = "rewriting/bounded_terms.rs"]
mod bounded_terms;
#[path = "rewriting/compared_tuples.rs"]
mod compared_tuples;
#[path = "rewriting/complements.rs"]
mod complements;
#[path = "rewriting/counters.rs"]
mod counters;
#[path = "rewriting/equivalent_formulations.rs"]
mod equivalent_formulations;
#[path = "rewriting/factoring.rs"]
mod factoring;
#[path = "rewriting/least_fill.rs"]
mod least_fill;
#[path = "rewriting/move_parts.rs"]
mod move_parts;
#[path = "rewriting/nested_sets.rs"]
mod nested_sets;
#[path = "rewriting/own_negation.rs"]
mod own_negation;
#[path = "rewriting/rigid_fluents.rs"]
mod rigid_fluents;
#[path = "rewriting/state_invariants.rs"]
mod state_invariants;
#[path = "shared/text.rs"]
mod text;
#[path = "rewriting/wide_rules.rs"]
mod wide_rules;
