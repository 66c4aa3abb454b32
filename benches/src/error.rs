//! Why a corpus could not be measured.

use std::io;
use std::path::Path;

use groundfrog::visible::visible_path;

/// Why a corpus could not be measured, or its results not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// Something could not be read or written; `what` says what, such as "cannot read `games`".
    #[error("{what}: {source}")]
    Io {
        /// What could not be done.
        what: String,
        /// Why not.
        source: io::Error,
    },
    /// What was requested cannot be.
    #[error("{0}")]
    Usage(String),
}

impl MeasureError {
    /// `what` says what could not be done with the file, such as `cannot read`.
    pub(crate) fn io(what: &str, path: &Path, source: io::Error) -> Self {
        MeasureError::Io { what: format!("{what} `{}`", visible_path(path)), source }
    }
}
