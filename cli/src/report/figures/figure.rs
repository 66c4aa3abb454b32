//! What a figure is.

use crate::report::plot::Plot;

/// A figure: its name as a file, its title, what one sees, and the plot.
pub(in crate::report) struct Figure {
    pub(in crate::report) file: &'static str,
    pub(in crate::report) title: &'static str,
    /// What one sees, computed from the data.
    pub(in crate::report) caption: String,
    pub(in crate::report) plot: Plot,
}
