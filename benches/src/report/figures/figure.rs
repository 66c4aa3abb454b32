//! What a figure is.

use crate::report::plot::Plot;

/// A figure: its name as a file, its title, what one sees, and the plot.
pub struct Figure {
    pub file: &'static str,
    pub title: &'static str,
    /// What one sees, computed from the data.
    pub caption: String,
    pub plot: Plot,
}
