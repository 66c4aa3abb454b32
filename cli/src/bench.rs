//! Measuring grounding over a corpus: `bench` and `compare`; `docs/benchmarking.md` is the page about it.
//!
//! The harness starts a worker process for each game, which sends each measurement as a line of JSON: what
//! was measured before a worker dies is kept.

pub(crate) mod assemble;
pub(crate) mod compare;
pub(crate) mod files;
pub(crate) mod harness;
pub(crate) mod job;
pub(crate) mod machine;
pub(crate) mod measure;
pub(crate) mod record;
pub(crate) mod results;
pub(crate) mod summary;
pub(crate) mod worker;
