//! Two runs of `bench` side by side.
