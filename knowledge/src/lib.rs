//! What can be known of a game from its rules.
//!
//! [`analyse`] looks for properties of a ground game and proves them by induction: a property that holds in the initial state,
//! and after every legal joint move in a state where it holds that is not terminal, holds in every state that a match can
//! reach (Schiffel & Thielscher, "Automated Theorem Proving for General Game Playing", 2009; Thielscher's tutorial at IJCAI
//! 2009, slides 52 to 57). Both halves are propositional formulae; a SAT solver decides them.
//!
//! An answer is [`Verdict::Proved`], [`Verdict::Refuted`] with the moves of a match, or [`Verdict::Unknown`]. A state that the
//! induction cannot exclude is no refutation, as no match may reach it.
//!
//! ```
//! use groundfrog_knowledge::{AnalysisOptions, Property, Verdict, analyse};
//! use groundfrog_reasoner::GroundReasoner;
//!
//! let rules = groundfrog_corpus::game("tictactoe").expect("a game").text;
//! let mut reasoner = GroundReasoner::of_text(rules)?;
//! let analysis = analyse(&mut reasoner, &AnalysisOptions::default())?;
//! let turns = analysis.findings.iter().find(|finding| finding.property == Property::TurnTaking);
//! assert!(matches!(turns.map(|finding| &finding.verdict), Some(Verdict::Proved)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod bodies;
mod changes;
mod condition;
mod ending;
pub mod evaluation;
pub mod factors;
mod families;
mod formula;
mod induction;
mod investigation;
mod measure;
mod obligation;
mod occupancy;
mod property;
mod reachability;
mod sample;
mod situation;
mod statement;
pub mod structures;
mod survey;
pub mod symmetry;
mod total;
mod unrolling;
mod views;
mod visits;

pub use analysis::{Analysis, AnalysisOptions, Finding, Verdict, analyse};
pub use factors::{Factors, factors};
pub use obligation::Obligation;
pub use property::Property;
pub use statement::{Statement, StatementError};
pub use structures::{Structures, structures, structures_of_fluents};
pub use survey::{Survey, survey};
pub use symmetry::{Symmetries, symmetries};
