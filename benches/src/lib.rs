//! Criterion benches of Groundfrog; see the folder `benches`.
