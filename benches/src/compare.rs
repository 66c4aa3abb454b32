//! Two runs of `bench` side by side. `docs/benchmarking.md` defines when a time has changed.

mod changes;
mod text;

pub use changes::Comparison;
