//! Measuring grounding over a corpus: `groundfrog bench`, `compare` and `report`; `docs/benchmarking.md` is the page about it.
//!
//! The [`harness`] starts a worker process for each game, which sends each measurement as a line of JSON: what was measured
//! before a worker dies is kept. What all of them sent is a [`record`] a game; [`results`] are the records of a run,
//! [`compare`] reports what changed between two runs, and [`report`] makes a page with figures.

mod assemble;
pub mod compare;
mod error;
pub mod files;
pub mod harness;
pub mod job;
pub mod machine;
pub mod quantities;
pub mod record;
pub mod report;
pub mod results;
pub mod summary;
mod worker;

pub use error::MeasureError;
