//! Groundfrog.
