//! The engine against the textbook evaluator, against plain loops, and against its limits.

#[path = "programs/agreement.rs"]
mod agreement;
#[path = "programs/budgets.rs"]
mod budgets;
#[path = "programs/closures.rs"]
mod closures;
#[path = "programs/coincidences.rs"]
mod coincidences;
#[path = "programs/generate.rs"]
mod generate;
#[path = "programs/ground_rules.rs"]
mod ground_rules;
#[path = "programs/shapes.rs"]
mod shapes;
#[path = "programs/splits.rs"]
mod splits;
#[path = "programs/stored.rs"]
mod stored;
#[path = "programs/support.rs"]
mod support;
