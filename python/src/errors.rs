//! The exceptions of the package.

use std::io;
use std::path::Path;

use groundfrog::visible::visible_path;
use groundfrog_reasoner::ReasonerError;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;

create_exception!(groundfrog, GroundfrogError, PyException, "What goes wrong in this package.");
create_exception!(
    groundfrog,
    DescriptionError,
    GroundfrogError,
    "A description is wrong. `findings` has what is wrong, and where, as `Game.check` has it."
);
create_exception!(
    groundfrog,
    LimitError,
    GroundfrogError,
    "Time or memory ran out: nothing is decided."
);
create_exception!(
    groundfrog,
    IllegalMoveError,
    GroundfrogError,
    "A move is not one of the role, or not legal in the state."
);

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("GroundfrogError", py.get_type::<GroundfrogError>())?;
    module.add("DescriptionError", py.get_type::<DescriptionError>())?;
    module.add("LimitError", py.get_type::<LimitError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())
}

/// The exception for what a reasoner reports.
pub(crate) fn of_reasoner(error: &ReasonerError) -> PyErr {
    let text = error.to_string();
    match error {
        ReasonerError::IllegalMove { .. }
        | ReasonerError::UnknownMove { .. }
        | ReasonerError::WrongRole { .. }
        | ReasonerError::MoveCount { .. } => IllegalMoveError::new_err(text),
        _ if error.is_limit() => LimitError::new_err(text),
        _ => GroundfrogError::new_err(text),
    }
}

/// The exception for a file that cannot be read: that of Python, which names it.
pub(crate) fn of_file(py: Python<'_>, path: &Path, error: &io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return PyValueError::new_err(format!("{}: {error}", visible_path(path)));
    };
    match py.import("os").and_then(|it| it.call_method1("strerror", (number,))) {
        Ok(text) => PyOSError::new_err((number, text.unbind(), path.as_os_str().to_owned())),
        Err(other) => other,
    }
}

/// An exception about a description, with its findings.
pub(crate) fn of_description(py: Python<'_>, text: String, findings: &Bound<'_, PyAny>) -> PyErr {
    let error = DescriptionError::new_err(text);
    match error.value(py).setattr("findings", findings) {
        Ok(()) => error,
        Err(other) => other,
    }
}
