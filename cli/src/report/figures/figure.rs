//! What a figure is.

use crate::report::plot::Plot;

/// A figure: its name as a file, its title, what one sees, and the plot.
pub(crate) struct Figure {
    pub(crate) file: &'static str,
    pub(crate) title: &'static str,
    /// What one sees, computed from the data.
    pub(crate) caption: String,
    pub(crate) plot: Plot,
}
