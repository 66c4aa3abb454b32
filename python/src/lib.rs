//! The native part of the Python package `groundfrog`: games, states and lanes of matches.
//!
//! What is here turns Python's values into those of the crates and back; what it needs belongs there.

mod beliefs;
mod calls;
mod errors;
mod game;
mod lanes;
mod state;
mod validation;

use pyo3::prelude::*;

/// The module `groundfrog._groundfrog`.
#[pymodule]
fn _groundfrog(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<state::State>()?;
    module.add_class::<lanes::Lanes>()?;
    module.add_function(wrap_pyfunction!(validation::validate, module)?)?;
    module.add_function(wrap_pyfunction!(validation::validate_all, module)?)?;
    errors::add(module)
}
