//! The public games: no error, and the known peculiarities.
