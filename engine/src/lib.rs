//! Bottom-up evaluation of Datalog with tables, and instantiation of rules over them.
//!
//! A [`Program`] is a set of rules over `u32` constants: positive literals, stratified negation and
//! `distinct`. The engine knows nothing of games. It works in two phases:
//!
//! 1. [`fixpoint::evaluate`] computes the [`Tables`]: every predicate has one table, a table holds
//!    each derivable tuple once, and the tables of a component are complete before a later component
//!    reads them ("tabling", bottom-up). Recursive components run semi-naive rounds on `datafrog`.
//! 2. [`instantiate::instantiate`] runs each rule once over the complete tables and stores the ground
//!    rules in compressed sparse rows ([`instantiate::RuleStore`]).
//!
//! [`Repeated`] is the first phase for a program that is evaluated again and again on other facts.
//!
//! [`naive`] is the textbook evaluator of both phases. It is slow, short and kept as the oracle.
//!
//! ```
//! use groundfrog_engine::{Argument, Atom, Budget, Literal, Program, Rule, Tables, fixpoint};
//! use groundfrog_engine::observe::Silent;
//!
//! let mut program = Program::default();
//! let edge = program.add_predicate("edge", 2);
//! let path = program.add_predicate("path", 2);
//! let (x, y, z) = (Argument::Variable(0), Argument::Variable(1), Argument::Variable(2));
//! let atom = |predicate, arguments: &[Argument]| Atom { predicate, arguments: arguments.into() };
//! program.add_rule(Rule::new(atom(path, &[x, y]), vec![Literal::Positive(atom(edge, &[x, y]))]));
//! program.add_rule(Rule::new(
//!     atom(path, &[x, z]),
//!     vec![Literal::Positive(atom(path, &[x, y])), Literal::Positive(atom(edge, &[y, z]))],
//! ));
//! let mut tables = Tables::new(&program);
//! for pair in [[1, 2], [2, 3], [3, 4]] {
//!     tables.insert(edge, &pair);
//! }
//! fixpoint::evaluate(&program, &mut tables, &Budget::unlimited(), &mut Silent)?;
//! assert_eq!(tables[path].len(), 6);
//! # Ok::<(), groundfrog_engine::EngineError>(())
//! ```

// What goes in, what comes out, and the limits of what lies between; what many are made of.
mod budget;
mod error;
pub mod graph;
pub mod numbers;
pub mod observe;
mod program;
pub mod rows;
mod rule_store;

// Tables, and what finds rows in them.
mod dense_keys;
mod index;
pub mod statistics;
mod table;
mod tuning;

// What is found out about rules before they are run.
pub mod projection;
pub mod strata;

// Joins: how a rule is run, and the running.
mod execute;
mod plan;

// The two phases, and the oracle of both.
pub mod fixpoint;
pub mod instantiate;
pub mod naive;
mod repeated;

// Queries on complete tables.
pub mod query;

pub use budget::{Budget, Stop};
pub use error::{EngineError, Exceeded, Limit};
pub use program::{
    Argument, Arguments, Atom, Constant, Literal, Predicate, PredicateId, Program, Rule,
};
pub use repeated::Repeated;
pub use table::Tables;
pub use table::{Constants, RowId, Table};
