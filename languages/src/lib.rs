//! The relatives of GDL that know time and markets: rtGDL and MSL, read, checked and run.
//!
//! * [`realtime`]: rtGDL, where what is true has a lifetime and roles move whenever they like.
//! * [`market`]: MSL, where a market maker and traders send each other messages.
//! * [`rules`]: how both are read, and what both must keep; [`number`]: exact rational numbers.
//! * [`evaluation`]: what follows from a set of facts by stratified rules with variables.
//! * [`examine`]: checking a text in whatever language it is.
//! * [`lines`]: players and traders over the network, a message a line.
//!
//! GDL and GDL-II are read by the crate `groundfrog` and played by `groundfrog-reasoner`; which language a text is in is for
//! [`groundfrog::Language::of_text`] to say.

pub mod evaluation;
pub mod examine;
pub mod lines;
pub mod market;
pub mod number;
pub mod realtime;
pub mod rules;
